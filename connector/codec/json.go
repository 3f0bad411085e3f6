package codec

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// plainScalar is a string, number, binary value, boolean or NULL as JSON shows
// it: numbers with all their digits, binary as base64.
func plainScalar(v types.AttributeValue) any {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return v.Value
	case *types.AttributeValueMemberN:
		return number(v.Value)
	case *types.AttributeValueMemberB:
		return base64.StdEncoding.EncodeToString(v.Value)
	case *types.AttributeValueMemberBOOL:
		return v.Value
	}
	return nil
}

// number is a JSON number, whose text is that of DynamoDB: an integer where one
// fits 64 bits, floating-point where that has the same digits, else an exact
// decimal. The engine's own functions know the first two best.
func number(text string) any {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n
	}
	if f, ok := sameFloat(text); ok {
		return f
	}
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		return n
	}
	d, err := ParseDecimal(text)
	if err != nil {
		return text
	}
	return d
}

// sameFloat is the floating-point number with exactly the digits of a text
// with digits behind the point.
func sameFloat(text string) (float64, bool) {
	const most = 18
	if len(text) > most || !strings.Contains(text, ".") || strings.ContainsAny(text, "eE") {
		return 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil && strconv.FormatFloat(f, 'f', -1, 64) == text
}

// ParseJSON reads a JSON text as MySQL does: integers of 64 bits exactly, any
// other number as a floating-point one.
func ParseJSON(text string) (any, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("the JSON text goes on behind its value")
	}
	return parsed(v), nil
}

func parsed(v any) any {
	switch v := v.(type) {
	case json.Number:
		return parsedNumber(v.String())
	case []any:
		for i, e := range v {
			v[i] = parsed(e)
		}
	case map[string]any:
		for name, e := range v {
			v[name] = parsed(e)
		}
	}
	return v
}

func parsedNumber(text string) any {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n
	}
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		return n
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		d, err := ParseDecimal(text)
		if err != nil {
			return text
		}
		return d
	}
	return f
}

// attributeOf is the attribute value that a plain value would be; nil for none.
func attributeOf(v any) types.AttributeValue {
	switch v := v.(type) {
	case nil:
		return nil
	case bool:
		return &types.AttributeValueMemberBOOL{Value: v}
	case string:
		return &types.AttributeValueMemberS{Value: v}
	case []any:
		out := &types.AttributeValueMemberL{}
		for _, e := range v {
			out.Value = append(out.Value, attributeOrNull(e))
		}
		return out
	case map[string]any:
		out := &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{}}
		for name, e := range v {
			out.Value[name] = attributeOrNull(e)
		}
		return out
	}
	return &types.AttributeValueMemberN{Value: decimalOf(v).Text('f')}
}

func attributeOrNull(v any) types.AttributeValue {
	if v == nil {
		return &types.AttributeValueMemberNULL{Value: true}
	}
	return attributeOf(v)
}
