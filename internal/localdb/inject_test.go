package localdb

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/dynasql/dynasql/internal/ddb"
)

// provisioned makes the fixture's table one with a throughput.
func (f *fixture) provision(read, write int64) {
	f.Helper()
	in := &ddb.UpdateTableInput{TableName: ptr("t-1"), BillingMode: types.BillingModeProvisioned,
		ProvisionedThroughput: &types.ProvisionedThroughput{ReadCapacityUnits: &read, WriteCapacityUnits: &write}}
	for _, g := range f.describe().GlobalSecondaryIndexes {
		in.GlobalSecondaryIndexUpdates = append(in.GlobalSecondaryIndexUpdates, types.GlobalSecondaryIndexUpdate{
			Update: &types.UpdateGlobalSecondaryIndexAction{IndexName: g.IndexName, ProvisionedThroughput: in.ProvisionedThroughput},
		})
	}
	if _, err := f.client.UpdateTable(f.Context(), in); err != nil {
		f.Fatal(err)
	}
}

func TestThrottledReads(t *testing.T) {
	clock := newClock()
	f := newFixture(t, Options{Clock: clock.now, Throttle: true, Burst: 4 * time.Second}, "pk:S sk:N")
	for i := range 10 {
		f.put(ddb.Item{"pk": s("p"), "sk": n(i), "v": s(strings.Repeat("x", 8000))})
	}
	f.provision(5, 5)
	scan := func() error { // 80,000 bytes: 10 units
		_, err := f.client.Scan(t.Context(), &ddb.ScanInput{TableName: ptr("t-1")})
		return err
	}
	if err := scan(); err != nil {
		t.Fatalf("the first read may go beyond the rate: %v", err)
	}
	wantError(t, scan(), "ProvisionedThroughputExceededException", "The level of configured provisioned throughput for the table was exceeded.")
	clock.advance(time.Second) // 10 of 10 units are owed: 5 - 10 + 5 = 0
	wantError(t, scan(), "ProvisionedThroughputExceededException", "")
	clock.advance(200 * time.Millisecond)
	if err := scan(); err != nil {
		t.Errorf("after the debt is paid: %v", err)
	}
	clock.advance(time.Hour) // four seconds of it are kept: 20 units
	for i := range 2 {
		if err := scan(); err != nil {
			t.Errorf("burst read %d: %v", i, err)
		}
	}
	wantError(t, scan(), "ProvisionedThroughputExceededException", "")
}

func TestThrottledBatches(t *testing.T) {
	clock := newClock()
	f := newFixture(t, Options{Clock: clock.now, Throttle: true}, "pk:S")
	f.provision(2, 3)
	write := func() (*ddb.BatchWriteItemOutput, error) {
		var requests []types.WriteRequest
		for i := range 5 {
			requests = append(requests, types.WriteRequest{PutRequest: &types.PutRequest{Item: ddb.Item{"pk": s(strconv.Itoa(i))}}})
		}
		return f.client.BatchWriteItem(t.Context(), &ddb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"t-1": requests}})
	}
	out, err := write()
	if err != nil || len(out.UnprocessedItems["t-1"]) != 2 {
		t.Errorf("got %v, %v, want 2 unprocessed of 5", out, err)
	}
	_, err = write()
	wantError(t, err, "ProvisionedThroughputExceededException", "")
	keys := []ddb.Item{{"pk": s("0")}, {"pk": s("1")}, {"pk": s("2")}, {"pk": s("3")}, {"pk": s("4")}}
	got, err := f.client.BatchGetItem(t.Context(), &ddb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{"t-1": {Keys: keys, ConsistentRead: ptr(true)}}})
	if err != nil || len(got.UnprocessedKeys["t-1"].Keys) != 3 {
		t.Errorf("got %v, %v, want 3 unprocessed of 5", got, err)
	}
}

