package exact

import (
	"fmt"
	"math"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/types"
)

const (
	// GroupKeyFunction is the value of an expression of GROUP BY in a row of
	// WITH ROLLUP: NULL where the row sums it up. Its arguments are the place of
	// the expression in the list, from 0 on, the expression, and other spellings
	// of it, which have to mean the same; in SameFunction, a name of the select
	// list for it, which must not be that of a column.
	GroupKeyFunction = "ddb_group_key"
	// GroupLevelFunction is how many expressions of GROUP BY .. WITH ROLLUP a
	// row does not sum up.
	GroupLevelFunction = "ddb_group_level"
)

var groupKey = kind{name: GroupKeyFunction, least: 2, most: math.MaxInt, check: sameKey,
	typ: func(ctx *sql.Context, args []sql.Expression) sql.Type { return args[1].Type(ctx) },
	buffer: func(ctx *sql.Context, args []sql.Expression) (sql.AggregationBuffer, error) {
		return aggregation.NewFirstBuffer(args[1]), nil
	},
}

var groupLevel = kind{name: GroupLevelFunction,
	typ: func(*sql.Context, []sql.Expression) sql.Type { return types.Int64 },
	buffer: func(*sql.Context, []sql.Expression) (sql.AggregationBuffer, error) {
		return aggregation.NewCountBuffer(expression.NewLiteral(nil, types.Null)), nil
	},
}

// sameKey drops the other spellings of a key if they mean the same.
func sameKey(args []sql.Expression) ([]sql.Expression, error) {
	for _, other := range args[2:] {
		if args[1].String() != other.String() && !isItem(other) {
			if s, ok := other.(*same); ok {
				other = s.Child
			}
			return nil, &KeyError{other.String(), args[1].String()}
		}
	}
	return args[:2], nil
}

// isItem reports whether an expression is a name of the select list.
func isItem(e sql.Expression) bool {
	s, ok := e.(*same)
	if !ok {
		return false
	}
	field, ok := s.Child.(*expression.GetField)
	return ok && field.Table() == ""
}

// GroupKey reports whether an aggregate is the value of an expression of GROUP
// BY, and which.
func GroupKey(e sql.Expression) (place int, ok bool) {
	a, ok := e.(*Aggregate)
	if !ok || a.name != GroupKeyFunction {
		return 0, false
	}
	l, ok := a.args[0].(*expression.Literal)
	if !ok {
		return 0, false
	}
	_, err := fmt.Sscan(fmt.Sprint(l.Value()), &place)
	return place, err == nil
}

// IsGroupLevel reports whether an aggregate is the level of a row of WITH ROLLUP.
func IsGroupLevel(e sql.Expression) bool {
	a, ok := e.(*Aggregate)
	return ok && a.name == GroupLevelFunction
}

// A KeyError is a name that is not clear: it could be that of an expression of
// GROUP BY, and means another.
type KeyError struct{ other, key string }

func (e *KeyError) Error() string {
	return fmt.Sprintf("'%s' is not what GROUP BY groups by, which is '%s'", e.other, e.key)
}

// Hint says what to write instead.
func (e *KeyError) Hint() string {
	return "write the table before each column, and give other names to items"
}

// Number is MySQL's number of the error.
func (e *KeyError) Number() int { return 1052 }
