package codec

import (
	"encoding/base64"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	sqltypes "github.com/dolthub/go-mysql-server/sql/types"
)

// ItemJSON is the whole item as one JSON document of plain values.
func ItemJSON(item map[string]types.AttributeValue) sqltypes.JSONDocument {
	return sqltypes.JSONDocument{Val: plainMap(item)}
}

// WireJSON is the whole item as DynamoDB JSON: every value under its type
// descriptor, numbers as strings, so that nothing is lost.
func WireJSON(item map[string]types.AttributeValue) sqltypes.JSONDocument {
	return sqltypes.JSONDocument{Val: wireMap(item)}
}

// plain is a value as JSON shows it: numbers with all their digits, sets as
// arrays, binary as base64.
func plain(v types.AttributeValue) any {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return v.Value
	case *types.AttributeValueMemberN:
		return number(v.Value)
	case *types.AttributeValueMemberB:
		return base64.StdEncoding.EncodeToString(v.Value)
	case *types.AttributeValueMemberBOOL:
		return v.Value
	case *types.AttributeValueMemberM:
		return plainMap(v.Value)
	case *types.AttributeValueMemberL:
		return array(v.Value, plain)
	case *types.AttributeValueMemberSS:
		return array(v.Value, func(s string) any { return s })
	case *types.AttributeValueMemberNS:
		return array(v.Value, number)
	case *types.AttributeValueMemberBS:
		return array(v.Value, encoded)
	}
	return nil
}

func plainMap(m map[string]types.AttributeValue) map[string]any {
	out := make(map[string]any, len(m))
	for name, v := range m {
		out[name] = plain(v)
	}
	return out
}

func array[T any](values []T, convert func(T) any) []any {
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = convert(v)
	}
	return out
}

func encoded(b []byte) any { return base64.StdEncoding.EncodeToString(b) }

// number is a JSON number: an integer where one fits 64 bits, else an exact
// decimal.
func number(text string) any {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n
	}
	d, err := ParseDecimal(text)
	if err != nil {
		return text
	}
	return d
}

func wire(v types.AttributeValue) any {
	tag := KindOf(v).String()
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return map[string]any{tag: v.Value}
	case *types.AttributeValueMemberN:
		return map[string]any{tag: v.Value}
	case *types.AttributeValueMemberB:
		return map[string]any{tag: encoded(v.Value)}
	case *types.AttributeValueMemberBOOL:
		return map[string]any{tag: v.Value}
	case *types.AttributeValueMemberNULL:
		return map[string]any{tag: true}
	case *types.AttributeValueMemberM:
		return map[string]any{tag: wireMap(v.Value)}
	case *types.AttributeValueMemberL:
		return map[string]any{tag: array(v.Value, wire)}
	case *types.AttributeValueMemberSS:
		return map[string]any{tag: array(v.Value, func(s string) any { return s })}
	case *types.AttributeValueMemberNS:
		return map[string]any{tag: array(v.Value, func(s string) any { return s })}
	case *types.AttributeValueMemberBS:
		return map[string]any{tag: array(v.Value, encoded)}
	}
	return nil
}

func wireMap(m map[string]types.AttributeValue) map[string]any {
	out := make(map[string]any, len(m))
	for name, v := range m {
		out[name] = wire(v)
	}
	return out
}
