// Package schema has the plain values that describe a DynamoDB table as a SQL
// table: keys, indexes, attributes and the columns they become. It does no I/O
// and knows neither the SQL engine nor the AWS SDK, so that planning can be
// tested with values alone.
package schema

import (
	"strings"
	"time"
)

// Kind is the type of a DynamoDB attribute value.
type Kind uint8

// The kinds, in the order in which comments and reports list them.
const (
	Missing Kind = iota // no attribute of that name
	S
	N
	B
	Bool
	Null
	M
	L
	SS
	NS
	BS
	kinds // number of kinds
)

var kindNames = [kinds]string{"missing", "S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS"}

// String returns the type descriptor that DynamoDB uses, such as "SS".
func (k Kind) String() string { return kindNames[k] }

// KindOf is the inverse of Kind.String for the ten kinds of values.
func KindOf(descriptor string) (Kind, bool) {
	for k := S; k < kinds; k++ {
		if kindNames[k] == descriptor {
			return k, true
		}
	}
	return Missing, false
}

// Document reports whether the kind is shown as JSON: maps, lists and sets.
func (k Kind) Document() bool { return k >= M }

// Counts says how often each kind was seen, indexed by Kind.
type Counts [kinds]int

// Of returns the kinds that were seen and hold a value: neither Missing nor Null.
func (c Counts) Of() []Kind {
	var seen []Kind
	for k := S; k < kinds; k++ {
		if k != Null && c[k] > 0 {
			seen = append(seen, k)
		}
	}
	return seen
}

// Scalar is a constant of kind S, N, B or Bool. Text is the string, the number
// as DynamoDB writes it (no exponent, no superfluous zeros), the raw bytes, or
// "true" and "false". Two scalars are == exactly when DynamoDB holds them equal.
type Scalar struct {
	Kind Kind
	Text string
}

// Str is the scalar of a string.
func Str(s string) Scalar { return Scalar{S, s} }

// Num is the scalar of a number in canonical text.
func Num(canonical string) Scalar { return Scalar{N, canonical} }

// Attr names a key attribute and its kind: S, N or B.
type Attr struct {
	Name string
	Kind Kind
}

// Key is a primary key or an index key. Sort.Name is empty when it has one part.
type Key struct {
	Hash Attr
	Sort Attr
}

// HasSort reports whether the key has two parts.
func (k Key) HasSort() bool { return k.Sort.Name != "" }

// Has reports whether the attribute is part of the key.
func (k Key) Has(attribute string) bool {
	return attribute == k.Hash.Name || k.HasSort() && attribute == k.Sort.Name
}

// Attrs returns the one or two parts, hash key first.
func (k Key) Attrs() []Attr {
	if k.HasSort() {
		return []Attr{k.Hash, k.Sort}
	}
	return []Attr{k.Hash}
}

// Index is a secondary index.
type Index struct {
	Name      string
	Key       Key
	Global    bool
	Active    bool     // local indexes always are
	All       bool     // projects every attribute
	Include   []string // projected beside the keys, when not All
	Items     int64    // as DynamoDB reports it, up to six hours old
	SizeBytes int64
	ReadUnits int64 // provisioned read units a second; 0 on demand
}

// Projects reports whether the index holds the attribute. The keys of the
// index and of its table always are.
func (x *Index) Projects(t *Table, attribute string) bool {
	if x.All || x.Key.Has(attribute) || t.Key.Has(attribute) {
		return true
	}
	for _, a := range x.Include {
		if a == attribute {
			return true
		}
	}
	return false
}

// Type is the SQL type of a column.
type Type uint8

// The column types of a table without a schema file.
const (
	Text      Type = iota // VARCHAR(Length), or LONGTEXT when Length is 0; binary collation
	Decimal               // exact, each value at its own scale
	Boolean               // TINYINT(1)
	Bytes                 // VARBINARY(Length), or LONGBLOB when Length is 0
	JSON                  // documents and sets
	MixedText             // LONGTEXT of scalars of several kinds
	WholeItem             // the hidden column _item: JSON with plain values
	WireItem              // the hidden column _ddb: DynamoDB JSON
	BigInt                // BIGINT, of integral numbers; only pinned, as those that follow
	Double                // DOUBLE, of numbers
	DateTime              // DATETIME(Scale) in UTC, of what Form says
)

