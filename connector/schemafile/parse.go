package schemafile

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/dynasql/dynasql/connector/schema"
)

// Tables are the pins of a file: of each table in the order of the file.
type Tables map[string][]schema.Pin

// Error is something wrong in a schema file.
type Error struct {
	Line    int // counted from 1; 0 if it has none
	Problem string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Problem
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Problem)
}

func at(n *yaml.Node, format string, args ...any) error {
	return &Error{n.Line, fmt.Sprintf(format, args...)}
}

// Parse reads a file. The error joins everything that is wrong in it, each an
// *Error with its line and what is accepted there.
func Parse(text []byte) (Tables, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(text, &root); err != nil {
		return nil, &Error{Problem: strings.TrimPrefix(err.Error(), "yaml: ")}
	}
	if len(root.Content) == 0 {
		return Tables{}, nil
	}
	p := parser{tables: Tables{}}
	p.fields(root.Content[0], "a schema file", map[string]func(*yaml.Node){"tables": p.allTables})
	return p.tables, errors.Join(p.problems...)
}

type parser struct {
	tables   Tables
	problems []error
}

func (p *parser) fail(err error) {
	if err != nil {
		p.problems = append(p.problems, err)
	}
}

// fields hands each value of a mapping to the function of its key.
func (p *parser) fields(n *yaml.Node, of string, known map[string]func(*yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		p.fail(at(n, "%s is a mapping with %s", of, names(known)))
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		f, ok := known[key.Value]
		if !ok {
			p.fail(at(key, "%s has no '%s'; it has %s", of, key.Value, names(known)))
			continue
		}
		f(n.Content[i+1])
	}
}

// names lists keys in the order in which a user would write them.
func names(known map[string]func(*yaml.Node)) string {
	var list []string
	for _, name := range []string{"tables", "columns", "attribute", "path", "type", "from", "comment", "hide"} {
		if _, ok := known[name]; ok {
			list = append(list, name)
		}
	}
	return strings.Join(list, ", ")
}

// eachOf goes through a mapping whose keys are names of the user's.
func (p *parser) eachOf(n *yaml.Node, what string, f func(name string, key, value *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		p.fail(at(n, "%s are a mapping from names", what))
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if seen[key.Value] {
			p.fail(at(key, "'%s' is there twice", key.Value))
			continue
		}
		seen[key.Value] = true
		f(key.Value, key, n.Content[i+1])
	}
}

func (p *parser) allTables(n *yaml.Node) {
	p.eachOf(n, "tables", func(name string, _, value *yaml.Node) {
		p.tables[name] = nil
		p.fields(value, "a table", map[string]func(*yaml.Node){"columns": func(n *yaml.Node) { p.columns(name, n) }})
	})
}

func (p *parser) columns(table string, n *yaml.Node) {
	folded := map[string]string{}
	p.eachOf(n, "columns", func(name string, key, value *yaml.Node) {
		if other, ok := folded[strings.ToLower(name)]; ok {
			p.fail(at(key, "the columns '%s' and '%s' differ only in case, by which SQL does not tell them apart", other, name))
			return
		}
		folded[strings.ToLower(name)] = name
		if lower := strings.ToLower(name); lower == schema.ItemColumn || lower == schema.WireColumn {
			p.fail(at(key, "a column cannot be named '%s', which is the whole item", name))
			return
		}
		if pin, ok := p.column(name, key, value); ok {
			p.tables[table] = append(p.tables[table], pin)
		}
	})
}

// column reads a column: its type alone, or a mapping.
func (p *parser) column(name string, key, n *yaml.Node) (schema.Pin, bool) {
	pin := schema.Pin{Column: name, Attribute: name, Line: key.Line}
	problems := len(p.problems)
	if n.Kind == yaml.ScalarNode && n.Value != "" {
		p.setType(&pin, n, n.Value, "")
		return pin, len(p.problems) == problems
	}
	var typ, from *yaml.Node
	text := func(into *string) func(*yaml.Node) {
		return func(n *yaml.Node) {
			if n.Kind != yaml.ScalarNode {
				p.fail(at(n, "a text is expected here"))
				return
			}
			*into = n.Value
		}
	}
	p.fields(n, "a column", map[string]func(*yaml.Node){
		"attribute": func(n *yaml.Node) {
			text(&pin.Attribute)(n)
			if n.Kind == yaml.ScalarNode && n.Value == "" {
				p.fail(at(n, "'attribute' is the name of an attribute, which has at least one character"))
			}
		},
		"comment": text(&pin.Comment),
		"type":    func(n *yaml.Node) { typ = n },
		"from":    func(n *yaml.Node) { from = n },
		"hide": func(n *yaml.Node) {
			if n.Decode(&pin.Hidden) != nil {
				p.fail(at(n, "'hide' is true or false"))
			}
		},
		"path": func(n *yaml.Node) {
			path, err := schema.ParsePath(n.Value)
			if err != nil {
				p.fail(at(n, "%s", err))
			}
			pin.Path = path
		},
	})
	switch {
	case typ != nil && from != nil:
		p.setType(&pin, typ, typ.Value, from.Value)
	case typ != nil:
		p.setType(&pin, typ, typ.Value, "")
	case from != nil:
		p.fail(at(from, "'from' needs a type: DATETIME or BOOLEAN"))
	}
	switch {
	case pin.Hidden && (pin.Typed || pin.Path != nil):
		p.fail(at(key, "the hidden column '%s' has a type or a path, which nobody would see", name))
	case pin.Path != nil && !pin.Typed:
		p.fail(at(key, "the column '%s' shows a place inside an attribute and needs a type: one of %s", name, schema.AcceptedTypes))
	}
	return pin, len(p.problems) == problems
}

func (p *parser) setType(pin *schema.Pin, n *yaml.Node, name, form string) {
	if err := pin.SetType(name, form); err != nil {
		p.fail(at(n, "column '%s': %s", pin.Column, err))
	}
}
