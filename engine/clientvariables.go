package engine

import (
	"math"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// VersionComment is how the server tells what it is.
const VersionComment = "dynasql, SQL over DynamoDB"

// clientVariables are MySQL's variables that the library lacks, or whose
// default or range is not MySQL's.
func clientVariables() []sql.SystemVariable {
	variable := func(scope sql.MysqlSVScopeType, dynamic bool, name string, t sql.Type, value any) sql.SystemVariable {
		return &sql.MysqlSystemVariable{Name: name, Type: t, Default: value, Dynamic: dynamic, Scope: sql.GetMysqlScope(scope)}
	}
	const global, both = sql.SystemVariableScope_Global, sql.SystemVariableScope_Both
	text := types.NewSystemStringType
	return []sql.SystemVariable{
		variable(global, false, "version", text("version"), ServerVersion),
		variable(global, false, "version_comment", text("version_comment"), VersionComment),
		variable(global, false, "innodb_version", text("innodb_version"), ServerVersion),
		variable(global, false, "have_profiling", text("have_profiling"), "NO"),
		variable(both, true, "profiling", types.NewSystemBoolType("profiling"), int8(0)),
		variable(both, true, "profiling_history_size", types.NewSystemIntType("profiling_history_size", 0, 100, false), int64(15)),
		// Its maximum, which means none, is the default.
		variable(both, true, "sql_select_limit", types.NewSystemUintType("sql_select_limit", 0, math.MaxUint64), uint64(math.MaxUint64)),
		variable(both, true, "max_allowed_packet", types.NewSystemUintType("max_allowed_packet", 1024, 1<<30), uint64(64<<20)),
		// MariaDB's word for max_execution_time, in seconds.
		variable(both, true, "max_statement_time", types.NewSystemDoubleType("max_statement_time", 0, 31536000), float64(0)),
	}
}
