package engine_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/connector/read"
	"github.com/dynasql/dynasql/engine"
	"github.com/dynasql/dynasql/internal/ddb"
	"github.com/dynasql/dynasql/internal/localdb"
)

// tablesOfJoins are customers, their orders (25 of each, in pages of 512 bytes),
// and picks of orders by their whole keys.
func tablesOfJoins() (fixtures []fixture, rows []string) {
	customers := fixture{name: "customers", hash: "id:S"}
	orders := fixture{name: "orders", hash: "pk:S", sort: "sk:N", indexes: []string{"by-status status:S sk:N"}}
	picks := fixture{name: "picks", hash: "id:S"}
	for c := range 8 {
		customers.items = append(customers.items, fmt.Sprintf(`{"id":{"S":"c%d"},"name":{"S":"name %d"}}`, c, c))
		for o := range 25 {
			orders.items = append(orders.items, fmt.Sprintf(`{"pk":{"S":"c%d"},"sk":{"N":"%d"},"status":{"S":"NEW"},"v":{"S":"%s"},"last":{"BOOL":%v}}`, c, o, strings.Repeat("v", 60), o == 24))
			picks.items = append(picks.items, fmt.Sprintf(`{"id":{"S":"c%d/%d"},"c":{"S":"c%d"},"o":{"N":"%d"}}`, c, o, c, o))
			rows = append(rows, fmt.Sprintf("name %d|%d", c, o))
		}
	}
	return []fixture{customers, orders, picks}, rows
}

// joins read orders in several ways; action is the request that reads them.
var joins = []struct {
	name, action, query string
	rows                func(customer, order int) bool
}{
	{"by the keys of the left side", "Query", "SELECT c.name, o.sk FROM customers c JOIN orders o ON o.pk = c.id WHERE c.name < 'name 3'", func(c, _ int) bool { return c < 3 }},
	{"two scans", "Scan", "SELECT c.name, o.sk FROM customers c JOIN orders o ON CONCAT(o.pk, '') = c.id", every},
	{"by whole keys", "BatchGetItem", "SELECT CONCAT('name ', RIGHT(p.c, 1)), o.sk FROM picks p JOIN orders o ON o.pk = p.c AND o.sk = p.o", every},
	{"by an index", "Query", "SELECT c.name, o.sk FROM customers c JOIN orders o FORCE INDEX (`by-status`) ON CONCAT(o.pk, '') = c.id WHERE o.status = 'NEW'", every},
	{"pages that are empty", "Scan", "SELECT c.name, o.sk FROM customers c JOIN orders o ON CONCAT(o.pk, '') = c.id WHERE o.last", func(_, o int) bool { return o == 24 }},
}

func every(int, int) bool { return true }

// samplingScans is how many requests the sample of orders takes.
const samplingScans = 10

// A joined is a client over the tables, whose orders seem large enough to be
// scanned in eight segments.
type joined struct {
	ddb.Client
	segment     int32         // one whose requests are throttled; -1 for none
	throttles   atomic.Int64  // how many are left
	unprocessed bool          // no key of a BatchGetItem is ever processed
	hit         *atomic.Int64 // requests for orders, by the action of the join
	action      string
}

func (j *joined) DescribeTable(ctx context.Context, in *ddb.DescribeTableInput, opts ...func(*ddb.Options)) (*ddb.DescribeTableOutput, error) {
	out, err := j.Client.DescribeTable(ctx, in, opts...)
	if err == nil && *in.TableName == "orders" {
		out.Table.TableSizeBytes, out.Table.ItemCount = aws.Int64(64<<20), aws.Int64(400000)
	}
	return out, err
}

func (j *joined) count(action, table string) {
	if action == j.action && table == "orders" {
		j.hit.Add(1)
	}
}

func (j *joined) Scan(ctx context.Context, in *ddb.ScanInput, opts ...func(*ddb.Options)) (*ddb.ScanOutput, error) {
	j.count("Scan", *in.TableName)
	if in.TotalSegments != nil && *in.TotalSegments == 8 && *in.Segment == j.segment && j.throttles.Add(-1) >= 0 {
		return nil, &types.ProvisionedThroughputExceededException{Message: aws.String("slow down")}
	}
	return j.Client.Scan(ctx, in, opts...)
}

func (j *joined) Query(ctx context.Context, in *ddb.QueryInput, opts ...func(*ddb.Options)) (*ddb.QueryOutput, error) {
	j.count("Query", *in.TableName)
	return j.Client.Query(ctx, in, opts...)
}

