package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/dynasql/dynasql/connector/schema"
)

// PinError reports a schema file that does not go with a table.
type PinError struct {
	Table, Column, Problem string
	Line                   int // of the schema file
}

func (e *PinError) Error() string {
	return fmt.Sprintf("schema file, line %d: table '%s', column '%s': %s", e.Line, e.Table, e.Column, e.Problem)
}

// Hint says how to go on.
func (e *PinError) Hint() string {
	return "correct the schema file and start again, or start without it"
}

// checkPins refuses what would take away or change a key: reading by keys rests
// on them.
func checkPins(t *schema.Table, pins []schema.Pin) error {
	kinds := map[string]schema.Kind{}
	for _, key := range keysOf(t) {
		for _, a := range key.Attrs() {
			kinds[a.Name] = a.Kind
		}
	}
	for i := range pins {
		p := &pins[i]
		kind, key := kinds[p.Attribute]
		problem := ""
		switch {
		case !key:
		case p.Hidden:
			problem = "the attribute '" + p.Attribute + "' is a key and cannot be hidden"
		case p.Path != nil:
			problem = "the attribute '" + p.Attribute + "' is a key of type " + kind.String() + ": there is no place inside it"
		case p.Typed && !holds(p, kind):
			problem = fmt.Sprintf("the attribute '%s' is a key of type %s, which %s does not show; a type that does is one of %s",
				p.Attribute, kind, typeWithForm(p), typesOfKeys[kind])
		}
		if problem != "" {
			return &PinError{t.Name, p.Column, problem, p.Line}
		}
	}
	return nil
}

func keysOf(t *schema.Table) []schema.Key {
	keys := []schema.Key{t.Key}
	for i := range t.Indexes {
		keys = append(keys, t.Indexes[i].Key)
	}
	return keys
}

func typeWithForm(p *schema.Pin) string {
	c := schema.Column{Type: p.Type, Length: p.Length, Digits: p.Digits, Scale: p.Scale, Form: p.Form}
	if p.Form == schema.AsIs {
		return c.TypeText()
	}
	return c.TypeText() + " from " + p.Form.String()
}

// typesOfKeys are the types that show keys of a kind, for messages.
var typesOfKeys = map[schema.Kind]string{
	schema.S: "VARCHAR(n), LONGTEXT, TEXT, JSON, DATETIME from iso8601",
	schema.N: "DECIMAL, DECIMAL(p,s), BIGINT, DOUBLE, TEXT, JSON, DATETIME from epoch_s or epoch_ms, BOOLEAN from number",
	schema.B: "VARBINARY(n), LONGBLOB, TEXT, JSON",
}

// holds reports whether a pinned type shows values of a key's kind.
func holds(p *schema.Pin, kind schema.Kind) bool {
	switch p.Type {
	case schema.BigInt, schema.Double, schema.Decimal:
		return kind == schema.N
	case schema.DateTime:
		return (kind == schema.S) == (p.Form == schema.ISO8601) && kind != schema.B
	case schema.Boolean:
		return kind == schema.N && p.Form == schema.ZeroOne
	case schema.Text:
		return kind == schema.S
	case schema.Bytes:
		return kind == schema.B
	}
	return true
}

// pinned puts the columns of a schema file in place of the inferred ones of
// their attributes. Keys stay first, the others are in the order of names; an
// inferred column whose name a pinned one has gets a suffix.
func pinned(t *schema.Table, inferred []schema.Column, pins []schema.Pin) []schema.Column {
	if len(pins) == 0 {
		return inferred
	}
	whole := map[string]bool{} // attributes with a pin of their whole value
	taken := map[string]bool{}
	for i := range pins {
		whole[pins[i].Attribute] = whole[pins[i].Attribute] || pins[i].Path == nil
		taken[strings.ToLower(pins[i].Column)] = !pins[i].Hidden || taken[strings.ToLower(pins[i].Column)]
	}
	var out []schema.Column
	for i := range pins {
		if !pins[i].Hidden {
			out = append(out, pinnedColumn(&pins[i], inferred))
		}
	}
	for _, c := range inferred {
		if whole[c.Attribute] {
			continue
		}
		base := c.Name
		for n := 2; taken[strings.ToLower(c.Name)]; n++ {
			c.Name = fmt.Sprintf("%s_%d", base, n)
		}
		taken[strings.ToLower(c.Name)] = true
		out = append(out, c)
	}
	slices.SortStableFunc(out, func(a, b schema.Column) int {
		if c := cmp.Compare(keyRank(t, &a), keyRank(t, &b)); c != 0 {
			return c
		}
		return strings.Compare(a.Name, b.Name)
	})
	return out
}

func keyRank(t *schema.Table, c *schema.Column) int {
	switch {
	case c.Attribute == t.Key.Hash.Name && c.Whole():
		return 0
	case t.Key.HasSort() && c.Attribute == t.Key.Sort.Name && c.Whole():
		return 1
	}
	return 2
}

// pinnedColumn is the column of a pin; what the pin does not say is inferred.
func pinnedColumn(p *schema.Pin, inferred []schema.Column) schema.Column {
	c := schema.Column{Type: schema.MixedText}
	for i := range inferred {
		if inferred[i].Attribute == p.Attribute {
			c = inferred[i]
		}
	}
	about := c.Comment
	c.Name, c.Attribute, c.Path, c.Pinned = p.Column, p.Attribute, p.Path, p.Typed
	if p.Typed {
		if c.Type != p.Type || p.Path != nil {
			c.Values = nil
		}
		c.Type, c.Length, c.Digits, c.Scale, c.Form = p.Type, p.Length, p.Digits, p.Scale, p.Form
	}
	if p.Path != nil {
		c.Fixed, c.Kinds = schema.Missing, schema.Counts{}
		about = "at " + schema.PathText(p.Path) + " of attribute " + quote(p.Attribute)
	} else if p.Column != p.Attribute && !strings.Contains(about, "attribute "+quote(p.Attribute)) {
		about = joined("attribute "+quote(p.Attribute), about)
	}
	if p.Form != schema.AsIs {
		about = joined("stored as "+p.Form.String(), about)
	}
	c.Comment = joined(p.Comment, about)
	return c
}

func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "; ")
}
