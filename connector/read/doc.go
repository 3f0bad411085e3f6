// Package read runs an access.Plan: it sends the requests of the plan and no
// others, in parallel where the plan's promises allow it, and hands out the
// items page by page.
//
// It keeps the cost contract. A Statement is the account and the budget of one
// SQL statement: a plan that is estimated above the budget is refused before
// its first request, and reading stops when the budget is used up, at most one
// page a worker later. All statements of a Reader share one pacer for each table
// and index, so that together they stay below its rate.
//
// A page is decoded only when it has arrived whole, so that repeating a call
// neither loses nor doubles a row. Calls are repeated here and not in the SDK's
// client, since only here they are counted, paced and stopped.
//
// The package must not know SQL: values stay DynamoDB's, predicates come as a
// plan. It never changes anything in a table.
package read
