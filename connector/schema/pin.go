package schema

import (
	"fmt"
	"strconv"
	"strings"
)

// A Pin is what a schema file says of one column.
type Pin struct {
	Column    string
	Attribute string // of which the column shows the value, or the value at Path
	Path      []any
	Typed     bool // the fields below are given; otherwise the type is inferred
	Type      Type
	Length    int
	Digits    int
	Scale     int
	Form      Form
	Hidden    bool // the attribute has no column
	Comment   string
	Line      int // of the schema file; 0 if it is of none
}

// formNames are the words for forms in schema files and messages.
var formNames = [...]string{AsIs: "", EpochSeconds: "epoch_s", EpochMillis: "epoch_ms", ISO8601: "iso8601", ZeroOne: "number"}

func (f Form) String() string { return formNames[f] }

// Accepted words of a schema file, for messages.
const (
	AcceptedTypes     = "BIGINT, DOUBLE, DECIMAL, DECIMAL(p,s), VARCHAR(n), LONGTEXT, TEXT, JSON, DATETIME, DATETIME(n), BOOLEAN, VARBINARY(n), LONGBLOB"
	AcceptedDateForms = "epoch_s, epoch_ms, iso8601"
	AcceptedBoolForms = "number"
)

// SetType reads a type's name, such as DECIMAL(10,2), and the form in which it
// is stored. The error says what is accepted.
func (p *Pin) SetType(name, form string) error {
	word, sizes, err := splitType(name)
	if err != nil {
		return err
	}
	p.Typed = true
	switch word {
	case "BIGINT", "DOUBLE", "JSON", "TEXT", "LONGTEXT", "LONGBLOB":
		p.Type = map[string]Type{"BIGINT": BigInt, "DOUBLE": Double, "JSON": JSON, "TEXT": MixedText, "LONGTEXT": Text, "LONGBLOB": Bytes}[word]
		err = sizesBetween(name, sizes, 0, 0)
	case "BOOLEAN":
		p.Type = Boolean
		if err = sizesBetween(name, sizes, 0, 0); err == nil {
			p.Form, err = formOf(form, AcceptedBoolForms, AsIs, ZeroOne)
		}
		return err
	case "DECIMAL":
		p.Type = Decimal
		err = p.setDigits(name, sizes)
	case "VARCHAR", "VARBINARY":
		p.Type = map[string]Type{"VARCHAR": Text, "VARBINARY": Bytes}[word]
		if err = sizesBetween(name, sizes, 1, 1); err == nil {
			p.Length = sizes[0]
		}
	case "DATETIME":
		return p.setDate(name, sizes, form)
	default:
		return fmt.Errorf("unknown type '%s'; a type is one of %s", name, AcceptedTypes)
	}
	if err == nil && form != "" {
		err = fmt.Errorf("'from: %s' belongs to DATETIME and BOOLEAN only", form)
	}
	return err
}

func (p *Pin) setDigits(name string, sizes []int) error {
	if err := sizesBetween(name, sizes, 0, 2); err != nil || len(sizes) == 0 {
		return err
	}
	p.Digits = sizes[0]
	if len(sizes) == 2 {
		p.Scale = sizes[1]
	}
	if p.Digits < 1 || p.Digits > 65 || p.Scale > 30 || p.Scale > p.Digits {
		return fmt.Errorf("'%s' is no DECIMAL: it has 1 to 65 digits, 30 of them at most behind the point", name)
	}
	return nil
}

func (p *Pin) setDate(name string, sizes []int, form string) error {
	p.Type = DateTime
	if err := sizesBetween(name, sizes, 0, 1); err != nil {
		return err
	}
	if form == "" {
		return fmt.Errorf("a DATETIME needs 'from', which is one of %s", AcceptedDateForms)
	}
	var err error
	if p.Form, err = formOf(form, AcceptedDateForms, EpochSeconds, EpochMillis, ISO8601); err != nil {
		return err
	}
	p.Scale = usualScale[p.Form]
	if len(sizes) == 1 {
		p.Scale = sizes[0]
	}
	if p.Scale > 6 {
		return fmt.Errorf("'%s' is no DATETIME: it has 0 to 6 digits of a second", name)
	}
	return nil
}

