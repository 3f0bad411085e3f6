// Package connector presents DynamoDB to the SQL engine: a connection is a
// database, a DynamoDB table a SQL table. It is the only package that
// implements the engine's table interfaces, and it translates between the
// engine's plan and ours: Rule takes what stands above a table in an analyzed
// statement, puts it as an access.Request, and replaces the table by a Read
// that runs the plan chosen.
//
// It must not send a request of its own: catalog describes, read reads.
package connector
