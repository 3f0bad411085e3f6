package read

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/connector/access"
	"github.com/dynasql/dynasql/connector/schema"
	"github.com/dynasql/dynasql/internal/ddb"
	"github.com/dynasql/dynasql/internal/localdb"
)

// stored is a table of the embedded store: 8 hash keys of 25 items, and an index
// on status, which every item has, that holds keys only.
var stored = &schema.Table{
	Name: "orders",
	Key:  schema.Key{Hash: schema.Attr{Name: "pk", Kind: schema.S}, Sort: schema.Attr{Name: "sk", Kind: schema.N}},
	Indexes: []schema.Index{{Name: "by_status", Global: true, Active: true,
		Key: schema.Key{Hash: schema.Attr{Name: "status", Kind: schema.S}, Sort: schema.Attr{Name: "sk", Kind: schema.N}}}},
	Items: 200, SizeBytes: 64 << 20, // enough for eight segments
	Columns: []schema.Column{{Attribute: "pk"}, {Attribute: "sk"}, {Attribute: "status"}, {Attribute: "v"}},
}

func newStore(t *testing.T, o localdb.Options) (*localdb.Store, []ddb.Item) {
	t.Helper()
	o.PageBytes = 512
	store := localdb.Open(o)
	c := store.Client()
	scalar := func(n string, k types.ScalarAttributeType) types.AttributeDefinition {
		return types.AttributeDefinition{AttributeName: aws.String(n), AttributeType: k}
	}
	keys := func(hash string) []types.KeySchemaElement {
		return []types.KeySchemaElement{{AttributeName: aws.String(hash), KeyType: types.KeyTypeHash}, {AttributeName: aws.String("sk"), KeyType: types.KeyTypeRange}}
	}
	_, err := c.CreateTable(context.Background(), &ddb.CreateTableInput{
		TableName: aws.String("orders"), BillingMode: types.BillingModePayPerRequest, KeySchema: keys("pk"),
		AttributeDefinitions: []types.AttributeDefinition{scalar("pk", "S"), scalar("sk", "N"), scalar("status", "S")},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{IndexName: aws.String("by_status"), KeySchema: keys("status"),
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	items := many(8, 25)
	for _, i := range items {
		i["status"] = &types.AttributeValueMemberS{Value: "NEW"}
		i["v"] = &types.AttributeValueMemberS{Value: strings.Repeat("v", 60)}
		if _, err := c.PutItem(context.Background(), &ddb.PutItemInput{TableName: aws.String("orders"), Item: i}); err != nil {
			t.Fatal(err)
		}
	}
	return store, items
}

// shapes are the plans of the matrix, with the operation that faults are aimed
// at and the number of rows.
var shapes = []struct {
	name   string
	action string
	plan   access.Plan
	rows   int
}{
	{"query", "Query", access.Plan{Op: access.Query, Keys: []access.KeyCond{hash("a")}}, 25},
	{"queries merged", "Query", access.Plan{Op: access.Query, Keys: []access.KeyCond{hash("a"), hash("c"), hash("b")}, Merge: true, Ordered: true}, 75},
	{"scan", "Scan", access.Plan{Op: access.Scan}, 200},
	{"batch", "BatchGetItem", access.Plan{Op: access.BatchGetItem, Keys: everyKey(8, 25)}, 200},
	{"index query", "Query", access.Plan{Op: access.Query, Index: "by_status", Keys: []access.KeyCond{hash("NEW")}, Project: paths("pk", "sk")}, 200},
	{"index completed", "BatchGetItem", access.Plan{Op: access.Query, Index: "by_status", Keys: []access.KeyCond{hash("NEW")}, Complete: true, Ordered: true}, 200},
}

func everyKey(hashes, n int) []access.KeyCond {
	var keys []access.KeyCond
	for h := range hashes {
		for sk := range n {
			keys = append(keys, full(string(rune('a'+h)), sk))
		}
	}
	return keys
}

func paths(names ...string) []access.Path {
	var out []access.Path
	for _, n := range names {
		out = append(out, access.Path{Attribute: n})
	}
	return out
}

// Each fault hits the third request of the operation, or the second. Rows come each once, or
// there is one error of the expected class and nothing hangs.
func TestFaultMatrix(t *testing.T) {
	faults := []struct {
		name  string
		fault localdb.Fault
		count int
		class ddb.Class // Other: none
		only  string    // "index" needs an index, "http" a body
	}{
		{name: "none"},
		{name: "server error", fault: localdb.ServerError, count: 2},
		{name: "throttled", fault: localdb.Throttled, count: 5},
		{name: "request throttled", fault: localdb.RequestThrottled, count: 5},
		{name: "cut body", fault: localdb.CutBody, count: 2},
		{name: "wrong checksum", fault: localdb.WrongChecksum, count: 2},
		{name: "slow", count: 1},
		{name: "server error for ever", fault: localdb.ServerError, class: ddb.Other},
		{name: "throttled for ever", fault: localdb.Throttled, class: ddb.Throttled},
		{name: "expired", fault: localdb.ExpiredCredentials, class: ddb.Expired},
		{name: "denied", fault: localdb.AccessDenied, class: ddb.Denied},
		{name: "table deleted", fault: localdb.DeleteTable, class: ddb.NoTable},
		{name: "index deleted", fault: localdb.DeleteIndex, class: ddb.NoIndex, only: "index"},
	}
	faces := map[string]func(*localdb.Store) ddb.Client{
		"in process": func(s *localdb.Store) ddb.Client { return s.Client() },
		"http":       func(s *localdb.Store) ddb.Client { return ddb.OpenTransport(s.Transport()) },
	}
	for _, fault := range faults {
		for _, shape := range shapes {
			for face, open := range faces {
				if fault.only == "index" && shape.name != "index query" {
					continue
				}
				t.Run(fmt.Sprintf("%s/%s/%s", fault.name, shape.name, face), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						rule := localdb.Rule{Operation: shape.action, First: 3, Count: fault.count, Fault: fault.fault}
						if shape.action == "BatchGetItem" { // of which there are two
							rule.First = 2
						}
						if fault.name == "slow" {
							rule.Latency = 3 * time.Minute
						}
						if fault.name == "none" {
							rule.Operation = "none"
						}
						store, items := newStore(t, localdb.Options{Rules: []localdb.Rule{rule}})
						plan := shape.plan
						plan.Table = stored
						r := New(open(store), Options{Jitter: half})
						got := runOn(t.Context(), t, r, plan, NewStatement(Limits{}))
						if fault.class != ddb.Other || strings.HasSuffix(fault.name, "for ever") {
							checkFailure(t, got, fault.class, shape.rows)
							return
						}
						checkRows(t, got, shape.rows, items)
					})
				})
			}
		}
	}
}