func TestThrottledIndex(t *testing.T) {
	clock := newClock()
	f := newFixture(t, Options{Clock: clock.now, Throttle: true}, "pk:S", "gsi by-kind kind:S")
	f.provision(1, 1)
	query := func() error {
		_, err := f.client.Query(t.Context(), &ddb.QueryInput{TableName: ptr("t-1"), IndexName: ptr("by-kind"), KeyConditionExpression: ptr("kind = :k"), ExpressionAttributeValues: ddb.Item{":k": s("k")}})
		return err
	}
	for range 2 {
		if err := query(); err != nil {
			t.Fatal(err)
		}
	}
	wantError(t, query(), "ProvisionedThroughputExceededException", "one or more global secondary indexes of the table was exceeded")
	if _, err := f.client.Scan(t.Context(), &ddb.ScanInput{TableName: ptr("t-1")}); err != nil {
		t.Errorf("the table has its own throughput: %v", err)
	}
}

func TestThrottledPartition(t *testing.T) {
	clock := newClock()
	f := newFixture(t, Options{Clock: clock.now, Throttle: true, Burst: time.Second}, "pk:S sk:N")
	for i := range 8 {
		f.put(ddb.Item{"pk": s("p"), "sk": n(i), "v": s(strings.Repeat("x", 390_000))})
		clock.advance(time.Second)
	}
	read := func() error { // 780,000 bytes, consistently: 191 units
		_, err := f.client.Query(t.Context(), &ddb.QueryInput{TableName: ptr("t-1"), Limit: ptr[int32](2), ConsistentRead: ptr(true), KeyConditionExpression: ptr("pk = :p"), ExpressionAttributeValues: ddb.Item{":p": s("p")}})
		return err
	}
	reads := 0
	for err := error(nil); err == nil; reads++ {
		if err = read(); err != nil {
			wantError(t, err, "ThrottlingException", "check if you have a hot key")
		}
	}
	if want := 3000/191 + 2; reads != want {
		t.Errorf("the partition refused read %d, want %d", reads, want)
	}
}

func TestRules(t *testing.T) {
	for _, tt := range []struct {
		fault Fault
		code  string // of the SDK client's error
		part  string
	}{
		{ServerError, "InternalServerError", "Internal server error"},
		{Throttled, "ProvisionedThroughputExceededException", "provisioned throughput"},
		{RequestThrottled, "ThrottlingException", "Rate of requests"},
		{ExpiredCredentials, "ExpiredTokenException", "expired"},
		{AccessDenied, "AccessDeniedException", "is not authorized to perform: dynamodb:Scan on resource: arn:aws:dynamodb:local:000000000000:table/t-1"},
		{DeleteTable, "ResourceNotFoundException", "Requested resource not found"},
		{DeleteIndex, "ValidationException", "The table does not have the specified index: by-kind"},
	} {
		t.Run(tt.code, func(t *testing.T) {
			f := newFixture(t, Options{Rules: []Rule{{Operation: "Scan", Table: "t-1", Index: "by-kind", First: 2, Count: 1, Fault: tt.fault}}}, "pk:S", "gsi by-kind kind:S")
			overHTTP := ddb.OpenTransport(f.store.Transport())
			scan := func(c ddb.Client) error {
				_, err := c.Scan(t.Context(), &ddb.ScanInput{TableName: ptr("t-1"), IndexName: ptr("by-kind")}, ddb.Once)
				return err
			}
			if err := scan(f.client); err != nil {
				t.Fatalf("first scan: %v", err)
			}
			wantError(t, scan(overHTTP), tt.code, tt.part)
			if gone := tt.fault == DeleteTable || tt.fault == DeleteIndex; !gone {
				if err := scan(f.client); err != nil {
					t.Errorf("third scan: %v", err)
				}
			}
		})
	}
}

