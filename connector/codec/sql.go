// Package codec is the only place that knows both value systems: DynamoDB's
// attribute values and the SQL engine's. It converts without loss: a value that
// a column cannot hold is an error, never a changed or a missing value.
//
// A missing attribute and one of type NULL are both SQL NULL; the hidden
// columns _item and _ddb tell them apart.
package codec

import (
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cockroachdb/apd/v3"

	"github.com/dynasql/dynasql/connector/schema"
)

// KindOf returns the kind of a value, Missing for nil.
func KindOf(v types.AttributeValue) schema.Kind {
	switch v.(type) {
	case *types.AttributeValueMemberS:
		return schema.S
	case *types.AttributeValueMemberN:
		return schema.N
	case *types.AttributeValueMemberB:
		return schema.B
	case *types.AttributeValueMemberBOOL:
		return schema.Bool
	case *types.AttributeValueMemberNULL:
		return schema.Null
	case *types.AttributeValueMemberM:
		return schema.M
	case *types.AttributeValueMemberL:
		return schema.L
	case *types.AttributeValueMemberSS:
		return schema.SS
	case *types.AttributeValueMemberNS:
		return schema.NS
	case *types.AttributeValueMemberBS:
		return schema.BS
	}
	return schema.Missing
}

// KeyScalar returns the value as a key of the wanted kind, and false when it
// is missing or of another kind.
func KeyScalar(v types.AttributeValue, kind schema.Kind) (schema.Scalar, bool) {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return schema.Str(v.Value), kind == schema.S
	case *types.AttributeValueMemberN:
		return schema.Num(v.Value), kind == schema.N
	case *types.AttributeValueMemberB:
		return schema.Scalar{Kind: schema.B, Text: string(v.Value)}, kind == schema.B
	}
	return schema.Scalar{}, false
}

// DriftError reports a value that its column cannot hold: the sample from which
// the column was inferred did not show its kind, or a schema file says another.
type DriftError struct {
	Table     string
	Key       string // the item's key, for people
	Column    string
	Attribute string // with the place inside it, where the column shows one
	Kind      schema.Kind
	Value     string // a number or the beginning of a text, for people; may be empty
	Type      string // of the column, in SQL
	Pinned    bool
}

// NewDriftError describes the value of an item that a column cannot hold.
func NewDriftError(table, key string, c *schema.Column, item map[string]types.AttributeValue) *DriftError {
	v := item[c.Attribute]
	e := &DriftError{Table: table, Key: key, Column: c.Name, Attribute: c.Attribute, Type: c.TypeText(), Pinned: c.Pinned}
	if !c.Whole() {
		v = at(v, c.Path)
		e.Attribute += schema.PathText(c.Path)[1:]
	}
	e.Kind, e.Value = KindOf(v), excerpt(v)
	return e
}

func excerpt(v types.AttributeValue) string {
	const most = 40
	switch v := v.(type) {
	case *types.AttributeValueMemberN:
		return v.Value
	case *types.AttributeValueMemberS:
		if r := []rune(v.Value); len(r) > most {
			return "'" + string(r[:most]) + "..'"
		}
		return "'" + v.Value + "'"
	}
	return ""
}

func (e *DriftError) Error() string {
	value := "is of type " + e.Kind.String()
	if e.Value != "" {
		value = "is " + e.Value + " of type " + e.Kind.String()
	}
	return fmt.Sprintf("table '%s', item %s: attribute '%s' %s, which the column '%s' (%s) cannot hold",
		e.Table, e.Key, e.Attribute, value, e.Column, e.Type)
}

// Hint says how to go on.
func (e *DriftError) Hint() string {
	if e.Pinned {
		return "the schema file pins the column: give it another type there, or SET ddb_on_drift = 'null' to read such values as NULL"
	}
	return "the column has been widened: run the statement again, or SET ddb_on_drift = 'null' to read such values as NULL"
}

// TypeName is the name of a column type, for messages.
func TypeName(t schema.Type) string {
	return (&schema.Column{Type: t}).TypeText()
}

