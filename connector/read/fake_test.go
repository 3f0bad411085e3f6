package read

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/connector/access"
	"github.com/dynasql/dynasql/connector/schema"
	"github.com/dynasql/dynasql/internal/ddb"
)

// fake is a scripted DynamoDB with one table of hash key pk (S) and sort key sk
// (N). It answers in pages of a number of items, whatever the filter, and does
// not evaluate expressions beyond the hash key of a Query.
type fake struct {
	ddb.Reader // nil: an unexpected call panics

	mu       sync.Mutex
	items    []ddb.Item // in table order
	perPage  int        // items a page; 0 is all
	perItem  float64    // read units an item
	rate     int64      // provisioned, as DescribeTable tells
	calls    []string   // actions in the order of their arrival
	inFlight int
	most     int     // requests at the same time
	consumed float64 // read units

	// before, when set, may fail or delay the n-th call (from 1) of an action.
	before func(ctx context.Context, action string, n int) error
	// keep, when set, drops items after reading, as a filter does.
	keep func(ddb.Item) bool
	// unprocessed, when set, is how many of the keys of the n-th BatchGetItem are
	// left out.
	unprocessed func(n, keys int) int
}

func key(pk string, sk int) ddb.Item {
	return ddb.Item{"pk": &types.AttributeValueMemberS{Value: pk}, "sk": &types.AttributeValueMemberN{Value: fmt.Sprint(sk)}}
}

func item(pk string, sk int) ddb.Item {
	i := key(pk, sk)
	i["v"] = &types.AttributeValueMemberS{Value: fmt.Sprintf("%s/%d", pk, sk)}
	return i
}

// many are n items each of the hash keys a, b, c, ...
func many(hashes, n int) []ddb.Item {
	var items []ddb.Item
	for h := range hashes {
		for sk := range n {
			items = append(items, item(string(rune('a'+h)), sk))
		}
	}
	return items
}

func name(i ddb.Item) string {
	sk := "?"
	if n, ok := i["sk"].(*types.AttributeValueMemberN); ok {
		sk = n.Value
	}
	return i["pk"].(*types.AttributeValueMemberS).Value + sk
}

