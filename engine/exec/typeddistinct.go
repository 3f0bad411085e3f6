package exec

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/dynasql/dynasql/engine/vector"
)

// typedKeys are the rows of a pipeline, in their order, with keys of all columns.
// Rows are made when they are asked for: of DISTINCT, only those that are new.
type typedKeys struct {
	pipeline *pipeline
	columns  []sql.Expression
	run      *running
	worker   *worker
	keys     *vector.Keys
	chunk    *vector.Chunk
	at       int // of the chunk's rows
	scratch  []byte
}

// typedDistinct returns the operator of a DISTINCT, or nil where rows have to be
// made for the library's expressions.
func typedDistinct(ctx *sql.Context, n *plan.Distinct) *distinct {
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
	from := &typedKeys{pipeline: p, columns: columns}
	return &distinct{overflow: newOverflow(ctx, from), from: from}
}

// fieldsOf are the columns of a schema, of which the first has a place in the row.
func fieldsOf(schema sql.Schema, first int) []sql.Expression {
	out := make([]sql.Expression, len(schema))
	for i, c := range schema {
		out[i] = expression.NewGetFieldWithTable(first+i, 0, c.Type, c.DatabaseSource, c.Source, c.Name, c.Nullable)
	}
	return out
}

func (it *typedKeys) next(ctx *sql.Context) (k []byte, err error) {
	if it.run == nil {
		if it.run, err = it.pipeline.start(ctx); err != nil {
			return nil, err
		}
		it.worker = it.run.worker()
		it.keys = vector.NewKeys(it.worker.program, it.columns)
	}
	if it.at++; it.chunk == nil || it.at == len(it.chunk.Rows) {
		it.at = 0
		if it.chunk, err = it.worker.nextChunk(); err != nil {
			return nil, err
		}
		if err := it.keys.Eval(it.chunk); err != nil {
			return nil, err
		}
	}
	it.scratch, _, err = it.keys.Append(it.scratch[:0], it.at)
	return it.scratch, err
}

func (it *typedKeys) row(*sql.Context) (sql.Row, error) {
	return it.worker.row(it.chunk.Batch, int(it.chunk.Rows[it.at]))
}

// Close ends the run.
func (it *typedKeys) Close(*sql.Context) error {
	if it.run == nil {
		return nil
	}
	return it.run.close()
}
