package repl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/dynasql/dynasql/repl/format"
)

// fakeSession answers the statements it knows from a table.
type fakeSession struct {
	database string
	answers  map[string]answer
	catalog  *Catalog
	asked    []string // statements in order, with their parameters
	objects  int      // calls of Objects
}

// answer is what a statement gives.
type answer struct {
	columns  []format.Column
	rows     [][]format.Cell
	affected int64
	warnings []Warning
	stats    Stats
	err      error // at Query
	rowErr   error // after the rows
	block    bool  // the rows end only when the context does
}

func (s *fakeSession) Query(ctx context.Context, sql string, params []Param) (Rows, error) {
	asked := sql
	for _, p := range params {
		asked += fmt.Sprintf(" [%s %d %q %v]", p.Name, p.Kind, p.Text, p.Null)
	}
	s.asked = append(s.asked, asked)
	if db, ok := strings.CutPrefix(sql, "USE "); ok {
		s.database = strings.Trim(db, "`")
		return &fakeRows{}, nil
	}
	a, ok := s.answers[stripComments(sql)]
	if !ok {
		return nil, &fakeError{text: "unknown statement", offset: 7, hint: "the fake knows few statements"}
	}
	if a.err != nil {
		return nil, a.err
	}
	return &fakeRows{answer: a}, nil
}

func stripComments(sql string) string {
	var b strings.Builder
	for _, t := range tokens(sql) {
		if t.kind != tokComment {
			b.WriteString(sql[t.start:t.end])
		}
	}
	return strings.TrimSpace(b.String())
}

func (s *fakeSession) QueryUnlimited(ctx context.Context, sql string, params []Param) (Rows, error) {
	s.asked = append(s.asked, "UNLIMITED "+sql)
	return &fakeRows{answer: s.answers["SELECT 1"]}, nil
}

func (s *fakeSession) Database() string { return s.database }

func (s *fakeSession) Objects(context.Context) (*Catalog, error) {
	s.objects++
	return s.catalog, nil
}

func (s *fakeSession) Describe(_ context.Context, database, name string) (*Table, error) {
	for i, t := range s.catalog.Tables {
		if strings.EqualFold(t.Name, name) && (database == "" || database == t.Database) {
			return &s.catalog.Tables[i], nil
		}
	}
	return nil, &fakeError{text: fmt.Sprintf("there is no table %q in %s", name, s.database), offset: -1, hint: "did you mean Orders?"}
}

func (s *fakeSession) Variables() []Variable {
	return []Variable{
		{Name: "ddb_max_rcu", Value: "100000", Comment: "read units a statement may consume"},
		{Name: "ddb_on_drift", Value: "error", Values: []string{"error", "null"}, Comment: "what a value of another kind does"},
	}
}

func (s *fakeSession) Connections() []string { return []string{"dynamodb", "prod"} }

func (s *fakeSession) Connect(_ context.Context, name string) error {
	if name != "prod" {
		return &fakeError{text: fmt.Sprintf("there is no connection %q", name), offset: -1, hint: "connections are dynamodb, prod"}
	}
	s.database = name
	return nil
}

func (s *fakeSession) Progress() Progress {
	return Progress{Items: 1234, ReadUnits: 617, Done: 0.25, CostUSD: 0.000077, Left: 3 * time.Second}
}

type fakeError struct {
	text, hint string
	offset     int
}

func (e *fakeError) Error() string { return e.text }
func (e *fakeError) Hint() string  { return e.hint }
func (e *fakeError) Position() int { return e.offset }

type fakeRefusal struct{ estimate, limit float64 }

func (e *fakeRefusal) Error() string {
	return fmt.Sprintf("the scan of Orders was refused: about %.0f read units, the limit is %.0f", e.estimate, e.limit)
}
func (e *fakeRefusal) Estimate() float64 { return e.estimate }
func (e *fakeRefusal) Limit() float64    { return e.limit }
func (e *fakeRefusal) Hint() string      { return "SET ddb_max_rcu = 512695" }

