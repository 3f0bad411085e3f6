package localdb

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/ddb"
	"github.com/dynasql/dynasql/internal/localdb/attr"
)

func TestQuerySortKeyOrder(t *testing.T) {
	for _, tt := range []struct {
		name string
		kind string
		keys []types.AttributeValue
		want []string
	}{
		{"numbers by value", "N", []types.AttributeValue{n(100), n(-5), n(0), n("1e2"), n("0.1"), n("-1E+2"), n(10), n("-0")}, []string{"-100", "-5", "0", "0.1", "10", "100"}},
		{"strings by bytes", "S", []types.AttributeValue{s("b"), s("a"), s("aa"), s("B"), s("é"), s("a\x00")}, []string{"B", "a", "a\x00", "aa", "b", "é"}},
		{"binary by bytes", "B", []types.AttributeValue{b("\xff"), b("\x00"), b("\x7f\x01"), b("\x7f")}, []string{"\x00", "\x7f", "\x7f\x01", "\xff"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t, Options{}, "pk:S sk:"+tt.kind)
			for _, k := range tt.keys {
				f.put(ddb.Item{"pk": s("p"), "sk": k}, ddb.Item{"pk": s("q"), "sk": k})
			}
			in := &ddb.QueryInput{KeyConditionExpression: ptr("pk = :p"), ExpressionAttributeValues: ddb.Item{":p": s("p")}}
			if got := column(f.query(in).Items, "sk"); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("forward\n got %q\nwant %q", got, tt.want)
			}
			in.ScanIndexForward = ptr(false)
			got := column(f.query(in).Items, "sk")
			for i := range got {
				if got[i] != tt.want[len(tt.want)-1-i] {
					t.Fatalf("backward\n got %q\nwant the reverse of %q", got, tt.want)
				}
			}
		})
	}
}

func TestQueryKeyConditions(t *testing.T) {
	f := newFixture(t, Options{}, "pk:S sk:S")
	for _, k := range []string{"a", "ab", "abc", "b", "ba", "c"} {
		f.put(ddb.Item{"pk": s("p"), "sk": s(k)})
	}
	for _, tt := range []struct {
		condition string
		a, b      string
		want      string
	}{
		{"sk = :a", "ab", "", "ab"},
		{"sk < :a", "b", "", "a ab abc"},
		{"sk <= :a", "b", "", "a ab abc b"},
		{"sk > :a", "b", "", "ba c"},
		{"sk >= :a", "b", "", "b ba c"},
		{"sk BETWEEN :a AND :b", "ab", "ba", "ab abc b ba"},
		{"begins_with(sk, :a)", "ab", "", "ab abc"},
		{":a < sk", "b", "", "ba c"},
	} {
		for _, limit := range []int{0, 1, 2} {
			t.Run(fmt.Sprintf("%s limit %d", tt.condition, limit), func(t *testing.T) {
				values := ddb.Item{":p": s("p"), ":a": s(tt.a)}
				if tt.b != "" {
					values[":b"] = s(tt.b)
				}
				for _, forward := range []bool{true, false} {
					var got []string
					in := &ddb.QueryInput{KeyConditionExpression: ptr("pk = :p AND " + tt.condition), ExpressionAttributeValues: values, ScanIndexForward: &forward}
					if limit > 0 {
						in.Limit = ptr(int32(limit))
					}
					for {
						out := f.query(in)
						got = append(got, column(out.Items, "sk")...)
						if in.ExclusiveStartKey = out.LastEvaluatedKey; in.ExclusiveStartKey == nil {
							break
						}
					}
					if !forward {
						for i, j := 0, len(got)-1; i < j; i, j = i+1, j-1 {
							got[i], got[j] = got[j], got[i]
						}
					}
					if strings.Join(got, " ") != tt.want {
						t.Errorf("forward %v: got %q, want %q", forward, got, tt.want)
					}
				}
			})
		}
	}
}

