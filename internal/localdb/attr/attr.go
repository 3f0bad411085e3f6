// Package attr holds DynamoDB attribute values: their exact numbers, order,
// equality and size, the JSON of the wire, and the SDK's value types.
//
// The form in which the store keeps an item stands in the middle: JSON and the
// SDK's values are read into it and written from it, and a Value is a part of it.
//
// It knows nothing of tables, requests or expressions.
package attr

import "slices"

// Kind is the type of an attribute value.
type Kind uint8

// The kinds of DynamoDB. Invalid is the kind of no value and is never stored.
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
func (k Kind) String() string { return kindTags[k] }

// KindOf is the kind of a type tag such as "S", Invalid if it is none.
func KindOf(tag string) Kind {
	return Kind(max(slices.Index(kindTags[:], tag), int(Invalid)))
}

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
