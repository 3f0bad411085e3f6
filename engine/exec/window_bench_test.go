package exec

import (
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation/window"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/rowexec"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"
)

var benchText = types.MustCreateString(sqltypes.VarChar, 20, sql.Collation_utf8mb4_0900_bin)

// benchRows have a number, one of a thousand groups, and a random decimal.
func benchRows(n int) []sql.Row {
	rows := make([]sql.Row, n)
	random := uint64(1)
	for i := range rows {
		random = random*6364136223846793005 + 1442695040888963407
		rows[i] = sql.Row{int64(i), fmt.Sprintf("group %03d", random>>40%1000), apd.New(int64(random>>33)%10_000_000, -2)}
	}
	return rows
}

// benchColumns are the columns of benchRows.
func benchColumns() (id, group, x sql.Expression) {
	return expression.NewGetField(0, types.Int64, "id", false), expression.NewGetField(1, benchText, "grp", true),
		expression.NewGetField(2, types.MustCreateDecimalType(18, 2), "x", true)
}

// A source gives rows, and an error where one is set.
type source struct {
	rows   []sql.Row
	at     int
	fail   error // at the end
	closed int
}

func (s *source) Next(*sql.Context) (sql.Row, error) {
	if s.at == len(s.rows) {
		if s.fail != nil {
			return nil, s.fail
		}
		return nil, io.EOF
	}
	s.at++
	return s.rows[s.at-1], nil
}

func (s *source) Close(*sql.Context) error {
	s.closed++
	return nil
}

// A sourceNode is a source for the library's builder.
type sourceNode struct {
	sql.Node
	rows []sql.Row
}

func (n *sourceNode) RowIter(*sql.Context, sql.Row) (sql.RowIter, error) {
	return &source{rows: n.rows}, nil
}

// processorTime is what the process has used; on a busy machine it tells more
// than the clock.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkWindow reads the rows of windows over a million rows, by the
// operator here and by the library's; testdata/duckdb measures DuckDB on the same.
//
//	go test -tags gms_pure_go ./engine/exec -run xxx -bench Window -benchtime 3x
func BenchmarkWindow(b *testing.B) {
	rows := benchRows(1_000_000)
	id, group, x := benchColumns()
	ctx := sql.NewEmptyContext()
	ascending := func(list ...sql.Expression) (out sql.SortFields) {
		for _, e := range list {
			out = append(out, sql.SortField{Column: e, Order: sql.Ascending, NullOrdering: sql.NullsFirst})
		}
		return out
	}
	last := expression.NewLiteral(int64(100), types.Int64)
	for _, bb := range []struct {
		name    string
		ours    string
		library sql.WindowAdaptableExpression
		window  sql.WindowDefinition
	}{
		{"row_number of all", "row_number", window.NewRowNumber(ctx).(sql.WindowAdaptableExpression), sql.WindowDefinition{OrderBy: ascending(x)}},
		{"row_number of groups", "row_number", window.NewRowNumber(ctx).(sql.WindowAdaptableExpression), sql.WindowDefinition{PartitionBy: []sql.Expression{group}, OrderBy: ascending(x, id)}},
		{"running sum", "sum", aggregation.NewSum(x), sql.WindowDefinition{PartitionBy: []sql.Expression{group}, OrderBy: ascending(id)}},
		{"sum of 101 rows", "sum", aggregation.NewSum(x), sql.WindowDefinition{PartitionBy: []sql.Expression{group}, OrderBy: ascending(id), Frame: plan.NewRowsNPrecedingToCurrentRowFrame(last)}},
	} {
		run := func(b *testing.B, open func() sql.RowIter) {
			b.ReportAllocs()
			start := processorTime(b)
			for b.Loop() {
				it := open()
				for n := 0; ; n++ {
					if _, err := it.Next(ctx); err == io.EOF && n == len(rows) {
						break
					} else if err != nil {
						b.Fatal(n, err)
					}
				}
				if err := it.Close(ctx); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64((processorTime(b)-start).Milliseconds())/float64(b.N), "cpu-ms/op")
		}
		var args []sql.Expression
		if strings.Contains(bb.name, "sum") {
			args = []sql.Expression{x}
		}
		b.Run(bb.name+"/dynasql", func(b *testing.B) {
			f := &over{name: bb.ours, args: args, window: &bb.window}
			n := plan.NewWindow([]sql.Expression{id, f}, nil)
			run(b, func() sql.RowIter { return newWindows(n, &source{rows: rows}) })
		})
		b.Run(bb.name+"/library", func(b *testing.B) {
			n := plan.NewWindow([]sql.Expression{id, bb.library.WithWindow(ctx, &bb.window)}, &sourceNode{rows: rows})
			run(b, func() sql.RowIter {
				it, err := rowexec.NewBuilder(nil, sql.EngineOverrides{}).Build(ctx, n, nil)
				if err != nil {
					b.Fatal(err)
				}
				return it
			})
		})
	}
}
