package exact

import (
	"math"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// kinds are the aggregate functions of ours, by name.
var kinds = func() map[string]kind {
	all := map[string]kind{}
	for _, k := range []kind{
		bitwise("bit_and", math.MaxUint64, func(a, b uint64) uint64 { return a & b }),
		bitwise("bit_or", 0, func(a, b uint64) uint64 { return a | b }),
		bitwise("bit_xor", 0, func(a, b uint64) uint64 { return a ^ b }),
		spread("std", false, true), spread("stddev", false, true), spread("stddev_pop", false, true), spread("stddev_samp", true, true),
		spread("variance", false, false), spread("var_pop", false, false), spread("var_samp", true, false),
		{name: "median", least: 1, most: 1, typ: typeBetween, buffer: newMedian},
		{name: "percentile_cont", least: 2, most: 3, typ: typeBetween, buffer: newBetween},
		{name: "percentile_disc", least: 2, most: 3, typ: typeOfFirst, buffer: newAmong},
		{name: "json_arrayagg", least: 1, most: 1, typ: jsonType, buffer: newArray},
		{name: "json_objectagg", least: 2, most: 2, typ: jsonType, buffer: newObject},
		groupKey, groupLevel,
	} {
		all[k.name] = k
	}
	return all
}()

// approximate is COUNT(DISTINCT ..) under the name that other databases give a
// faster estimate. It counts exactly.
const approximate = "approx_count_distinct"

// IsAggregate reports whether there is an aggregate function of that name, in
// lower case, that the library does not know.
func IsAggregate(name string) bool {
	_, ours := kinds[name]
	return ours || name == approximate
}

// NewAggregate returns an aggregate function of rows, for windows.
func NewAggregate(ctx *sql.Context, name string, args []sql.Expression) (sql.Aggregation, error) {
	if !IsAggregate(name) && len(args) != 1 {
		return nil, sql.ErrInvalidArgumentNumber.New(name, 1, len(args))
	}
	switch name {
	case "count":
		return aggregation.NewCount(args[0]), nil
	case "min":
		return aggregation.NewMin(args[0]), nil
	case "max":
		return aggregation.NewMax(args[0]), nil
	}
	f, ok := Function(name)
	if !ok {
		return nil, sql.ErrFunctionNotFound.New(name)
	}
	e, err := f.NewInstance(ctx, args)
	if err != nil {
		return nil, err
	}
	return e.(sql.Aggregation), nil
}

// AggregatesOver reports whether an aggregate can be computed over a window.
func AggregatesOver(name string) bool {
	_, ours := kinds[name]
	return ours || slices.Contains([]string{"avg", "count", "max", "min", "sum"}, name)
}

// WholePartition reports whether an aggregate over a window is one of all rows
// of a partition, so that its window has neither order nor frame.
func WholePartition(name string) bool {
	return name == "median" || name == "percentile_cont" || name == "percentile_disc"
}

func typeOfFirst(ctx *sql.Context, args []sql.Expression) sql.Type { return args[0].Type(ctx) }

// typeBetween is the type of a number between two of the argument's.
func typeBetween(ctx *sql.Context, args []sql.Expression) sql.Type {
	if t := args[0].Type(ctx); numeric(t) || t == types.Null {
		return Type
	}
	return types.Float64
}
