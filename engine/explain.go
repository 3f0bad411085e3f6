package engine

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/dynasql/dynasql/connector"
	"github.com/dynasql/dynasql/connector/access"
	"github.com/dynasql/dynasql/connector/schema"
	"github.com/dynasql/dynasql/engine/exact"
	"github.com/dynasql/dynasql/engine/exec"
)

// A builder puts our operators in place of the library's: EXPLAIN here, the
// others in package exec.
type builder struct {
	engine  *Engine
	library sql.NodeExecBuilder
	exec    *exec.Builder
}

// Build implements sql.NodeExecBuilder.
func (b builder) Build(ctx *sql.Context, n sql.Node, row sql.Row) (sql.RowIter, error) {
	s, ours := ctx.Session.(*Session)
	first := ours && s.enter(running)
	switch x := n.(type) {
	case *plan.DescribeQuery:
		e := explain{planned: x.Query(), options: x.Format, builder: b.library}
		return e.rows(ctx, row)
	case *plan.ShowProcessList:
		return b.engine.processRows(ctx), nil
	case *plan.ShowDatabases:
		return databaseRows(ctx, x.Catalog), nil
	case *plan.ShowColumns:
		return columnRows(ctx, x, row)
	case *plan.JSONTable:
		return jsonTableRows(ctx, x, row)
	}
	if first {
		s.built(n)
		if err := admit(ctx, n); err != nil {
			return nil, err
		}
		if whole := b.exec.Whole(ctx, n); whole != nil {
			return whole, nil
		}
	}
	return b.exec.Build(ctx, n, row)
}

// admit refuses a statement whose reads are estimated above its budget, all
// together and before the first of them. A read that the rows of another may
// make cheaper is judged when it begins.
func admit(ctx *sql.Context, n sql.Node) error {
	var plans []access.Plan
	for _, r := range readsOf(ctx, n) {
		if r.Fixed() {
			plans = append(plans, r.Plan())
		}
	}
	if len(plans) == 0 {
		return nil
	}
	return ctx.Session.(*Session).Statement().Admit(plans...)
}

// explain answers EXPLAIN: a text column with a line a row. The statement has
// been planned like any other, and nothing is read unless ANALYZE asks for it.
type explain struct {
	planned sql.Node
	options sql.DescribeOptions
	builder sql.NodeExecBuilder
}

func (x *explain) rows(ctx *sql.Context, row sql.Row) (sql.RowIter, error) {
	if x.options.Analyze {
		if err := x.run(ctx, row); err != nil {
			return nil, err
		}
	}
	lines, err := x.lines(ctx)
	if err != nil {
		return nil, err
	}
	rows := make([]sql.Row, len(lines))
	for i, line := range lines {
		rows[i] = sql.NewRow(line)
	}
	return sql.RowsToRowIter(rows...), nil
}

// run executes the statement for EXPLAIN ANALYZE and drops its rows.
func (x *explain) run(ctx *sql.Context, row sql.Row) error {
	if err := admit(ctx, x.planned); err != nil {
		return err
	}
	iter, err := x.builder.Build(ctx, x.planned, row)
	if err != nil {
		return err
	}
	for err == nil {
		_, err = iter.Next(ctx)
	}
	if closed := iter.Close(ctx); err == io.EOF {
		return closed
	}
	return err
}

func (x *explain) lines(ctx *sql.Context) ([]string, error) {
	switch {
	case x.options.Debug:
		return x.json(ctx)
	case x.options.Estimates:
		return x.commands(ctx), nil
	}
	lines := x.tree(ctx, x.planned, 0)
	if x.options.Analyze {
		lines = append(lines, actual(ctx)...)
	}
	return lines, nil
}

// An explainedRead is a read in FORMAT=JSON.
type explainedRead struct {
	access.Explanation
	Sample sample `json:"sample"`
	Source string `json:"source,omitempty"` // of an export, whose estimate is that of the table in DynamoDB
}

// A sample is what the columns of the table were inferred from.
type sample struct {
	Items     int       `json:"items"`
	ReadUnits float64   `json:"read_units"`
	Taken     time.Time `json:"taken"`
}

// sampled says what the columns and the estimates come from, and what that took.
func sampled(t *schema.Table) string {
	return fmt.Sprintf("%d items, %g read units, at %s", t.Sampled, t.SampleUnits, t.SampledAt.UTC().Format("2006-01-02 15:04:05"))
}

func (x *explain) json(ctx *sql.Context) ([]string, error) {
	reads := []any{}
	for _, r := range readsOf(ctx, x.planned) {
		p, t := r.Plan(), r.Table()
		reads = append(reads, explainedRead{p.Explain(), sample{t.Sampled, t.SampleUnits, t.SampledAt.UTC()}, t.Source})
	}
	document := map[string]any{"reads": reads}
	if s, ok := ctx.Session.(*Session); ok && x.options.Analyze {
		document["actual"] = s.Statement().Usage()
	}
	text, err := json.MarshalIndent(document, "", "  ")
	if err != nil {
		return nil, err
	}
	return []string{string(text)}, nil
}

