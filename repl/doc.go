// Package repl is the shell: it reads statements from a person or a script,
// runs them through a Session and shows what comes back and what it cost.
//
// The package knows neither the SQL engine nor DynamoDB: Session is all it asks
// of them, and cmd/dynasql adapts the engine to it. The terminal is behind an
// interface too, so that everything runs from scripts. Nothing here reads the
// environment; Options carries it.
package repl
