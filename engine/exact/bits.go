package exact

import (
	"math"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

func unsignedType(*sql.Context, []sql.Expression) sql.Type { return types.Uint64 }

// bitwise is BIT_AND, BIT_OR or BIT_XOR: 64 bits, those of start without rows.
// The library takes a number that it cannot convert for 0.
func bitwise(name string, start uint64, join func(a, b uint64) uint64) kind {
	return kind{name: name, least: 1, most: 1, typ: unsignedType,
		fold: func(*sql.Context, sql.Expression) Fold { return &bitFold{start, join} }}
}

type bitFold struct {
	value uint64
	join  func(a, b uint64) uint64
}

// Add implements Fold.
func (b *bitFold) Add(ctx *sql.Context, v any) error {
	n, err := toBits(ctx, v)
	b.value = b.join(b.value, n)
	return err
}

// Merge implements Fold.
func (b *bitFold) Merge(_ *sql.Context, behind Fold) error {
	b.value = b.join(b.value, behind.(*bitFold).value)
	return nil
}

// Value implements Fold.
func (b *bitFold) Value(*sql.Context) (any, error) { return b.value, nil }

// toBits rounds a number to an integer of 64 bits. As MySQL does, a number
// beyond them becomes the nearest within, with a warning, and a negative one
// its two's complement.
func toBits(ctx *sql.Context, v any) (uint64, error) {
	d, err := toDecimal(ctx, v)
	if err != nil || d == nil {
		return 0, err
	}
	n := new(apd.Decimal)
	if _, err := halfUp.Quantize(n, d, 0); err != nil {
		n.Set(d)
	}
	if i, err := n.Int64(); err == nil {
		return uint64(i), nil
	}
	if !n.Negative && n.Exponent == 0 && n.Coeff.IsUint64() {
		return n.Coeff.Uint64(), nil
	}
	ctx.Warn(warnTruncated, "Truncated incorrect INTEGER value: '%s'", d.Text('f'))
	if n.Negative {
		return 1 << 63, nil
	}
	return math.MaxUint64, nil
}

// halfUp rounds half away from zero.
var halfUp = func() *apd.Context {
	c := sql.DecimalCtx.WithPrecision(400)
	c.Rounding = apd.RoundHalfUp
	return c
}()
