package engine

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/connector"
	"github.com/dynasql/dynasql/connector/read"
	"github.com/dynasql/dynasql/engine/exec"
)

const defaultMaxReadUnits = 100_000

// defaultPrice is what a million read request units cost on demand, in US
// dollars, in us-east-1 since November 2024 (DynamoDB pricing page).
const defaultPrice = 0.125

// Variables that bound what a statement may consume.
const (
	varMemory       = "ddb_memory_limit"
	varMaxReadUnits = "ddb_max_rcu"
	varMaxSeconds   = "ddb_max_seconds"
	varMaxRowsRead  = "ddb_max_rows_read"
	varRatePercent  = "ddb_rate_percent"
	varRate         = "ddb_rcu_per_second"
	varPrice        = "ddb_price_per_million"
)

// Variable describes a session variable of ours, for help and completion.
type Variable struct {
	Name    string
	Values  []string // of an enumeration
	Meaning string
}

// Variables lists the session variables that dynasql adds to MySQL's.
func Variables() []Variable {
	onOff := []string{"0", "1"}
	return []Variable{
		{connector.VarConsistent, onOff, "1 reads strongly consistent, at twice the read units; 0 is the default"},
		{varMaxReadUnits, nil, "read units that one statement may consume; 0 is no bound"},
		{varMaxRowsRead, nil, "items that one statement may read; 0 is no bound"},
		{varMaxSeconds, nil, "seconds that one statement may read for; 0 is no bound"},
		{varMemory, nil, "bytes that one statement's sorts, joins and groups hold, more goes to files; 0 is a quarter of the memory"},
		{connector.VarOnDrift, []string{"error", "null"}, "what a value does that its column cannot hold"},
		{varPrice, nil, "US dollars for a million read units, for what statements cost; see docs for the date of the default"},
		{connector.VarPushdown, onOff, "0 reads whole tables and lets the engine do the rest: for comparing answers"},
		{varRatePercent, nil, "share of a provisioned rate, in percent, that reading may use"},
		{varRate, nil, "read units a second that reading one table or index may use; 0 is no bound"},
		{connector.VarStrictIndexes, onOff, "1 forbids an index whose completeness rests on sampled items"},
		{exec.VarTyped, onOff, "0 sorts and groups row by row: for comparing answers"},
	}
}

func systemVariables() []sql.SystemVariable {
	variable := func(name string, t sql.Type, value any) sql.SystemVariable {
		return &sql.MysqlSystemVariable{
			Name: name, Type: t, Default: value, Dynamic: true,
			Scope: sql.GetMysqlScope(sql.SystemVariableScope_Both),
		}
	}
	toggle := func(name string, value int8) sql.SystemVariable {
		return variable(name, types.NewSystemBoolType(name), value)
	}
	number := func(name string, most, value float64) sql.SystemVariable {
		return variable(name, types.NewSystemDoubleType(name, 0, most), value)
	}
	return []sql.SystemVariable{
		toggle(connector.VarConsistent, 0),
		toggle(connector.VarPushdown, 1),
		toggle(connector.VarStrictIndexes, 0),
		toggle(exec.VarTyped, 1),
		variable(connector.VarOnDrift, types.NewSystemEnumType(connector.VarOnDrift, "error", "null"), "error"),
		number(varMemory, 1e15, 0),
		number(varMaxReadUnits, 1e15, defaultMaxReadUnits),
		number(varMaxRowsRead, 1e15, 0),
		number(varMaxSeconds, 1e9, 0),
		number(varRatePercent, 100, 50),
		number(varRate, 1e9, 0),
		number(varPrice, 1e6, defaultPrice),
	}
}

// limits reads the bounds of a statement from the session's variables.
func (s *Session) limits(ctx *sql.Context) read.Limits {
	return read.Limits{
		MaxReadUnits: s.number(ctx, varMaxReadUnits),
		MaxSeconds:   s.number(ctx, varMaxSeconds),
		MaxRowsRead:  int64(s.number(ctx, varMaxRowsRead)),

		RatePercent:        s.number(ctx, varRatePercent),
		ReadUnitsPerSecond: s.number(ctx, varRate),
		DollarsPerMillion:  s.number(ctx, varPrice),
	}
}

func (s *Session) number(ctx *sql.Context, name string) float64 {
	v, err := s.GetSessionVariable(ctx, name)
	if err != nil {
		return 0
	}
	f, _, err := types.Float64.Convert(ctx, v)
	if err != nil || f == nil {
		return 0
	}
	return f.(float64)
}
