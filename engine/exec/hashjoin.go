package exec

import (
	"bytes"
	"io"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/connector"
	"github.com/dynasql/dynasql/engine/exact"
	"github.com/dynasql/dynasql/engine/key"
	"github.com/dynasql/dynasql/engine/spill"
)

// hashJoin is an inner, left, semi or anti join by equality. The rows of the
// right side are kept by their keys; where they do not fit into memory both
// sides are spread over files by their keys, which are then joined pair by pair.
type hashJoin struct {
	node      *plan.JoinNode
	rightNode sql.Node
	leftKey   joinKey
	rightKey  joinKey
	condition sql.Expression // nil if equal keys are all that it asks for
	rightLen  int

	library sql.NodeExecBuilder
	left    input
	right   *rightRows
	memory  *spill.Memory
	waiting []pairOfParts
	loose   *spill.File     // left rows with a NULL in their key, once there are files
	steps   connector.Steps // the left rows, if they come in steps

	row    sql.Row // the left row
	at     int32   // 1 + the next right row with its key; 0 for none
	found  bool    // the left row has had a match
	opened bool    // the right side has been read
}

// A pairOfParts has the rows of both sides with keys of one partition.
type pairOfParts struct {
	left, right *spill.File
	level       int
}

// A joinKey is what one side of a join is found by.
type joinKey struct {
	terms   []sql.Expression
	as      []sql.Type
	full    sql.Row // if not nil, what the terms look at: the row stands at its end
	scratch bytes.Buffer
}

// key evaluates the terms over a row. With a NULL there is no key.
func (k *joinKey) key(ctx *sql.Context, row sql.Row) (b []byte, null bool, err error) {
	k.scratch.Reset()
	if k.full != nil {
		copy(k.full[len(k.full)-len(row):], row)
		row = k.full
	}
	for i, e := range k.terms {
		v, err := e.Eval(ctx, row)
		if err != nil {
			return nil, false, err
		}
		if v, err = sql.UnwrapAny(ctx, v); err != nil {
			return nil, false, err
		}
		if v == nil {
			return nil, true, nil
		}
		if err := exact.AppendKey(ctx, &k.scratch, k.as[i], v); err != nil {
			return nil, false, err
		}
	}
	return k.scratch.Bytes(), false, nil
}

// hashJoinOf returns the operator of a join, or nil where another runs it: one
// inside of an enclosing query or join, NOT IN with its NULLs, <=>, and joins
// without an equality.
func hashJoinOf(ctx *sql.Context, n *plan.JoinNode, row sql.Row) *hashJoin {
	if len(row) > 0 || n.ScopeLen > 0 || n.Filter == nil || matchesNull(ctx, n.Filter) {
		return nil
	}
	j := &hashJoin{node: n, condition: n.Filter, rightLen: len(n.Right().Schema(ctx))}
	leftLen := len(n.Left().Schema(ctx))
	switch n.Op {
	case plan.JoinTypeHash, plan.JoinTypeLeftOuterHash, plan.JoinTypeSemiHash, plan.JoinTypeAntiHashIncludeNulls:
		lookup, ok := n.Right().(*plan.HashLookup)
		if !ok || !j.keysOf(ctx, lookup) {
			return nil
		}
		j.rightNode = withoutCache(lookup)
	case plan.JoinTypeInner, plan.JoinTypeLeftOuter, plan.JoinTypeSemi, plan.JoinTypeAntiIncludeNulls:
		keys := equalities(ctx, n.Filter, 0, leftLen)
		if keys.Empty() || !connector.Independent(n.Right()) {
			return nil
		}
		j.rightNode = withoutCache(n.Right())
		j.leftKey, j.rightKey = joinKey{terms: keys.Left, as: keys.As}, joinKey{terms: keys.Right, as: keys.As}
		j.rightKey.full = make(sql.Row, leftLen+j.rightLen)
	default:
		return nil
	}
	if j.keysDecide(leftLen) {
		j.condition = nil
	}
	return j
}

func matchesNull(ctx *sql.Context, e sql.Expression) bool {
	found := false
	sql.Inspect(ctx, e, func(_ *sql.Context, e sql.Expression) bool {
		_, is := e.(*expression.NullSafeEquals)
		found = found || is
		return !found
	})
	return found
}