func TestScanPagesAndSegments(t *testing.T) {
	f := newFixture(t, Options{PageBytes: 300}, "pk:S", "gsi by-kind kind:S n:N KEYS_ONLY")
	for i := range 100 {
		item := ddb.Item{"pk": s("item" + strconv.Itoa(i)), "n": n(i), "text": s("some text")}
		if i%3 == 0 {
			item["kind"] = s("third")
		}
		f.put(item)
	}
	for _, tt := range []struct {
		name  string
		in    ddb.ScanInput
		total int
		want  int
	}{
		{"whole table", ddb.ScanInput{}, 1, 100},
		{"three segments", ddb.ScanInput{}, 3, 100},
		{"more segments than items", ddb.ScanInput{}, 1000, 100},
		{"limit one", ddb.ScanInput{Limit: ptr[int32](1)}, 4, 100},
		{"sparse index", ddb.ScanInput{IndexName: ptr("by-kind")}, 2, 34},
		{"sparse index limit two", ddb.ScanInput{IndexName: ptr("by-kind"), Limit: ptr[int32](2)}, 1, 34},
	} {
		t.Run(tt.name, func(t *testing.T) {
			seen := map[string]int{}
			for segment := range tt.total {
				in := tt.in
				in.Segment, in.TotalSegments = ptr(int32(segment)), ptr(int32(tt.total))
				for {
					out := f.scan(&in)
					for _, pk := range column(out.Items, "pk") {
						seen[pk]++
					}
					if in.Limit != nil && out.ScannedCount > *in.Limit {
						t.Errorf("page of %d items with limit %d", out.ScannedCount, *in.Limit)
					}
					if in.ExclusiveStartKey = out.LastEvaluatedKey; in.ExclusiveStartKey == nil {
						break
					}
				}
			}
			if len(seen) != tt.want {
				t.Errorf("got %d items, want %d", len(seen), tt.want)
			}
			for pk, times := range seen {
				if times != 1 {
					t.Errorf("%s was read %d times", pk, times)
				}
			}
		})
	}
}

