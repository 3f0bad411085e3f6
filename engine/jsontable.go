package engine

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/connector/codec"
)

// jsonTableRows runs JSON_TABLE (MySQL 8.0 Reference Manual, "JSON Table
// Functions"). The library's turns the path $ of a list into its elements, shows
// true as 1 in a text, and takes DEFAULT '"x"' with its quotes.
func jsonTableRows(ctx *sql.Context, n *plan.JSONTable, row sql.Row) (sql.RowIter, error) {
	data, err := n.DataExpr.Eval(ctx, row)
	if err != nil {
		return nil, err
	}
	if data, err = sql.UnwrapAny(ctx, data); err != nil || data == nil {
		return sql.RowsToRowIter(), err
	}
	var document any
	switch data := data.(type) {
	case sql.JSONWrapper:
		document, err = data.ToInterface(ctx)
	case string:
		if document, err = codec.ParseJSON(data); err != nil {
			return nil, sql.ErrInvalidJSONText.New(1, "json_table", excerpt(data))
		}
	default:
		return nil, sql.ErrInvalidJSONArgument.New(1, "json_table")
	}
	if err != nil {
		return nil, err
	}
	found, err := jsonMatches(document, n.RootPath)
	if err != nil {
		return nil, err
	}
	t := jsonTable{ctx, row}
	rows, err := t.rows(n.Cols, found)
	if err != nil {
		return nil, err
	}
	return sql.RowsToRowIter(rows...), nil
}

func jsonMatches(v any, path string) ([]any, error) {
	found, ok := codec.Search(v, path)
	if !ok {
		return nil, &Error{Number: erWrongPath, State: "42000", Offset: -1,
			Message: "Invalid JSON path expression '" + path + "' in JSON_TABLE", Advice: `a path is like $.a."b c"[0].*`}
	}
	return found, nil
}

type jsonTable struct {
	ctx *sql.Context
	row sql.Row // of the tables before
}

// rows makes rows of the values that a path has found. The columns of each
// NESTED PATH have rows of their own, in which those of the others are NULL.
func (t jsonTable) rows(columns []plan.JSONTableCol, found []any) ([]sql.Row, error) {
	var out []sql.Row
	for i, v := range found {
		base := make(sql.Row, width(columns))
		at := 0
		for j := range columns {
			c := &columns[j]
			if c.Opts != nil {
				value, err := t.value(c, v, i+1)
				if err != nil {
					return nil, err
				}
				base[at] = value
			}
			at += width(columns[j : j+1])
		}
		nested, err := t.nested(columns, v, base)
		if err != nil {
			return nil, err
		}
		if len(nested) == 0 {
			nested = []sql.Row{base}
		}
		out = append(out, nested...)
	}
	return out, nil
}

func (t jsonTable) nested(columns []plan.JSONTableCol, v any, base sql.Row) ([]sql.Row, error) {
	var out []sql.Row
	at := 0
	for i := range columns {
		c := &columns[i]
		if c.Opts == nil {
			found, err := jsonMatches(v, c.Path)
			if err != nil {
				return nil, err
			}
			rows, err := t.rows(c.NestedCols, found)
			if err != nil {
				return nil, err
			}
			for _, r := range rows {
				whole := base.Copy()
				copy(whole[at:], r)
				out = append(out, whole)
			}
		}
		at += width(columns[i : i+1])
	}
	return out, nil
}

func width(columns []plan.JSONTableCol) int {
	n := 0
	for i := range columns {
		if columns[i].Opts != nil {
			n++
		} else {
			n += width(columns[i].NestedCols)
		}
	}
	return n
}

// value is the value of a column for what the path around it has found, in its
// place from 1.
func (t jsonTable) value(c *plan.JSONTableCol, v any, ordinal int) (any, error) {
	o := c.Opts
	if o.ForOrd {
		out, _, err := o.Type.Convert(t.ctx, ordinal)
		return out, err
	}
	found, err := jsonMatches(v, c.Path)
	switch {
	case err != nil:
		return nil, err
	case o.Exists:
		out, _, err := o.Type.Convert(t.ctx, min(len(found), 1))
		return out, err
	case len(found) == 0 && o.ErrorOnEmpty:
		return nil, jsonTableError(erMissingJSON, o.Name, "there is no value at "+c.Path)
	case len(found) == 0:
		return t.defaultOf(o, o.DefEmptyVal)
	}
	problem := "there are several values at " + c.Path
	if len(found) == 1 {
		var out any
		if out, problem = t.converted(o.Type, found[0]); problem == "" {
			return out, nil
		}
	}
	if o.ErrorOnError {
		return nil, jsonTableError(erUnfitJSON, o.Name, problem)
	}
	return t.defaultOf(o, o.DefErrorVal)
}

// converted is a JSON value in the type of a column, or why it is none.
func (t jsonTable) converted(typ sql.Type, v any) (out any, problem string) {
	if types.IsJSON(typ) {
		return codec.PlainDocument(v), ""
	}
	switch x := v.(type) {
	case nil:
		return nil, ""
	case []any, map[string]any:
		return nil, "a list or an object is no " + typ.String()
	case bool:
		if types.IsNumber(typ) {
			v = int8(0)
			if x {
				v = int8(1)
			}
		}
	}
	if _, text := v.(string); types.IsText(typ) && !text {
		v = codec.PlainDocument(v).String()
	}
	out, within, err := typ.Convert(t.ctx, v)
	if err != nil || within != sql.InRange {
		return nil, fmt.Sprintf("%s is no %s", excerpt(codec.PlainDocument(v).String()), typ)
	}
	return out, ""
}

// defaultOf is the value of DEFAULT, JSON in a text; without one it is NULL.
func (t jsonTable) defaultOf(o *plan.JSONTableColOpts, e sql.Expression) (any, error) {
	v, err := e.Eval(t.ctx, t.row)
	if err != nil || v == nil {
		return nil, err
	}
	if text, ok := v.(string); ok {
		if parsed, err := codec.ParseJSON(text); err == nil {
			v = parsed
		}
	}
	out, problem := t.converted(o.Type, v)
	if problem != "" {
		return nil, jsonTableError(erUnfitJSON, o.Name, "its DEFAULT does not fit: "+problem)
	}
	return out, nil
}

func jsonTableError(number int, column, problem string) error {
	return &Error{Number: number, State: "22035", Offset: -1, Message: fmt.Sprintf("JSON_TABLE, column '%s': %s", column, problem)}
}