func (f *fake) enter(ctx context.Context, action string) error {
	f.mu.Lock()
	f.calls = append(f.calls, action)
	n := f.count(action)
	f.inFlight++
	f.most = max(f.most, f.inFlight)
	before := f.before
	f.mu.Unlock()
	defer func() { f.mu.Lock(); f.inFlight--; f.mu.Unlock() }()
	if before != nil {
		if err := before(ctx, action, n); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (f *fake) count(action string) int {
	n := 0
	for _, c := range f.calls {
		if c == action {
			n++
		}
	}
	return n
}

func (f *fake) total() int { f.mu.Lock(); defer f.mu.Unlock(); return len(f.calls) }

type (
	queryInput  = ddb.QueryInput
	queryOutput = ddb.QueryOutput
	options     = ddb.Options
)

func (f *fake) capacity(items int) *types.ConsumedCapacity {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.consumed += float64(items) * cmp.Or(f.perItem, 1)
	return &types.ConsumedCapacity{CapacityUnits: aws.Float64(float64(items) * cmp.Or(f.perItem, 1))}
}

// page cuts items to one page after the key from.
func (f *fake) page(items []ddb.Item, from ddb.Item, limit *int32) (out []ddb.Item, read int, last ddb.Item) {
	if from != nil {
		at := slices.IndexFunc(items, func(i ddb.Item) bool { return name(i) == name(from) })
		items = items[at+1:]
	}
	n := len(items)
	if f.perPage > 0 {
		n = min(n, f.perPage)
	}
	if limit != nil {
		n = min(n, int(*limit))
	}
	if n < len(items) || limit != nil && n == int(*limit) && n > 0 { // like DynamoDB, also at the very end
		last = key(items[n-1]["pk"].(*types.AttributeValueMemberS).Value, 0)
		last["sk"] = items[n-1]["sk"]
	}
	for _, i := range items[:n] {
		if f.keep == nil || f.keep(i) {
			out = append(out, i)
		}
	}
	return out, n, last
}

func (f *fake) Query(ctx context.Context, in *ddb.QueryInput, _ ...func(*ddb.Options)) (*ddb.QueryOutput, error) {
	if err := f.enter(ctx, "Query"); err != nil {
		return nil, err
	}
	hash := in.ExpressionAttributeValues[":v0"].(*types.AttributeValueMemberS).Value
	var items []ddb.Item
	for _, i := range f.items {
		if i["pk"].(*types.AttributeValueMemberS).Value == hash {
			items = append(items, i)
		}
	}
	if in.ScanIndexForward != nil && !*in.ScanIndexForward {
		items = slices.Clone(items)
		slices.Reverse(items)
	}
	out, n, last := f.page(items, in.ExclusiveStartKey, in.Limit)
	q := &ddb.QueryOutput{Items: out, Count: int32(len(out)), ScannedCount: int32(n), LastEvaluatedKey: last, ConsumedCapacity: f.capacity(n)}
	if in.Select == types.SelectCount {
		q.Items = nil
	}
	return q, nil
}

func (f *fake) Scan(ctx context.Context, in *ddb.ScanInput, _ ...func(*ddb.Options)) (*ddb.ScanOutput, error) {
	if err := f.enter(ctx, "Scan"); err != nil {
		return nil, err
	}
	items := f.items
	if in.TotalSegments != nil {
		n, k := int(*in.TotalSegments), int(*in.Segment)
		items = items[k*len(items)/n : (k+1)*len(items)/n]
	}
	out, n, last := f.page(items, in.ExclusiveStartKey, in.Limit)
	s := &ddb.ScanOutput{Items: out, Count: int32(len(out)), ScannedCount: int32(n), LastEvaluatedKey: last, ConsumedCapacity: f.capacity(n)}
	if in.Select == types.SelectCount {
		s.Items = nil
	}
	return s, nil
}

func (f *fake) GetItem(ctx context.Context, in *ddb.GetItemInput, _ ...func(*ddb.Options)) (*ddb.GetItemOutput, error) {
	if err := f.enter(ctx, "GetItem"); err != nil {
		return nil, err
	}
	out := &ddb.GetItemOutput{ConsumedCapacity: f.capacity(1)}
	for _, i := range f.items {
		if name(i) == name(in.Key) {
			out.Item = i
		}
	}
	return out, nil
}

func (f *fake) BatchGetItem(ctx context.Context, in *ddb.BatchGetItemInput, _ ...func(*ddb.Options)) (*ddb.BatchGetItemOutput, error) {
	if err := f.enter(ctx, "BatchGetItem"); err != nil {
		return nil, err
	}
	out := &ddb.BatchGetItemOutput{Responses: map[string][]map[string]types.AttributeValue{}}
	for table, k := range in.RequestItems {
		keys := k.Keys
		if len(keys) > 100 {
			return nil, fmt.Errorf("%d keys", len(keys))
		}
		left := 0
		f.mu.Lock()
		if f.unprocessed != nil {
			left = f.unprocessed(f.count("BatchGetItem"), len(keys))
		}
		f.mu.Unlock()
		if left > 0 {
			out.UnprocessedKeys = map[string]types.KeysAndAttributes{table: {Keys: keys[:left]}}
		}
		for _, i := range f.items { // in table order, not in that of the keys
			if slices.ContainsFunc(keys[left:], func(k ddb.Item) bool { return name(k) == name(i) }) {
				out.Responses[table] = append(out.Responses[table], i)
			}
		}
		out.ConsumedCapacity = []types.ConsumedCapacity{*f.capacity(len(keys) - left)}
	}
	return out, nil
}

func (f *fake) DescribeTable(ctx context.Context, _ *ddb.DescribeTableInput, _ ...func(*ddb.Options)) (*ddb.DescribeTableOutput, error) {
	if err := f.enter(ctx, "DescribeTable"); err != nil {
		return nil, err
	}
	return &ddb.DescribeTableOutput{Table: &types.TableDescription{
		ProvisionedThroughput: &types.ProvisionedThroughputDescription{ReadCapacityUnits: aws.Int64(f.rate)},
	}}, nil
}

var table = &schema.Table{
	Name: "orders",
	Key:  schema.Key{Hash: schema.Attr{Name: "pk", Kind: schema.S}, Sort: schema.Attr{Name: "sk", Kind: schema.N}},
	Indexes: []schema.Index{{Name: "by", Global: true, Active: true,
		Key: schema.Key{Hash: schema.Attr{Name: "pk", Kind: schema.S}, Sort: schema.Attr{Name: "sk", Kind: schema.N}}}},
	Columns: []schema.Column{{Name: "pk", Attribute: "pk"}, {Name: "sk", Attribute: "sk"}, {Name: "v", Attribute: "v"}},
	Items:   1, SizeBytes: 8192, // one read unit an item, as the fake
}

// sized is the table with another size.
func sized(bytes int64) *schema.Table {
	t := *table
	t.Items, t.SizeBytes = bytes/8192, bytes
	return &t
}

func hash(pk string) access.KeyCond { return access.KeyCond{Hash: schema.Str(pk)} }

func full(pk string, sk int) access.KeyCond {
	return access.KeyCond{Hash: schema.Str(pk), Sort: &access.SortCond{Op: access.Eq, Lo: schema.Num(fmt.Sprint(sk))}}
}

func throttle() error {
	return &types.ProvisionedThroughputExceededException{Message: aws.String("slow down")}
}

// outcome is what a stream gave.
type outcome struct {
	names []string
	count int64
	err   error
}

func run(ctx context.Context, t *testing.T, f *fake, p access.Plan, l Limits) (outcome, *Statement) {
	t.Helper()
	st := NewStatement(l)
	return runOn(ctx, t, New(f, Options{Jitter: half}), p, st), st
}

func half() float64 { return 0.5 }

func runOn(ctx context.Context, t *testing.T, r *Reader, p access.Plan, st *Statement) outcome {
	t.Helper()
	if p.Table == nil {
		p.Table = table
	}
	s, err := r.Open(ctx, p, st)
	if err != nil {
		return outcome{err: err}
	}
	defer s.Close()
	var o outcome
	for {
		batch, count, err := s.NextBatch()
		if err != nil {
			if err != io.EOF {
				o.err = err
			}
			return o
		}
		o.count += count
		for row := range batch.Rows() {
			item, err := batch.ItemMap(row)
			if err != nil {
				t.Error(err)
			}
			o.names = append(o.names, name(item))
		}
	}
}

func (o outcome) list() string { return strings.Join(o.names, " ") }

func sorted(names []string) []string { return slices.Sorted(slices.Values(names)) }

func namesOf(items []ddb.Item) []string {
	var names []string
	for _, i := range items {
		names = append(names, name(i))
	}
	return names
}

// checkGoroutines fails the test when goroutines are left that were not there.
func checkGoroutines(t *testing.T) {
	before := runtime.NumGoroutine()
	t.Cleanup(func() {
		for range 200 {
			if runtime.NumGoroutine() <= before {
				return
			}
			runtime.Gosched()
			time.Sleep(time.Millisecond)
		}
		t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
	})
}
