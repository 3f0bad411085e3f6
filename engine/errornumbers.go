package engine

import (
	"errors"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer/analyzererrors"
	"github.com/dolthub/vitess/go/mysql"
	goerrors "gopkg.in/src-d/go-errors.v1"

	"github.com/dynasql/dynasql/connector/read"
	"github.com/dynasql/dynasql/engine/exact"
	"github.com/dynasql/dynasql/engine/pattern"
)

// Error numbers of ours, outside of MySQL's ranges. Their SQLSTATE is that of
// conditions which MySQL does not define.
const (
	erRefused = 15001 // the statement is estimated above its budget; nothing was read
	erStopped = 15002 // the statement has used its budget up

	stateOurs = "45000"
)

// numbers are those that MySQL gives where the library gives none
// (MySQL 8.0 Error Message Reference).
var numbers = []struct {
	kind   *goerrors.Kind
	number int
	state  string
}{
	{sql.ErrAmbiguousColumnName, 1052, "23000"},
	{sql.ErrAmbiguousColumnOrAliasName, 1052, "23000"},
	{sql.ErrAmbiguousColumnInOrderBy, 1052, "23000"},
	{sql.ErrColumnCountMismatch, 1222, "21000"},
	{sql.ErrCteRecursionLimitExceeded, 3636, "HY000"},
	{sql.ErrDatabaseAccessDeniedForUser, 1044, "42000"},
	{sql.ErrDatabaseNotFound, 1049, "42000"},
	{sql.ErrDuplicateAliasOrTable, 1066, "42000"},
	{sql.ErrExpectedSingleRow, 1242, "21000"},
	{sql.ErrFunctionNotFound, 1305, "42000"},
	{sql.ErrInvalidArgumentNumber, 1582, "42000"},
	{sql.ErrInvalidJSONText, 3141, "22032"},
	{sql.ErrInvalidOperandColumns, 1241, "21000"},
	{sql.ErrInvalidSystemVariableValue, 1231, "42000"},
	{sql.ErrInvalidTypeForLimit, 1210, "HY000"},
	{sql.ErrNoDatabaseSelected, 1046, "3D000"},
	{sql.ErrNonAggregatedColumnWithoutGroupBy, 1140, "42000"},
	{sql.ErrPrivilegeCheckFailed, 1142, "42000"},
	{sql.ErrShowGrantsUserDoesNotExist, 1141, "42000"},
	{sql.ErrStoredProcedureDoesNotExist, 1305, "42000"},
	{sql.ErrSystemVariableGlobalOnly, 1229, "HY000"},
	{sql.ErrSystemVariableReadOnly, 1238, "HY000"},
	{sql.ErrSystemVariableSessionOnly, 1228, "HY000"},
	{sql.ErrTableAccessDeniedForUser, 1142, "42000"},
	{sql.ErrUndeclaredVariable, 1327, "42000"},
	{sql.ErrUnknownPreparedStatement, 1243, "HY000"},
	{sql.ErrUnknownSystemVariable, 1193, "HY000"},
	{sql.ErrUnsupportedFeature, 1235, "42000"},
	{sql.ErrUnsupportedSyntax, 1235, "42000"},
	{sql.ErrValueOutOfRange, erOutOfRange, "22003"},
	{analyzererrors.ErrValidationGroupBy, 1055, "42000"},
	{analyzererrors.ErrValidationGroupByOrderBy, 1055, "42000"},
}

// numberOf is the number and the state of an error that has no words of ours.
func numberOf(err error) (number int, state string) {
	var refused *read.RefusedError
	var stopped *read.StoppedError
	var wrong *pattern.Error
	var beyond *exact.RangeError
	switch {
	case errors.As(err, &wrong):
		return wrong.Number, "HY000"
	case errors.As(err, &refused):
		return erRefused, stateOurs
	case errors.As(err, &stopped):
		return erStopped, stateOurs
	case errors.As(err, &beyond):
		return erOutOfRange, "22003"
	}
	var numbered interface{ Number() int }
	if errors.As(err, &numbered) {
		return numbered.Number(), "HY000"
	}
	for _, n := range numbers {
		if n.kind.Is(err) {
			return n.number, n.state
		}
	}
	if cast := sql.CastSQLError(err); cast != nil && cast.Num != mysql.ERUnknownError {
		return cast.Num, cast.State
	}
	return erUnknown, "HY000"
}
