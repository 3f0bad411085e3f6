package exact

import (
	"context"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// anyDecimal is the type in which the library compares decimals with values of
// other types, and by which it hashes them. The library's own rounds to 30
// digits behind the point and refuses 1E+35.
type anyDecimal struct{ sql.DecimalType }

// Type is the DECIMAL of expressions: each value has its own scale.
var Type = types.MustCreateDecimalType(types.DecimalTypeMaxPrecision, types.DecimalTypeMaxScale)

// Prepare makes the library's comparisons of decimals exact. It changes a
// global of the library and must be called once, before the first engine.
func Prepare() { types.InternalDecimalType = anyDecimal{Type} }

// Convert implements sql.Type without rounding.
func (t anyDecimal) Convert(_ context.Context, v any) (any, sql.ConvertInRange, error) {
	d, err := t.ConvertToDecimal(v)
	if err != nil && !sql.ErrTruncatedIncorrect.Is(err) || d == nil {
		return nil, sql.InRange, err
	}
	return d, sql.InRange, err
}

// BoundsCheck implements sql.DecimalType: every number is within.
func (t anyDecimal) BoundsCheck(v *apd.Decimal) (*apd.Decimal, sql.ConvertInRange, error) {
	return v, sql.InRange, nil
}

// Promote implements sql.Type.
func (t anyDecimal) Promote() sql.Type { return t }

// Equals implements sql.Type.
func (t anyDecimal) Equals(other sql.Type) bool {
	_, same := other.(anyDecimal)
	return same
}
