// Package page decodes the body of a Scan, Query, GetItem or BatchGetItem answer
// in one pass into a Batch: one small typed value for each item and wanted
// attribute, without a pointer in it and without an allocation for it. Maps,
// lists, sets and binary values stay as spans of the body and are decoded when
// asked for, a place inside them without building what is around it.
//
// The SDK's own decoding costs some eight times the CPU and 25 allocations an
// item. Values are the same as the SDK's, whatever the order of keys.
//
// The decoder trusts the length and checksum of the body, which internal/ddb
// compares: it accepts some texts that are not strict JSON. The package does no
// I/O and knows neither requests nor SQL.
package page
