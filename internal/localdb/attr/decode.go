package attr

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Item reads an item, a key or the values of an expression, such as
// {"a":{"S":"x"}}, with the service's checks. Unknown type tags count as absent,
// and so do type tags with null.
func (s *Scanner) Item() map[string]types.AttributeValue {
	s.scratch = s.item(s.scratch[:0])
	return map[string]types.AttributeValue{"": Stored{form: string(s.scratch)}}
}

// Value reads one attribute value such as {"N":"1"}, as Item.
func (s *Scanner) Value() types.AttributeValue {
	s.scratch = s.value(s.scratch[:0], 1)
	return Stored{form: string(s.scratch)}
}

const (
	msgNotBoolean  = "Unexpected token received from parser"
	msgNotValue    = "Unexpected value type in payload"
	msgNotBase64   = "only base-64-encoded strings are convertible to bytes"
	attributeValue = "com.amazonaws.dynamodb.v20120810.AttributeValue"
)

func (s *Scanner) item(dst []byte) []byte {
	start := len(dst)
	dst = s.attributes(append(dst, 0, 0, 0, 0), 1)
	if s.broken == nil && s.invalid == nil {
		seal(dst, start)
	}
	return dst
}

// span is where an attribute stands in a form.
type span struct {
	name     string
	from, to int
}

// attributes reads an object into the stored form. Of one name the last counts.
func (s *Scanner) attributes(dst []byte, level int) []byte {
	if s.Peek() == '[' {
		s.Fail("Unrecognized collection type java.util.Map<java.lang.String, " + attributeValue + ">")
	}
	if s.Peek() != '{' {
		s.Fail(msgUnexpectedField)
		return dst
	}
	var few [16]span
	spans, start, ascending := few[:0], len(dst), true
	s.Members(func(name string) {
		from := len(dst)
		dst = s.attribute(appendText(dst, name), name, level)
		ascending = ascending && (len(spans) == 0 || spans[len(spans)-1].name < name)
		spans = append(spans, span{name, from, len(dst)})
	})
	if ascending {
		return dst
	}
	slices.SortStableFunc(spans, func(a, b span) int { return strings.Compare(a.name, b.name) })
	end := len(dst)
	for i, p := range spans {
		if i+1 == len(spans) || spans[i+1].name != p.name {
			dst = append(dst, dst[p.from:p.to]...)
		}
	}
	return dst[:start+copy(dst[start:], dst[end:])]
}

// attribute reads a value and tells in its error which attribute it is in.
func (s *Scanner) attribute(dst []byte, name string, level int) []byte {
	before := s.invalid
	dst = s.value(dst, level)
	if before == nil && s.invalid != nil && level == 1 {
		s.invalid = &Error{Message: s.invalid.Message, Attribute: name}
	}
	return dst
}

func (s *Scanner) value(dst []byte, level int) []byte {
	if level > maxJSONDepth {
		s.Fail("")
	}
	if level > MaxDepth {
		s.Refuse(errDepth)
	}
	switch c := s.Peek(); {
	case c == '{':
	case c == '[':
		s.Fail(msgCollection + " " + attributeValue)
	case s.Literal("null"):
		s.Refuse(errNoType)
	default:
		s.Fail(msgNotValue)
	}
	if s.Peek() != '{' {
		return dst
	}
	kind := Invalid
	s.Members(func(tag string) {
		switch k := KindOf(tag); {
		case k == Invalid:
			s.Skip()
		case s.Literal("null"):
		default:
			dst = s.content(append(dst, byte(k)), k, level)
			if kind != Invalid {
				s.Refuse(errManyTypes)
			}
			kind = k
		}
	})
	if kind == Invalid {
		s.Refuse(errNoType)
	}
	return dst
}

// content reads what stands behind a type tag.
func (s *Scanner) content(dst []byte, k Kind, level int) []byte {
	switch k {
	case S, N, B:
		return appendText(dst, s.scalar(k))
	case BOOL:
		return appendFlag(dst, s.bool())
	case NULL:
		if !s.bool() {
			s.Refuse(errNullFalse)
		}
		return dst
	case M:
		return nest(dst, func(dst []byte) []byte { return s.attributes(dst, level+1) })
	}
	if !s.Shape('[') {
		return dst
	}
	if k == L {
		return nest(dst, func(dst []byte) []byte {
			s.Elements(func() { dst = s.value(dst, level+1) })
			return dst
		})
	}
	var members []string
	s.Elements(func() { members = append(members, s.scalar(k)) })
	dst, err := appendSet(dst, k, members)
	s.Refuse(err)
	return dst
}

// scalar reads an S, N or B, or a member of a set of them.
func (s *Scanner) scalar(k Kind) string {
	switch k {
	case B, BS:
		return s.blob()
	case N, NS:
		text := s.Text()
		if s.broken != nil {
			return ""
		}
		n, err := ParseNumber(text)
		s.Refuse(err)
		return n
	}
	return s.Text()
}

func (s *Scanner) bool() bool {
	switch {
	case s.Literal("true"):
		return true
	case s.Literal("false"):
		return false
	case s.Peek() != '"':
		s.FailConversion("Boolean")
		return false
	}
	switch strings.ToLower(s.quoted()) {
	case "true", "yes", "1":
		return true
	case "false", "no", "0":
		return false
	}
	s.Fail(msgNotBoolean)
	return false
}

func (s *Scanner) blob() string {
	switch s.Peek() {
	case '"':
	case '{':
		s.Fail(msgStructure)
	case '[':
		s.Fail(msgCollection + " java.nio.ByteBuffer")
	default:
		s.Fail(msgNotBase64)
	}
	if s.broken != nil {
		return ""
	}
	text := s.quoted()
	if len(text)%4 != 0 {
		s.Fail("Base64 encoded length is expected a multiple of 4 bytes but found: " + strconv.Itoa(len(text)))
		return ""
	}
	raw, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || strings.ContainsAny(text, "\r\n") {
		s.Fail("Invalid last non-pad Base64 character dectected")
		return ""
	}
	return sharedString(raw)
}
