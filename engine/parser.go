package engine

import (
	"context"
	"regexp"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/vt/sqlparser"
)

// parser stands before the library's parser. It puts what MySQL has and the
// grammar lacks into words that the grammar has, refuses statements that write,
// and changes in a parsed statement what the library is known to get wrong.
type parser struct {
	sql.Parser
	points *pointTexts
}

// parsed is what the library's parser makes of a text: a statement, and, of
// those methods that give them, its text, what follows it, and where that is.
type parsed struct {
	stmt      sqlparser.Statement
	one, rest string
	at        int
}

// read parses a text by a method of the library's parser. The text that the
// method sees may be longer than the statement as the user wrote it; results
// refer to the latter.
func (p parser) read(query string, parse func(text string) (parsed, error)) (parsed, error) {
	text, err := rewrite(query)
	if err != nil {
		return parsed{one: query}, err
	}
	w, err := phrase(text)
	if err != nil {
		return parsed{one: query}, err
	}
	out, err := parse(w.text)
	if err != nil {
		again, text, ok := reword(w.text, err, parse)
		if !ok {
			return out, err
		}
		out, w.text = again, text
	}
	out.one = original(query, out.one, out.rest)
	if out.at > 0 {
		out.at -= len(w.text) - len(query)
	}
	redirect(out.stmt)
	if err := refuseFiles(out.stmt); err != nil {
		return out, err
	}
	out.stmt, err = adapt(out.stmt, w)
	return out, err
}

// ParseSimple implements sql.Parser.
func (p parser) ParseSimple(query string) (sqlparser.Statement, error) {
	out, err := p.read(query, func(text string) (parsed, error) {
		stmt, err := p.Parser.ParseSimple(text)
		return parsed{stmt: stmt}, err
	})
	return out.stmt, err
}

// Parse implements sql.Parser.
func (p parser) Parse(ctx *sql.Context, query string, multi bool) (sqlparser.Statement, string, string, error) {
	return p.ParseWithOptions(ctx, query, ';', multi, sql.LoadSqlMode(ctx).ParserOptions())
}

// ParseWithOptions implements sql.Parser.
func (p parser) ParseWithOptions(ctx context.Context, query string, delimiter rune, multi bool, options sqlparser.ParserOptions) (sqlparser.Statement, string, string, error) {
	shape, constants, mayBePoint := pointText(query)
	if mayBePoint {
		if s := p.points.statement(shape, constants); s != nil {
			noteDescribed(ctx, s)
			return s, query, "", nil
		}
	}
	out, err := p.read(query, func(text string) (parsed, error) {
		stmt, one, rest, err := p.Parser.ParseWithOptions(ctx, text, delimiter, multi, options)
		if err == nil {
			noteDescribed(ctx, stmt)
		}
		return parsed{stmt: stmt, one: one, rest: rest}, err
	})
	if mayBePoint && err == nil && p.points.remember(shape, constants, out.stmt) {
		out.stmt = p.points.statement(shape, constants)
	}
	return out.stmt, out.one, out.rest, err
}

// ParseOneWithOptions implements sql.Parser.
func (p parser) ParseOneWithOptions(ctx context.Context, query string, options sqlparser.ParserOptions) (sqlparser.Statement, int, error) {
	out, err := p.read(query, func(text string) (parsed, error) {
		stmt, at, err := p.Parser.ParseOneWithOptions(ctx, text, options)
		return parsed{stmt: stmt, at: at}, err
	})
	return out.stmt, out.at, err
}

// A phrased statement is in words that the grammar has.
type phrased struct {
	text   string
	before string // as it was but for the format of EXPLAIN
	option string // of EXPLAIN
}

func phrase(query string) (phrased, error) {
	before, option := splitExplain(keepPatternEscapes(query))
	text, err := standard(before)
	return phrased{text, before, option}, err
}

// explainOptions maps a format of EXPLAIN to the name of the option that makes
// it known to explain: the library has these three, and we give two of them,
// which are for its own debugging, another meaning. MySQL's traditional table
// has no place for what there is to say; the tree stands for it.
var explainOptions = map[string]string{"json": "debug", "awscli": "estimates", "tree": "tree", "traditional": "tree"}