func formOf(word, accepted string, forms ...Form) (Form, error) {
	for _, f := range forms {
		if strings.EqualFold(f.String(), word) {
			return f, nil
		}
	}
	return AsIs, fmt.Errorf("unknown 'from: %s'; it is one of %s", word, accepted)
}

func splitType(name string) (word string, sizes []int, err error) {
	word, rest, sized := strings.Cut(strings.TrimSpace(name), "(")
	word = strings.ToUpper(strings.TrimSpace(word))
	if !sized {
		return word, nil, nil
	}
	inside, ok := strings.CutSuffix(strings.TrimSpace(rest), ")")
	if !ok {
		return "", nil, fmt.Errorf("the type '%s' lacks a closing bracket", name)
	}
	for _, text := range strings.Split(inside, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 0 {
			return "", nil, fmt.Errorf("the type '%s' has the size '%s', which is no number", name, strings.TrimSpace(text))
		}
		sizes = append(sizes, n)
	}
	return word, sizes, nil
}

func sizesBetween(name string, sizes []int, least, most int) error {
	if len(sizes) < least || len(sizes) > most {
		return fmt.Errorf("the type '%s' has %d sizes; a type is one of %s", name, len(sizes), AcceptedTypes)
	}
	return nil
}

// TypeText is the type of a column as a schema file has it.
func (c *Column) TypeText() string {
	switch c.Type {
	case Text:
		return sizedText("VARCHAR", c.Length, "LONGTEXT")
	case Bytes:
		return sizedText("VARBINARY", c.Length, "LONGBLOB")
	case Decimal:
		if c.Digits > 0 {
			return fmt.Sprintf("DECIMAL(%d,%d)", c.Digits, c.Scale)
		}
		return "DECIMAL"
	case Boolean:
		return "BOOLEAN"
	case MixedText:
		return "TEXT"
	case BigInt:
		return "BIGINT"
	case Double:
		return "DOUBLE"
	case DateTime:
		if c.Scale == usualScale[c.Form] {
			return "DATETIME"
		}
		return fmt.Sprintf("DATETIME(%d)", c.Scale)
	}
	return "JSON"
}

// usualScale is how many digits of a second a DATETIME has that does not say.
var usualScale = map[Form]int{EpochSeconds: 0, EpochMillis: 3, ISO8601: 6}

func sizedText(short string, size int, long string) string {
	if size == 0 {
		return long
	}
	return fmt.Sprintf("%s(%d)", short, size)
}

// PathText writes a path inside an attribute as a JSON path.
func PathText(path []any) string {
	var b strings.Builder
	b.WriteByte('$')
	for _, e := range path {
		if n, ok := e.(int); ok {
			fmt.Fprintf(&b, "[%d]", n)
			continue
		}
		name, _ := e.(string)
		if plainName(name) {
			b.WriteString("." + name)
		} else {
			b.WriteString("." + strconv.Quote(name))
		}
	}
	return b.String()
}

func plainName(name string) bool {
	for i, r := range name {
		letter := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != ""
}

// ParsePath reads a JSON path such as $.address.lines[0].
func ParsePath(text string) ([]any, error) {
	wrong := fmt.Errorf("'%s' is no path; a path is like $.address.lines[0] or $.\"a name\"", text)
	rest, ok := strings.CutPrefix(text, "$")
	if !ok || rest == "" {
		return nil, wrong
	}
	var path []any
	for rest != "" {
		var elem any
		switch rest[0] {
		case '[':
			inside, after, ok := strings.Cut(rest[1:], "]")
			n, err := strconv.Atoi(inside)
			if !ok || err != nil || n < 0 {
				return nil, wrong
			}
			elem, rest = n, after
		case '.':
			name, after, ok := memberName(rest[1:])
			if !ok {
				return nil, wrong
			}
			elem, rest = name, after
		default:
			return nil, wrong
		}
		path = append(path, elem)
	}
	return path, nil
}

func memberName(rest string) (name, after string, ok bool) {
	if strings.HasPrefix(rest, `"`) {
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return "", "", false
		}
		name, err = strconv.Unquote(quoted)
		return name, rest[len(quoted):], err == nil
	}
	end := strings.IndexAny(rest, ".[")
	if end < 0 {
		end = len(rest)
	}
	return rest[:end], rest[end:], end > 0 && !strings.Contains(rest[:end], "*")
}