// keysOf takes the keys by which the library would find rows.
func (j *hashJoin) keysOf(ctx *sql.Context, lookup *plan.HashLookup) (ok bool) {
	var tuple bool
	if j.leftKey.terms, j.leftKey.as, tuple = exact.KeyTerms(lookup.LeftProbeKey); tuple {
		j.rightKey.terms, j.rightKey.as, ok = exact.KeyTerms(lookup.RightEntryKey)
		return ok
	}
	l, r := lookup.LeftProbeKey, lookup.RightEntryKey
	as := exact.CompareTypes(ctx, l.Type(ctx), r.Type(ctx))
	j.leftKey = joinKey{terms: []sql.Expression{l}, as: as}
	j.rightKey = joinKey{terms: []sql.Expression{r}, as: as}
	return len(as) == 1
}

// keysDecide reports whether the condition is that the columns of the keys are
// equal, which numbers and texts compared by bytes with the same keys are.
func (j *hashJoin) keysDecide(leftLen int) bool {
	conjuncts := expression.SplitConjunction(nil, j.node.Filter)
	if len(conjuncts) != len(j.leftKey.terms) {
		return false
	}
	for _, c := range conjuncts {
		eq, ok := c.(*expression.Equals)
		if !ok || !j.hasPair(eq.Left(), eq.Right(), leftLen) && !j.hasPair(eq.Right(), eq.Left(), leftLen) {
			return false
		}
	}
	return true
}

func (j *hashJoin) hasPair(left, right sql.Expression, leftLen int) bool {
	for i := range j.leftKey.terms {
		if j.rightKey.full != nil { // its terms have the places of the condition's
			leftLen = 0
		}
		if sameColumn(left, j.leftKey.terms[i], 0) && sameColumn(right, j.rightKey.terms[i], leftLen) && decides(j.leftKey.as[i]) {
			return true
		}
	}
	return false
}

// sameColumn reports whether a is the column that b is, which begins later.
func sameColumn(a, b sql.Expression, later int) bool {
	x, ok := a.(*expression.GetField)
	y, ok2 := b.(*expression.GetField)
	return ok && ok2 && x.Index() == y.Index()+later
}

func decides(t sql.Type) bool {
	if s, ok := t.(sql.StringType); ok {
		return s.Collation() == sql.Collation_utf8mb4_0900_bin || s.Collation() == sql.Collation_binary
	}
	return types.IsDecimal(t) || types.IsInteger(t)
}

func (j *hashJoin) open(ctx *sql.Context, library sql.NodeExecBuilder) (sql.RowIter, error) {
	left, err := library.Build(ctx, j.node.Left(), nil)
	if err != nil {
		return nil, err
	}
	j.library, j.left, j.memory = library, input{from: left, key: &j.leftKey}, memoryOf(ctx)
	if steps, ok := left.(connector.Steps); ok {
		steps.BeginSteps()
		j.steps = steps
	}
	return j, nil
}

// A sideRow is a row of one side with its key, which is valid until the next row.
type sideRow struct {
	row  sql.Row
	key  []byte
	null bool // there is no key, because a term of it is NULL
}

// An input has the rows of one side: those of an operator, or of a file.
type input struct {
	from sql.RowIter
	key  *joinKey
	file *spill.File
	read *fileRows // of the file, or nil
	back *sideRow  // was given back
}

func (s *input) next(ctx *sql.Context) (r sideRow, err error) {
	if s.back != nil {
		r, s.back = *s.back, nil
		return r, nil
	}
	if s.read != nil {
		r.key, err = s.read.next(ctx)
		r.row = s.read.last
		return r, err
	}
	if s.from == nil {
		return r, io.EOF
	}
	if r.row, err = s.from.Next(ctx); err != nil {
		return r, err
	}
	r.key, r.null, err = s.key.key(ctx, r.row)
	return r, err
}

// open goes on with a file, or with no rows if there is none.
func (s *input) open(f *spill.File) error {
	_ = s.file.Close() // read to its end
	s.file, s.read = f, nil
	if f == nil {
		return nil
	}
	from, err := f.Read()
	if err == nil {
		s.read = &fileRows{from: from}
	}
	return err
}

func (s *input) close() { _ = s.file.Close() }

// rightRows are the rows of the right side by their keys.
type rightRows struct {
	keys    key.Table
	first   []int32 // by key: 1 + the row that came first
	last    []int32
	rows    []sql.Row
	next    []int32 // by row: 1 + the next with its key, or 0
	account *spill.Account
}

