package engine_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/dynasql/dynasql/connector/codec"
	"github.com/dynasql/dynasql/engine"
)

// TestOracle runs random statements on random tables in several ways and
// compares the answers: with pushdown, without it, and, where one is installed,
// on MariaDB, which has the same rows in ordinary tables.
//
//	DYNASQL_ORACLE=n       runs n statements instead of a few hundred
//	DYNASQL_ORACLE_SEED=n  begins at seed n; alone, runs only that one
func TestOracle(t *testing.T) {
	first, count := oracleRange(t)
	other := startPeer(t)
	r := &oracleRun{t: t, other: other, failures: map[string][]uint64{}, typed: map[string]int{}, verbose: count == 1}
	t.Logf("seeds %d to %d", first, first+count-1)
	for seed := first; seed < first+count && !r.enough(); {
		last := min(first+count, seed-seed%statementsPerWorld+statementsPerWorld)
		r.world(seed, last)
		seed = last
	}
	t.Logf("%d statements, %d refused by both ways, %d compared with MariaDB, which refused %d; read units %.1f with pushdown, %.1f without",
		r.statements, r.refused, r.compared, r.otherRefused, r.units, r.unitsWithout)
	t.Logf("run on typed values: %v", r.typed)
	for _, operator := range []string{"GroupBy", "GroupBy of a join", "Distinct", "Distinct of a join", "Sort", "TopN", "join", "left join", "join of a join"} {
		if r.typed[operator] == 0 && count >= 600 && !r.enough() {
			t.Errorf("no %s was run on typed values", operator)
		}
	}
	for message, seeds := range r.failures {
		t.Logf("refused %d times (seed %d): %s", len(seeds), seeds[0], message)
	}
}

// statementsPerWorld is how many seeds share the tables of one world.
const statementsPerWorld = 20

func oracleRange(t *testing.T) (first, count uint64) {
	t.Helper()
	read := func(name string, otherwise uint64) uint64 {
		text := os.Getenv(name)
		if text == "" {
			return otherwise
		}
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatalf("%s is %q: it has to be a number", name, text)
		}
		return n
	}
	first = read("DYNASQL_ORACLE_SEED", 0)
	usual := uint64(600)
	if testing.Short() {
		usual = 100
	}
	if os.Getenv("DYNASQL_ORACLE_SEED") != "" {
		usual = 1
	}
	return first, read("DYNASQL_ORACLE", usual)
}

type oracleRun struct {
	t                                           *testing.T
	other                                       *peer
	statements, refused, compared, otherRefused int
	failed                                      int
	verbose                                     bool
	failures                                    map[string][]uint64
	typed                                       map[string]int // statements, by operator
	units, unitsWithout                         float64
}

// mostFailures is after how many failing statements a run ends.
const mostFailures = 10

func (r *oracleRun) enough() bool { return r.failed >= mostFailures }

// world runs the statements of the seeds from first up to last on one world.
func (r *oracleRun) world(first, last uint64) {
	w := newWorld(first / statementsPerWorld)
	o := w.open(r.t)
	defer o.engine.Close()
	if w.portable {
		defer r.other.load(r.t, o)()
	}
	for seed := first; seed < last && !r.enough(); seed++ {
		q, portable := o.statement(seed)
		if difference := r.compare(o, q, seed, portable); difference != "" {
			r.failed++
			r.report(w, q, seed, portable, difference)
			if w.portable {
				r.other.load(r.t, o)
			}
		}
		r.statements++
	}
}

// An outcome is what a statement gave.
type outcome struct {
	columns []engine.Column
	rows    [][]string
	err     error
	units   float64
}

func (a outcome) names() []string {
	names := make([]string, len(a.columns))
	for i, c := range a.columns {
		names[i] = c.Name
	}
	return names
}

// compare runs a statement in all ways; a difference is said in words.
func (r *oracleRun) compare(o *opened, q *query, seed uint64, portable bool) string {
	text := q.String()
	off := o.settled(q, text, seed, false)
	once := o.run
	if q.limit >= 0 { // it may read rows that the other does not come to
		once = o.settled
	}
	on := once(q, text, seed, true)
	if r.typed != nil && isTyped(seed) {
		r.count(o.run(q, "EXPLAIN "+text, seed, true))
	}
	r.units, r.unitsWithout = r.units+on.units, r.unitsWithout+off.units
	switch {
	case errors.Is(on.err, errTimeout) || errors.Is(off.err, errTimeout):
		return "the statement did not end in time"
	case on.err != nil && off.err == nil:
		return "only with pushdown: " + on.err.Error()
	case off.err != nil && strings.Contains(off.err.Error(), "unable to find field"),
		off.err != nil && strings.Contains(off.err.Error(), "engine failed"):
		fault, _, _ := strings.Cut(off.String(), "[")
		return strings.ReplaceAll(fault, ":", " -") + ": " + off.err.Error()
	case off.err != nil:
		if r.verbose {
			r.t.Logf("refused: %s\n%s", off, text)
		}
		r.refused++
		message, _, _ := strings.Cut(off.err.Error(), "'")
		r.failures[message] = append(r.failures[message], seed)
		if r.other != nil && portable {
			if _, err := r.other.run(q, on.columns); err == nil && on.err != nil {
				return "refused, but MariaDB answers: " + off.err.Error()
			}
		}
		return ""
	}
	if d := differ(q, on, off, func() outcome { return o.settled(q, q.unlimited().String(), seed, false) }); d != "" {
		return "with and without pushdown: " + d
	}
	if r.other == nil || !portable {
		return ""
	}
	theirs, err := r.other.run(q, on.columns)
	if err != nil {
		r.otherRefused++
		message := "MariaDB: " + err.Error()[:min(60, len(err.Error()))]
		r.failures[message] = append(r.failures[message], seed)
		return ""
	}
	r.compared++
	ours := on
	ours.rows = comparableRows(on)
	if d := differ(q, ours, theirs, nil); d != "" {
		return "against MariaDB: " + d
	}
	return ""
}