func TestRuleProbabilityFollowsTheSeed(t *testing.T) {
	run := func(seed uint64) string {
		f := newFixture(t, Options{Seed: seed, Rules: []Rule{{Operation: "GetItem", Probability: 0.5, Fault: ServerError}}}, "pk:S")
		var outcome strings.Builder
		for range 40 {
			if _, err := f.client.GetItem(t.Context(), &ddb.GetItemInput{TableName: ptr("t-1"), Key: ddb.Item{"pk": s("a")}}); err != nil {
				outcome.WriteByte('x')
			} else {
				outcome.WriteByte('.')
			}
		}
		return outcome.String()
	}
	first := run(1)
	if again := run(1); again != first {
		t.Errorf("seed 1 gave %s, then %s", first, again)
	}
	if other := run(2); other == first {
		t.Errorf("seeds 1 and 2 both gave %s", first)
	}
	if !strings.Contains(first, "x") || !strings.Contains(first, ".") {
		t.Errorf("probability 0.5 gave %s", first)
	}
}

func TestBrokenResponses(t *testing.T) {
	for _, fault := range []Fault{CutBody, WrongChecksum} {
		f := newFixture(t, Options{Rules: []Rule{{Operation: "Scan", Fault: fault}}}, "pk:S")
		f.put(ddb.Item{"pk": s("a")})
		_, err := f.client.Scan(t.Context(), &ddb.ScanInput{TableName: ptr("t-1")})
		var broken *smithy.DeserializationError
		if !errors.As(err, &broken) {
			t.Errorf("fault %d in process: got %v", fault, err)
		}
	}
	f := newFixture(t, Options{Rules: []Rule{{Operation: "Scan", Fault: CutBody}}}, "pk:S")
	_, err := ddb.OpenTransport(f.store.Transport()).Scan(t.Context(), &ddb.ScanInput{TableName: ptr("t-1")}, ddb.Once)
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a cut body: got %v", err)
	}
}

func TestLatency(t *testing.T) {
	var waited []time.Duration
	sleep := func(_ context.Context, d time.Duration) error {
		waited = append(waited, d)
		return nil
	}
	f := newFixture(t, Options{Sleep: sleep, Latency: time.Millisecond, PageLatency: 20 * time.Millisecond,
		Rules: []Rule{{Operation: "Scan", Count: 1, Latency: time.Second}}}, "pk:S")
	waited = nil
	f.scan(&ddb.ScanInput{})
	f.scan(&ddb.ScanInput{})
	f.put(ddb.Item{"pk": s("a")})
	want := []time.Duration{1021 * time.Millisecond, 21 * time.Millisecond, time.Millisecond}
	for i := range want {
		if i >= len(waited) || waited[i] != want[i] {
			t.Fatalf("waited %v, want %v", waited, want)
		}
	}
}

func TestCancelledRequest(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := newFixture(t, Options{}, "pk:S")
	f.store.opts.Sleep = func(ctx context.Context, _ time.Duration) error { cancel(); return ctx.Err() }
	f.store.opts.Latency = time.Hour
	for _, c := range []ddb.Client{f.client, ddb.OpenTransport(f.store.Transport())} {
		if _, err := c.Scan(ctx, &ddb.ScanInput{TableName: ptr("t-1")}); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want context.Canceled", err)
		}
	}
}

func TestIndexLag(t *testing.T) {
	clock := newClock()
	f := newFixture(t, Options{Clock: clock.now, IndexLag: time.Second}, "pk:S sk:S", "gsi by-kind kind:S", "lsi by-date date:S")
	in := func(index string) int32 {
		return f.scan(&ddb.ScanInput{IndexName: &index}).Count
	}
	f.put(ddb.Item{"pk": s("a"), "sk": s("1"), "kind": s("k"), "date": s("d")})
	if got := in("by-kind"); got != 0 {
		t.Errorf("the write shows in the global index at once")
	}
	if got := in("by-date"); got != 1 {
		t.Errorf("the write does not show in the local index")
	}
	clock.advance(time.Second)
	f.put(ddb.Item{"pk": s("a"), "sk": s("1"), "date": s("d")})
	if got := in("by-kind"); got != 1 {
		t.Errorf("after a second: got %d items in the global index, want the one of before", got)
	}
	clock.advance(time.Second)
	if got := in("by-kind"); got != 0 {
		t.Errorf("after two seconds: got %d items in the global index, want none", got)
	}
}
