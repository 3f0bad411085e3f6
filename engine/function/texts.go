package function

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// ToChar is the function that the parser puts in place of CAST(text AS CHAR(n)):
// its arguments are the text and n.
const ToChar = "ddb_char"

// texts are functions of text.
var texts = map[string]definition{
	"format":          {least: 2, most: 3, typ: text, eval: formatNumber, takesNull: true},
	"insert":          {least: 4, most: 4, typ: textOrBinary, eval: insert},
	ToChar:            {least: 2, most: 2, typ: textOrBinary, eval: cutText},
	"repeat":          {least: 2, most: 2, typ: textOrBinary, eval: repeat},
	"space":           {least: 1, most: 1, typ: text, eval: func(c *call) (any, error) { return c.repeated(" ", 0) }},
	"replace":         {least: 3, most: 3, typ: textOrBinary, eval: replace},
	"reverse":         {least: 1, most: 1, typ: textOrBinary, eval: reverse},
	"quote":           {least: 1, most: 1, typ: text, eval: quote, takesNull: true},
	"soundex":         {least: 1, most: 1, typ: text, eval: soundexOf},
	"substring_index": {least: 3, most: 3, typ: textOrBinary, eval: substringIndex},
	"field":           {least: 2, most: -1, typ: integer, eval: field, takesNull: true},
	"find_in_set":     {least: 2, most: 2, typ: integer, eval: findInSet},
}

// textOrBinary is the type of a function that gives parts of its first
// argument.
func textOrBinary(ctx *sql.Context, args []sql.Expression) sql.Type {
	switch t := args[0].Type(ctx); {
	case types.IsBinaryType(t):
		return types.LongBlob
	case types.IsTextOnly(t):
		if s, ok := t.(sql.StringType); ok { // those of system variables are not
			return types.CreateLongText(s.Collation())
		}
	}
	return text(ctx, args)
}

// value is a text as a value of the function's type.
func (c *call) value(s string) any {
	if types.IsBinaryType(c.scalar.Type(c.ctx)) {
		return []byte(s)
	}
	return s
}

// characters cuts an argument into its characters; those of a binary one are
// its bytes.
func (c *call) characters(i int) ([]string, error) {
	s, err := c.text(i)
	if err != nil {
		return nil, err
	}
	if !types.IsBinaryType(c.typeOf(i)) {
		return strings.Split(s, ""), nil
	}
	out := make([]string, len(s))
	for i := range out {
		out[i] = s[i : i+1]
	}
	return out, nil
}

// cutText is the first characters of a text, with a warning if there are more.
func cutText(c *call) (any, error) {
	all, err := c.characters(0)
	if err != nil {
		return nil, err
	}
	n := c.integer(1)
	if int64(len(all)) <= n {
		return c.value(strings.Join(all, "")), nil
	}
	c.warn(1292, "Truncated incorrect CHAR(%d) value: '%s'", n, strings.Join(all, ""))
	return c.value(strings.Join(all[:n], "")), nil
}

// insert is INSERT(text, from, length, by), which counts characters from 1.
func insert(c *call) (any, error) {
	all, err := c.characters(0)
	if err != nil {
		return nil, err
	}
	by, err := c.text(3)
	if err != nil {
		return nil, err
	}
	from, length, count := c.integer(1), c.integer(2), int64(len(all))
	if from < 1 || from > count {
		return c.value(strings.Join(all, "")), nil
	}
	end := count
	if length >= 0 && length <= count-from {
		end = from - 1 + length
	}
	out := strings.Join(all[:from-1], "") + by + strings.Join(all[end:], "")
	if len(out) > MostBytes {
		TooLong(c.ctx, c.scalar.Name)
		return nil, nil
	}
	return c.value(out), nil
}

// MostBytes bounds the result of a function, as MySQL's max_allowed_packet does
// by default.
const MostBytes = 64 << 20

func repeat(c *call) (any, error) {
	s, err := c.text(0)
	if err != nil {
		return nil, err
	}
	return c.repeated(s, 1)
}

// repeated is a text as often as the argument at i says.
func (c *call) repeated(s string, i int) (any, error) {
	n := max(0, c.integer(i))
	if s == "" || n == 0 {
		return c.value(""), nil
	}
	if n > MostBytes/int64(len(s)) {
		TooLong(c.ctx, c.scalar.Name)
		return nil, nil
	}
	return c.value(strings.Repeat(s, int(n))), nil
}

// TooLong warns that the result of a function is NULL, since it has more than
// MostBytes.
func TooLong(ctx *sql.Context, name string) {
	ctx.Warn(1301, "Result of %s() was larger than max_allowed_packet (%d) - truncated", name, MostBytes)
}

func replace(c *call) (any, error) {
	var texts [3]string
	for i := range texts {
		var err error
		if texts[i], err = c.text(i); err != nil {
			return nil, err
		}
	}
	s, from, to := texts[0], texts[1], texts[2]
	if from == "" {
		return c.value(s), nil
	}
	if more := len(to) - len(from); more > 0 && len(s)+strings.Count(s, from)*more > MostBytes {
		TooLong(c.ctx, c.scalar.Name)
		return nil, nil
	}
	return c.value(strings.ReplaceAll(s, from, to)), nil
}

