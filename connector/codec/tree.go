package codec

import (
	"encoding/base64"
	"slices"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/connector/codec/page"
	"github.com/dynasql/dynasql/connector/schema"
)

// plainTree is a document as JSON shows it, sets as arrays; with wire as
// DynamoDB JSON.
func plainTree(d page.Document, wire bool) any {
	if d.Kind() == schema.M {
		out := map[string]any{}
		d.Each(func(e page.Element) bool {
			out[string(e.Name)] = plainElement(e, wire)
			return true
		})
		return out
	}
	out := []any{}
	tagged := wire && d.Kind() == schema.L
	d.Each(func(e page.Element) bool {
		if wire && !tagged {
			out = append(out, wireScalar(e))
		} else {
			out = append(out, plainElement(e, tagged))
		}
		return true
	})
	return out
}

func plainElement(e page.Element, wire bool) any {
	d := e.Document()
	switch {
	case d.Kind() != schema.Missing && wire:
		return map[string]any{e.Kind.String(): plainTree(d, true)}
	case d.Kind() != schema.Missing:
		return plainTree(d, false)
	case wire:
		return map[string]any{e.Kind.String(): wireScalar(e)}
	}
	return plainScalar(scalarOf(e))
}

// scalarOf is an element that is no document as an attribute value.
func scalarOf(e page.Element) types.AttributeValue {
	switch e.Kind {
	case schema.S:
		return &types.AttributeValueMemberS{Value: string(e.Text())}
	case schema.N:
		return &types.AttributeValueMemberN{Value: string(e.Text())}
	case schema.B:
		return &types.AttributeValueMemberB{Value: e.Binary()}
	case schema.Bool:
		return &types.AttributeValueMemberBOOL{Value: e.True()}
	}
	return &types.AttributeValueMemberNULL{Value: true}
}

// wireScalar is what stands under the type descriptor in DynamoDB JSON.
func wireScalar(e page.Element) any {
	switch e.Kind {
	case schema.Bool:
		return e.True()
	case schema.Null:
		return true
	case schema.B:
		return base64.StdEncoding.EncodeToString(e.Binary())
	}
	return string(e.Text())
}

// appendTree writes what appendJSON writes of plainTree.
func appendTree(dst []byte, d page.Document, wire bool) []byte {
	if d.Kind() == schema.M {
		return appendMap(dst, d, wire)
	}
	dst = append(dst, '[')
	first := true
	d.Each(func(e page.Element) bool {
		if !first {
			dst = append(dst, ", "...)
		}
		first = false
		if wire && d.Kind() != schema.L {
			dst = appendWireScalar(dst, e)
		} else {
			dst = appendElement(dst, e, wire)
		}
		return true
	})
	return append(dst, ']')
}

// appendMap writes the members in MySQL's order. Of members of one name the
// last counts.
func appendMap(dst []byte, d page.Document, wire bool) []byte {
	var some [16]page.Element
	members := some[:0]
	d.Each(func(e page.Element) bool {
		members = append(members, e)
		return true
	})
	slices.SortStableFunc(members, func(a, b page.Element) int { return compareNames(a.Name, b.Name) })
	dst = append(dst, '{')
	first := true
	for i := range members {
		if i+1 < len(members) && string(members[i].Name) == string(members[i+1].Name) {
			continue
		}
		if !first {
			dst = append(dst, ", "...)
		}
		first = false
		dst = append(appendString(dst, members[i].Name), ": "...)
		dst = appendElement(dst, members[i], wire)
	}
	return append(dst, '}')
}

func appendElement(dst []byte, e page.Element, wire bool) []byte {
	if wire {
		dst = append(dst, '{', '"')
		dst = append(append(dst, e.Kind.String()...), `": `...)
	}
	switch d := e.Document(); {
	case d.Kind() != schema.Missing:
		dst = appendTree(dst, d, wire)
	case wire:
		dst = appendWireScalar(dst, e)
	default:
		dst = appendScalar(dst, e)
	}
	if wire {
		dst = append(dst, '}')
	}
	return dst
}

func appendScalar(dst []byte, e page.Element) []byte {
	switch e.Kind {
	case schema.S:
		return appendString(dst, e.Text())
	case schema.N:
		return appendNumber(dst, e.Text())
	case schema.B:
		return appendBinary(dst, e)
	case schema.Bool:
		return strconv.AppendBool(dst, e.True())
	}
	return append(dst, "null"...)
}

func appendWireScalar(dst []byte, e page.Element) []byte {
	switch e.Kind {
	case schema.Bool:
		return strconv.AppendBool(dst, e.True())
	case schema.Null:
		return append(dst, "true"...)
	case schema.B:
		return appendBinary(dst, e)
	}
	return appendString(dst, e.Text())
}

func appendBinary(dst []byte, e page.Element) []byte {
	dst = base64.StdEncoding.AppendEncode(append(dst, '"'), e.Binary())
	return append(dst, '"')
}

// appendNumber writes a number as appendJSON does, without reading it where
// its text stays as it is.
func appendNumber(dst, text []byte) []byte {
	if isPlainNumber(text) {
		return append(dst, text...)
	}
	dst, _ = appendJSON(dst, number(string(text)))
	return dst
}

// isPlainNumber reports whether JSON shows a number by its own text: up to 14
// digits on each side of the point, none of them superfluous, and not so small
// that it would be written with an exponent.
func isPlainNumber(text []byte) bool {
	if len(text) > 0 && text[0] == '-' {
		text = text[1:]
	}
	whole := 0
	for whole < len(text) && text[whole] >= '0' && text[whole] <= '9' {
		whole++
	}
	if whole == 0 || whole > 14 || text[0] == '0' && whole > 1 {
		return false
	}
	if whole == len(text) {
		return text[0] != '0' // -0 is 0
	}
	fraction := text[whole+1:]
	if text[whole] != '.' || len(fraction) == 0 || len(fraction) > 14 {
		return false
	}
	zeros := 0
	for i, c := range fraction {
		if c < '0' || c > '9' {
			return false
		}
		if c == '0' && zeros == i {
			zeros++
		}
	}
	return text[0] != '0' || zeros < 4
}