// add reports whether there is room for more.
func (r *rightRows) add(k []byte, row sql.Row) bool {
	r.rows, r.next = append(r.rows, row), append(r.next, 0)
	at := int32(len(r.rows))
	if n, isNew := r.keys.Number(k); isNew {
		r.first, r.last = append(r.first, at), append(r.last, at)
	} else {
		r.next[r.last[n]-1] = at
		r.last[n] = at
	}
	return r.account.Grow(spill.SizeOf(row) + int64(len(k)) + 64)
}

func (r *rightRows) find(k []byte) int32 {
	if n, ok := r.keys.Find(k); ok {
		return r.first[n]
	}
	return 0
}

// Next implements sql.RowIter.
func (j *hashJoin) Next(ctx *sql.Context) (sql.Row, error) {
	for n := 1; ; n++ {
		if n&0x3ff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if j.at == 0 {
			row, done, err := j.nextLeft(ctx)
			if err != nil || done {
				return row, err
			}
			continue
		}
		right := j.right.rows[j.at-1]
		j.at = j.right.next[j.at-1]
		matches, full, err := j.matches(ctx, right)
		if err != nil {
			return nil, err
		}
		if matches {
			j.found = true
			switch {
			case j.node.Op.IsSemi():
				j.at = 0
				return j.takeLeft(), nil
			case j.node.Op.IsAnti():
				j.at, j.row = 0, nil
				continue
			}
			if j.at == 0 {
				j.row = nil
			}
			return full, nil
		}
		if j.at == 0 && !j.found {
			if row := j.unmatched(); row != nil {
				return row, nil
			}
		}
	}
}

// nextLeft goes on to the next left row. It returns a row that is to be given at
// once, and done.
func (j *hashJoin) nextLeft(ctx *sql.Context) (out sql.Row, done bool, err error) {
	r, err := j.left.next(ctx)
	if err == io.EOF {
		more, err := j.nextParts(ctx)
		if err == nil && !more {
			more, err = j.nextStep(ctx)
		}
		if err != nil || !more {
			return nil, true, errOr(err, io.EOF)
		}
		return nil, false, nil
	}
	if err != nil {
		return nil, true, err
	}
	if !j.opened { // the right side may be read by keys of the left one, so not before
		j.opened = true
		r.key = bytes.Clone(r.key)
		j.left.back = &r
		return nil, false, j.readRight(ctx, r.row)
	}
	j.row, j.found, j.at = r.row, false, 0
	if !r.null {
		j.at = j.right.find(r.key)
	}
	if j.at == 0 {
		out = j.unmatched()
	}
	return out, out != nil, nil
}

// matches reports whether the condition is true for the left row and a right
// one, and makes their joined row.
func (j *hashJoin) matches(ctx *sql.Context, right sql.Row) (bool, sql.Row, error) {
	full := make(sql.Row, len(j.row)+j.rightLen)
	copy(full, j.row)
	copy(full[len(j.row):], right[len(right)-j.rightLen:])
	if j.condition == nil {
		return true, full, nil
	}
	ok, err := sql.EvaluateCondition(ctx, j.condition, full)
	return sql.IsTrue(ok), full, err
}

func (j *hashJoin) takeLeft() sql.Row {
	row := j.row
	j.row = nil
	return row
}

// unmatched is what the join gives for a left row without a match, or nil.
func (j *hashJoin) unmatched() sql.Row {
	row := j.takeLeft()
	switch {
	case row == nil || j.node.Op.IsAnti():
		return row
	case j.node.Op.IsLeftOuter():
		return append(append(make(sql.Row, 0, len(row)+j.rightLen), row...), make(sql.Row, j.rightLen)...)
	}
	return nil
}

// readRight keeps the rows of the right side. The expressions of a join in there
// count their columns from a left row on.
func (j *hashJoin) readRight(ctx *sql.Context, left sql.Row) error {
	right, err := j.library.Build(ctx, j.rightNode, left)
	if err != nil {
		return err
	}
	if err := j.gather(ctx, 0, &input{from: right, key: &j.rightKey}); err != nil {
		_ = right.Close(ctx) // the first error counts
		return err
	}
	return right.Close(ctx)
}

