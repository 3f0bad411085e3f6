package access

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/dynasql/dynasql/connector/schema"
)

// AWSCLI returns each request of the plan as a command of the AWS command line
// interface, quoted for a POSIX shell. A line that begins with # is a comment:
// what follows depends on what was read. A plan that sends nothing has none.
func (p *Plan) AWSCLI() []string {
	var out []string
	switch p.Op {
	case GetItem:
		out = append(out, p.getCommand())
	case BatchGetItem:
		for i := 0; i < len(p.Keys); i += batchKeys {
			out = append(out, p.batchCommand(p.Keys[i:min(len(p.Keys), i+batchKeys)]))
		}
	case Query:
		for i := range p.Keys {
			out = append(out, p.readCommand("query", i))
		}
	case Scan:
		out = append(out, p.readCommand("scan", 0))
		if p.Walk {
			out = append(out, fmt.Sprintf("# then the same with --exclusive-start-key, for as long as there is a LastEvaluatedKey: that key with the greatest %s that there can be", p.Table.Key.Sort.Name))
		}
	}
	if p.Complete {
		out = append(out, "# then, for each hundred of the keys found, their "+p.wanted()+": aws dynamodb batch-get-item")
	}
	return out
}

// wanted names what is fetched.
func (p *Plan) wanted() string {
	if p.Project == nil {
		return "whole items"
	}
	return strings.Join(texts(p.Project), ", ")
}

// A command is the words of one call.
type command struct{ words []string }

func newCommand(action string) *command {
	return &command{[]string{"aws", "dynamodb", action}}
}

// option adds an option with its value, unless the value is empty.
func (c *command) option(name, value string) {
	switch {
	case value == "":
	case strings.HasPrefix(value, "-"): // else it is taken for an option
		c.words = append(c.words, shellQuote(name+"="+value))
	default:
		c.words = append(c.words, name, shellQuote(value))
	}
}

func (c *command) flag(name string, is bool) {
	if is {
		c.words = append(c.words, name)
	}
}

func (c *command) expression(e Expression) {
	c.option("--key-condition-expression", e.KeyCondition)
	c.option("--filter-expression", e.Filter)
	c.option("--projection-expression", e.Projection)
	if e.Names != nil {
		c.option("--expression-attribute-names", jsonText(e.Names))
	}
	if e.Values != nil {
		c.option("--expression-attribute-values", jsonText(wireValues(e.Values)))
	}
}

func (c *command) String() string {
	c.option("--return-consumed-capacity", "TOTAL")
	return strings.Join(c.words, " ")
}

// base64 tells version 2 of the CLI, which may be set otherwise, how binary is
// written in JSON.
func (c *command) base64(is bool) {
	if is {
		c.option("--cli-binary-format", "base64")
	}
}

func (p *Plan) readCommand(action string, i int) string {
	c := newCommand(action)
	c.option("--table-name", p.Table.Name)
	c.option("--index-name", p.Index)
	e := p.Expression(i)
	c.expression(e)
	c.option("--select", p.Select())
	c.flag("--no-scan-index-forward", p.Reverse)
	c.flag("--consistent-read", p.Consistent)
	if p.Limit > 0 {
		c.option("--max-items", strconv.FormatInt(p.Limit, 10))
	}
	switch {
	case p.Walk:
		c.flag("--no-paginate", true)
		c.option("--limit", strconv.Itoa(int(p.PageLimit)))
	case p.PageLimit > 0:
		c.option("--page-size", strconv.Itoa(int(p.PageLimit)))
	}
	for _, v := range e.Values {
		if v.Kind == schema.B {
			c.base64(true)
			break
		}
	}
	return c.String()
}

func (p *Plan) getCommand() string {
	c := newCommand("get-item")
	c.option("--table-name", p.Table.Name)
	c.option("--key", jsonText(p.wireKey(p.Keys[0])))
	c.expression(p.Expression(0))
	c.flag("--consistent-read", p.Consistent)
	c.base64(p.binaryKey())
	return c.String()
}

func (p *Plan) batchCommand(keys []KeyCond) string {
	type request struct {
		Keys                     []map[string]any
		ProjectionExpression     string            `json:",omitempty"`
		ExpressionAttributeNames map[string]string `json:",omitempty"`
		ConsistentRead           bool              `json:",omitempty"`
	}
	e := p.Expression(0)
	r := request{ProjectionExpression: e.Projection, ExpressionAttributeNames: e.Names, ConsistentRead: p.Consistent}
	for _, k := range keys {
		r.Keys = append(r.Keys, p.wireKey(k))
	}
	c := newCommand("batch-get-item")
	c.option("--request-items", jsonText(map[string]request{p.Table.Name: r}))
	c.base64(p.binaryKey())
	return c.String()
}

func (p *Plan) binaryKey() bool {
	return p.Table.Key.Hash.Kind == schema.B || p.Table.Key.Sort.Kind == schema.B
}

func (p *Plan) wireKey(k KeyCond) map[string]any {
	key := map[string]any{p.Table.Key.Hash.Name: wireValue(k.Hash)}
	if k.Sort != nil {
		key[p.Table.Key.Sort.Name] = wireValue(k.Sort.Lo)
	}
	return key
}

func wireValues(values map[string]schema.Scalar) map[string]any {
	out := make(map[string]any, len(values))
	for name, v := range values {
		out[name] = wireValue(v)
	}
	return out
}

// wireValue is the constant in DynamoDB's JSON.
func wireValue(v schema.Scalar) map[string]any {
	switch v.Kind {
	case schema.B:
		return map[string]any{"B": []byte(v.Text)}
	case schema.Bool:
		return map[string]any{"BOOL": v.Text == "true"}
	}
	return map[string]any{v.Kind.String(): v.Text}
}

// jsonText writes v on one line. Strings, maps and booleans always encode.
func jsonText(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return ""
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// shellQuote writes a word so that a POSIX shell reads it back as it is. It
// must hold no NUL, which no command line can.
func shellQuote(word string) string {
	plain := word != ""
	for _, r := range word {
		if !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.,:/@%+=", r) {
			plain = false
			break
		}
	}
	if plain {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
