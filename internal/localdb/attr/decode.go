package attr

import (
	"encoding/base64"
	"errors"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// DecodeItem reads DynamoDB JSON such as {"a":{"S":"x"}} with the service's
// checks. Errors are *Error; one of serialization goes before one of
// validation, as in the service. Unknown type tags and members that are null
// count as absent.
func DecodeItem(json []byte) (Item, error) {
	d := decoder{text: string(json)}
	it := d.item(1)
	if err := d.end(); err != nil {
		return nil, err
	}
	return it, nil
}

// DecodeValue reads the DynamoDB JSON of one value such as {"N":"1"}, as
// DecodeItem.
func DecodeValue(json []byte) (Value, error) {
	d := decoder{text: string(json)}
	v := d.value(1)
	if err := d.end(); err != nil {
		return Value{}, err
	}
	return v, nil
}

// Texts of SerializationException, which the service takes from its parser.
const (
	msgUnexpectedToken = "Unexpected token received from parser"
	msgUnexpectedField = "Unexpected field type"
	msgUnexpectedValue = "Unexpected value type in payload"
	msgStructure       = "Start of structure or map found where not expected"
	msgNotBase64       = "only base-64-encoded strings are convertible to bytes"
	msgCollection      = "Unrecognized collection type "
	attributeValue     = "com.amazonaws.dynamodb.v20120810.AttributeValue"
)

// maxJSONDepth bounds recursion on what is not an attribute value.
const maxJSONDepth = 200

// decoder walks one JSON text. After a serialization error nothing is left to
// read; the first validation error is kept and reading goes on.
type decoder struct {
	text    string
	at      int
	broken  *Error
	invalid *Error
}

func (d *decoder) fail(message string) {
	if d.broken == nil {
		d.broken = &Error{Serialization: true, Message: message}
	}
	d.at = len(d.text)
}

func (d *decoder) refuse(err error) {
	if e, ok := err.(*Error); ok && d.invalid == nil {
		d.invalid = e
	}
}

func (d *decoder) end() error {
	d.peek()
	if d.at < len(d.text) {
		d.fail(msgUnexpectedToken)
	}
	switch {
	case d.broken != nil:
		return d.broken
	case d.invalid != nil:
		return d.invalid
	}
	return nil
}

// peek gives the first byte of the next token, 0 at the end.
func (d *decoder) peek() byte {
	for d.at < len(d.text) {
		c := d.text[d.at]
		if c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return c
		}
		d.at++
	}
	return 0
}

// accept passes over c if it is next.
func (d *decoder) accept(c byte) bool {
	if d.peek() != c {
		return false
	}
	d.at++
	return true
}

func (d *decoder) expect(c byte) {
	if !d.accept(c) {
		d.fail(msgUnexpectedToken)
	}
}

// literal passes over true, false, null if it is next.
func (d *decoder) literal(word string) bool {
	d.peek()
	if !strings.HasPrefix(d.text[d.at:], word) {
		return false
	}
	d.at += len(word)
	return true
}

// members reads an object, calling each with d at the member's value.
func (d *decoder) members(each func(name string)) {
	d.expect('{')
	if d.accept('}') {
		return
	}
	for d.broken == nil {
		name := d.quoted()
		d.expect(':')
		if d.broken != nil {
			return
		}
		each(name)
		if !d.accept(',') {
			d.expect('}')
			return
		}
	}
}

// elements reads an array, calling each with d at the element.
func (d *decoder) elements(each func()) {
	d.expect('[')
	if d.accept(']') {
		return
	}
	for d.broken == nil {
		each()
		if !d.accept(',') {
			d.expect(']')
			return
		}
	}
}

func (d *decoder) item(level int) Item {
	switch c := d.peek(); c {
	case '{':
	case '[':
		d.fail(msgCollection + "java.util.Map<java.lang.String, " + attributeValue + ">")
		return nil
	default:
		d.fail(msgUnexpectedField)
		return nil
	}
	it := make(Item, 8)
	d.members(func(name string) { it[name] = d.value(level) })
	return it
}

