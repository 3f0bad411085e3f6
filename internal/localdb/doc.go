// Package localdb is a DynamoDB-compatible store in memory: the default of the
// demo, the test bed of the other packages and the ground of the benchmarks.
//
// It answers as the service does where a reader can tell: order of keys, pages
// cut at 1 MiB before any filter, LastEvaluatedKey, segments, consumed capacity,
// projections of indexes, error types and their messages. Throttling, latency,
// faults and the lag of global indexes are injected through Options and are
// deterministic with an injected clock and seed.
//
// One core has two faces: Client has the method shapes of the SDK's client and
// no HTTP; Handler speaks the JSON 1.0 protocol to any AWS SDK or CLI.
//
// The store must not know SQL, plans or the catalog, keeps nothing on disk, and
// imports no package of ours but internal/ddb. Its subpackages attr and expr
// hold values and expressions; wire holds the JSON of requests.
package localdb