func reverse(c *call) (any, error) {
	all, err := c.characters(0)
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	for i := len(all) - 1; i >= 0; i-- {
		out.WriteString(all[i])
	}
	return c.value(out.String()), nil
}

var quoted = strings.NewReplacer("\\", "\\\\", "'", "\\'", "\x00", "\\0", "\x1a", "\\Z")

// quote is a text as a literal of SQL; that of NULL is the word.
func quote(c *call) (any, error) {
	if !c.has(0) {
		return "NULL", nil
	}
	s, err := c.text(0)
	return "'" + quoted.Replace(s) + "'", err
}

// soundexCode has the digit of each letter from A to Z; 0 are letters without
// one.
const soundexCode = "01230120022455012623010202"

// soundexOf is SOUNDEX: the first letter, and the digits of the others without
// repetitions, at least three. Letters are all that Unicode has as such.
func soundexOf(c *call) (any, error) {
	s, err := c.text(0)
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	last := byte('0')
	for _, r := range s {
		if !unicode.IsLetter(r) {
			continue
		}
		code := byte('0')
		if u := unicode.ToUpper(r); u >= 'A' && u <= 'Z' {
			code = soundexCode[u-'A']
		}
		switch {
		case out.Len() == 0:
			out.WriteRune(upperASCII(r))
		case code != '0' && code != last:
			out.WriteByte(code)
		case code == '0':
			continue // repetitions are found across letters without a digit
		}
		last = code
	}
	if out.Len() == 0 {
		return "", nil
	}
	for utf8.RuneCountInString(out.String()) < 4 {
		out.WriteByte('0')
	}
	return out.String(), nil
}

func upperASCII(r rune) rune {
	if r < utf8.RuneSelf {
		return unicode.ToUpper(r)
	}
	return r
}

// substringIndex is what stands before the nth separator, or behind it counted
// from the end.
func substringIndex(c *call) (any, error) {
	s, err := c.text(0)
	if err != nil {
		return nil, err
	}
	separator, err := c.text(1)
	if err != nil {
		return nil, err
	}
	n := c.integer(2)
	if separator == "" || n == 0 || s == "" {
		return c.value(""), nil
	}
	parts := strings.Split(s, separator)
	count := int64(len(parts))
	switch {
	case n > 0 && n < count:
		parts = parts[:n]
	case n < 0 && n > -count:
		return c.value(behindLast(s, separator, -n)), nil
	}
	return c.value(strings.Join(parts, separator)), nil
}

// behindLast is what stands behind the nth separator from the end, where
// separators are looked for from the end.
func behindLast(s, separator string, n int64) string {
	end := len(s)
	for ; n > 0; n-- {
		at := strings.LastIndex(s[:end], separator)
		if at < 0 {
			return s
		}
		end = at
	}
	return s[end+len(separator):]
}

// findInSet is the place of a text in a list with commas, from 1, or 0.
func findInSet(c *call) (any, error) {
	s, err := c.text(0)
	if err != nil {
		return nil, err
	}
	list, err := c.text(1)
	if err != nil {
		return nil, err
	}
	if list == "" {
		return int64(0), nil
	}
	if c.ignoresCase(0, 1) {
		s, list = strings.ToLower(s), strings.ToLower(list)
	}
	for i, member := range strings.Split(list, ",") {
		if member == s {
			return int64(i + 1), nil
		}
	}
	return int64(0), nil
}

// field is the place of the first argument among the others, from 1, or 0. If
// not all are texts, they are compared as numbers.
func field(c *call) (any, error) {
	allText := true
	for i := range c.values {
		allText = allText && (c.values[i] == nil || types.IsText(c.typeOf(i)))
	}
	for i := 1; i < len(c.values); i++ {
		if !c.has(0) || !c.has(i) {
			continue
		}
		same, err := c.equal(0, i, allText)
		if err != nil {
			return nil, err
		}
		if same {
			return int64(i), nil
		}
	}
	return int64(0), nil
}

func (c *call) equal(i, k int, asTexts bool) (bool, error) {
	if !asTexts {
		return c.decimal(i).Cmp(c.decimal(k)) == 0, nil
	}
	a, err := c.text(i)
	if err != nil {
		return false, err
	}
	b, err := c.text(k)
	if c.ignoresCase(i, k) {
		return strings.EqualFold(a, b), err
	}
	return a == b, err
}

// ignoresCase says that the collation in which two arguments are compared does.
func (c *call) ignoresCase(a, b int) bool {
	args := c.scalar.Args
	if types.IsBinaryType(args[a].Type(c.ctx)) || types.IsBinaryType(args[b].Type(c.ctx)) {
		return false
	}
	left, l := sql.GetCoercibility(c.ctx, args[a])
	right, r := sql.GetCoercibility(c.ctx, args[b])
	collation, _ := sql.ResolveCoercibility(left, l, right, r)
	return strings.HasSuffix(collation.Name(), "_ci")
}