func (d *decoder) value(level int) Value {
	if level > maxJSONDepth {
		d.fail(msgUnexpectedToken)
		return Value{}
	}
	if level > MaxDepth {
		d.refuse(errDepth)
	}
	switch c := d.peek(); {
	case c == '{':
	case c == '[':
		d.fail(msgCollection + "class " + attributeValue)
		return Value{}
	case d.literal("null"):
		d.refuse(errNoType)
		return Value{}
	default:
		d.fail(msgUnexpectedValue)
		return Value{}
	}
	var v Value
	d.members(func(tag string) {
		kind := kindOf(tag)
		switch {
		case kind == Invalid:
			d.skip(0)
		case d.literal("null"):
		case v.Kind != Invalid:
			d.content(kind, level)
			d.refuse(errManyTypes)
		default:
			v = d.content(kind, level)
		}
	})
	if v.Kind == Invalid {
		d.refuse(errNoType)
	}
	return v
}

func kindOf(tag string) Kind {
	for k, t := range kindTags {
		if t == tag {
			return Kind(k)
		}
	}
	return Invalid
}

// content reads what stands behind a type tag.
func (d *decoder) content(k Kind, level int) Value {
	v := Value{Kind: k}
	switch k {
	case S:
		v.Text = d.string()
	case N:
		v.Text = d.number()
	case B:
		v.Text = d.blob()
	case BOOL:
		v.Bool = d.bool()
	case NULL:
		if !d.bool() {
			d.refuse(errNullFalse)
		}
	case M:
		v.Map = d.item(level + 1)
	case L:
		v.List = []Value{}
		d.array(func() { v.List = append(v.List, d.value(level+1)) })
	case SS:
		v.Set = d.set(k, d.string)
	case NS:
		v.Set = d.set(k, d.number)
	case BS:
		v.Set = d.set(k, d.blob)
	}
	return v
}

func (d *decoder) set(k Kind, member func() string) []string {
	var members []string
	d.array(func() { members = append(members, member()) })
	if err := checkSet(k, members); err != nil {
		d.refuse(err)
	}
	return members
}

func (d *decoder) array(each func()) {
	switch d.peek() {
	case '[':
		d.elements(each)
	case '{':
		d.fail(msgStructure)
	default:
		d.fail(msgUnexpectedField)
	}
}

func (d *decoder) number() string {
	text := d.string()
	if d.broken != nil {
		return ""
	}
	n, err := ParseNumber(text)
	d.refuse(err)
	return n
}

func (d *decoder) string() string {
	if d.peek() == '"' {
		return d.quoted()
	}
	d.failConversion("String")
	return ""
}

// failConversion refuses a token that is not a string where Java's type is wanted.
func (d *decoder) failConversion(java string) {
	switch c := d.peek(); {
	case c == '{':
		d.fail(msgStructure)
	case c == '[':
		d.fail(msgCollection + "class java.lang." + java)
	case d.literal("true"):
		d.fail("TRUE_VALUE cannot be converted to " + java)
	case d.literal("false"):
		d.fail("FALSE_VALUE cannot be converted to " + java)
	case c == '-' || c >= '0' && c <= '9':
		token := d.word()
		if strings.ContainsAny(token, ".eE") {
			d.fail("DECIMAL_VALUE cannot be converted to " + java)
		} else {
			d.fail("NUMBER_VALUE cannot be converted to " + java)
		}
	default:
		d.fail(msgUnexpectedToken)
	}
}

func (d *decoder) bool() bool {
	switch {
	case d.literal("true"):
		return true
	case d.literal("false"):
		return false
	case d.peek() == '"':
		switch strings.ToLower(d.quoted()) {
		case "true", "yes", "1":
			return true
		case "false", "no", "0":
			return false
		}
		d.fail(msgUnexpectedToken)
	default:
		d.failConversion("Boolean")
	}
	return false
}

