package conformance

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	sqle "github.com/dolthub/go-mysql-server"
	"github.com/dolthub/go-mysql-server/enginetest"
	"github.com/dolthub/go-mysql-server/enginetest/queries"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/vt/sqlparser"
	"gopkg.in/src-d/go-errors.v1"

	"github.com/dynasql/dynasql/engine"
)

// A harness gives the library's tests an engine of the library with tables in
// memory. Everything that reads is asked of an engine of ours too, over copies
// of the tables, and the two answers are compared; what the library's engine
// answers, its tests compare with what they expect.
type harness struct {
	*enginetest.MemoryHarness
	record *record
}

var (
	_ enginetest.SkippingHarness         = (*harness)(nil)
	_ enginetest.ResultEvaluationHarness = (*harness)(nil)
)

// NewEngine implements enginetest.Harness.
func (h *harness) NewEngine(t *testing.T) (enginetest.QueryEngine, error) {
	e, err := h.MemoryHarness.NewEngine(t)
	if err != nil {
		return nil, err
	}
	return &both{QueryEngine: e, library: e.(*sqle.Engine), record: h.record}, nil
}

// SkipQueryTest implements enginetest.SkippingHarness: one script needs the
// library's own limits of numbers, which are wider in ours.
func (h *harness) SkipQueryTest(name string) bool {
	return strings.HasPrefix(name, "Ensure proper DECIMAL support")
}

// EvaluateQueryResults implements enginetest.ResultEvaluationHarness: what the
// test expects counts, and not what the library's engine has answered.
func (h *harness) EvaluateQueryResults(_ *testing.T, expected []sql.Row, _ []*sql.Column, schema sql.Schema, _ []sql.Row, query string, _ queries.WrapBehavior) {
	if theirs, ok := expectedAnswer(schema, expected); ok {
		h.record.expect(query, theirs)
	}
}

// EvaluateExpectedError implements enginetest.ResultEvaluationHarness.
func (h *harness) EvaluateExpectedError(*testing.T, string, error) {}

// EvaluateExpectedErrorKind implements enginetest.ResultEvaluationHarness.
func (h *harness) EvaluateExpectedErrorKind(*testing.T, *errors.Kind, error) {}

// both is the library's engine with ours behind it.
type both struct {
	enginetest.QueryEngine
	library *sqle.Engine
	record  *record
	ours    *copied         // nil if the tables have changed since
	sets    []string        // statements that set variables
	told    int             // how many of them our session has got
	limit   any             // sql_select_limit as our session has it
	asked   map[string]bool // statements since the tables changed
}

// Query implements enginetest.QueryEngine.
func (b *both) Query(ctx *sql.Context, query string) (sql.Schema, sql.RowIter, *sql.QueryFlags, error) {
	return b.QueryWithBindings(ctx, query, nil, nil, nil)
}

// QueryWithBindings implements enginetest.QueryEngine.
func (b *both) QueryWithBindings(ctx *sql.Context, query string, parsed sqlparser.Statement, bindings map[string]sqlparser.Expr, flags *sql.QueryFlags) (sql.Schema, sql.RowIter, *sql.QueryFlags, error) {
	reads := len(bindings) == 0 && isRead(query)
	if reads && (b.ours == nil || !b.asked[query]) {
		if err := b.copyTables(); err != nil {
			return nil, nil, nil, err
		}
	} else {
		reads = false
	}
	database := ctx.GetCurrentDatabase()
	schema, iter, flags, err := b.QueryEngine.QueryWithBindings(ctx, query, parsed, bindings, flags)
	if !reads {
		b.record.asked = false
		b.note(query)
		return schema, iter, flags, err
	}
	b.asked[query] = true
	var rows []sql.Row
	if err == nil {
		rows, err = sql.RowIterToRows(ctx, iter)
	}
	b.record.add(query, func() (theirs, ours answer) {
		theirs = answer{err: err}
		if err == nil {
			theirs = libraryAnswer(ctx, schema, rows)
		}
		b.settle(ctx)
		ours = b.ours.ask(database, query)
		ours.extra = b.ours.extra
		return theirs, ours
	})
	if err != nil {
		return nil, nil, nil, err
	}
	return schema, sql.RowsToRowIter(rows...), flags, nil
}

