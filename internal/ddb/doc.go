// Package ddb is the seam to DynamoDB: the interfaces that the rest of dynasql
// reads and writes through, the only place that builds an AWS client, the policy
// for repeating failed calls, and the classes and wording of its errors.
//
// It knows nothing of SQL, plans or budgets, and it must not decode items: a
// caller that wants the bytes of an answer instead of the SDK's values passes
// Body.Keep with the call.
package ddb
