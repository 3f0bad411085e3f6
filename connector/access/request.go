// Package access chooses how a table is read. Choose turns a Request, which
// says what a statement needs of one table, into a Plan, which says what is
// sent to DynamoDB. Everything here is pure: no I/O, no clock, no SQL engine.
//
// Request.Where is a contract: each conjunct is enforced by the plan's key
// conditions, by its filter, or is listed in Plan.Residual for the engine to
// apply; in doubt it is listed there even if it was also pushed. Order, Limit,
// Columns and Count are permissions: the plan says which of them it serves.
// Whatever a plan reads is a superset of the rows wanted.
package access

import "github.com/dynasql/dynasql/connector/schema"

// Op is the operator of a predicate.
type Op uint8

// The operators, with SQL's three-valued meaning: a comparison with a missing
// or NULL-typed attribute is unknown, and unknown is not true.
const (
	And      Op = iota // Kids
	Or                 // Kids
	Not                // Kids[0]
	Eq                 // Path, Args[0]
	Ne                 //
	Lt                 //
	Le                 //
	Gt                 //
	Ge                 //
	In                 // Path, Args; NOT IN is Not of In
	Prefix             // Path begins with Args[0] (S): LIKE 'p%'
	Contains           // Path contains Args[0] (S) as a substring: LIKE '%x%'
	IsNull             // Path is missing or NULL-typed; its negation is Not of IsNull
	Tuple              // (Paths) IN (Rows): row constructors, each row has one scalar a path
	False              // never true: WHERE false, a comparison with NULL; its negation may be unknown, too
)

// Path is an attribute, or a place inside one: Elems are map keys (string) and
// list positions (int).
type Path struct {
	Attribute string
	Elems     []any
}

// Pred is one predicate: an operator over a path and constants, or over other
// predicates. Whoever builds it guarantees that it means the same as the SQL
// expression for every value the column can hold: constants have the kind of
// the column, and the comparison is by bytes (S, B) or by number (N).
type Pred struct {
	Op    Op
	Path  Path
	Args  []schema.Scalar
	Kids  []Pred
	Paths []Path            // Tuple
	Rows  [][]schema.Scalar // Tuple
	// Kind is the only kind of value, beside missing and NULL, for which Path
	// compares as written. A value of another kind must still be read, since
	// the engine then reports it or shows it as text: see Filter.
	Kind schema.Kind
}

// Order is one term of ORDER BY on a plain attribute.
type Order struct {
	Attribute string
	Desc      bool
}

// Hint is an index chosen or refused in the text of the statement.
type Hint struct {
	Force  string   // index name; "PRIMARY" is the table itself; "" is no wish
	Forbid []string // index names
}

// Request is what a statement needs of one table.
type Request struct {
	Table *schema.Table
	// Index, when set, is the secondary index that is read as a table of its
	// own: only the items it holds are wanted.
	Index string
	Where []Pred
	// Opaque is the number of further conjuncts that could not be put as a
	// Pred; the engine applies them to the rows.
	Opaque int
	// Columns are the attributes and nested paths that are needed, also by
	// Where and Opaque conjuncts and by Order in case that it is not served.
	// All asks for whole items.
	Columns []Path
	All     bool
	// Count says that only the number of rows matters, not their values.
	Count bool
	Order []Order
	// DistinctHash says that one item of each hash key is enough: nothing of
	// the rows but the table's hash key is looked at, and equal ones count once.
	DistinctHash bool
	// Limit bounds the rows wanted after every predicate; 0 is no bound.
	Limit int64

	Consistent    bool
	StrictIndexes bool // a sampled guess about sparseness is not good enough
	NoPushdown    bool // read everything: the other half of the oracle
	Hint          Hint

	// counted says that the counts of the table are true now, as tests can know.
	counted bool
}
