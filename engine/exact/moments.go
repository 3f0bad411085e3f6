package exact

import (
	"math"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

func doubleType(*sql.Context, []sql.Expression) sql.Type { return types.Float64 }

// spread is an aggregate of the STDDEV and VARIANCE family, a DOUBLE as in
// MySQL; the library gives it the type of its argument.
func spread(name string, sample, root bool) kind {
	return kind{name: name, least: 1, most: 1, typ: doubleType,
		fold: func(*sql.Context, sql.Expression) Fold { return &moments{sample: sample, root: root} }}
}

// moments has the mean of numbers and the sum of their squared distances from
// it (Welford; joined as by Chan, Golub and LeVeque).
type moments struct {
	sample, root bool
	count        float64
	mean, square float64
}

// Add implements Fold.
func (m *moments) Add(ctx *sql.Context, v any) error {
	x, err := toFloat(ctx, v)
	if err != nil {
		return err
	}
	m.count++
	distance := x - m.mean
	m.mean += distance / m.count
	m.square += distance * (x - m.mean)
	return nil
}

// Merge implements Fold.
func (m *moments) Merge(_ *sql.Context, behind Fold) error {
	b := behind.(*moments)
	if b.count == 0 {
		return nil
	}
	all := m.count + b.count
	distance := b.mean - m.mean
	m.mean += distance * b.count / all
	m.square += b.square + distance*distance*m.count*b.count/all
	m.count = all
	return nil
}

// Value implements Fold. It is NULL for no number, and of a sample for one.
func (m *moments) Value(*sql.Context) (any, error) {
	of := m.count
	if m.sample {
		of--
	}
	if of <= 0 {
		return nil, nil
	}
	if m.root {
		return math.Sqrt(m.square / of), nil
	}
	return m.square / of, nil
}
