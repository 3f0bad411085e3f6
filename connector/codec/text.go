package codec

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cockroachdb/apd/v3"
)

// appendJSON writes a plain value as MySQL writes JSON: a space after colons
// and commas, shorter names before longer ones, numbers with their digits.
func appendJSON(dst []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...), nil
	case bool:
		return strconv.AppendBool(dst, v), nil
	case string:
		return appendString(dst, v), nil
	case int64:
		return strconv.AppendInt(dst, v, 10), nil
	case uint64:
		return strconv.AppendUint(dst, v, 10), nil
	case float64:
		return appendFloat(dst, v), nil
	case *apd.Decimal:
		return v.Append(dst, 'f'), nil
	case []any:
		return appendList(dst, v)
	case map[string]any:
		return appendMembers(dst, v)
	case int, int8, int16, int32, uint, uint8, uint16, uint32:
		return fmt.Append(dst, v), nil
	}
	text, err := json.Marshal(v)
	return append(dst, text...), err
}

// appendFloat writes a floating-point number so that it is not taken for an
// integer.
func appendFloat(dst []byte, f float64) []byte {
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return strconv.AppendFloat(dst, f, 'f', 1, 64)
	}
	if a := math.Abs(f); a >= 1e-5 && a < 1e15 {
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	return strconv.AppendFloat(dst, f, 'g', -1, 64)
}

func appendList(dst []byte, list []any) ([]byte, error) {
	dst = append(dst, '[')
	for i, e := range list {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		var err error
		if dst, err = appendJSON(dst, e); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

// memberNames are the names of an object in MySQL's order: shorter ones first.
func memberNames(m map[string]any) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.SortFunc(names, compareNames)
	return names
}

func compareNames[T string | []byte](a, b T) int {
	if c := cmp.Compare(len(a), len(b)); c != 0 {
		return c
	}
	return strings.Compare(string(a), string(b))
}

func appendMembers(dst []byte, m map[string]any) ([]byte, error) {
	dst = append(dst, '{')
	for i, name := range memberNames(m) {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(appendString(dst, name), ": "...)
		var err error
		if dst, err = appendJSON(dst, m[name]); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

const hexDigits = "0123456789abcdef"

func appendString[T string | []byte](dst []byte, s T) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf || c >= utf8.RuneSelf {
			continue
		}
		dst = append(dst, s[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, `\b`...)
		case '\f':
			dst = append(dst, `\f`...)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\t':
			dst = append(dst, `\t`...)
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	return append(append(dst, s[from:]...), '"')
}
