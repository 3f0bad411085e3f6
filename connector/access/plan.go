package access

import "github.com/dynasql/dynasql/connector/schema"

// Operation is what a plan sends.
type Operation uint8

// The operations. Nothing is a plan without any request: the predicates
// contradict each other.
const (
	Nothing Operation = iota
	GetItem
	BatchGetItem
	Query
	Scan
)

var operationNames = [...]string{"Nothing", "GetItem", "BatchGetItem", "Query", "Scan"}

// String returns the name of the DynamoDB action.
func (o Operation) String() string { return operationNames[o] }

// SortCond is the one condition that a key condition may put on the sort key.
type SortCond struct {
	Op Op            // Eq, Lt, Le, Gt, Ge, Prefix, or Between
	Lo schema.Scalar // the operand; the lower bound of Between
	Hi schema.Scalar // the upper bound of Between, inclusive
}

// Between is only found in a SortCond: both bounds inclusive.
const Between Op = 100

// KeyCond selects one item (GetItem, BatchGetItem: Sort is nil or Eq) or the
// items of one hash key that a Query reads.
type KeyCond struct {
	Hash schema.Scalar
	Sort *SortCond
}

// Plan is how one table is read. It is all contract: whoever runs it sends
// exactly this.
type Plan struct {
	// Request is what the plan answers.
	Request *Request
	Table   *schema.Table
	Op      Operation
	Index   string    // secondary index, or "" for the table
	Keys    []KeyCond // distinct; one Query each, or one item each
	// Filter is evaluated by DynamoDB after reading: it saves transfer, not
	// read units. It is already in DynamoDB's own two-valued terms. It goes
	// with the Query or Scan, so with Complete it is evaluated on the index.
	Filter *Filter
	// Project are the paths to fetch; nil fetches whole items, or what the
	// index holds of them. With Complete it belongs to the BatchGetItem, while
	// the index is read for the keys of the table alone.
	Project []Path
	Count   bool // Select=COUNT: pages carry no items
	Reverse bool // ScanIndexForward=false
	// Ordered says that the rows that satisfy Request.Where come in
	// Request.Order, across all Keys too, and with Complete as well: rows of one key after those of the key before it
	// in Keys, or merged when Merge is set. Of BatchGetItem it asks to give the
	// items in the order of Keys.
	Ordered bool
	// Merge says that the rows of the Keys are merged by the sort key of what is
	// read, descending when Reverse; ties go in the order of Keys.
	Merge bool
	// OrderPrefix is the number of leading terms of Request.Order in which rows
	// come, under the same rules as Ordered, which is the case of all of them.
	OrderPrefix int
	// Limit stops reading after that many rows (after Filter); 0 is no bound.
	// It is set only if no residual predicate can drop a row.
	Limit int64
	// PageLimit is the Limit parameter of the first page of a request; 0 is
	// none. Later pages may grow: double it.
	PageLimit  int32
	Consistent bool
	// Complete says that the index lacks wanted attributes: the keys found are
	// read again from the table by BatchGetItem, with Project.
	Complete bool
	// Fetch says that DynamoDB itself reads the attributes that a local index
	// lacks from the table, and charges for it.
	Fetch bool
	// Walk says that a Scan passes over items: the page after one begins behind
	// all items of the hash key with which it ended. PageLimit is the Limit of
	// each page and does not grow.
	Walk bool
	// Residual are the positions in Request.Where that the engine must apply.
	Residual []int
	// Pushed are the positions in Request.Where that Filter stands for.
	Pushed []int
	Cost   Cost
	// Reasons say why this plan was chosen; WhyNot why each other index, or
	// the use of a key, was not. Both are sentences for EXPLAIN.
	Reasons []string
	WhyNot  []string
}

// Select is the Select parameter of Query and Scan, or "" for the default.
func (p *Plan) Select() string {
	switch {
	case p.Count:
		return "COUNT"
	case p.Fetch && p.Project == nil:
		return "ALL_ATTRIBUTES"
	}
	return ""
}

// Key returns the key of what is read: the index, or the table.
func (p *Plan) Key() schema.Key {
	if x, ok := p.Table.Index(p.Index); ok && p.Index != "" {
		return x.Key
	}
	return p.Table.Key
}

// Cost is an estimate of what running the plan takes.
type Cost struct {
	Requests  float64
	Items     float64 // items read, before the filter
	Bytes     float64 // of those items, by DynamoDB's accounting
	ReadUnits float64
	// Guess says that a figure rests on an assumption and not on a count that
	// DynamoDB reports or on the plan's own shape.
	Guess bool
}

// Filter is a FilterExpression as a tree, in DynamoDB's terms: a comparison
// with a missing attribute or one of another kind is false, except <>.
type Filter struct {
	Op   FilterOp
	Kids []*Filter
	Path Path
	Args []schema.Scalar
	Kind schema.Kind // TypeIs
}

// FilterOp is an operator of the filter expression language.
type FilterOp uint8

// The filter operators.
const (
	FAnd FilterOp = iota
	FOr
	FNot
	FEq
	FNe
	FLt
	FLe
	FGt
	FGe
	FBetween
	FIn
	FBeginsWith
	FContains
	FExists
	FNotExists
	TypeIs
)
