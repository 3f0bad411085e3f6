package page

import (
	"encoding/base64"
	"maps"
	"slices"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Items replaces the rows of the batch by items in the SDK's form, which
// clients return that ignore the hook for bodies. It is slower than Decode.
func (d *Decoder) Items(items []map[string]types.AttributeValue, b *Batch) error {
	body := append(b.Buffer(), `{"Items":[`...)
	for i, item := range items {
		if i > 0 {
			body = append(body, ',')
		}
		body = appendMap(body, item)
	}
	_, err := d.Decode(append(body, "]}"...), b)
	return err
}

func appendMap(dst []byte, m map[string]types.AttributeValue) []byte {
	dst = append(dst, '{')
	for i, name := range slices.Sorted(maps.Keys(m)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendText(dst, name)
		dst = append(dst, ':')
		dst = appendAttribute(dst, m[name])
	}
	return append(dst, '}')
}

// appendAttribute writes the JSON of the wire; an unknown type is written as
// an empty object, which Decode refuses.
func appendAttribute(dst []byte, v types.AttributeValue) []byte {
	dst = append(dst, '{')
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		dst = appendText(append(dst, `"S":`...), v.Value)
	case *types.AttributeValueMemberN:
		dst = appendText(append(dst, `"N":`...), v.Value)
	case *types.AttributeValueMemberB:
		dst = appendBase64(append(dst, `"B":`...), v.Value)
	case *types.AttributeValueMemberBOOL:
		dst = strconv.AppendBool(append(dst, `"BOOL":`...), v.Value)
	case *types.AttributeValueMemberNULL:
		dst = strconv.AppendBool(append(dst, `"NULL":`...), v.Value)
	case *types.AttributeValueMemberM:
		dst = appendMap(append(dst, `"M":`...), v.Value)
	case *types.AttributeValueMemberL:
		dst = appendList(append(dst, `"L":`...), v.Value, appendAttribute)
	case *types.AttributeValueMemberSS:
		dst = appendList(append(dst, `"SS":`...), v.Value, appendText)
	case *types.AttributeValueMemberNS:
		dst = appendList(append(dst, `"NS":`...), v.Value, appendText)
	case *types.AttributeValueMemberBS:
		dst = appendList(append(dst, `"BS":`...), v.Value, appendBase64)
	}
	return append(dst, '}')
}

func appendList[T any](dst []byte, values []T, appendOne func([]byte, T) []byte) []byte {
	dst = append(dst, '[')
	for i, v := range values {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendOne(dst, v)
	}
	return append(dst, ']')
}

func appendBase64(dst, p []byte) []byte {
	dst = append(dst, '"')
	dst = base64.StdEncoding.AppendEncode(dst, p)
	return append(dst, '"')
}

const hexDigits = "0123456789abcdef"

func appendText(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c < ' ':
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}
