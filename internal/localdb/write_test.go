package localdb

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/ddb"
)

func TestPutItemRefused(t *testing.T) {
	f := newFixture(t, Options{}, "pk:S sk:N", "gsi by-kind kind:S")
	for _, tt := range []struct {
		name string
		item ddb.Item
		want string
	}{
		{"no sort key", ddb.Item{"pk": s("a")}, "Missing the key sk in the item"},
		{"type of the sort key", ddb.Item{"pk": s("a"), "sk": s("1")}, "Type mismatch for key sk expected: N actual: S"},
		{"empty hash key", ddb.Item{"pk": s(""), "sk": n(1)}, "The AttributeValue for a key attribute cannot contain an empty string value. Key: pk"},
		{"long hash key", ddb.Item{"pk": s(strings.Repeat("x", 2049)), "sk": n(1)}, "Size of hashkey has exceeded the maximum size limit of2048 bytes"},
		{"type of an index key", ddb.Item{"pk": s("a"), "sk": n(1), "kind": n(1)}, "Type mismatch for Index Key kind Expected: S Actual: N IndexName: by-kind"},
		{"empty index key", ddb.Item{"pk": s("a"), "sk": n(1), "kind": s("")}, "IndexName: by-kind, IndexKey: kind"},
		{"large item", ddb.Item{"pk": s("a"), "sk": n(1), "v": s(strings.Repeat("x", 409_600))}, "Item size has exceeded the maximum allowed size"},
		{"long number", ddb.Item{"pk": s("a"), "sk": n("123456789012345678901234567890123456789")}, "Attempting to store more than 38 significant digits in a Number"},
		{"no number", ddb.Item{"pk": s("a"), "sk": n("x")}, "The parameter cannot be converted to a numeric value"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := f.client.PutItem(t.Context(), &ddb.PutItemInput{TableName: ptr("t-1"), Item: tt.item})
			wantError(t, err, "ValidationException", tt.want)
		})
	}
	if out := f.scan(&ddb.ScanInput{}); out.Count != 0 {
		t.Errorf("%d refused items were stored", out.Count)
	}
}

func TestConditions(t *testing.T) {
	f := newFixture(t, Options{}, "pk:S")
	f.put(ddb.Item{"pk": s("a"), "v": n(1)})
	in := &ddb.PutItemInput{
		TableName: ptr("t-1"), Item: ddb.Item{"pk": s("a"), "v": n(2)},
		ConditionExpression: ptr("v = :v"), ExpressionAttributeValues: ddb.Item{":v": n(5)},
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	}
	_, err := f.client.PutItem(t.Context(), in)
	wantError(t, err, "ConditionalCheckFailedException", "The conditional request failed")
	var failed *types.ConditionalCheckFailedException
	if !errors.As(err, &failed) || canonical(failed.Item) != `{pk="a" v=1}` {
		t.Errorf("got item %s, want the old one", canonical(failed.Item))
	}
	in.ExpressionAttributeValues = ddb.Item{":v": n("1.0")}
	in.ReturnValues = types.ReturnValueAllOld
	out, err := f.client.PutItem(t.Context(), in)
	if err != nil || canonical(out.Attributes) != `{pk="a" v=1}` {
		t.Errorf("got %v, %v", out, err)
	}
	_, err = f.client.DeleteItem(t.Context(), &ddb.DeleteItemInput{TableName: ptr("t-1"), Key: ddb.Item{"pk": s("b")}, ConditionExpression: ptr("attribute_exists(pk)")})
	wantError(t, err, "ConditionalCheckFailedException", "The conditional request failed")
}

func TestUpdateItem(t *testing.T) {
	f := newFixture(t, Options{}, "pk:S", "gsi by-kind kind:S")
	for _, tt := range []struct {
		name    string
		update  string
		values  ddb.Item
		returns types.ReturnValue
		want    string
		code    string // of the exception; want is then in its message
	}{
		{"makes an item", "SET v = :v", ddb.Item{":v": n(1)}, types.ReturnValueAllNew, `{pk="a" v=1}`, ""},
		{"of before", "SET v = v + :v", ddb.Item{":v": n(2)}, types.ReturnValueAllOld, `{pk="a" v=1}`, ""},
		{"what it wrote", "SET v = v + :v, w = :v", ddb.Item{":v": n(2)}, types.ReturnValueUpdatedNew, `{v=5 w=2}`, ""},
		{"what it overwrote", "SET v = :v, x = :v", ddb.Item{":v": n(9)}, types.ReturnValueUpdatedOld, `{v=5}`, ""},
		{"nothing to return", "REMOVE x", nil, types.ReturnValueNone, `{}`, ""},
		{"hash key", "SET pk = :v", ddb.Item{":v": s("b")}, "", "Cannot update attribute pk. This attribute is part of the key", "ValidationException"},
		{"type of an index key", "SET kind = :v", ddb.Item{":v": n(1)}, "", "Type mismatch for Index Key kind", "ValidationException"},
		{"too large", "SET big = :v", ddb.Item{":v": s(strings.Repeat("x", 409_600))}, "", "Item size to update has exceeded the maximum allowed size", "ValidationException"},
		{"is unchanged after refusals", "ADD w :v", ddb.Item{":v": n(1)}, types.ReturnValueAllNew, `{pk="a" v=9 w=3}`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, err := f.client.UpdateItem(t.Context(), &ddb.UpdateItemInput{
				TableName: ptr("t-1"), Key: ddb.Item{"pk": s("a")}, UpdateExpression: &tt.update, ExpressionAttributeValues: tt.values, ReturnValues: tt.returns,
			})
			if tt.code != "" {
				wantError(t, err, tt.code, tt.want)
				return
			}
			if err != nil || canonical(out.Attributes) != tt.want {
				t.Errorf("got %s, %v, want %s", canonical(out.Attributes), err, tt.want)
			}
		})
	}
}