var explainFormat = regexp.MustCompile(`(?is)^(\s*(?:explain|describe|desc)\s+)format\s*=\s*['"]?(\w+)['"]?\s`)

// splitExplain takes the format out of an EXPLAIN. The query keeps its length,
// so that places in error messages stay true.
func splitExplain(query string) (rest, option string) {
	m := explainFormat.FindStringSubmatchIndex(query)
	if m == nil {
		return query, ""
	}
	option, ok := explainOptions[strings.ToLower(query[m[4]:m[5]])]
	if !ok {
		return query, ""
	}
	blank := strings.Repeat(" ", m[1]-m[3])
	return query[:m[3]] + blank + query[m[1]:], option
}

// adapt changes a parsed statement to what the library understands rightly, or
// refuses it.
func adapt(stmt sqlparser.Statement, w phrased) (sqlparser.Statement, error) {
	if isPlain(stmt) {
		return stmt, nil
	}
	if err := refuseWrite(stmt); err != nil {
		return nil, err
	}
	inner := stmt
	if e, ok := stmt.(*sqlparser.Explain); ok { // a walk ends at it
		inner = e.Statement
		e.ExplainFormat = w.option
		if w.option == "" {
			e.ExplainFormat = "tree"
		}
	}
	parts := withParts(inner)
	if err := replaceParts(inner, parts); err != nil {
		return nil, err
	}
	names := namesOfWith(inner)
	for i, part := range parts {
		if err := restore(part, w); err != nil {
			return nil, err
		}
		if err := checkColumns(part); err != nil {
			return nil, err
		}
		nameConstants(part)
		expandRows(part)
		factorConditions(part)
		escapePatterns(part)
		if err := orderConcatenated(part); err != nil {
			return nil, err
		}
		joinConcatenated(part)
		spreadAverages(part)
		if err := planWindows(part); err != nil {
			return nil, err
		}
		tellApart(part)
		if err := separateGroups(part); err != nil {
			return nil, err
		}
		groupBelow(part)
		nameHavingAggregates(part)
		keepExists(part, names, i > 0)
		nameHiddenColumns(part)
		keepIndexHints(part)
	}
	return stmt, nil
}

// withParts returns a statement and the queries of its WITH clauses, which a
// walk leaves out.
func withParts(stmt sqlparser.Statement) []sqlparser.Statement {
	parts := []sqlparser.Statement{stmt}
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		with := withOf(node)
		if with == nil {
			return true, nil
		}
		for _, e := range with.Ctes {
			if q, ok := e.Expr.(*sqlparser.Subquery); ok {
				parts = append(parts, withParts(q.Select)...)
			}
		}
		return true, nil
	}, stmt)
	return parts
}

// withOf is the WITH clause of a query, or nil.
func withOf(node sqlparser.SQLNode) *sqlparser.With {
	switch n := node.(type) {
	case *sqlparser.SetOp:
		return n.With
	case *sqlparser.Select:
		return n.With
	}
	return nil
}

// refuseWrite tells a statement that would change something, before anything
// else is found wrong with it.
func refuseWrite(stmt sqlparser.Statement) error {
	verb := ""
	switch s := stmt.(type) {
	case *sqlparser.Insert:
		verb = strings.ToUpper(s.Action)
	case *sqlparser.Update:
		verb = "UPDATE"
	case *sqlparser.Delete:
		verb = "DELETE"
	case *sqlparser.Load:
		verb = "LOAD DATA"
	case *sqlparser.DDL:
		verb = strings.ToUpper(s.Action)
	case *sqlparser.DBDDL:
		verb = strings.ToUpper(s.Action) + " DATABASE"
	case *sqlparser.AlterTable:
		verb = "ALTER TABLE"
	case *sqlparser.Explain:
		return refuseWrite(s.Statement)
	default:
		return nil
	}
	return &Error{
		Number: erReadOnly, State: "HY000", Offset: -1,
		Message: "dynasql only reads: " + verb + " is refused",
		Advice:  "change items and tables through DynamoDB's own tools",
	}
}