// Value converts the attribute value of a column to the engine's value: string,
// *apd.Decimal, int8, []byte or a JSON document; nil for a missing or
// NULL-typed one. It reports false when the column cannot hold the value.
func Value(t schema.Type, v types.AttributeValue) (any, bool) {
	kind := KindOf(v)
	if kind == schema.Missing || kind == schema.Null {
		return nil, true
	}
	switch t {
	case schema.Text:
		if s, ok := v.(*types.AttributeValueMemberS); ok {
			return s.Value, true
		}
	case schema.Decimal:
		if n, ok := v.(*types.AttributeValueMemberN); ok {
			d, err := ParseDecimal(n.Value)
			return d, err == nil
		}
	case schema.Boolean:
		if b, ok := v.(*types.AttributeValueMemberBOOL); ok {
			return boolean(b.Value), true
		}
	case schema.Bytes:
		if b, ok := v.(*types.AttributeValueMemberB); ok {
			return b.Value, true
		}
	case schema.JSON:
		return NewDocument(v), true
	case schema.MixedText:
		return mixedText(v)
	}
	return nil, false
}

func boolean(b bool) int8 {
	if b {
		return 1
	}
	return 0
}

// mixedText shows a scalar in a column of several kinds: strings as they are,
// numbers with their digits, true and false, binary in base64.
func mixedText(v types.AttributeValue) (any, bool) {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return v.Value, true
	case *types.AttributeValueMemberN:
		return v.Value, true
	case *types.AttributeValueMemberBOOL:
		if v.Value {
			return "true", true
		}
		return "false", true
	case *types.AttributeValueMemberB:
		return base64.StdEncoding.EncodeToString(v.Value), true
	}
	return nil, false
}

// ParseDecimal reads a number as DynamoDB writes it. The scale is the number's
// own: 58.4 has one digit behind the point, 5 has none.
func ParseDecimal(text string) (*apd.Decimal, error) {
	d, _, err := apd.NewFromString(text)
	if err != nil {
		return nil, fmt.Errorf("%q is not a number", text)
	}
	if d.Exponent > 0 { // 1E+3 is 1000, not a number of negative scale
		return ParseDecimal(d.Text('f'))
	}
	return d, nil
}

// NumberText writes a decimal as DynamoDB writes numbers, so that equal numbers
// have equal texts: 150 for 150.0 and for 1.5E2, 0 for -0. It reports false for
// a number that DynamoDB cannot hold: more than 38 significant digits, or a
// magnitude outside 1E-130 to 9.99E+125.
func NumberText(d *apd.Decimal) (string, bool) {
	if d.Form != apd.Finite {
		return "", false
	}
	if d.IsZero() {
		return "0", true
	}
	reduced, _ := new(apd.Decimal).Reduce(d)
	digits := reduced.NumDigits()
	magnitude := digits + int64(reduced.Exponent) - 1
	if digits > 38 || magnitude > 125 || magnitude < -130 {
		return "", false
	}
	return reduced.Text('f'), true
}

// ItemSize is the size of an item in bytes by DynamoDB's rules, which count
// names and values (Developer Guide, "DynamoDB item sizes and formats").
func ItemSize(item map[string]types.AttributeValue) int64 {
	total := int64(0)
	for name, v := range item {
		total += int64(len(name)) + ValueSize(v)
	}
	return total
}

// ValueSize is the size of an attribute value in bytes, without its name.
func ValueSize(v types.AttributeValue) int64 {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return int64(len(v.Value))
	case *types.AttributeValueMemberN:
		return numberSize(v.Value)
	case *types.AttributeValueMemberB:
		return int64(len(v.Value))
	case *types.AttributeValueMemberSS:
		return total(v.Value, func(s string) int64 { return int64(len(s)) })
	case *types.AttributeValueMemberNS:
		return total(v.Value, numberSize)
	case *types.AttributeValueMemberBS:
		return total(v.Value, func(b []byte) int64 { return int64(len(b)) })
	case *types.AttributeValueMemberL:
		return 3 + total(v.Value, func(v types.AttributeValue) int64 { return 1 + ValueSize(v) })
	case *types.AttributeValueMemberM:
		return 3 + int64(len(v.Value)) + ItemSize(v.Value)
	}
	return 1
}

func total[T any](values []T, size func(T) int64) int64 {
	sum := int64(0)
	for _, v := range values {
		sum += size(v)
	}
	return sum
}

// numberSize is about one byte for two significant digits and one more, and
// another for a negative number.
func numberSize(text string) int64 {
	negative := int64(strings.Count(text, "-"))
	digits := strings.Trim(text, "-.0")
	signs := strings.Count(digits, ".") + strings.Count(digits, "-")
	return int64(len(digits)-signs+1)/2 + 1 + negative
}
