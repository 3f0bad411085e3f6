package localdb

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/ddb"
)

func (f *fixture) describe() *types.TableDescription {
	f.Helper()
	out, err := f.client.DescribeTable(f.Context(), &ddb.DescribeTableInput{TableName: ptr("t-1")})
	if err != nil {
		f.Fatal(err)
	}
	return out.Table
}

func TestTableLifecycle(t *testing.T) {
	clock := newClock()
	f := newFixture(t, Options{Clock: clock.now, CreateDelay: 5 * time.Second, UpdateDelay: 3 * time.Second, DeleteDelay: 2 * time.Second}, "pk:S")
	key := ddb.Item{"pk": s("a")}
	get := func() error {
		_, err := f.client.GetItem(t.Context(), &ddb.GetItemInput{TableName: ptr("t-1"), Key: key})
		return err
	}
	remove := func() error {
		_, err := f.client.DeleteTable(t.Context(), &ddb.DeleteTableInput{TableName: ptr("t-1")})
		return err
	}

	if got := f.describe().TableStatus; got != types.TableStatusCreating {
		t.Errorf("new table is %s", got)
	}
	wantError(t, get(), "ResourceNotFoundException", "Requested resource not found")
	wantError(t, remove(), "ResourceInUseException", "Table is being created: t-1")
	clock.advance(5 * time.Second)
	if got := f.describe().TableStatus; got != types.TableStatusActive {
		t.Errorf("after 5 s the table is %s", got)
	}
	if err := get(); err != nil {
		t.Error(err)
	}

	update := &ddb.UpdateTableInput{TableName: ptr("t-1"), BillingMode: types.BillingModeProvisioned,
		ProvisionedThroughput: &types.ProvisionedThroughput{ReadCapacityUnits: ptr[int64](7), WriteCapacityUnits: ptr[int64](8)}}
	if _, err := f.client.UpdateTable(t.Context(), update); err != nil {
		t.Fatal(err)
	}
	if got := f.describe().TableStatus; got != types.TableStatusUpdating {
		t.Errorf("updated table is %s", got)
	}
	if err := get(); err != nil {
		t.Errorf("an updating table can be read: %v", err)
	}
	clock.advance(3 * time.Second)
	if p := f.describe().ProvisionedThroughput; *p.ReadCapacityUnits != 7 || *p.WriteCapacityUnits != 8 {
		t.Errorf("got throughput %d, %d, want 7, 8", *p.ReadCapacityUnits, *p.WriteCapacityUnits)
	}
	_, err := f.client.UpdateTable(t.Context(), update)
	wantError(t, err, "ValidationException", "The provisioned throughput for the table will not change")

	_, err = f.client.CreateTable(t.Context(), definitionOf("t-1", "pk:S"))
	wantError(t, err, "ResourceInUseException", "Table already exists: t-1")
	if err := remove(); err != nil {
		t.Fatal(err)
	}
	if got := f.describe().TableStatus; got != types.TableStatusDeleting {
		t.Errorf("deleted table is %s", got)
	}
	wantError(t, get(), "ResourceNotFoundException", "Requested resource not found")
	clock.advance(2 * time.Second)
	_, err = f.client.DescribeTable(t.Context(), &ddb.DescribeTableInput{TableName: ptr("t-1")})
	wantError(t, err, "ResourceNotFoundException", "Requested resource not found: Table: t-1 not found")
	if _, err := f.client.CreateTable(t.Context(), definitionOf("t-1", "pk:S")); err != nil {
		t.Errorf("the name is free again: %v", err)
	}
}

