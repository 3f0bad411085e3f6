package schemafile

import (
	"bytes"
	"fmt"
	"sort"

	"go.yaml.in/yaml/v3"

	"github.com/dynasql/dynasql/connector/schema"
)

// head is the comment at the beginning of a file.
const head = `# Schema file of dynasql, written by CALL ddb_save_schema().
# A column is pinned by its type, or by a mapping with these keys:
#   attribute  the attribute that it shows; the column's name if absent
#   path       a place inside the attribute, such as $.address.city
#   type       ` + schema.AcceptedTypes + `
#   from       how a DATETIME is stored: ` + schema.AcceptedDateForms + `; how a BOOLEAN is: ` + schema.AcceptedBoolForms + `
#   comment    shown by DESCRIBE
#   hide       true leaves the attribute without a column; _item still has it
# Attributes that are not listed keep the columns inferred from a sample.
`

// Write writes tables as a file that Parse reads to the same pins. The same
// tables give the same bytes.
func Write(tables Tables) ([]byte, error) {
	names := make([]string, 0, len(tables))
	for name := range tables {
		names = append(names, name)
	}
	sort.Strings(names)
	all := mapping()
	for _, name := range names {
		columns := mapping()
		for i := range tables[name] {
			p := &tables[name][i]
			add(columns, p.Column, columnNode(p))
		}
		table := mapping()
		add(table, "columns", columns)
		add(all, name, table)
	}
	root := mapping()
	add(root, "tables", all)
	var out bytes.Buffer
	out.WriteString(head)
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	if err := e.Encode(root); err != nil {
		return nil, fmt.Errorf("write the schema: %w", err)
	}
	return out.Bytes(), e.Close()
}

func mapping() *yaml.Node { return &yaml.Node{Kind: yaml.MappingNode} }

func add(m *yaml.Node, key string, value *yaml.Node) { m.Content = append(m.Content, text(key), value) }

func text(s string) *yaml.Node {
	n := &yaml.Node{}
	n.SetString(s)
	return n
}

// columnNode is a column: its type alone where that says everything.
func columnNode(p *schema.Pin) *yaml.Node {
	fields := mapping()
	fields.Style = yaml.FlowStyle
	set := func(key, value string) {
		if value != "" {
			add(fields, key, text(value))
		}
	}
	if p.Attribute != p.Column {
		set("attribute", p.Attribute)
	}
	if p.Path != nil {
		set("path", schema.PathText(p.Path))
	}
	typ := ""
	if p.Typed {
		typ = TypeText(p)
		set("type", typ)
	}
	set("from", p.Form.String())
	set("comment", p.Comment)
	if p.Hidden {
		add(fields, "hide", &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: "true"})
	}
	if len(fields.Content) == 2 && typ != "" {
		return text(typ)
	}
	return fields
}

// TypeText is the type of a pin as a file has it.
func TypeText(p *schema.Pin) string {
	c := schema.Column{Type: p.Type, Length: p.Length, Digits: p.Digits, Scale: p.Scale, Form: p.Form}
	return c.TypeText()
}