func (j *joined) BatchGetItem(ctx context.Context, in *ddb.BatchGetItemInput, opts ...func(*ddb.Options)) (*ddb.BatchGetItemOutput, error) {
	for table := range in.RequestItems {
		j.count("BatchGetItem", table)
	}
	if j.unprocessed {
		return &ddb.BatchGetItemOutput{UnprocessedKeys: in.RequestItems}, nil
	}
	return j.Client.BatchGetItem(ctx, in, opts...)
}

// TestJoinFaults puts each fault into the third request for orders of each
// join (of BatchGetItem the second). The answer is whole, or there is one error
// of the class expected, and nothing hangs.
func TestJoinFaults(t *testing.T) {
	for _, fault := range []struct {
		name      string
		fault     localdb.Fault
		count     int           // requests; 0 for all that follow
		latency   time.Duration // instead of a fault
		class     ddb.Class     // of the error; Other for none
		fails     bool
		segment   int32 // throttled, counted from 1
		keys      bool  // never processed
		onlyIndex bool
		http      bool
	}{
		{name: "none"},
		{name: "throttled", fault: localdb.Throttled, count: 5},
		{name: "one segment throttled", segment: 5, count: 6},
		{name: "throttled for ever", fault: localdb.Throttled, class: ddb.Throttled, fails: true},
		{name: "server errors", fault: localdb.ServerError, count: 2},
		{name: "server errors for ever", fault: localdb.ServerError, fails: true},
		{name: "timeout", latency: 3 * time.Minute, count: 1},
		{name: "connection reset", fault: localdb.CutBody, count: 2, http: true},
		{name: "wrong checksum", fault: localdb.WrongChecksum, count: 2, http: true},
		{name: "credentials expire", fault: localdb.ExpiredCredentials, class: ddb.Expired, fails: true},
		{name: "access denied", fault: localdb.AccessDenied, class: ddb.Denied, fails: true},
		{name: "table deleted", fault: localdb.DeleteTable, class: ddb.NoTable, fails: true},
		{name: "index deleting", fault: localdb.DeleteIndex, class: ddb.NoIndex, fails: true, onlyIndex: true},
		{name: "keys unprocessed for ever", keys: true, fails: true},
	} {
		for _, join := range joins {
			if fault.onlyIndex != strings.Contains(join.name, "index") && fault.onlyIndex ||
				fault.segment > 0 && join.action != "Scan" || fault.keys && join.action != "BatchGetItem" {
				continue
			}
			t.Run(fault.name+"/"+join.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					rule := localdb.Rule{Operation: join.action, Table: "orders", First: 3, Count: fault.count, Fault: fault.fault, Latency: fault.latency}
					switch join.action {
					case "Scan":
						rule.First += samplingScans
					case "BatchGetItem":
						rule.First = 2
					}
					if fault.fault == localdb.NoFault && fault.latency == 0 {
						rule.Operation = "none"
					}
					fixtures, all := tablesOfJoins()
					store := storeWith(t, localdb.Options{PageBytes: 512, IndexDelay: time.Hour, Rules: []localdb.Rule{rule}}, fixtures...)
					c := &joined{Client: store.Client(), segment: fault.segment - 1, unprocessed: fault.keys, action: join.action, hit: new(atomic.Int64)}
					if fault.http {
						c.Client = ddb.OpenTransport(store.Transport())
					}
					c.throttles.Store(int64(fault.count))
					e, err := engine.New(engine.Config{Connections: []engine.Connection{{Client: c}}, Read: read.Options{Jitter: func() float64 { return 0.5 }}})
					if err != nil {
						t.Fatal(err)
					}
					defer e.Close()
					s := e.NewSession()
					defer s.Close()
					got, err := answer(s, join.query)
					if n := c.hit.Load(); n < int64(rule.First) && !fault.keys {
						t.Fatalf("orders are read by %d requests of %s: the fault is not met", n, join.action)
					}
					if fault.fails {
						if err == nil || ddb.Classify(err) != fault.class || !strings.Contains(err.Error(), "orders") && fault.class != ddb.Expired {
							t.Errorf("%d rows, error %v of class %v; want class %v and the table's name", len(got), err, ddb.Classify(err), fault.class)
						}
						return
					}
					var want []string
					for i, row := range all {
						if join.rows(i/25, i%25) {
							want = append(want, row)
						}
					}
					slices.Sort(got)
					slices.Sort(want)
					if err != nil || !slices.Equal(got, want) {
						t.Errorf("%d rows, %v; want %d", len(got), err, len(want))
					}
				})
			})
		}
	}
}