func checkFailure(t *testing.T, got outcome, class ddb.Class, rows int) {
	t.Helper()
	if got.err == nil || ddb.Classify(got.err) != class {
		t.Errorf("error %v of class %v, want class %v", got.err, ddb.Classify(got.err), class)
	}
	var e *ddb.Error
	if !errors.As(got.err, &e) || !strings.Contains(got.err.Error(), "orders") && class != ddb.Expired {
		t.Errorf("the error does not name the table: %v", got.err)
	}
	if len(got.names) >= rows || len(slices.Compact(sorted(got.names))) != len(got.names) {
		t.Errorf("%d rows, some doubled or none missing", len(got.names))
	}
}

func checkRows(t *testing.T, got outcome, rows int, items []ddb.Item) {
	t.Helper()
	names := slices.Compact(sorted(got.names))
	if got.err != nil || len(got.names) != rows || len(names) != rows {
		t.Errorf("%d rows, %d of them distinct, %v; want %d", len(got.names), len(names), got.err, rows)
	}
	all := namesOf(items)
	for _, n := range names {
		if !slices.Contains(all, n) {
			t.Errorf("row %s was never stored", n)
		}
	}
}

// Whoever leaves in the middle leaves no request behind.
func TestLeavingInTheMiddle(t *testing.T) {
	for _, shape := range shapes {
		t.Run(shape.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store, _ := newStore(t, localdb.Options{PageLatency: 50 * time.Millisecond, Latency: 10 * time.Millisecond})
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(25*time.Millisecond, cancel)
				plan := shape.plan
				plan.Table = stored
				s, err := New(store.Client(), Options{}).Open(ctx, plan, NewStatement(Limits{}))
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				started := time.Now()
				for err == nil {
					_, _, err = s.NextBatch()
				}
				if err != io.EOF && !errors.Is(err, context.Canceled) {
					t.Errorf("error %v", err)
				}
				if d := time.Since(started); d > 30*time.Millisecond {
					t.Errorf("returned after %v", d)
				}
			})
		})
	}
}
