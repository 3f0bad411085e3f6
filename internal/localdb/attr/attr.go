// Package attr holds DynamoDB attribute values: their exact numbers, order,
// equality and size, the JSON of the wire, and the SDK's value types.
//
// The form in which the store keeps an item stands in the middle: JSON and the
// SDK's values are read into it and written from it, and a Value is a part of it
// taken out to be looked at.
//
// It knows nothing of tables, requests or expressions.
package attr

// Kind is the type of an attribute value.
type Kind uint8

// The kinds of DynamoDB. Invalid is the zero Value's kind and is never stored.
const (
	Invalid Kind = iota
	S
	N
	B
	BOOL
	NULL
	M
	L
	SS
	NS
	BS
)

var kindTags = [...]string{"invalid", "S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS"}

// String gives the type tag of the wire, such as "S" or "BOOL".
func (k Kind) String() string {
	if int(k) < len(kindTags) {
		return kindTags[k]
	}
	return kindTags[Invalid]
}

// Value is one attribute value. Values are read only once made: decoding may
// let them share memory.
type Value struct {
	Kind Kind
	Bool bool     // BOOL
	Text string   // S; N in canonical form; B as raw bytes
	Set  []string // SS; NS in canonical form; BS as raw bytes
	List []Value  // L
	Map  Item     // M
}

// Item is attribute values by attribute name.
type Item map[string]Value

// Error is a value or a JSON text that DynamoDB refuses.
type Error struct {
	// Serialization tells that the service answers SerializationException;
	// otherwise it answers ValidationException.
	Serialization bool
	// Message is the service's text.
	Message string
	// Attribute is the top-level attribute at fault, if one of an item's is.
	Attribute string
}

func (e *Error) Error() string { return e.Message }