// isRead reports whether a statement only reads and can be asked of ours.
func isRead(query string) bool {
	stmt, err := sqlparser.Parse(query)
	if err != nil { // a statement that both have to refuse, or with quotes of another mode
		return opening.MatchString(query) && !strings.Contains(strings.ToLower(query), " into ")
	}
	switch s := stmt.(type) {
	case *sqlparser.Select:
		return s.Into == nil
	case *sqlparser.SetOp:
		return s.Into == nil
	}
	_, other := stmt.(sqlparser.SelectStatement)
	return other
}

var opening = regexp.MustCompile(`(?is)^[\s(]*(/\*.*?\*/)?[\s(]*(select|with|table|values)\b`)

// isOrdered reports whether a statement says the order of its rows.
func isOrdered(query string) bool {
	stmt, err := sqlparser.Parse(query)
	if err != nil {
		return strings.Contains(strings.ToUpper(query), "ORDER BY")
	}
	for {
		p, ok := stmt.(*sqlparser.ParenSelect)
		if !ok {
			break
		}
		stmt = p.Select
	}
	switch s := stmt.(type) {
	case *sqlparser.Select:
		return len(s.OrderBy) > 0
	case *sqlparser.SetOp:
		return len(s.OrderBy) > 0
	}
	return false
}

// note keeps what a statement that does not read means for the next that does:
// a variable is set in both engines, after anything else tables are copied anew.
func (b *both) note(query string) {
	switch word, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(query)), " "); word {
	case "set":
		b.sets = append(b.sets, query)
		b.asked = map[string]bool{}
	case "use", "show", "describe", "explain", "desc", "select", "with", "table", "values":
	default:
		b.forget()
	}
}

func (b *both) forget() {
	if b.ours != nil {
		b.ours.close()
		b.ours, b.told, b.limit = nil, 0, nil
	}
}

func (b *both) copyTables() (err error) {
	if b.ours == nil {
		b.asked = map[string]bool{}
		b.ours, err = copyTables(b.library)
	}
	return err
}

// Close implements enginetest.QueryEngine.
func (b *both) Close() error {
	b.forget()
	return b.QueryEngine.Close()
}

// settle sets the variables in our session that the library's has. One that we
// do not have shows in the answers.
func (b *both) settle(ctx *sql.Context) {
	for ; b.told < len(b.sets); b.told++ {
		b.ours.ask("", b.sets[b.told])
	}
	limit, err := ctx.GetSessionVariable(ctx, "sql_select_limit") // tests set it without a statement
	if err == nil && limit != b.limit {
		b.ours.ask("", fmt.Sprintf("SET sql_select_limit = %v", limit))
		b.limit = limit
	}
}

// ask runs a query on our engine.
func (c *copied) ask(database, query string) answer {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if database != "" {
		run(ctx, c.session, "USE "+quote(database))
	}
	return run(ctx, c.session, query)
}

func run(ctx context.Context, s *engine.Session, query string) answer {
	rows, err := s.Query(ctx, query)
	if err != nil {
		return answer{err: err}
	}
	defer rows.Close()
	var a answer
	for _, c := range rows.Columns() {
		a.columns = append(a.columns, c.Name)
		a.json = append(a.json, c.Class == engine.JSON)
		a.float = append(a.float, c.Type == "double" || c.Type == "float")
	}
	for {
		row, err := rows.Next()
		if err == io.EOF {
			a.err = rows.Close()
			return a
		}
		if err != nil {
			return answer{err: err}
		}
		cells := make([]cell, len(row))
		for i, v := range row {
			cells[i] = cell{v.Text, v.Null}
		}
		a.rows = append(a.rows, cells)
	}
}