func TestWriteCapacity(t *testing.T) {
	f := newFixture(t, Options{}, "pk:S", "gsi by-kind kind:S KEYS_ONLY", "gsi whole kind:S")
	put := func(item ddb.Item) any {
		t.Helper()
		out, err := f.client.PutItem(t.Context(), &ddb.PutItemInput{TableName: ptr("t-1"), Item: item, ReturnConsumedCapacity: types.ReturnConsumedCapacityIndexes})
		if err != nil {
			t.Fatal(err)
		}
		c := out.ConsumedCapacity
		keys, whole := 0.0, 0.0
		if x, ok := c.GlobalSecondaryIndexes["by-kind"]; ok {
			keys = *x.CapacityUnits
		}
		if x, ok := c.GlobalSecondaryIndexes["whole"]; ok {
			whole = *x.CapacityUnits
		}
		return [4]float64{*c.CapacityUnits, *c.Table.CapacityUnits, keys, whole}
	}
	text := s(strings.Repeat("x", 2500)) // an item of three units
	for _, tt := range []struct {
		name string
		item ddb.Item
		want [4]float64 // in all, table, index of keys, index of all
	}{
		{"not in the indexes", ddb.Item{"pk": s("a"), "v": text}, [4]float64{3, 3, 0, 0}},
		{"smaller", ddb.Item{"pk": s("a")}, [4]float64{3, 3, 0, 0}},
		{"enters the indexes", ddb.Item{"pk": s("a"), "kind": s("k"), "v": text}, [4]float64{7, 3, 1, 3}},
		{"unchanged in the index of keys", ddb.Item{"pk": s("a"), "kind": s("k"), "v": s("y")}, [4]float64{6, 3, 0, 3}},
		{"moves in the indexes", ddb.Item{"pk": s("a"), "kind": s("l"), "v": s("y")}, [4]float64{5, 1, 2, 2}},
		{"leaves the indexes", ddb.Item{"pk": s("a")}, [4]float64{3, 1, 1, 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := put(tt.item); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestBatchWriteItem(t *testing.T) {
	f := newFixture(t, Options{}, "pk:S")
	f.put(ddb.Item{"pk": s("old")})
	put := func(pk string) types.WriteRequest {
		return types.WriteRequest{PutRequest: &types.PutRequest{Item: ddb.Item{"pk": s(pk)}}}
	}
	remove := types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: ddb.Item{"pk": s("old")}}}
	write := func(requests ...types.WriteRequest) error {
		_, err := f.client.BatchWriteItem(t.Context(), &ddb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"t-1": requests}})
		return err
	}
	wantError(t, write(put("a"), put("a")), "ValidationException", "Provided list of item keys contains duplicates")
	wantError(t, write(put("a"), put("")), "ValidationException", "empty string value")
	if got := column(f.scan(&ddb.ScanInput{}).Items, "pk"); len(got) != 1 {
		t.Errorf("a refused batch wrote: %q", got)
	}
	if err := write(put("a"), put("b"), remove); err != nil {
		t.Fatal(err)
	}
	if got := f.scan(&ddb.ScanInput{}).Count; got != 2 {
		t.Errorf("got %d items, want 2", got)
	}
}

func TestConcurrentUse(t *testing.T) {
	f := newFixture(t, Options{Throttle: true, PageBytes: 2000}, "pk:S sk:N", "gsi by-kind kind:S")
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range 100 {
				f.client.PutItem(t.Context(), &ddb.PutItemInput{TableName: ptr("t-1"), Item: ddb.Item{"pk": s("p"), "sk": n(i), "kind": s("k"), "w": n(w)}})
			}
		})
		wg.Go(func() {
			for range 20 {
				f.client.Scan(t.Context(), &ddb.ScanInput{TableName: ptr("t-1"), IndexName: ptr("by-kind")})
				f.client.Query(t.Context(), &ddb.QueryInput{TableName: ptr("t-1"), KeyConditionExpression: ptr("pk = :p"), ExpressionAttributeValues: ddb.Item{":p": s("p")}})
				f.client.DescribeTable(t.Context(), &ddb.DescribeTableInput{TableName: ptr("t-1")})
				f.client.BatchGetItem(t.Context(), &ddb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{"t-1": {Keys: []ddb.Item{{"pk": s("p"), "sk": n(1)}}}}})
			}
		})
	}
	wg.Wait()
	if d := f.describe(); *d.ItemCount != 100 || *d.GlobalSecondaryIndexes[0].ItemCount != 100 {
		t.Errorf("got %d items, %d in the index, want 100", *d.ItemCount, *d.GlobalSecondaryIndexes[0].ItemCount)
	}
}