func TestGlobalIndexLifecycle(t *testing.T) {
	clock := newClock()
	f := newFixture(t, Options{Clock: clock.now, IndexDelay: time.Minute}, "pk:S")
	f.put(ddb.Item{"pk": s("a"), "kind": s("k")}, ddb.Item{"pk": s("b"), "kind": n(1)}, ddb.Item{"pk": s("c")})
	update := func(definitions []types.AttributeDefinition, u types.GlobalSecondaryIndexUpdate) error {
		_, err := f.client.UpdateTable(t.Context(), &ddb.UpdateTableInput{
			TableName: ptr("t-1"), AttributeDefinitions: definitions, GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{u},
		})
		return err
	}
	kind := definitionOf("t-1", "kind:S")
	create := types.GlobalSecondaryIndexUpdate{Create: &types.CreateGlobalSecondaryIndexAction{
		IndexName: ptr("by-kind"), KeySchema: kind.KeySchema, Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
	}}
	read := func() (int32, error) {
		out, err := f.client.Query(t.Context(), &ddb.QueryInput{TableName: ptr("t-1"), IndexName: ptr("by-kind"),
			KeyConditionExpression: ptr("kind = :k"), ExpressionAttributeValues: ddb.Item{":k": s("k")}})
		if err != nil {
			return 0, err
		}
		return out.Count, nil
	}

	if err := update(kind.AttributeDefinitions, create); err != nil {
		t.Fatal(err)
	}
	g := f.describe().GlobalSecondaryIndexes[0]
	if g.IndexStatus != types.IndexStatusCreating || !*g.Backfilling {
		t.Errorf("new index is %s", g.IndexStatus)
	}
	_, err := read()
	wantError(t, err, "ValidationException", "Cannot read from backfilling global secondary index: by-kind")
	f.put(ddb.Item{"pk": s("d"), "kind": s("k")})
	clock.advance(time.Minute)
	if g := f.describe().GlobalSecondaryIndexes[0]; g.IndexStatus != types.IndexStatusActive || *g.ItemCount != 2 {
		t.Errorf("index is %s with %d items, want ACTIVE with 2: the number 1 is not in it", g.IndexStatus, *g.ItemCount)
	}
	if count, err := read(); err != nil || count != 2 {
		t.Errorf("got %d, %v, want 2", count, err)
	}
	wantError(t, update(kind.AttributeDefinitions, create), "ValidationException", "Attempting to create an index which already exists")

	drop := types.GlobalSecondaryIndexUpdate{Delete: &types.DeleteGlobalSecondaryIndexAction{IndexName: ptr("by-kind")}}
	if err := update(nil, drop); err != nil {
		t.Fatal(err)
	}
	if got := f.describe().GlobalSecondaryIndexes[0].IndexStatus; got != types.IndexStatusDeleting {
		t.Errorf("deleted index is %s", got)
	}
	_, err = read()
	wantError(t, err, "ValidationException", "The table does not have the specified index: by-kind")
	clock.advance(time.Minute)
	if d := f.describe(); len(d.GlobalSecondaryIndexes) != 0 || len(d.AttributeDefinitions) != 1 {
		t.Errorf("left: indexes %v, definitions %v", d.GlobalSecondaryIndexes, d.AttributeDefinitions)
	}
	wantError(t, update(nil, drop), "ResourceNotFoundException", "Requested resource not found")
}

func TestSizesAndCounts(t *testing.T) {
	f := newFixture(t, Options{}, "pk:S", "gsi by-kind kind:S KEYS_ONLY")
	f.put(
		ddb.Item{"pk": s("a"), "kind": s("k"), "v": s("12345")}, // 2+1 + 4+1 + 1+5 = 14 bytes, 8 in the index
		ddb.Item{"pk": s("b"), "v": n(1)},                       // 2+1 + 1+2 = 6 bytes
	)
	check := func(what string, items, bytes, indexItems, indexBytes int64) {
		t.Helper()
		d := f.describe()
		g := d.GlobalSecondaryIndexes[0]
		if *d.ItemCount != items || *d.TableSizeBytes != bytes || *g.ItemCount != indexItems || *g.IndexSizeBytes != indexBytes {
			t.Errorf("%s: got %d items of %d bytes, in the index %d of %d; want %d of %d, %d of %d", what,
				*d.ItemCount, *d.TableSizeBytes, *g.ItemCount, *g.IndexSizeBytes, items, bytes, indexItems, indexBytes)
		}
	}
	check("put", 2, 20, 1, 8)
	f.put(ddb.Item{"pk": s("a"), "kind": s("longer"), "v": s("1")})
	check("replaced", 2, 21, 1, 13)
	f.put(ddb.Item{"pk": s("a"), "v": s("1")})
	check("left the index", 2, 11, 0, 0)
	for _, pk := range []string{"a", "b"} {
		if _, err := f.client.DeleteItem(t.Context(), &ddb.DeleteItemInput{TableName: ptr("t-1"), Key: ddb.Item{"pk": s(pk)}}); err != nil {
			t.Fatal(err)
		}
	}
	check("deleted", 0, 0, 0, 0)
}

