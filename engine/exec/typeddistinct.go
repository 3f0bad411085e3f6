package exec

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/dynasql/dynasql/engine/key"
	"github.com/dynasql/dynasql/engine/vector"
)

// typedKeys are the rows of a pipeline, in their order, with keys of all columns, but
// for those whose keys have been seen before. Rows are made when they are asked for.
type typedKeys struct {
	node     *plan.Distinct
	library  sql.NodeExecBuilder
	pipeline *pipeline
	columns  []sql.Expression
	run      *running
	worker   *worker
	keys     *vector.Keys
	chunk    *vector.Chunk
	at       int        // of the chunk's rows
	list     key.List   // keys of the chunk
	numbers  []uint32   // of these keys, as far as they have been seen
	seen     *key.Table // the keys of the rows before the chunk
	byRow    *keyed     // in place of all that, if a join goes on row by row
}

// typedDistinct returns the operator of a DISTINCT, or nil where rows have to be
// made for the library's expressions.
func typedDistinct(ctx *sql.Context, library sql.NodeExecBuilder, n *plan.Distinct) *distinct {
	p, ok := pipelineOf(ctx, n.Child)
	if !ok {
		return nil
	}
	columns := p.columns
	if columns == nil {
		columns = fieldsOf(n.Schema(ctx), 0)
	}
	for _, e := range columns {
		if !vector.Serves(ctx, e) {
			return nil
		}
	}
	from := &typedKeys{node: n, library: library, pipeline: p, columns: columns}
	out := &distinct{overflow: newOverflow(ctx, from), from: from}
	from.seen = &out.seen
	return out
}

// fieldsOf are the columns of a schema, of which the first has a place in the row.
func fieldsOf(schema sql.Schema, first int) []sql.Expression {
	out := make([]sql.Expression, len(schema))
	for i, c := range schema {
		out[i] = expression.NewGetFieldWithTable(first+i, 0, c.Type, c.DatabaseSource, c.Source, c.Name, true)
	}
	return out
}

func (it *typedKeys) next(ctx *sql.Context) (k []byte, err error) {
	if it.run == nil {
		if err := it.begin(ctx); err != nil {
			return nil, err
		}
	}
	if it.byRow != nil {
		return it.byRow.next(ctx)
	}
	for it.at++; ; it.at++ {
		if it.chunk == nil || it.at == len(it.chunk.Rows) {
			if err := it.nextChunk(); err != nil {
				return nil, err
			}
		}
		if it.numbers[it.at] == key.None {
			return it.list.Key(it.at), nil
		}
	}
}

func (it *typedKeys) nextChunk() (err error) {
	it.at = 0
	if it.chunk, err = it.worker.top.next(); err != nil {
		return err
	}
	if err := it.keys.All(it.chunk, &it.list); err != nil {
		return err
	}
	it.numbers = sized(it.numbers, len(it.chunk.Rows))
	it.seen.FindAll(&it.list, it.numbers)
	return nil
}

func (it *typedKeys) begin(ctx *sql.Context) (err error) {
	var rows sql.RowIter
	if it.run, rows, err = it.pipeline.begin(ctx, it.library, it.node.Child); err != nil {
		return err
	}
	if rows != nil {
		it.byRow = keyedRows(rows, it.node.Schema(ctx))
		return nil
	}
	it.worker = it.run.worker()
	it.keys = vector.NewKeys(it.worker.program, it.columns)
	return nil
}

func (it *typedKeys) row(ctx *sql.Context) (sql.Row, error) {
	if it.byRow != nil {
		return it.byRow.row(ctx)
	}
	return it.worker.row(it.chunk, it.at, it.pipeline.columns)
}

// Close ends the run.
func (it *typedKeys) Close(ctx *sql.Context) error {
	if it.byRow != nil {
		return closeRun(ctx, it.run, it.byRow.rows)
	}
	return it.run.close()
}
