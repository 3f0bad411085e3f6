package function

import (
	"fmt"

	"github.com/dolthub/vitess/go/mysql"
)

// wrongArguments is MySQL's error for arguments that a function cannot take.
func wrongArguments(name string) error {
	return mysql.NewSQLError(1210, "HY000", "Incorrect arguments to %s", name)
}

func wrongType(value, kind, name string) error {
	return mysql.NewSQLError(1411, "HY000", "Incorrect %s value: '%s' for function %s", kind, value, name)
}

func tooBigPrecision(digits int64, name string) error {
	return mysql.NewSQLError(1426, "42000", "Too-big precision %d specified for '%s'. Maximum is 6.", digits, name)
}

func outOfRange(call fmt.Stringer) error {
	return mysql.NewSQLError(1690, "22003", "DOUBLE value is out of range in '%s'", call)
}