// gather keeps the rows of the right side by their keys. Once there is no room
// it spreads all of both sides over files.
func (j *hashJoin) gather(ctx *sql.Context, level int, right *input) error {
	j.freeRight()
	j.right = &rightRows{account: j.memory.Account()}
	var spread *partitions
	for n := 1; ; n++ {
		if n&0x3ff == 0 && ctx.Err() != nil {
			spread.close()
			return ctx.Err()
		}
		r, err := right.next(ctx)
		if err == io.EOF {
			if spread != nil {
				return j.spreadLeft(ctx, spread)
			}
			return nil
		}
		switch {
		case err != nil || r.null:
		case spread != nil:
			err = spread.write(r.key, r.row)
		case j.right.add(r.key, r.row):
		case level < mostLevels && j.right.keys.Len() > 1:
			spread = &partitions{memory: j.memory, level: level}
			err = j.spill(spread)
		case j.right.account.Beyond():
			err = j.right.account.Full("a join whose right side has so many rows with the same key")
		}
		if err != nil {
			spread.close()
			return err
		}
	}
}

// spill moves the rows kept so far into files.
func (j *hashJoin) spill(to *partitions) error {
	r := j.right
	for n := range r.keys.Len() {
		k := r.keys.Key(n)
		for at := r.first[n]; at != 0; at = r.next[at-1] {
			if err := to.write(k, r.rows[at-1]); err != nil {
				return err
			}
		}
	}
	j.freeRight()
	return nil
}

func (j *hashJoin) freeRight() {
	if j.right != nil {
		j.right.account.Free()
		j.right = nil
	}
}

// spreadLeft spreads the rest of the left side like the right one, whose files
// it takes.
func (j *hashJoin) spreadLeft(ctx *sql.Context, right *partitions) error {
	j.freeRight()
	j.right = &rightRows{account: j.memory.Account()}
	left := &partitions{memory: j.memory, level: right.level}
	for {
		r, err := j.left.next(ctx)
		if err == io.EOF {
			break
		}
		switch {
		case err != nil:
		case r.null:
			err = j.addLoose(r.row)
		default:
			err = left.write(r.key, r.row)
		}
		if err != nil {
			left.close()
			right.close()
			return err
		}
	}
	for i := range fanout {
		if left.files[i] == nil {
			_ = right.files[i].Close()
			continue
		}
		j.waiting = append(j.waiting, pairOfParts{left.files[i], right.files[i], right.level + 1})
	}
	return nil
}

// addLoose keeps a left row that matches nothing.
func (j *hashJoin) addLoose(row sql.Row) error {
	if !j.node.Op.IsAnti() && !j.node.Op.IsLeftOuter() {
		return nil
	}
	if j.loose == nil {
		var err error
		if j.loose, err = j.memory.Create(); err != nil {
			return err
		}
	}
	return j.loose.Write(nil, row)
}

// nextParts makes the next pair of files the sides of the join. It reports false
// when there is none.
func (j *hashJoin) nextParts(ctx *sql.Context) (bool, error) {
	if len(j.waiting) == 0 {
		if j.loose == nil {
			return false, nil
		}
		j.waiting, j.loose = []pairOfParts{{left: j.loose}}, nil
	}
	p := j.waiting[len(j.waiting)-1]
	j.waiting = j.waiting[:len(j.waiting)-1]
	if err := j.left.open(p.left); err != nil {
		_ = p.right.Close()
		return false, err
	}
	var right input
	defer right.close()
	if err := right.open(p.right); err != nil {
		return false, err
	}
	return true, j.gather(ctx, p.level, &right)
}

// nextStep goes on with the left rows of the next step, for which the right side
// is read again. It reports false when there is none.
func (j *hashJoin) nextStep(ctx *sql.Context) (bool, error) {
	if j.steps == nil {
		return false, nil
	}
	more, err := j.steps.NextStep(ctx)
	if err != nil || !more {
		return false, err
	}
	j.freeRight()
	j.left.close()
	j.left, j.opened = input{from: j.steps, key: &j.leftKey}, false
	return true, nil
}

// Close implements sql.RowIter.
func (j *hashJoin) Close(ctx *sql.Context) error {
	j.freeRight()
	j.left.close()
	for _, p := range j.waiting {
		_ = p.left.Close()
		_ = p.right.Close()
	}
	_ = j.loose.Close()
	j.waiting, j.loose, j.row = nil, nil, nil
	return j.left.from.Close(ctx)
}