func TestLastEvaluatedKey(t *testing.T) {
	f := newFixture(t, Options{PageBytes: 1000}, "pk:S sk:N", "gsi by-kind kind:S", "lsi by-date date:S")
	for i := range 3 {
		f.put(ddb.Item{"pk": s("p"), "sk": n(i), "kind": s("k"), "date": s("d"), "v": s(strings.Repeat("x", 400))})
	}
	pk := ddb.Item{":p": s("p")}
	for _, tt := range []struct {
		name string
		in   ddb.QueryInput
		want string // attributes of the key, or "-" for none
	}{
		{"no limit reached", ddb.QueryInput{KeyConditionExpression: ptr("pk = :p AND sk < :two"), ExpressionAttributeValues: ddb.Item{":p": s("p"), ":two": n(2)}}, "-"},
		{"limit beyond the end", ddb.QueryInput{KeyConditionExpression: ptr("pk = :p AND sk < :two"), ExpressionAttributeValues: ddb.Item{":p": s("p"), ":two": n(2)}, Limit: ptr[int32](3)}, "-"},
		{"limit at the very end", ddb.QueryInput{KeyConditionExpression: ptr("pk = :p AND sk > :z"), ExpressionAttributeValues: ddb.Item{":p": s("p"), ":z": n(0)}, Limit: ptr[int32](2)}, "pk,sk"},
		{"page full by size", ddb.QueryInput{KeyConditionExpression: ptr("pk = :p"), ExpressionAttributeValues: pk}, "pk,sk"},
		{"filter keeps nothing", ddb.QueryInput{KeyConditionExpression: ptr("pk = :p"), FilterExpression: ptr("v = :p"), ExpressionAttributeValues: pk, Limit: ptr[int32](1)}, "pk,sk"},
		{"global index", ddb.QueryInput{IndexName: ptr("by-kind"), KeyConditionExpression: ptr("kind = :k"), ExpressionAttributeValues: ddb.Item{":k": s("k")}, Limit: ptr[int32](1)}, "kind,pk,sk"},
		{"local index", ddb.QueryInput{IndexName: ptr("by-date"), KeyConditionExpression: ptr("pk = :p"), ExpressionAttributeValues: pk, Limit: ptr[int32](1)}, "date,pk,sk"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := "-"
			if key := f.query(&tt.in).LastEvaluatedKey; key != nil {
				got = strings.Join(slices.Sorted(maps.Keys(key)), ",")
			}
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestExclusiveStartKeyRefused(t *testing.T) {
	f := newFixture(t, Options{}, "pk:S sk:N", "gsi by-kind kind:S")
	p := ddb.Item{":p": s("p")}
	for _, tt := range []struct {
		name  string
		query *ddb.QueryInput
		scan  *ddb.ScanInput
		want  string
	}{
		{"not the key", &ddb.QueryInput{KeyConditionExpression: ptr("pk = :p"), ExpressionAttributeValues: p, ExclusiveStartKey: ddb.Item{"pk": s("p")}}, nil,
			"The provided starting key is invalid"},
		{"another hash key", &ddb.QueryInput{KeyConditionExpression: ptr("pk = :p"), ExpressionAttributeValues: p, ExclusiveStartKey: ddb.Item{"pk": s("q"), "sk": n(1)}}, nil,
			"The provided starting key is outside query boundaries based on provided conditions"},
		{"outside the condition", &ddb.QueryInput{KeyConditionExpression: ptr("pk = :p AND sk > :n"), ExpressionAttributeValues: ddb.Item{":p": s("p"), ":n": n(5)}, ExclusiveStartKey: ddb.Item{"pk": s("p"), "sk": n(1)}}, nil,
			"The provided starting key does not match the range key predicate"},
		{"key without the index's", nil, &ddb.ScanInput{IndexName: ptr("by-kind"), ExclusiveStartKey: ddb.Item{"pk": s("p"), "sk": n(1)}},
			"The provided starting key is invalid"},
		{"another segment", nil, &ddb.ScanInput{Segment: ptr(otherSegment("p")), TotalSegments: ptr[int32](2), ExclusiveStartKey: ddb.Item{"pk": s("p"), "sk": n(1)}},
			"Please use ExclusiveStartKey with correct Segment"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var err error
			if tt.query != nil {
				tt.query.TableName = ptr("t-1")
				_, err = f.client.Query(t.Context(), tt.query)
			} else {
				tt.scan.TableName = ptr("t-1")
				_, err = f.client.Scan(t.Context(), tt.scan)
			}
			wantError(t, err, "ValidationException", tt.want)
		})
	}
}

// otherSegment is the segment of two that a hash key is not in.
func otherSegment(pk string) int32 {
	p := keySchema{{Name: "pk", Kind: attr.S}}.tablePosition(attr.Encode(map[string]attr.Value{"pk": attr.Scalar(attr.S, pk)}))
	if segmentSpan(0, 2).contains(p) {
		return 1
	}
	return 0
}

func TestSegmentSpansCoverTheHashRange(t *testing.T) {
	for _, total := range []int{1, 2, 3, 7, 4096, maxSegments} {
		for _, segment := range []int{0, total / 2, total - 1} {
			s := segmentSpan(segment, total)
			if segment == 0 && s.from.hash != 0 {
				t.Errorf("segment 0 of %d starts at %d", total, s.from.hash)
			}
			if segment == total-1 != s.unbounded {
				t.Errorf("segment %d of %d: unbounded is %v", segment, total, s.unbounded)
			}
			if segment < total-1 && s.to != segmentSpan(segment+1, total).from {
				t.Errorf("segments %d and %d of %d do not meet", segment, segment+1, total)
			}
		}
	}
}

func TestSelect(t *testing.T) {
	f := newFixture(t, Options{}, "pk:S sk:N", "gsi few kind:S INCLUDE a", "gsi all-of-it kind:S", "lsi local date:S KEYS_ONLY")
	f.put(ddb.Item{"pk": s("p"), "sk": n(1), "kind": s("k"), "date": s("d"), "a": s("a"), "b": s("b")})
	kind, pk := ddb.Item{":k": s("k")}, ddb.Item{":k": s("p")}
	for _, tt := range []struct {
		name       string
		index      string
		mode       types.Select
		projection string
		want       string // attributes of the item, "-" for no items, or a message
	}{
		{"table", "", "", "", "a,b,date,kind,pk,sk"},
		{"table projection", "", "", "b, missing", "b"},
		{"table count", "", types.SelectCount, "", "-"},
		{"projected attributes of a table", "", types.SelectAllProjectedAttributes, "", "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"},
		{"specific attributes without any", "", types.SelectSpecificAttributes, "", "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES"},
		{"count of a projection", "", types.SelectCount, "a", "Cannot specify the ProjectionExpression when choosing to get only the Count"},
		{"all and a projection", "", types.SelectAllAttributes, "a", "Cannot specify the ProjectionExpression when choosing to get ALL_ATTRIBUTES"},
		{"global index", "few", "", "", "a,kind,pk,sk"},
		{"global index projected", "few", types.SelectAllProjectedAttributes, "", "a,kind,pk,sk"},
		{"global index all", "few", types.SelectAllAttributes, "", "Select type ALL_ATTRIBUTES is not supported for global secondary index few because its projection type is not ALL"},
		{"global index beyond its projection", "few", "", "b", "Global secondary index few does not project [b]"},
		{"global index of all, all", "all-of-it", types.SelectAllAttributes, "", "a,b,date,kind,pk,sk"},
		{"local index", "local", "", "", "date,pk,sk"},
		{"local index fetches all", "local", types.SelectAllAttributes, "", "a,b,date,kind,pk,sk"},
		{"local index fetches one", "local", "", "b", "b"},
		{"no such index", "none", "", "", "The table does not have the specified index: none"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := &ddb.QueryInput{TableName: ptr("t-1"), Select: tt.mode, KeyConditionExpression: ptr("pk = :k"), ExpressionAttributeValues: pk}
			if tt.index == "few" || tt.index == "all-of-it" {
				in.KeyConditionExpression, in.ExpressionAttributeValues = ptr("kind = :k"), kind
			}
			if tt.index != "" {
				in.IndexName = &tt.index
			}
			if tt.projection != "" {
				in.ProjectionExpression = &tt.projection
			}
			out, err := f.client.Query(t.Context(), in)
			if err != nil {
				wantError(t, err, "ValidationException", tt.want)
				return
			}
			got := "-"
			if out.Items != nil {
				got = strings.Join(slices.Sorted(maps.Keys(out.Items[0])), ",")
			}
			if got != tt.want || out.Count != 1 {
				t.Errorf("got %s and count %d, want %s and 1", got, out.Count, tt.want)
			}
		})
	}
}

func TestReadCapacity(t *testing.T) {
	f := newFixture(t, Options{}, "pk:S sk:N", "gsi by-kind kind:S KEYS_ONLY", "lsi local date:S KEYS_ONLY")
	for i := range 10 { // each 3,000 bytes and a little
		f.put(ddb.Item{"pk": s("p"), "sk": n(i), "kind": s("k"), "date": s("d"), "v": s(strings.Repeat("x", 3000))})
	}
	p, k := ddb.Item{":p": s("p")}, ddb.Item{":p": s("k")}
	for _, tt := range []struct {
		name string
		in   ddb.QueryInput
		want string
	}{
		{"eventual", ddb.QueryInput{}, "4 table 4"},                            // 30,200 bytes are 8 units of 4 KB
		{"consistent", ddb.QueryInput{ConsistentRead: ptr(true)}, "8 table 8"}, //
		{"filtered is charged alike", ddb.QueryInput{FilterExpression: ptr("v = :p")}, "4 table 4"},
		{"counted is charged alike", ddb.QueryInput{Select: types.SelectCount}, "4 table 4"},
		{"limited", ddb.QueryInput{Limit: ptr[int32](1)}, "0.5 table 0.5"},
		{"nothing found", ddb.QueryInput{ExpressionAttributeValues: ddb.Item{":p": s("none")}}, "0.5 table 0.5"},
		{"global index", ddb.QueryInput{IndexName: ptr("by-kind"), KeyConditionExpression: ptr("kind = :p"), ExpressionAttributeValues: k}, "0.5 table 0 by-kind 0.5"},
		{"local index", ddb.QueryInput{IndexName: ptr("local")}, "0.5 table 0 local 0.5"},
		{"local index with fetches", ddb.QueryInput{IndexName: ptr("local"), Select: types.SelectAllAttributes}, "5.5 table 5 local 0.5"},
		{"local index with consistent fetches", ddb.QueryInput{IndexName: ptr("local"), Select: types.SelectAllAttributes, ConsistentRead: ptr(true)}, "11 table 10 local 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := tt.in
			in.ReturnConsumedCapacity = types.ReturnConsumedCapacityIndexes
			if in.KeyConditionExpression == nil {
				in.KeyConditionExpression = ptr("pk = :p")
			}
			if in.ExpressionAttributeValues == nil {
				in.ExpressionAttributeValues = p
			}
			if got := capacity(f.query(&in).ConsumedCapacity); got != tt.want {
				t.Errorf("got %v, want %s", got, tt.want)
			}
		})
	}
	total := f.query(&ddb.QueryInput{KeyConditionExpression: ptr("pk = :p"), ExpressionAttributeValues: p, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal}).ConsumedCapacity
	if total.Table != nil || *total.CapacityUnits != 4 || *total.TableName != "t-1" {
		t.Errorf("TOTAL: got %+v", total)
	}
}

