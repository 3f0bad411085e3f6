package exact

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
)

// Names of functions that the parser puts in place of what the library reads
// wrongly.
const (
	CastFunction   = "ddb_decimal" // (value, digits, digits behind the point): CAST(value AS DECIMAL(..))
	NumberFunction = "ddb_number"  // (text): a number with more digits than the library's literals keep
)

// Function returns a function that stands before the library's of that name.
func Function(name string) (sql.Function, bool) {
	name = strings.ToLower(name)
	if k, ok := kinds[name]; ok {
		return k.function(), true
	}
	switch name {
	case approximate:
		return sql.FunctionN{Name: name, Fn: newApproximate}, true
	case "sum":
		return sql.Function1{Name: name, Fn: newSum}, true
	case "avg":
		return sql.Function1{Name: name, Fn: newAverage}, true
	case "ceil", "ceiling":
		return sql.Function1{Name: name, Fn: newToInteger(name, function.NewCeil)}, true
	case "floor":
		return sql.Function1{Name: name, Fn: newToInteger(name, function.NewFloor)}, true
	case "sign":
		return sql.Function1{Name: name, Fn: newSign}, true
	case "round":
		return sql.FunctionN{Name: name, Fn: newRound}, true
	case "truncate":
		return sql.Function2{Name: name, Fn: newTruncate}, true
	case "hex":
		return sql.Function1{Name: name, Fn: newHex}, true
	case "greatest":
		return sql.FunctionN{Name: name, Fn: newExtreme(name, 1, function.NewGreatest)}, true
	case "least":
		return sql.FunctionN{Name: name, Fn: newExtreme(name, -1, function.NewLeast)}, true
	case SameFunction:
		return sql.Function2{Name: name, Fn: newSame}, true
	case CastFunction:
		return sql.Function3{Name: name, Fn: newCast}, true
	case NumberFunction:
		return sql.Function1{Name: name, Fn: newNumber}, true
	}
	return nil, false
}