type fakeRows struct {
	answer answer
	at     int
	closed bool
}

func (r *fakeRows) Columns() []format.Column { return r.answer.columns }

func (r *fakeRows) Next(ctx context.Context) ([]format.Cell, error) {
	if r.at < len(r.answer.rows) {
		r.at++
		return r.answer.rows[r.at-1], nil
	}
	if r.answer.block {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if r.answer.rowErr != nil {
		return nil, r.answer.rowErr
	}
	return nil, io.EOF
}

func (r *fakeRows) Close() error        { r.closed = true; return nil }
func (r *fakeRows) Affected() int64     { return r.answer.affected }
func (r *fakeRows) Warnings() []Warning { return r.answer.warnings }
func (r *fakeRows) Stats() Stats        { return r.answer.stats }

// cells makes a row of texts; nil is NULL.
func cells(values ...any) []format.Cell {
	row := make([]format.Cell, len(values))
	for i, v := range values {
		if v == nil {
			row[i] = format.Null
			continue
		}
		row[i] = format.Cell{Text: fmt.Sprint(v)}
	}
	return row
}

func newFakeSession() *fakeSession {
	query := Stats{Requests: map[string]int64{"Query": 1}, ItemsRead: 3, ItemsReturned: 3, ReadUnits: 0.5, CostUSD: 0.0000000625, Elapsed: 12 * time.Millisecond,
		Reads: []Read{{Table: "Orders", Operation: "Query", KeyCondition: "PK = 'CUSTOMER#42'", Requests: 1, ItemsRead: 3, ItemsReturned: 3, ReadUnits: 0.5, CostUSD: 0.0000000625}}}
	scan := Stats{Requests: map[string]int64{"Scan": 2, "BatchGetItem": 1}, ItemsRead: 1200, ItemsReturned: 4, ReadUnits: 1234.5, CostUSD: 0.0153, Throttles: 1, Elapsed: 3420 * time.Millisecond,
		Reads: []Read{{Table: "Users", Operation: "Scan", Index: "by-city", Filter: "age > 3", Requests: 2, ItemsRead: 1200, ItemsReturned: 4, ReadUnits: 1234.5, CostUSD: 0.0153}}}
	none := Stats{Elapsed: time.Millisecond}
	orders := []format.Column{{Name: "SK"}, {Name: "status"}, {Name: "total", Kind: format.Number}}
	return &fakeSession{
		database: "dynamodb",
		answers: map[string]answer{
			"SELECT 1": {columns: []format.Column{{Name: "1", Kind: format.Number}}, rows: [][]format.Cell{cells(1)}, stats: none},
			"SELECT 2": {columns: []format.Column{{Name: "2", Kind: format.Number}}, rows: [][]format.Cell{cells(2)}, stats: none},
			"SELECT SK, status, total FROM Orders WHERE PK = 'CUSTOMER#42'": {columns: orders, rows: [][]format.Cell{
				cells("ORDER#A007", "delivered", "249.95"), cells("ORDER#A101", "NULL", "12.990"), cells("ORDER#A138", nil, "100")}, stats: query},
			"SELECT * FROM kinds": {
				columns: []format.Column{{Name: "text"}, {Name: "n", Kind: format.Number}, {Name: "doc", Kind: format.JSON}, {Name: "raw", Kind: format.Binary}, {Name: "day", Kind: format.Time}, {Name: "n", Kind: format.Number}},
				rows: [][]format.Cell{
					cells("plain", "12345678901234567890123456789012345678", `{"a": [1.50, null], "b": "x"}`, "\x00\xffA", "2026-10-01", "-0.50"),
					cells("tab\tnew\nline \"quoted\", 'single' | <b> & _x_", nil, nil, nil, nil, nil),
					cells("", "0", "[]", "", "2026-10-02", "7"),
					cells("日本語 ŋ 🙂", "1", `"\u00e9"`, "abc", "2026-10-03", "8"),
				}, stats: scan},
			"SELECT one FROM nulls":                {columns: []format.Column{{Name: "one"}}, rows: [][]format.Cell{cells(nil), cells(""), cells("NULL")}, stats: none},
			"SELECT nothing FROM Orders":           {columns: []format.Column{{Name: "nothing"}}, stats: none},
			"SET ddb_on_drift = 'null'":            {stats: none},
			"DELETE FROM Orders":                   {affected: 3, stats: query},
			"SELECT * FROM Users":                  {err: &fakeError{text: `there is no table "Users" in dynamodb`, offset: 14, hint: "did you mean Orders?"}},
			"SELECT * FROM huge":                   {err: &fakeRefusal{512695, 100000}},
			"SELECT * FROM mixed":                  {columns: orders, rows: [][]format.Cell{cells("a", "b", "1")}, rowErr: errors.New(`table mixed, item a: total is a string`), stats: query},
			"SELECT * FROM warned":                 {columns: orders, rows: [][]format.Cell{cells("a", "b", "1")}, stats: query, warnings: []Warning{{Message: "2 values of total were no numbers"}, {Message: "2 values of total were no numbers"}}},
			"SELECT * FROM slow":                   {columns: orders, block: true, stats: scan},
			"SELECT * FROM Orders WHERE PK = :id":  {columns: orders, rows: [][]format.Cell{cells("a", "b", "1")}, stats: query},
			"EXPLAIN SELECT 1":                     {columns: []format.Column{{Name: "plan"}}, rows: [][]format.Cell{cells("no table is read")}, stats: none},
			"SHOW CREATE TABLE `Orders`":           {columns: []format.Column{{Name: "Table"}, {Name: "Create Table"}}, rows: [][]format.Cell{cells("Orders", "CREATE TABLE `Orders` (\n  `PK` varchar(2048)\n)")}},
			"SELECT city, revenue FROM sales":      {columns: []format.Column{{Name: "city"}, {Name: "revenue", Kind: format.Number}}, rows: [][]format.Cell{cells("Oslo", "10.5"), cells("Bergen", "42"), cells("Tromsø", nil), cells("Bodø", "-3")}, stats: query},
			"SELECT _ddb FROM Orders":              {columns: []format.Column{{Name: "_ddb", Kind: format.JSON}}, rows: [][]format.Cell{cells(`{"PK":{"S":"a"}}`), cells(`{"PK":{"S":"b"}}`)}, stats: query},
			"SELECT long FROM Orders":              {columns: []format.Column{{Name: "id", Kind: format.Number}, {Name: "long"}}, rows: [][]format.Cell{cells(1, strings.Repeat("lorem ipsum ", 20))}, stats: query},
			"SELECT * FROM wide":                   wideAnswer(30),
			"SELECT 'a;b' AS x":                    {columns: []format.Column{{Name: "x"}}, rows: [][]format.Cell{cells("a;b")}, stats: none},
			"SELECT id, day FROM series":           seriesAnswer(),
			"SELECT *\nFROM missing\nWHERE x = 1;": {},
		},
		catalog: fakeCatalog(),
	}
}

func wideAnswer(n int) answer {
	a := answer{rows: [][]format.Cell{nil}, stats: Stats{Elapsed: time.Millisecond}}
	for i := range n {
		a.columns = append(a.columns, format.Column{Name: fmt.Sprintf("column%d", i)})
		a.rows[0] = append(a.rows[0], format.Cell{Text: fmt.Sprint("value ", i)})
	}
	return a
}

func seriesAnswer() answer {
	a := answer{columns: []format.Column{{Name: "id", Kind: format.Number}, {Name: "day", Kind: format.Number}}, stats: Stats{Elapsed: time.Millisecond}}
	for i := range 60 {
		a.rows = append(a.rows, cells(i, (i*i)%97))
	}
	return a
}

func fakeCatalog() *Catalog {
	return &Catalog{
		Databases: []string{"dynamodb", "prod"},
		Functions: []string{"COUNT", "COALESCE", "JSON_EXTRACT"},
		Tables: []Table{
			{Database: "dynamodb", Name: "Orders", Described: true, Status: "ACTIVE", Items: 42, Bytes: 12600, Billing: "on demand", HashKey: "PK", SortKey: "SK", Sampled: 42,
				Columns: []Column{
					{Name: "PK", Type: "varchar(2048)", Kinds: "S", Seen: 42, Key: "hash", Values: []string{"'CUSTOMER#42'", "'CUSTOMER#7'"}},
					{Name: "SK", Type: "varchar(1024)", Kinds: "S", Seen: 42, Key: "sort"},
					{Name: "status", Type: "varchar(16)", Kinds: "S", Seen: 30, Values: []string{"'delivered'", "'processing'", "'sent'"}},
					{Name: "total", Type: "decimal(65,30)", Kinds: "N 29, S 1", Seen: 30, Comment: "mixed kinds"},
					{Name: "ship-to", Type: "json", Kinds: "M", Seen: 12}},
				Indexes: []Index{
					{Name: "status-index", HashKey: "status", SortKey: "SK", Projection: "keys and total", Status: "ACTIVE", Items: 30, Bytes: 2048},
					{Name: "by-total", Local: true, HashKey: "PK", SortKey: "total", Projection: "all", Status: "ACTIVE", Items: 30, Bytes: 4096}}},
			{Database: "dynamodb", Name: "order-lines", Described: true, Status: "ACTIVE", Items: 1200000, Bytes: 5 << 30, Billing: "provisioned 5 RCU, 5 WCU", HashKey: "id",
				Columns: []Column{{Name: "id", Type: "decimal(38,0)", Kinds: "N", Key: "hash"}}},
			{Database: "dynamodb", Name: "never"},
			{Database: "prod", Name: "Users", Described: true, HashKey: "id"},
		},
	}
}

// fakeTerminal types the lines of a script and keeps a transcript.
type fakeTerminal struct {
	lines      []string
	transcript bytes.Buffer
	history    []string
	editing    Editing
	width      int
	height     int
	interrupt  bool // the next statement is interrupted
	ran        [][]string
	edited     string // what the editor leaves
}

func (t *fakeTerminal) Write(b []byte) (int, error) { return t.transcript.Write(b) }

func (t *fakeTerminal) ReadLine(prompt string) (string, error) {
	if len(t.lines) == 0 {
		fmt.Fprintf(&t.transcript, "%s^D\n", prompt)
		return "", io.EOF
	}
	line := t.lines[0]
	t.lines = t.lines[1:]
	fmt.Fprintf(&t.transcript, "%s%s\n", prompt, line)
	switch {
	case line == "^C":
		return "", ErrInterrupted
	case line == "^D":
		return "", io.EOF
	case strings.HasSuffix(line, "^C"):
		t.interrupt = true
		return strings.TrimSuffix(line, "^C"), nil
	}
	return line, nil
}

func (t *fakeTerminal) AddHistory(entry string) { t.history = append(t.history, entry) }
func (t *fakeTerminal) SetEditing(e Editing)    { t.editing = e }
func (t *fakeTerminal) Size() (int, int)        { return t.width, t.height }

func (t *fakeTerminal) Interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	if t.interrupt {
		t.interrupt = false
		cancel()
	}
	return ctx, cancel
}

func (t *fakeTerminal) Run(_ context.Context, program []string, in io.Reader) error {
	t.ran = append(t.ran, program)
	if in != nil {
		fmt.Fprintf(&t.transcript, "--- %s\n", strings.Join(program, " "))
		_, err := io.Copy(&t.transcript, in)
		fmt.Fprintln(&t.transcript, "--- end")
		return err
	}
	return writeText(program[len(program)-1], t.edited)
}
