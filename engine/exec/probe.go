package exec

import (
	"slices"

	"github.com/dynasql/dynasql/engine/key"
	"github.com/dynasql/dynasql/engine/vector"
)

// A probe joins chunks of the left side with the rows of a right side in memory.
// It belongs to one goroutine; several probes share the right side.
type probe struct {
	worker   *worker
	at       int // of the run's joins
	step     *joinStep
	below    stage
	keys     *vector.JoinKeys
	on       vector.Conditions
	filter   vector.Conditions // on the joined rows
	leftOnly bool              // a semi or anti join, whose rows are left rows

	left      *vector.Chunk // nil if the next is to be taken
	first     []int32       // for each of its rows: 1 + the first right row with its key, or 0
	row       int           // of the left rows
	candidate int32         // 1 + the next right row for it, or 0
	matched   []bool        // the left rows that have had a match
	list      key.List      // keys of the left rows
	numbers   []uint32      // of these keys
	out       vector.Chunk
}

func newProbe(w *worker, at int, below stage) *probe {
	step := w.run.of.joins[at]
	p := &probe{worker: w, at: at, step: step, below: below, keys: vector.NewJoinKeys(w.program, step.terms, step.join.leftKey.as)}
	p.on, p.filter = w.conditions(step.on), w.conditions(step.conditions)
	p.out.Rights = make([][]int32, len(w.run.sides))
	op := step.join.node.Op
	p.leftOnly = op.IsSemi() || op.IsAnti()
	return p
}

// sized is a list of n elements, whatever they are.
func sized[T any](list []T, n int) []T { return slices.Grow(list[:0], n)[:n] }

func (p *probe) next() (*vector.Chunk, error) {
	for {
		if err := p.worker.run.ctx.Err(); err != nil {
			return nil, err
		}
		if p.left == nil {
			if err := p.nextLeft(); err != nil {
				return nil, err
			}
		}
		if err := p.some(); err != nil {
			return nil, err
		}
		if len(p.out.Rows) == 0 {
			continue
		}
		if err := p.filter.Filter(&p.out); err != nil {
			return nil, err
		}
		if len(p.out.Rows) > 0 {
			return &p.out, nil
		}
	}
}

// nextLeft takes the next left rows and finds their right rows.
func (p *probe) nextLeft() (err error) {
	c, err := p.below.next()
	if err != nil {
		return err
	}
	if err := p.keys.All(c, &p.list); err != nil {
		return err
	}
	right := p.step.join.right
	p.left = c
	p.numbers, p.first, p.matched = sized(p.numbers, len(c.Rows)), sized(p.first, len(c.Rows)), sized(p.matched, len(c.Rows))
	clear(p.matched)
	right.keys.FindAll(&p.list, p.numbers)
	for i, n := range p.numbers {
		if p.first[i] = 0; n != key.None {
			p.first[i] = right.first[n]
		}
	}
	p.row, p.candidate = 0, p.first[0]
	if p.leftOnly && len(p.on) == 0 { // the keys decide
		for i, at := range p.first {
			p.matched[i] = at != 0
		}
		p.row = len(c.Rows)
	}
	return nil
}

// some makes some of the joined rows of the left ones, or all that are left.
func (p *probe) some() error {
	p.out.Clear(p.left.Batch)
	if p.row == len(p.left.Rows) {
		p.rest()
		p.left = nil
		return nil
	}
	p.pairs()
	if len(p.out.Rows) == 0 {
		return nil
	}
	if err := p.on.Filter(&p.out); err != nil {
		return err
	}
	for _, i := range p.out.From {
		p.matched[i] = true
	}
	if p.leftOnly {
		p.out.Clear(p.left.Batch)
	}
	return nil
}

// pairs puts left rows together with right rows that have their key. Of a left
// row that is to be given or not as such the first match is enough.
func (p *probe) pairs() {
	for p.row < len(p.left.Rows) && len(p.out.Rows) < vector.MaxRows {
		if p.candidate == 0 || p.leftOnly && p.matched[p.row] {
			if p.row++; p.row < len(p.left.Rows) {
				p.candidate = p.first[p.row]
			}
			continue
		}
		p.add(p.row, p.candidate)
		p.candidate = p.step.join.right.next[p.candidate-1]
	}
}

// rest is what the join gives for left rows as such: those without a match of an
// outer or anti join, those with one of a semi join.
func (p *probe) rest() {
	op := p.step.join.node.Op
	if !p.leftOnly && !op.IsLeftOuter() {
		return
	}
	for i, matched := range p.matched {
		if matched == op.IsSemi() {
			p.add(i, 0)
		}
	}
}

func (p *probe) add(i int, right int32) {
	c := &p.out
	c.Rows, c.From = append(c.Rows, p.left.Rows[i]), append(c.From, int32(i))
	for at := range p.at {
		c.Rights[at] = append(c.Rights[at], p.left.Rights[at][i])
	}
	c.Rights[p.at] = append(c.Rights[p.at], right)
}
