package engine

import (
	"context"
	"regexp"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/vt/sqlparser"
)

// parser stands before the library's parser. It reads what the grammar lacks,
// refuses statements that write, and changes in a parsed statement what the
// library is known to get wrong.
type parser struct{ sql.Parser }

func (p parser) ParseSimple(query string) (sqlparser.Statement, error) {
	query, format := splitExplain(keepPatternEscapes(query))
	stmt, err := p.Parser.ParseSimple(query)
	if err != nil {
		return nil, err
	}
	return adapt(stmt, format)
}

func (p parser) Parse(ctx *sql.Context, query string, multi bool) (sqlparser.Statement, string, string, error) {
	query, format := splitExplain(keepPatternEscapes(query))
	stmt, one, rest, err := p.Parser.Parse(ctx, query, multi)
	if err != nil {
		return nil, one, rest, err
	}
	noteDescribed(ctx, stmt)
	stmt, err = adapt(stmt, format)
	return stmt, one, rest, err
}

func (p parser) ParseWithOptions(ctx context.Context, query string, delimiter rune, multi bool, options sqlparser.ParserOptions) (sqlparser.Statement, string, string, error) {
	query, format := splitExplain(keepPatternEscapes(query))
	stmt, one, rest, err := p.Parser.ParseWithOptions(ctx, query, delimiter, multi, options)
	if err != nil {
		return nil, one, rest, err
	}
	noteDescribed(ctx, stmt)
	stmt, err = adapt(stmt, format)
	return stmt, one, rest, err
}

func (p parser) ParseOneWithOptions(ctx context.Context, query string, options sqlparser.ParserOptions) (sqlparser.Statement, int, error) {
	query, format := splitExplain(keepPatternEscapes(query))
	stmt, at, err := p.Parser.ParseOneWithOptions(ctx, query, options)
	if err != nil {
		return nil, at, err
	}
	stmt, err = adapt(stmt, format)
	return stmt, at, err
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
func adapt(stmt sqlparser.Statement, option string) (sqlparser.Statement, error) {
	if err := refuseWrite(stmt); err != nil {
		return nil, err
	}
	inner := stmt
	if e, ok := stmt.(*sqlparser.Explain); ok { // a walk ends at it
		inner = e.Statement
		e.ExplainFormat = option
		if option == "" {
			e.ExplainFormat = "tree"
		}
	}
	if err := exactNumbers(inner); err != nil {
		return nil, err
	}
	for _, part := range withParts(inner) {
		if err := checkColumns(part); err != nil {
			return nil, err
		}
		expandRows(part)
		escapePatterns(part)
		joinConcatenated(part)
		nameHavingAggregates(part)
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
		var with *sqlparser.With
		switch n := node.(type) {
		case *sqlparser.SetOp:
			with = n.With
		case *sqlparser.Select:
			with = n.With
		}
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
