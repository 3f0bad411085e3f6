package engine

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/dynasql/dynasql/connector"
	"github.com/dynasql/dynasql/connector/schema"
)

func (e *Engine) noTable(ctx *sql.Context, out *Error, query string) {
	out.Number, out.State = erNoSuchTable, "42S02"
	name := strings.TrimPrefix(out.Err.Error(), "table not found: ")
	name, _, _ = strings.Cut(name, ", maybe you mean ")
	name = connector.PlainName(name)
	out.Offset = tablePlace(query, name)
	name = written(query, name, out.Offset)
	out.Message = "table '" + name + "' does not exist"
	db := e.current(ctx)
	if db == nil {
		return
	}
	names, err := db.Catalog().Names(ctx)
	switch {
	case err != nil:
	case len(names) == 0:
		out.Advice = "the connection '" + db.Name() + "' has no tables: check the region and the account"
	default:
		if near := nearest(name, names); near != "" {
			out.Advice = "did you mean '" + near + "'?"
		} else {
			out.Advice = "SHOW TABLES lists the tables"
		}
	}
}

var quotedName = regexp.MustCompile("[\"'`]([^\"'`]+)[\"'`]")

func (e *Engine) noColumn(ctx *sql.Context, out *Error, query string) {
	if firstWord(query) == "SET" { // what is no variable is taken for a column
		out.Number, out.State = 1193, "HY000"
		noVariable(out, query)
		return
	}
	out.Number, out.State = erBadField, "42S22"
	found := quotedName.FindAllStringSubmatch(out.Err.Error(), -1)
	if len(found) == 0 {
		return
	}
	qualifier, name := "", found[0][1]
	if sql.ErrTableColumnNotFound.Is(out.Err) && len(found) > 1 {
		qualifier, name = name, found[1][1]
	}
	name = name[strings.LastIndex(name, ".")+1:]
	out.Offset = columnPlace(query, qualifier, name)
	name = written(query, name, out.Offset)
	tables := e.tablesOf(ctx, query)
	out.Message = "unknown column '" + name + "'"
	if len(tables) == 1 {
		out.Message += " in table '" + tables[0].Name + "'"
	}
	var names []string
	sampled, items := 0, int64(0)
	for _, t := range tables {
		sampled, items = sampled+t.Sampled, items+t.Items
		for _, c := range t.Columns {
			names = append(names, c.Name)
		}
	}
	if len(tables) == 0 && placeOf(query, word("from")) < 0 {
		out.Advice = "a text is written in single quotes: '" + name + "'"
	} else if near := nearest(name, names); near != "" {
		out.Advice = "did you mean '" + near + "'?"
	} else if items > int64(sampled) {
		out.Advice = "columns come from " + strconv.Itoa(sampled) + " sampled items; an attribute that is rarer can be read as _item->>'$." + name + "'"
	}
}

func (e *Engine) noFunction(out *Error, query string) {
	found := quotedName.FindStringSubmatch(out.Err.Error())
	if found == nil {
		return
	}
	out.Offset = functionPlace(query, found[1])
	name := written(query, found[1], out.Offset)
	out.Message = "there is no function '" + name + "'"
	if near := nearest(name, Functions()); near != "" {
		out.Advice = "did you mean " + near + "?"
	}
}

// ambiguous says which tables a column could be of. The library names them as
// the statement does: by alias.
func ambiguous(out *Error, query string) {
	message := out.Err.Error()
	found := quotedName.FindStringSubmatch(message)
	if found == nil {
		return
	}
	out.Offset = columnPlace(query, "", found[1])
	name := written(query, found[1], out.Offset)
	out.Message = "column '" + name + "' is ambiguous"
	list := message[strings.LastIndex(message, "[")+1:]
	tables := strings.Fields(strings.TrimSuffix(list, "]"))
	if len(tables) != 2 || !strings.HasSuffix(list, "]") {
		return
	}
	slices.Sort(tables)
	out.Message += ": it is in " + tables[0] + " and in " + tables[1]
	out.Advice = "write " + tables[0] + "." + name + " or " + tables[1] + "." + name
}

func (e *Engine) noDatabase(out *Error, query string) {
	_, name, ok := strings.Cut(out.Err.Error(), ": ")
	if !ok {
		return
	}
	out.Offset = placeOf(query, word(name))
	name = written(query, name, out.Offset)
	out.Message = "there is no database '" + name + "'"
	var names []string
	for _, d := range e.databases {
		names = append(names, d.Name())
	}
	if near := nearest(name, names); near != "" {
		out.Advice = "did you mean '" + near + "'?"
		return
	}
	out.Advice = "a connection is a database: there is " + strings.Join(names, ", ")
}

var argumentNumbers = regexp.MustCompile(`'(\w+)' expected (.*) arguments, (\d+) received`)

func wrongArguments(out *Error, query string) {
	m := argumentNumbers.FindStringSubmatch(out.Err.Error())
	if m == nil {
		return
	}
	out.Offset = functionPlace(query, m[1])
	plural := "s"
	if m[2] == "1" {
		plural = ""
	}
	out.Message = "function '" + written(query, m[1], out.Offset) + "' takes " + m[2] + " argument" + plural + ", not " + m[3]
}

// wrongValue lists what a variable of ours may be.
func wrongValue(out *Error, query string) {
	found := quotedName.FindStringSubmatch(out.Err.Error())
	for _, v := range Variables() {
		if found != nil && strings.EqualFold(v.Name, found[1]) && len(v.Values) > 0 {
			out.Offset = placeOf(query, word(v.Name))
			out.Advice = "it can be " + strings.Join(v.Values, " or ")
		}
	}
}

func noVariable(out *Error, query string) {
	found := quotedName.FindStringSubmatch(out.Err.Error())
	if found == nil {
		return
	}
	name := strings.TrimLeft(found[1], "@")
	out.Offset = placeOf(query, "(?i:("+regexp.QuoteMeta(name)+"))")
	name = written(query, name, out.Offset)
	out.Message = "there is no system variable '" + name + "'"
	var names []string
	for name := range sql.SystemVariables.GetAllGlobalVariables() {
		names = append(names, name)
	}
	slices.Sort(names)
	if near := nearest(name, names); near != "" {
		out.Advice = "did you mean " + near + "?"
	}
}

// tablesOf describes our tables that a statement names.
func (e *Engine) tablesOf(ctx *sql.Context, query string) []*schema.Table {
	parsed, err := sqlparser.Parse(query)
	db := e.current(ctx)
	if err != nil || db == nil {
		return nil
	}
	if explained, ok := parsed.(*sqlparser.Explain); ok { // a walk ends at it
		parsed = explained.Statement
	}
	var tables []*schema.Table
	seen := map[string]bool{}
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		name, ok := node.(sqlparser.TableName)
		if !ok || name.IsEmpty() {
			return true, nil
		}
		exact, err := db.Catalog().Resolve(ctx, name.Name.String())
		if err != nil || seen[exact] {
			return true, nil
		}
		seen[exact] = true
		if t, err := db.Catalog().Table(ctx, exact); err == nil {
			tables = append(tables, t)
		}
		return true, nil
	}, parsed)
	return tables
}