func TestPageOfOneMebibyte(t *testing.T) {
	f := newFixture(t, Options{}, "pk:S sk:N")
	for i := range 6 {
		f.put(ddb.Item{"pk": s("p"), "sk": n(i), "v": s(strings.Repeat("x", 350_000))})
	}
	out := f.query(&ddb.QueryInput{KeyConditionExpression: ptr("pk = :p"), ExpressionAttributeValues: ddb.Item{":p": s("p")}, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal})
	// The third item ends at 1,050,000 bytes, beyond 1 MiB, and is the last of the page.
	if out.Count != 3 || out.LastEvaluatedKey == nil || *out.ConsumedCapacity.CapacityUnits != 128.5 {
		t.Errorf("got %d items, key %v, %v units; want 3 items, a key and 128.5 units", out.Count, out.LastEvaluatedKey, *out.ConsumedCapacity.CapacityUnits)
	}
}

func TestBatchGetItem(t *testing.T) {
	f := newFixture(t, Options{}, "pk:S")
	var keys []ddb.Item
	for i := range 60 { // 60 items of 350 kB are more than 16 MB
		key := ddb.Item{"pk": s(strconv.Itoa(i))}
		f.put(ddb.Item{"pk": key["pk"], "v": s(strings.Repeat("x", 350_000))})
		keys = append(keys, key)
	}
	seen := map[string]bool{}
	calls := 0
	for len(keys) > 0 {
		calls++
		out, err := f.client.BatchGetItem(t.Context(), &ddb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{"t-1": {Keys: keys}}})
		if err != nil {
			t.Fatal(err)
		}
		bytes := 0
		for _, pk := range column(out.Responses["t-1"], "pk") {
			seen[pk] = true
			bytes += 350_000
		}
		if bytes > maxBatchBytes+350_000 {
			t.Errorf("one answer of %d bytes", bytes)
		}
		keys = out.UnprocessedKeys["t-1"].Keys
	}
	if len(seen) != 60 || calls < 2 {
		t.Errorf("got %d items in %d calls, want 60 in more than one", len(seen), calls)
	}
}

// What a BatchGetItem says is checked before its tables are looked for.
func TestBatchGetItemRefusesBeforeItLooks(t *testing.T) {
	f := newFixture(t, Options{}, "pk:S")
	many := make([]ddb.Item, 60)
	for i := range many {
		many[i] = ddb.Item{"pk": s(strconv.Itoa(i))}
	}
	for want, keys := range map[string][]ddb.Item{
		"Too many items requested for the BatchGetItem call": many,
		"Provided list of item keys contains duplicates":     {{"pk": s("a")}, {"pk": s("a")}},
		"The parameter cannot be converted to a numeric":     {{"pk": &types.AttributeValueMemberN{Value: "x"}}},
	} {
		requests := map[string]types.KeysAndAttributes{"none": {Keys: keys}, "t-1": {Keys: many[:50]}}
		_, err := f.client.BatchGetItem(t.Context(), &ddb.BatchGetItemInput{RequestItems: requests})
		wantError(t, err, "ValidationException", want)
	}
}
