package connector

import (
	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/connector/codec"
	"github.com/dynasql/dynasql/connector/read"
)

// Names of the session variables that the connector obeys. The engine declares
// them with their types and defaults.
const (
	VarPushdown      = "ddb_pushdown"       // 0 reads whole tables: for comparing answers
	VarConsistent    = "ddb_consistent"     // 1 reads strongly consistent
	VarStrictIndexes = "ddb_strict_indexes" // 1 forbids an index whose completeness rests on the sample
	VarOnDrift       = "ddb_on_drift"       // error, or null
)

// A Session is the engine's session as far as the connector needs it.
type Session interface {
	sql.Session
	// Statement is the account and the budget of the running statement.
	Statement() *read.Statement
	// Planning reports that a statement has begun and does not run yet.
	Planning() bool
	// Analyzing reports that the engine's rules are at work, which Analyze says.
	Analyzing() bool
	Analyze()
	// Describes reports whether the running statement asks for the columns of a
	// table by the table's name.
	Describes(table string) bool
	// Natural reports that the running statement has a NATURAL JOIN, which must
	// not see hidden columns.
	Natural() bool
	// Account opens an account for rows that are kept for the running statement.
	Account() Account
	// Drifted counts a value that was read as NULL because its column cannot
	// hold it.
	Drifted(*codec.DriftError)
}

func statement(ctx *sql.Context) *read.Statement {
	if s, ok := ctx.Session.(Session); ok {
		return s.Statement()
	}
	return read.NewStatement(read.Limits{})
}

func analyzing(ctx *sql.Context) bool {
	s, ok := ctx.Session.(Session)
	return ok && s.Analyzing()
}

// hides reports whether tables lack their hidden columns: in lists of columns
// and in natural joins.
func hides(ctx *sql.Context) bool {
	s, ok := ctx.Session.(Session)
	return !ok || !s.Planning() || s.Natural()
}

func variable(ctx *sql.Context, name string) any {
	v, err := ctx.GetSessionVariable(ctx, name)
	if err != nil {
		return nil
	}
	return v
}

func enabled(ctx *sql.Context, name string, otherwise bool) bool {
	v := variable(ctx, name)
	if v == nil {
		return otherwise
	}
	b, err := sql.ConvertToBool(ctx, v)
	return err == nil && b
}

func driftIsNull(ctx *sql.Context) bool { return variable(ctx, VarOnDrift) == "null" }
