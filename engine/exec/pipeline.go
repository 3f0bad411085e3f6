package exec

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/connector"
	"github.com/dynasql/dynasql/engine/vector"
)

// A pipeline is a run of nodes over one of our tables that is run on typed
// values: a read, conditions on its items, joins with right sides whose rows are
// in memory, and expressions over all. These are in terms of the columns of the
// read and of the right sides, one after the other.
type pipeline struct {
	read       *connector.Read
	conditions []sql.Expression // before the joins
	joins      []*joinStep
	columns    []sql.Expression // nil for those of the read themselves
	width      int              // of the read and the right sides
}

// VarTyped is the session variable that has all operators go row by row if it is
// 0: for comparing answers.
const VarTyped = "ddb_typed"

// pipelineOf follows nodes down to a read. It reports false where one of them
// has to go row by row.
func pipelineOf(ctx *sql.Context, n sql.Node) (*pipeline, bool) {
	if v, err := ctx.GetSessionVariable(ctx, VarTyped); err == nil {
		if on, err := sql.ConvertToBool(ctx, v); err == nil && !on {
			return nil, false
		}
	}
	return pipelineTo(ctx, n)
}

func pipelineTo(ctx *sql.Context, n sql.Node) (*pipeline, bool) {
	switch x := n.(type) {
	case *connector.Read:
		return &pipeline{read: x, width: len(x.Schema(ctx))}, x.Batched(ctx)
	case *plan.TableAlias:
		return pipelineTo(ctx, x.Child)
	case *plan.SubqueryAlias:
		if x.IsLateral || x.OuterScopeVisibility {
			return nil, false
		}
		return pipelineTo(ctx, x.Child)
	case *plan.Filter:
		p, ok := pipelineTo(ctx, x.Child)
		if !ok {
			return nil, false
		}
		list, ok := p.allBelow(ctx, x.Expression)
		if n := len(p.joins); n > 0 {
			p.joins[n-1].conditions = append(p.joins[n-1].conditions, list...)
		} else {
			p.conditions = append(p.conditions, list...)
		}
		return p, ok
	case *plan.JoinNode:
		return joinedPipeline(ctx, x)
	case *plan.Project:
		p, ok := pipelineTo(ctx, x.Child)
		if !ok {
			return nil, false
		}
		columns := make([]sql.Expression, len(x.Projections))
		for i, e := range x.Projections {
			if columns[i], ok = p.below(ctx, e); !ok {
				return nil, false
			}
		}
		p.columns = columns
		return p, true
	}
	return nil, false
}

// below puts an expression over the rows of the pipeline in terms of the read's
// columns. It reports false for one that depends on more than its row.
func (p *pipeline) below(ctx *sql.Context, e sql.Expression) (sql.Expression, bool) {
	if !vector.Serves(ctx, e) {
		return nil, false
	}
	if p.columns == nil {
		return e, true
	}
	return p.substitute(ctx, e)
}

// allBelow does that for the conjuncts of a condition.
func (p *pipeline) allBelow(ctx *sql.Context, e sql.Expression) ([]sql.Expression, bool) {
	var out []sql.Expression
	for _, e := range expression.SplitConjunction(ctx, e) {
		below, ok := p.below(ctx, e)
		if !ok || !isCondition(ctx, below) {
			return nil, false
		}
		out = append(out, below)
	}
	return out, true
}

func (p *pipeline) substitute(ctx *sql.Context, e sql.Expression) (sql.Expression, bool) {
	if f, ok := e.(*expression.GetField); ok {
		if f.Index() >= len(p.columns) {
			return nil, false
		}
		e := p.columns[f.Index()]
		if a, ok := e.(*expression.Alias); ok {
			e = a.Child
		}
		return e, true
	}
	children := e.Children()
	if len(children) == 0 {
		return e, true
	}
	next := make([]sql.Expression, len(children))
	for i, child := range children {
		var ok bool
		if next[i], ok = p.substitute(ctx, child); !ok {
			return nil, false
		}
	}
	out, err := e.WithChildren(ctx, next...)
	return out, err == nil
}

func isCondition(ctx *sql.Context, e sql.Expression) bool {
	return types.IsBoolean(e.Type(ctx)) || types.IsNumber(e.Type(ctx)) && !types.IsFloat(e.Type(ctx))
}
