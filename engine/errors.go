package engine

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer/analyzererrors"
	"github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/dynasql/dynasql/connector/schema"
	"github.com/dynasql/dynasql/internal/ddb"
)

// Error is a failed statement as the user sees it.
type Error struct {
	Number  int    // MySQL's error number
	State   string // SQLSTATE
	Message string
	Advice  string // what to do next; may be empty
	Offset  int    // byte position in the statement, or -1
	Err     error  // the cause
}

func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Hint says what to do next; it may be empty.
func (e *Error) Hint() string { return e.Advice }

// Position is the byte position of the fault in the statement, or -1.
func (e *Error) Position() int { return e.Offset }

// Error numbers of MySQL that the library does not use itself.
const (
	erBadField    = 1054
	erParse       = 1064
	erNoSuchTable = 1146
	erReadOnly    = 1290
	erInterrupted = 1317
	erDenied      = 1142
	erUnknown     = 1105
	erTruncated   = 1366
)

// Explain puts an error of a statement into the user's words and gives it
// MySQL's number and state.
func (e *Engine) Explain(ctx *sql.Context, query string, err error) error {
	var known *Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	out := &Error{Number: erUnknown, State: "HY000", Message: plainMessage(err), Offset: -1, Err: err}
	var hinted interface{ Hint() string }
	if errors.As(err, &hinted) {
		out.Advice = hinted.Hint()
	}
	var call *ddb.Error
	switch {
	case errors.Is(err, context.Canceled):
		out.Number, out.State, out.Message = erInterrupted, "70100", "the statement was cancelled"
	case errors.As(err, &call) && call.Class == ddb.Denied:
		out.Number, out.State = erDenied, "42000"
	case errors.As(err, &call):
	case sql.ErrSyntaxError.Is(err):
		e.syntax(out, query)
	case sql.ErrTableNotFound.Is(err):
		e.noTable(ctx, out, query)
	case sql.ErrColumnNotFound.Is(err), sql.ErrTableColumnNotFound.Is(err), sql.ErrUnknownColumn.Is(err):
		e.noColumn(ctx, out, query)
	case sql.ErrReadOnly.Is(err), analyzererrors.ErrReadOnlyDatabase.Is(err):
		out.Number = erReadOnly
		out.Message = "dynasql only reads: " + firstWord(query) + " is refused"
	default:
		out.Number, out.State = numberOf(err)
	}
	return out
}

func firstWord(query string) string {
	words := strings.Fields(query)
	if len(words) == 0 {
		return "the statement"
	}
	return strings.ToUpper(words[0])
}

// plainMessage drops what the libraries put around a message.
func plainMessage(err error) string {
	message := err.Error()
	for _, noise := range []string{"unknown error: ", "rpc error: "} {
		message = strings.TrimPrefix(message, noise)
	}
	return message
}

var syntaxPlace = regexp.MustCompile(`syntax error at position (\d+)(?: near '((?s:.*))')?`)

// syntax finds the place that the parser means: it counts to the end of the
// token that it could not use.
func (e *Engine) syntax(out *Error, query string) {
	out.Number, out.State = erParse, "42000"
	m := syntaxPlace.FindStringSubmatch(out.Message)
	if m == nil {
		return
	}
	end, err := strconv.Atoi(m[1])
	if err != nil {
		return
	}
	end = min(end, len(query))
	near := m[2]
	if at := strings.LastIndex(query[:end], near); at >= 0 && near != "" {
		out.Offset = at
		out.Message = "syntax error near '" + excerpt(query[at:]) + "'"
		return
	}
	out.Offset = end
	out.Message = "syntax error at the end of the statement"
	if rest := strings.TrimSpace(query[end:]); rest != "" {
		out.Message = "syntax error near '" + excerpt(rest) + "'"
	}
}

func excerpt(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s
}

// asWritten finds a name in the statement, since the library's messages have it
// in lower case.
func asWritten(query, name string) (string, int) {
	at := strings.Index(strings.ToLower(query), strings.ToLower(name))
	if at < 0 || len(strings.ToLower(query)) != len(query) {
		return name, -1
	}
	return query[at : at+len(name)], at
}

func (e *Engine) noTable(ctx *sql.Context, out *Error, query string) {
	out.Number, out.State = erNoSuchTable, "42S02"
	name := strings.TrimPrefix(out.Err.Error(), "table not found: ")
	name, _, _ = strings.Cut(name, ", maybe you mean ")
	name, out.Offset = asWritten(query, name)
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
	out.Number, out.State = erBadField, "42S22"
	found := quotedName.FindAllStringSubmatch(out.Err.Error(), -1)
	if len(found) == 0 {
		return
	}
	name := found[0][1]
	if sql.ErrTableColumnNotFound.Is(out.Err) && len(found) > 1 {
		name = found[1][1]
	}
	name = name[strings.LastIndex(name, ".")+1:]
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
	if near := nearest(name, names); near != "" {
		out.Advice = "did you mean '" + near + "'?"
	} else if items > int64(sampled) {
		out.Advice = "columns come from " + strconv.Itoa(sampled) + " sampled items; an attribute that is rarer can be read as _item->>'$." + name + "'"
	}
	if at := wordIndex(query, name); at >= 0 {
		out.Offset = at
	}
}

func wordIndex(query, name string) int {
	at := regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(name) + `\b`).FindStringIndex(query)
	if at == nil {
		return -1
	}
	return at[0]
}

// tablesOf describes our tables that a statement names.
func (e *Engine) tablesOf(ctx *sql.Context, query string) []*schema.Table {
	parsed, err := sqlparser.Parse(query)
	db := e.current(ctx)
	if err != nil || db == nil {
		return nil
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