func TestCreateTableRefused(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*ddb.CreateTableInput)
		want   string
	}{
		{"no key", func(in *ddb.CreateTableInput) { in.KeySchema = nil }, "Value null at 'keySchema' failed to satisfy constraint: Member must not be null"},
		{"range key first", func(in *ddb.CreateTableInput) { slices.Reverse(in.KeySchema) }, "Invalid KeySchema: The first KeySchemaElement is not a HASH key type"},
		{"key without definition", func(in *ddb.CreateTableInput) { in.KeySchema[0].AttributeName = ptr("x") }, "Some index key attributes are not defined in AttributeDefinitions. Keys: [x, sk], AttributeDefinitions: [pk, sk, kind, date]"},
		{"definition without use", func(in *ddb.CreateTableInput) { in.LocalSecondaryIndexes = nil }, "Some AttributeDefinitions are not used. AttributeDefinitions: [pk, sk, kind, date], keys used: [kind, pk, sk]"},
		{"no throughput", func(in *ddb.CreateTableInput) { in.BillingMode = types.BillingModeProvisioned }, "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED"},
		{"local index on another hash key", func(in *ddb.CreateTableInput) { in.LocalSecondaryIndexes[0].KeySchema[0].AttributeName = ptr("kind") }, "Index KeySchema does not have the same leading hash key as table KeySchema for index: local. index hash key: kind, table hash key: pk"},
		{"projection of nothing", func(in *ddb.CreateTableInput) { in.GlobalSecondaryIndexes[0].Projection.ProjectionType = "" }, "Unknown ProjectionType: null"},
		{"attributes of a projection of all", func(in *ddb.CreateTableInput) {
			in.GlobalSecondaryIndexes[0].Projection.NonKeyAttributes = []string{"a"}
		}, "ProjectionType is ALL, but NonKeyAttributes is specified"},
		{"index name", func(in *ddb.CreateTableInput) { in.GlobalSecondaryIndexes[0].IndexName = ptr("a b") }, "Value 'a b' at 'globalSecondaryIndexes.1.member.indexName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"},
		{"two violations", func(in *ddb.CreateTableInput) { in.BillingMode, in.TableClass = "X", "Y" }, "2 validation errors detected: Value 'X' at 'billingMode'"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := definitionOf("t-1", "pk:S sk:N", "gsi global kind:S", "lsi local date:S")
			tt.change(in)
			_, err := Open(Options{}).Client().CreateTable(t.Context(), in)
			wantError(t, err, "ValidationException", tt.want)
		})
	}
}

func TestListTables(t *testing.T) {
	c := Open(Options{}).Client()
	for _, name := range strings.Fields("charlie alpha echo bravo delta") {
		if _, err := c.CreateTable(t.Context(), definitionOf(name, "pk:S")); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	in := &ddb.ListTablesInput{Limit: ptr[int32](2)}
	for {
		out, err := c.ListTables(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, strings.Join(out.TableNames, ","))
		if in.ExclusiveStartTableName = out.LastEvaluatedTableName; in.ExclusiveStartTableName == nil {
			break
		}
	}
	if want := "alpha,bravo charlie,delta echo"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
	_, err := c.ListTables(t.Context(), &ddb.ListTablesInput{Limit: ptr[int32](101)})
	wantError(t, err, "ValidationException", "Value '101' at 'limit' failed to satisfy constraint: Member must have value less than or equal to 100")
}
