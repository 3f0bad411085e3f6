package catalog

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/dynasql/dynasql/connector/codec"
	"github.com/dynasql/dynasql/connector/schema"
)

// An Attribute is what is known of one attribute of a table.
type Attribute struct {
	Name     string
	Columns  []schema.Column // that show it; none if it is hidden
	Roles    []string        // in keys
	Kinds    schema.Counts
	Seen     int      // sampled items that have it
	Sampled  int      // items in the sample
	Examples []string // a few values as JSON, in the order of the sample
	Drift    string   // how the sample differs from the schema file; may be empty
}

// mostExamples and longestExample bound the examples of an attribute.
const (
	mostExamples   = 3
	longestExample = 60
)

// Attributes describes the attributes of a table by name, keys first, from the
// sample that its columns come from.
func (c *Catalog) Attributes(ctx context.Context, name string) ([]Attribute, error) {
	t, err := c.Table(ctx, name)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	e, ok := c.entries[name]
	pins := c.pins[name]
	c.mu.Unlock()
	if !ok {
		return nil, ErrNoTable
	}
	all := collect(t, e)
	for i := range pins {
		attributeOf(all, pins[i].Attribute)
	}
	var out []Attribute
	for _, a := range order(t, all) {
		seen := 0
		for kind := schema.S; int(kind) < len(a.kinds); kind++ {
			seen += a.kinds[kind]
		}
		one := Attribute{
			Name: a.name, Roles: a.roles, Kinds: a.kinds, Seen: seen, Sampled: len(e.sample.items),
			Columns: columnsOf(t, a.name), Examples: examples(e.sample, a.name),
		}
		one.Drift = drift(&one, pins, e.sample)
		out = append(out, one)
	}
	return out, nil
}

func columnsOf(t *schema.Table, attribute string) []schema.Column {
	var out []schema.Column
	for i := range t.Columns {
		if t.Columns[i].Attribute == attribute && !t.Columns[i].Hidden {
			out = append(out, t.Columns[i])
		}
	}
	return out
}

func examples(s sample, attribute string) []string {
	var out []string
	for _, item := range s.items {
		v, ok := item[attribute]
		if !ok || codec.KindOf(v) == schema.Null {
			continue
		}
		text := codec.NewDocument(v).String()
		if r := []rune(text); len(r) > longestExample {
			text = string(r[:longestExample]) + ".."
		}
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
		if len(out) == mostExamples {
			break
		}
	}
	return out
}

// drift compares an attribute of the sample with what the schema file says of
// it. Nothing has changed for a table that the file does not have.
func drift(a *Attribute, pins []schema.Pin, s sample) string {
	if len(pins) == 0 {
		return ""
	}
	var changes []string
	known := false
	for i := range pins {
		known = known || pins[i].Attribute == a.Name
	}
	if !known && len(a.Roles) == 0 {
		changes = append(changes, "new: the schema file does not have it")
	}
	if known && a.Seen == 0 && len(a.Roles) == 0 {
		changes = append(changes, "no sampled item has it")
	}
	for i := range a.Columns {
		col := &a.Columns[i]
		if misfits, of := misfits(col, s); col.Pinned && misfits > 0 {
			changes = append(changes, fmt.Sprintf("%d of %d sampled values do not fit %s", misfits, of, col.TypeText()))
		}
	}
	return strings.Join(changes, "; ")
}

func misfits(col *schema.Column, s sample) (misfits, of int) {
	for _, item := range s.items {
		v, ok := item[col.Attribute]
		if !ok || codec.KindOf(v) == schema.Null {
			continue
		}
		of++
		if _, fits := codec.ColumnValue(col, v); !fits {
			misfits++
		}
	}
	return misfits, of
}

// Known lists the tables that have been sampled, by name.
func (c *Catalog) Known() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var names []string
	for name, e := range c.entries {
		if e.table != nil {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}

// Inferred are the pins of a table that say what its columns are now: those of
// the schema file, and the types that were inferred. An attribute of which only
// NULL was seen stays open.
func Inferred(t *schema.Table, pins []schema.Pin) []schema.Pin {
	out := slices.Clone(pins)
	for i := range t.Columns {
		col := &t.Columns[i]
		unknown := len(col.Kinds.Of()) == 0 && col.Fixed == schema.Missing
		if col.Attribute == "" || unknown || slices.ContainsFunc(pins, func(p schema.Pin) bool {
			return p.Column == col.Name && p.Attribute == col.Attribute
		}) {
			continue
		}
		out = append(out, schema.Pin{
			Column: col.Name, Attribute: col.Attribute, Typed: true,
			Type: col.Type, Length: lengthOf(col), Digits: col.Digits, Scale: col.Scale, Form: col.Form,
		})
	}
	return out
}

func lengthOf(col *schema.Column) int {
	if col.Type == schema.Text || col.Type == schema.Bytes {
		return col.Length
	}
	return 0
}
