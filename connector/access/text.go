package access

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/dynasql/dynasql/connector/schema"
)

// maxShown is the number of values of a list that texts show.
const maxShown = 20

// String writes the predicate as SQL would, for people: it is not meant to be
// parsed again. Long lists are cut.
func (p *Pred) String() string {
	var b strings.Builder
	p.write(&b, false)
	return b.String()
}

func (p *Pred) write(b *strings.Builder, nested bool) {
	switch p.Op {
	case And:
		writeList(b, p.Kids, " AND ", nested)
	case Or:
		writeList(b, p.Kids, " OR ", nested)
	case Not:
		p.Kids[0].writeNot(b)
	case False:
		b.WriteString("FALSE")
	case In:
		b.WriteString(p.Path.String() + " IN " + list(p.Args))
	case Prefix:
		b.WriteString("begins_with(" + p.Path.String() + ", " + literal(p.Args[0]) + ")")
	case Contains:
		b.WriteString("contains(" + p.Path.String() + ", " + literal(p.Args[0]) + ")")
	case IsNull:
		b.WriteString(p.Path.String() + " IS NULL")
	case Tuple:
		p.writeTuple(b)
	default:
		b.WriteString(p.Path.String() + signs[filterOps[p.Op]] + literal(p.Args[0]))
	}
}

func writeList(b *strings.Builder, kids []Pred, word string, nested bool) {
	if nested {
		b.WriteByte('(')
		defer b.WriteByte(')')
	}
	for i := range kids {
		if i > 0 {
			b.WriteString(word)
		}
		if i == maxShown {
			fmt.Fprintf(b, "%d more", len(kids)-i)
			return
		}
		kids[i].write(b, true)
	}
}

func (p *Pred) writeNot(b *strings.Builder) {
	switch p.Op {
	case IsNull:
		b.WriteString(p.Path.String() + " IS NOT NULL")
		return
	case In:
		b.WriteString(p.Path.String() + " NOT IN " + list(p.Args))
		return
	case Eq:
		b.WriteString(p.Path.String() + " <> " + literal(p.Args[0]))
		return
	}
	b.WriteString("NOT (")
	p.write(b, false)
	b.WriteByte(')')
}

func (p *Pred) writeTuple(b *strings.Builder) {
	b.WriteByte('(')
	for i, path := range p.Paths {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(path.String())
	}
	b.WriteString(") IN (")
	for i, row := range p.Rows {
		if i > 0 {
			b.WriteString(", ")
		}
		if i == maxShown {
			fmt.Fprintf(b, "%d more", len(p.Rows)-i)
			break
		}
		b.WriteString(list(row))
	}
	b.WriteByte(')')
}

func list(values []schema.Scalar) string {
	shown := make([]string, 0, min(len(values), maxShown+1))
	for i, v := range values {
		if i == maxShown {
			shown = append(shown, fmt.Sprintf("%d more", len(values)-i))
			break
		}
		shown = append(shown, literal(v))
	}
	return "(" + strings.Join(shown, ", ") + ")"
}

// literal writes a constant as in SQL.
func literal(v schema.Scalar) string {
	switch v.Kind {
	case schema.S:
		return "'" + sqlEscapes.Replace(v.Text) + "'"
	case schema.B:
		return "X'" + strings.ToUpper(hex.EncodeToString([]byte(v.Text))) + "'"
	}
	return v.Text
}

var sqlEscapes = strings.NewReplacer(`'`, `''`, `\`, `\\`, "\n", `\n`, "\r", `\r`, "\t", `\t`, "\x00", `\0`)

// String writes the path with a dot before each map key; names that are no
// plain words stand in back quotes.
func (p Path) String() string {
	s := quoted(p.Attribute)
	for _, e := range p.Elems {
		switch e := e.(type) {
		case int:
			s += "[" + strconv.Itoa(e) + "]"
		case string:
			s += "." + quoted(e)
		}
	}
	return s
}

func quoted(name string) string {
	for i, r := range name {
		if !(r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || i > 0 && r >= '0' && r <= '9') {
			return "`" + strings.ReplaceAll(name, "`", "``") + "`"
		}
	}
	return name
}

// String writes the term as in ORDER BY.
func (o Order) String() string {
	if o.Desc {
		return quoted(o.Attribute) + " DESC"
	}
	return quoted(o.Attribute)
}

// text writes the condition on the given key.
func (c KeyCond) text(k schema.Key) string {
	s := quoted(k.Hash.Name) + " = " + literal(c.Hash)
	if c.Sort == nil {
		return s
	}
	name, lo := quoted(k.Sort.Name), literal(c.Sort.Lo)
	switch c.Sort.Op {
	case Prefix:
		return s + " AND begins_with(" + name + ", " + lo + ")"
	case Between:
		return s + " AND " + name + " BETWEEN " + lo + " AND " + literal(c.Sort.Hi)
	}
	return s + " AND " + name + signs[filterOps[c.Sort.Op]] + lo
}
