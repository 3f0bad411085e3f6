package exec

import (
	"io"

	"github.com/dolthub/go-mysql-server/sql"
)

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
	if j.needsMatch() {
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
	spread, err := j.gather(ctx, p.level, &right)
	if err == nil && spread != nil {
		err = j.spreadLeft(ctx, spread)
	}
	return true, err
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