// isTyped reports whether a statement is run on typed values when it is run with
// pushdown.
func isTyped(seed uint64) bool { return seed%2 == 0 }

// count counts the operators that EXPLAIN says are run on typed values.
func (r *oracleRun) count(explained outcome) {
	found, below := map[string]bool{}, ""
	for _, row := range explained.rows {
		name, _, typed := strings.Cut(strings.TrimSpace(row[0]), ", on typed values")
		name, _, _ = strings.Cut(name, "(")
		switch {
		case !typed:
			if name != "Project" && !strings.HasPrefix(name, "Filter ") {
				below = ""
			}
			continue
		case strings.HasPrefix(name, "Top "):
			name = "TopN"
		case strings.HasPrefix(name, "LeftOuter"):
			name = "left join"
		case strings.HasPrefix(name, "Semi"), strings.HasPrefix(name, "Anti"):
			name = "semi or anti join"
		case strings.HasSuffix(name, "Join"):
			name = "join"
		}
		found[name] = true
		if below != "" && strings.HasSuffix(name, "join") {
			found[below+" of a join"] = true
		}
		below = name
	}
	for name := range found {
		r.typed[name]++
	}
}

// unlimited is the query that a LIMIT takes rows of.
func (q *query) unlimited() *query {
	c := *q
	c.limit, c.offset = -1, 0
	return &c
}

// settled runs a statement until no value is met any more that its column cannot
// hold: each of them widens its column.
func (o *opened) settled(q *query, text string, seed uint64, pushdown bool) outcome {
	for range 20 {
		a := o.run(q, text, seed, pushdown)
		var drift *codec.DriftError
		if !errors.As(a.err, &drift) {
			return a
		}
	}
	return outcome{err: errors.New("columns are widened for ever")}
}

var errTimeout = errors.New("timed out")