// Form is how a pinned column's value is stored.
type Form uint8

// The forms. Only DATETIME and BOOLEAN have one.
const (
	AsIs         Form = iota
	EpochSeconds      // a number of seconds since 1970
	EpochMillis       // a number of milliseconds since 1970
	ISO8601           // a text such as 2026-09-01T12:30:00Z; without a zone it is UTC
	ZeroOne           // a number, 0 or 1
)

// Column is one column of the SQL table.
type Column struct {
	Name      string // unique without regard to case
	Attribute string // the DynamoDB attribute; empty for the hidden columns
	Type      Type
	Length    int    // characters or bytes, for Text and Bytes
	Kinds     Counts // what the sample showed
	Fixed     Kind   // S, N or B when a key definition fixes the kind; else Missing
	Hidden    bool   // not part of SELECT *
	Comment   string
	// Values are the distinct values in the sample, in order, when these are
	// few strings or numbers; else nil.
	Values []Scalar

	Path   []any // place inside the attribute: names of maps (string) and positions of lists (int)
	Digits int   // of a DECIMAL(Digits,Scale); 0 for one that has each value at its own scale
	Scale  int   // digits behind the point of such a DECIMAL, or of the seconds of a DATETIME
	Form   Form
	Pinned bool // by a schema file
}

// Whole reports whether the column shows all of its attribute.
func (c *Column) Whole() bool { return len(c.Path) == 0 }

// Ordered reports whether DynamoDB orders the attribute as SQL orders the
// column.
func (c *Column) Ordered() bool { return c.Whole() && c.Form != ISO8601 }

// Names of the two hidden columns.
const (
	ItemColumn = "_item"
	WireColumn = "_ddb"
)

// Table describes one DynamoDB table. It is immutable once built: refreshing
// makes a new one.
type Table struct {
	Name      string
	Arn       string
	Status    string // DynamoDB's, such as "ACTIVE"
	Key       Key
	Indexes   []Index
	Columns   []Column // key attributes first, then the others by name, hidden ones last
	Items     int64    // as DynamoDB reports it, up to six hours old
	SizeBytes int64    // likewise
	ReadUnits int64    // provisioned read units a second; 0 on demand

	// Source says of which export the items are, as in "an export taken 2026-11-30
	// 12:00:00 UTC"; "" for those of DynamoDB. Reading an export takes no read units.
	Source string

	Described   bool      // only: no sample was taken, and columns other than keys are not known
	Sampled     int       // items in the sample
	SampleUnits float64   // read units that taking it took
	SampledAt   time.Time // when it was taken
	SampleBytes int64     // their size by DynamoDB's accounting
	// DistinctHash estimates the number of distinct hash key values of the
	// table ("") and of each index by name; an absent entry is unknown.
	DistinctHash map[string]int64
	// HashShares estimates the share of an index's items that have a hash key
	// value, for the values that the sample has most often.
	HashShares map[string]map[Scalar]float64
	// SparseSort[index] counts the sampled items that hold the index's hash
	// key but not its sort key: such items are absent from the index.
	SparseSort map[string]int
}

// Column finds a column by its SQL name, without regard to case.
func (t *Table) Column(name string) (*Column, bool) {
	for i := range t.Columns {
		if strings.EqualFold(t.Columns[i].Name, name) {
			return &t.Columns[i], true
		}
	}
	return nil, false
}

// Index finds a secondary index by its exact name.
func (t *Table) Index(name string) (*Index, bool) {
	for i := range t.Indexes {
		if t.Indexes[i].Name == name {
			return &t.Indexes[i], true
		}
	}
	return nil, false
}

// AverageItem estimates the size of an item in bytes: from the table's figures,
// else from the sample, else 0 for unknown.
func (t *Table) AverageItem() int64 {
	switch {
	case t.Items > 0 && t.SizeBytes > 0:
		return max(1, t.SizeBytes/t.Items)
	case t.Sampled > 0:
		return max(1, t.SampleBytes/int64(t.Sampled))
	}
	return 0
}
