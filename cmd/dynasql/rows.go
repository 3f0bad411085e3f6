package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/dynasql/dynasql/connector/read"
	"github.com/dynasql/dynasql/engine"
	"github.com/dynasql/dynasql/repl"
	"github.com/dynasql/dynasql/repl/format"
)

// rows are an engine's rows as the shell knows them.
type rows struct {
	session *session
	inner   *engine.Rows
	began   time.Time
	cells   []format.Cell
	usage   *read.Usage // set by Close
	elapsed time.Duration
}

// Columns implements repl.Rows.
func (r *rows) Columns() []format.Column {
	var columns []format.Column
	for _, c := range r.inner.Columns() {
		columns = append(columns, format.Column{Name: c.Name, Kind: kinds[c.Class]})
	}
	return columns
}

var kinds = map[engine.Class]format.Kind{
	engine.Text: format.Text, engine.Number: format.Number, engine.Bool: format.Number,
	engine.Binary: format.Binary, engine.JSON: format.JSON, engine.Time: format.Time,
}

// Next implements repl.Rows. The statement's own context, given to Query, ends
// it.
func (r *rows) Next(context.Context) ([]format.Cell, error) {
	values, err := r.inner.Next()
	if err != nil {
		return nil, refusal(err)
	}
	r.cells = r.cells[:0]
	for _, v := range values {
		r.cells = append(r.cells, format.Cell{Text: v.Text, Null: v.Null})
	}
	return r.cells, nil
}

// Close implements repl.Rows.
func (r *rows) Close() error {
	err := r.inner.Close()
	if r.usage == nil {
		u := r.inner.Usage()
		r.usage, r.elapsed = &u, time.Since(r.began)
		r.session.finish(u)
	}
	return err
}

// Affected implements repl.Rows.
func (r *rows) Affected() int64 { return r.inner.Affected() }

// Warnings implements repl.Rows.
func (r *rows) Warnings() []repl.Warning {
	var list []repl.Warning
	for _, w := range r.inner.Warnings() {
		list = append(list, repl.Warning{Code: w.Code, Message: w.Message})
	}
	return list
}

// Stats implements repl.Rows.
func (r *rows) Stats() repl.Stats {
	u := r.inner.Usage()
	if r.usage != nil {
		u = *r.usage
	}
	stats := repl.Stats{
		Requests: map[string]int64{}, ItemsRead: u.Items, ItemsReturned: u.Returned,
		ReadUnits: u.ReadUnits, CostUSD: u.Dollars, Throttles: int64(u.Throttles), Elapsed: r.elapsed,
	}
	for action, n := range u.Requests {
		stats.Requests[action] = int64(n)
	}
	for _, p := range u.Plans {
		stats.Reads = append(stats.Reads, readOf(p, u))
	}
	return stats
}

// readOf is the part of a statement's account that one kind of plan has.
func readOf(p read.PlanUse, u read.Usage) repl.Read {
	out := repl.Read{
		Table: p.Table, Operation: strings.Join(actions(p), " + "), Index: p.Index,
		KeyCondition: p.KeyCondition, Filter: p.Filter,
		ItemsRead: p.Items, ItemsReturned: p.Returned, ReadUnits: p.ReadUnits,
	}
	if p.Keys > 1 {
		out.KeyCondition = fmt.Sprintf("%d keys, the first %s", p.Keys, p.KeyCondition)
	}
	for _, n := range p.Requests {
		out.Requests += int64(n)
	}
	if u.ReadUnits > 0 {
		out.CostUSD = u.Dollars * p.ReadUnits / u.ReadUnits
	}
	return out
}

// actions are what a plan sent, its own operation first: a Query of an index may
// be followed by BatchGetItem.
func actions(p read.PlanUse) []string {
	list := []string{p.Operation}
	for _, action := range slices.Sorted(maps.Keys(p.Requests)) {
		if action != p.Operation {
			list = append(list, action)
		}
	}
	return list
}