func (d *decoder) blob() string {
	switch d.peek() {
	case '"':
	case '{':
		d.fail(msgStructure)
		return ""
	case '[':
		d.fail(msgCollection + "class java.nio.ByteBuffer")
		return ""
	default:
		d.fail(msgNotBase64)
		return ""
	}
	text := d.quoted()
	if len(text)%4 != 0 {
		d.fail("Base64 encoded length is expected a multiple of 4 bytes but found: " + strconv.Itoa(len(text)))
		return ""
	}
	raw, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || strings.ContainsAny(text, "\r\n") {
		d.fail("Invalid last non-pad Base64 character dectected")
		return ""
	}
	return sharedString(raw)
}

// skip passes over any JSON value.
func (d *decoder) skip(depth int) {
	if depth > maxJSONDepth {
		d.fail(msgUnexpectedToken)
		return
	}
	switch d.peek() {
	case '{':
		d.members(func(string) { d.skip(depth + 1) })
	case '[':
		d.elements(func() { d.skip(depth + 1) })
	case '"':
		d.quoted()
	default:
		if !isPlainToken(d.word()) {
			d.fail(msgUnexpectedToken)
		}
	}
}

func isPlainToken(word string) bool {
	switch word {
	case "true", "false", "null":
		return true
	}
	_, err := strconv.ParseFloat(word, 64)
	return err == nil || errors.Is(err, strconv.ErrRange)
}

// word passes over a number or literal.
func (d *decoder) word() string {
	d.peek()
	start := d.at
	for d.at < len(d.text) && !strings.ContainsRune(" \t\r\n,:]}[{\"", rune(d.text[d.at])) {
		d.at++
	}
	return d.text[start:d.at]
}

// quoted reads a JSON string. What is not Unicode becomes U+FFFD.
func (d *decoder) quoted() string {
	if !d.accept('"') {
		d.fail(msgUnexpectedToken)
		return ""
	}
	rest := d.text[d.at:]
	n := plainPrefix(rest)
	if n == len(rest) || rest[n] < ' ' {
		d.fail(msgUnexpectedToken)
		return ""
	}
	if rest[n] == '"' {
		d.at += n + 1
		return validText(rest[:n])
	}
	return d.unescaped(n)
}

// unescaped reads the rest of a string whose first n bytes are plain and are
// followed by a backslash.
func (d *decoder) unescaped(n int) string {
	var out []byte
	for {
		rest := d.text[d.at:]
		out = append(out, rest[:n]...)
		if n == len(rest) || rest[n] < ' ' {
			d.fail(msgUnexpectedToken)
			return ""
		}
		d.at += n + 1
		if rest[n] == '"' {
			return validText(sharedString(out))
		}
		out = d.escape(out)
		if d.broken != nil {
			return ""
		}
		n = plainPrefix(d.text[d.at:])
	}
}

// escape reads what follows a backslash.
func (d *decoder) escape(out []byte) []byte {
	if d.at >= len(d.text) {
		d.fail(msgUnexpectedToken)
		return out
	}
	c := d.text[d.at]
	d.at++
	if c == 'u' {
		r := d.hex4()
		if utf16.IsSurrogate(r) {
			r = d.lowSurrogate(r)
		}
		return utf8.AppendRune(out, r)
	}
	i := strings.IndexByte(`"\/bfnrt`, c)
	if i < 0 {
		d.fail(msgUnexpectedToken)
		return out
	}
	return append(out, "\"\\/\b\f\n\r\t"[i])
}

// lowSurrogate joins a surrogate with the escape after it, if that completes it.
func (d *decoder) lowSurrogate(high rune) rune {
	if !strings.HasPrefix(d.text[d.at:], `\u`) {
		return utf8.RuneError
	}
	start := d.at
	d.at += 2
	r := utf16.DecodeRune(high, d.hex4())
	if r == utf8.RuneError {
		d.at = start
	}
	return r
}

func (d *decoder) hex4() rune {
	if d.at+4 > len(d.text) {
		d.fail(msgUnexpectedToken)
		return utf8.RuneError
	}
	n, err := strconv.ParseUint(d.text[d.at:d.at+4], 16, 16)
	if err != nil {
		d.fail(msgUnexpectedToken)
		return utf8.RuneError
	}
	d.at += 4
	return rune(n)
}