// run runs a statement. The seed chooses how it reads.
func (o *opened) run(q *query, text string, seed uint64, pushdown bool) outcome {
	ctx, cancel := context.WithTimeoutCause(context.Background(), 5*time.Second, errTimeout)
	defer cancel()
	s := o.engine.NewSession()
	defer s.Close()
	drift := "error"
	if seed%3 == 0 {
		drift = "null"
	}
	settings := append(q.settings(), "SET ddb_on_drift = '"+drift+"'", fmt.Sprintf("SET ddb_pushdown = %d, ddb_typed = %[1]d, ddb_memory_limit = %d, ddb_consistent = %d, ddb_strict_indexes = %d",
		truth(pushdown), truth(pushdown && isTyped(seed)), // 1 byte: everything goes to files
		truth(seed%7 == 0 && !strings.Contains(text, ".idx") && !strings.Contains(text, ".by-")), truth(o.sample > 0 || seed%5 == 0)))
	for _, statement := range settings {
		if a := collect(ctx, s, statement); a.err != nil {
			return a
		}
	}
	a := collect(ctx, s, text)
	if a.err != nil && context.Cause(ctx) != nil {
		a.err = errTimeout
	}
	return a
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// null is how NULL shows among the values of a row.
const null = "\x00NULL"

func collect(ctx context.Context, s *engine.Session, text string) outcome {
	rows, err := s.Query(ctx, text)
	if err != nil {
		return outcome{err: err}
	}
	defer rows.Close()
	a := outcome{columns: rows.Columns()}
	for {
		row, err := rows.Next()
		if err == io.EOF {
			a.units = rows.Usage().ReadUnits
			a.err = rows.Close()
			return a
		}
		if err != nil {
			a.err = err
			return a
		}
		cells := make([]string, len(row))
		for i, v := range row {
			cells[i] = cell(a.columns[i], v)
		}
		a.rows = append(a.rows, cells)
	}
}

// cell writes a value so that equal ones are the same: which of 1.5 and 1.50 a
// MAX gives depends on the order of reading.
func cell(c engine.Column, v engine.Value) string {
	switch {
	case v.Null:
		return null
	case c.Class == engine.Number && c.Type == "double":
		f, err := strconv.ParseFloat(v.Text, 64)
		if err != nil {
			return v.Text
		}
		return strconv.FormatFloat(f+0, 'g', 12, 64)
	case c.Class == engine.Number || c.Class == engine.Bool:
		if n := number(v.Text); n != "" {
			return n
		}
	case c.Class == engine.JSON, strings.HasPrefix(v.Text, "{"):
		return canonicalText(v)
	}
	return v.Text
}

// differ says how two answers to a query differ; "" if they do not. Rows that
// ORDER BY leaves open may come in any order, and a LIMIT may take any of them
// from the whole answer, which full gives.
func differ(q *query, a, b outcome, full func() outcome) string {
	if len(a.rows) != len(b.rows) {
		return fmt.Sprintf("%d rows against %d", len(a.rows), len(b.rows))
	}
	keys := q.keys(a.names())
	for i := range a.rows {
		for _, k := range keys {
			if a.rows[i][k] != b.rows[i][k] {
				return fmt.Sprintf("row %d is out of order: %s against %s", i+1, a.rows[i], b.rows[i])
			}
		}
	}
	if q.limit < 0 {
		return contained(a.rows, b.rows)
	}
	if full == nil {
		return ""
	}
	all := full()
	if all.err != nil && !strings.Contains(all.err.Error(), "Incorrect string value") {
		return "without LIMIT it fails: " + all.err.Error()
	}
	if all.err != nil || !slices.Equal(a.columns, all.columns) { // widened on the way
		return ""
	}
	if d := contained(a.rows, all.rows); d != "" {
		return "a row is not among those without LIMIT: " + d
	}
	return ""
}

// contained says which row of a is not in b.
func contained(a, b [][]string) string {
	left := map[string]int{}
	for _, row := range b {
		left[strings.Join(row, "\x1f")]++
	}
	for _, row := range a {
		text := strings.Join(row, "\x1f")
		if left[text] == 0 {
			return fmt.Sprintf("the row %q is on one side only", row)
		}
		left[text]--
	}
	return ""
}

// report shrinks a failing statement and its items, and says everything that is
// needed to understand it.
func (r *oracleRun) report(w *world, q *query, seed uint64, portable bool, difference string) {
	r.t.Logf("seed %d: %s; making it smaller", seed, difference)
	kind, _, _ := strings.Cut(difference, ":")
	fails := func(w *world, q *query) bool {
		o := w.open(r.t)
		defer o.engine.Close()
		quiet := &oracleRun{t: r.t, failures: map[string][]uint64{}}
		if portable && strings.Contains(kind, "MariaDB") {
			quiet.other = r.other
			defer r.other.load(r.t, o)()
		}
		k, _, _ := strings.Cut(quiet.compare(o, q, seed, portable), ":")
		return k == kind
	}
	tries := 400
	if strings.Contains(kind, "in time") {
		tries = 30
	}
	small, least := shrink(w, q, fails, tries)
	o := small.open(r.t)
	defer o.engine.Close()
	text := least.String()
	off, on := o.settled(least, text, seed, false), o.run(least, text, seed, true)
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d (DYNASQL_ORACLE_SEED=%d): %s\n%s\nthe least that fails:\n%s%s\n", seed, seed, difference, q, small, text)
	fmt.Fprintf(&b, "with pushdown %s\nwithout pushdown %s\n", on, off)
	if r.other != nil && portable {
		unload := r.other.load(r.t, o)
		theirs, err := r.other.run(least, on.columns)
		theirs.err = err
		fmt.Fprintf(&b, "MariaDB %s\n", theirs)
		unload()
	}
	for _, pushdown := range []bool{true, false} {
		fmt.Fprintf(&b, "EXPLAIN, pushdown %t: %s\n", pushdown, o.run(least, "EXPLAIN "+text, seed, pushdown))
	}
	r.t.Error(b.String())
}

func (a outcome) String() string {
	if a.err != nil {
		var hinted interface{ Hint() string }
		if errors.As(a.err, &hinted) && hinted.Hint() != "" {
			return "fails: " + a.err.Error() + " (" + hinted.Hint() + ")"
		}
		return "fails: " + a.err.Error()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d rows", len(a.rows))
	for i, row := range a.rows {
		if i == 20 {
			b.WriteString("\n    ..")
			break
		}
		b.WriteString("\n    " + strings.ReplaceAll(strings.Join(row, " | "), null, "NULL"))
	}
	return b.String()
}

// shrink drops parts of a query and items of a world as long as it still fails.
func shrink(w *world, q *query, fails func(*world, *query) bool, mostTries int) (*world, *query) {
	tries := 0
	try := func(w *world, q *query) bool {
		tries++
		return tries < mostTries && fails(w, q)
	}
	for smaller := true; smaller; {
		smaller = false
		for _, c := range q.reductions() {
			if try(w, c) {
				q, smaller = c, true
				break
			}
		}
	}
	for t := range w.tables {
		for i := len(w.tables[t].items) - 1; i >= 0; i-- {
			c := *w
			c.tables = slices.Clone(w.tables)
			c.tables[t].items = without(w.tables[t].items, i)
			if try(&c, q) {
				w = &c
			}
		}
	}
	return w, q
}
