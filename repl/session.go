package repl

import (
	"context"
	"time"

	"github.com/dynasql/dynasql/repl/format"
)

// Session is what the shell needs of the engine: one connection of one user.
// Its methods are called from one goroutine at a time, Objects and Variables
// also while a line is being edited. More abilities are optional interfaces:
// Unlimiter, Progresser, Lister, Sampler and
// Connector.
type Session interface {
	// Query runs one statement, without its terminator. The statement may name
	// the parameters as :name; they are values and must be bound as such, never
	// pasted into the text. Cancelling ctx stops the reads within one page.
	//
	// An error may offer Hint() string, Position() int (byte offset into sql)
	// and, when the statement was refused for its cost, the methods of Refusal.
	Query(ctx context.Context, sql string, params []Param) (Rows, error)

	// Database is the name of the current database; it may be empty.
	Database() string

	// Objects is what the session knows of its databases without reading an
	// item: for completion and \d. It answers from memory after the first call
	// and returns the same pointer until something changed.
	Objects(ctx context.Context) (*Catalog, error)

	// Describe is everything about one table, its sampled columns included. It
	// may sample the table if that was not done yet. An empty database means
	// the current one; the name is taken as typed, case aside.
	Describe(ctx context.Context, database, table string) (*Table, error)

	// Variables lists the session variables that a user may set.
	Variables() []Variable
}

// Unlimiter is a Session that can run a statement above its budget once, after
// the user agreed.
type Unlimiter interface {
	QueryUnlimited(ctx context.Context, sql string, params []Param) (Rows, error)
}

// Progresser is a Session that can say how far the running statement is. It is
// called from another goroutine than Query and Next.
type Progresser interface {
	Progress() Progress
}

// Lister is a Session that can describe the tables of the current database
// although that sends a request for each; it reads no item.
type Lister interface {
	List(ctx context.Context) ([]Table, error)
}

// Sampler is a Session that reads items to find the columns of tables, beside
// what statements read.
type Sampler interface {
	Sampling() Sampling
}

// Sampling is what looking at tables has read since the session began.
type Sampling struct {
	Requests, Items    int64
	ReadUnits, CostUSD float64
}

// Connector is a Session with several named connections.
type Connector interface {
	Connections() []string
	Connect(ctx context.Context, name string) error
}

// Param is the value of one :name in a statement. Kind is format.Number for a
// number in decimal notation (to be bound as an exact number) and format.Text
// for a string; Null is for NULL.
type Param struct {
	Name string
	Kind format.Kind
	Text string
	Null bool
}

// Rows are the rows of one statement. The user of Rows calls Next until io.EOF
// or another error, then Close, then Warnings and Stats.
type Rows interface {
	// Columns is empty for a statement without a result set.
	Columns() []format.Column

	// Next returns the next row, or io.EOF. The slice is valid until the next
	// call; the texts in it stay valid.
	Next(ctx context.Context) ([]format.Cell, error)

	// Close ends the statement and waits for what it started. Calling it again
	// does nothing.
	Close() error

	// Affected is the number of rows that a statement without result set
	// changed.
	Affected() int64

	Warnings() []Warning

	// Stats is what the statement sent and consumed, complete after Close.
	Stats() Stats
}

// Warning is something that the user should know about an answer that stands.
type Warning struct {
	Code    int // MySQL's number, or 0
	Message string
}

// Stats is what one statement sent to DynamoDB and what that consumed, without
// the catalog's own sampling.
type Stats struct {
	Requests      map[string]int64 // by operation: Query, Scan, GetItem, BatchGetItem, ...
	ItemsRead     int64            // items evaluated (ScannedCount)
	ItemsReturned int64            // items that came back (Count)
	ReadUnits     float64
	CostUSD       float64 // 0: no price known
	Throttles     int64
	Reads         []Read        // in the order in which they began
	Elapsed       time.Duration // 0: the shell's own measurement is shown
}

// Read is one access path that a statement used.
type Read struct {
	Table, Operation, Index  string
	KeyCondition, Filter     string // in SQL's notation; empty: none
	Requests                 int64
	ItemsRead, ItemsReturned int64
	ReadUnits, CostUSD       float64
}

// Progress is how far the running statement is. Zero values are not shown.
type Progress struct {
	Items, Bytes, Pages int64
	ReadUnits, CostUSD  float64
	Done                float64       // share of the reads, 0 to 1
	Left                time.Duration // estimated
}

// Refusal is an error for a statement that was not run, or was stopped, because
// of its cost in read units. When nothing was shown yet, the shell asks whether
// to run it all the same.
type Refusal interface {
	error
	Estimate() float64 // read units the statement would consume
	Limit() float64    // read units it may consume
}

// Catalog is what a session knows of its databases. It is not changed once
// returned.
type Catalog struct {
	Databases []string
	Tables    []Table  // of all databases; of a table never described only the names
	Functions []string // of the engine, for completion
}

// Table is one DynamoDB table, or a view.
type Table struct {
	Database, Name string
	View           bool
	Described      bool // the fields below are known
	Status         string
	Items, Bytes   int64  // as DescribeTable says, up to six hours old
	Billing        string // "on demand", "provisioned 5 RCU, 5 WCU"
	HashKey        string
	SortKey        string // empty: none
	Sampled        int64  // items in the sample; 0: not sampled
	SampledAt      time.Time
	Columns        []Column // keys first
	Indexes        []Index
}

// Column is one column of a table as inferred from its sample.
type Column struct {
	Name    string
	Type    string // SQL
	Kinds   string // DynamoDB types in the sample, "S" or "S 980, N 20"
	Seen    int64  // sampled items that have it, of Table.Sampled
	Key     string // "hash", "sort" or empty
	Comment string
	Values  []string // the distinct values when the sample shows few, as SQL literals
}

// Index is one secondary index.
type Index struct {
	Name       string
	Local      bool
	HashKey    string
	SortKey    string
	Projection string // "all", "keys only", "keys and a, b"
	Status     string
	Items      int64
	Bytes      int64
}

// Variable is a session variable.
type Variable struct {
	Name    string
	Value   string
	Values  []string // what it may be, if that is a short list
	Comment string
}