func (x *explain) commands(ctx *sql.Context) []string {
	var lines []string
	for _, r := range readsOf(ctx, x.planned) {
		p := r.Plan()
		lines = append(lines, p.AWSCLI()...)
	}
	return lines
}

// readsOf finds the reads of a planned statement, those of subqueries too.
func readsOf(ctx *sql.Context, n sql.Node) []*connector.Read {
	var reads []*connector.Read
	transform.InspectWithOpaque(ctx, n, func(ctx *sql.Context, n sql.Node) bool {
		switch r := n.(type) {
		case *connector.Read:
			reads = append(reads, r)
		case *connector.AnyOf:
			reads = append(reads, r.Parts()...)
		}
		for _, q := range subqueries(ctx, n) {
			reads = append(reads, readsOf(ctx, q)...)
		}
		return true
	})
	return reads
}

func subqueries(ctx *sql.Context, n sql.Node) []sql.Node {
	e, ok := n.(sql.Expressioner)
	if !ok {
		return nil
	}
	var found []sql.Node
	for _, expr := range e.Expressions() {
		sql.Inspect(ctx, expr, func(_ *sql.Context, e sql.Expression) bool {
			if sub, ok := e.(*plan.Subquery); ok {
				found = append(found, exact.Query(sub))
			}
			return true
		})
	}
	return found
}

const indentation = "  "

// tree writes a node and its children, indented: our reads with their plans,
// the library's nodes by the first line of their own description.
func (x *explain) tree(ctx *sql.Context, n sql.Node, depth int) []string {
	indent := strings.Repeat(indentation, depth)
	if r, ok := n.(*connector.Read); ok {
		p := r.Plan()
		var lines []string
		for _, line := range p.Tree() {
			lines = append(lines, indent+line)
		}
		lines = append(lines, indent+indentation+"sampled   "+sampled(r.Table()))
		if source := r.Table().Source; source != "" {
			lines = append(lines, indent+indentation+"source    "+source+": no read units; the estimate is that of the table in DynamoDB")
		}
		lines = append(lines, joinKeys(r, indent)...)
		if r.Kept() {
			line := "kept      in memory: the statement goes through the rows more than once"
			if by := r.KeptBy(); len(by) > 0 {
				line += ", and finds them by " + strings.Join(by, ", ")
			}
			lines = append(lines, indent+indentation+line)
		}
		for _, hint := range r.Hints() {
			lines = append(lines, indent+indentation+"hint: "+hint)
		}
		return lines
	}
	lines := []string{indent + title(ctx, n)}
	if how := exec.How(ctx, n); how != "" {
		lines[0] += ", " + how
	}
	for _, q := range subqueries(ctx, n) {
		lines = append(lines, indent+indentation+"Subquery")
		lines = append(lines, x.tree(ctx, q, depth+2)...)
	}
	for _, child := range n.Children() {
		lines = append(lines, x.tree(ctx, child, depth+1)...)
	}
	if a, ok := n.(*connector.AnyOf); ok {
		lines = append(lines, joinKeys(a.Read, indent)...)
		for _, part := range a.Parts() {
			lines = append(lines, x.tree(ctx, part, depth+1)...)
		}
	}
	return lines
}

func joinKeys(r *connector.Read, indent string) []string {
	keys := r.JoinKeys()
	if keys == "" {
		return nil
	}
	return []string{indent + indentation + "join      by " + keys + " of the rows on the left, where that takes fewer read units"}
}

// title is a node's name with the expressions that matter to it.
func title(ctx *sql.Context, n sql.Node) string {
	switch n := n.(type) {
	case *plan.Filter:
		return "Filter " + n.Expression.String()
	case *plan.TableAlias:
		return "Alias " + n.Name()
	case *plan.Limit:
		return "Limit " + n.Limit.String()
	case *plan.Offset:
		return "Offset " + n.Offset.String()
	case *plan.TopN:
		return fmt.Sprintf("Top %s by %s", n.Limit, n.Fields)
	}
	first, _, _ := strings.Cut(sql.Describe(ctx, n, sql.DescribeOptions{Plan: true}), "\n")
	return strings.TrimSpace(first)
}

func actual(ctx *sql.Context) []string {
	s, ok := ctx.Session.(*Session)
	if !ok {
		return nil
	}
	u := s.Statement().Usage()
	var requests []string
	for name, n := range u.Requests {
		requests = append(requests, fmt.Sprintf("%d %s", n, name))
	}
	lines := []string{fmt.Sprintf("actual: %s; %d items read, %d returned; %g read units",
		strings.Join(requests, ", "), u.Items, u.Returned, u.ReadUnits)}
	if n := s.Memory().Spilled(); n > 0 {
		lines = append(lines, fmt.Sprintf("        %d KB of rows were put into temporary files, since ddb_memory_limit is %d KB", (n+1023)>>10, s.Memory().Limit()>>10))
	}
	return lines
}
