package localdb

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/dynasql/dynasql/internal/ddb"
)

func s(v string) types.AttributeValue { return &types.AttributeValueMemberS{Value: v} }
func n(v any) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: fmt.Sprint(v)}
}
func b(v string) types.AttributeValue { return &types.AttributeValueMemberB{Value: []byte(v)} }

// fakeClock is a clock that tests turn.
type fakeClock struct{ t time.Time }

func newClock() *fakeClock { return &fakeClock{time.Unix(1_700_000_000, 0)} }

func (c *fakeClock) now() time.Time          { return c.t }
func (c *fakeClock) advance(d time.Duration) { c.t = c.t.Add(d) }

// definitionOf makes a CreateTable request from "pk:S sk:N", with indexes such
// as "gsi g pk2:S sk2:N KEYS_ONLY" and "lsi l sk2:S INCLUDE a,b".
func definitionOf(name, key string, indexes ...string) *ddb.CreateTableInput {
	in := &ddb.CreateTableInput{TableName: &name, BillingMode: types.BillingModePayPerRequest}
	schema := func(parts []string) []types.KeySchemaElement {
		var elements []types.KeySchemaElement
		for i, part := range parts {
			attribute, kind, _ := strings.Cut(part, ":")
			keyType := types.KeyTypeHash
			if i == 1 {
				keyType = types.KeyTypeRange
			}
			elements = append(elements, types.KeySchemaElement{AttributeName: &attribute, KeyType: keyType})
			in.AttributeDefinitions = mergeDefinitions(in.AttributeDefinitions,
				[]types.AttributeDefinition{{AttributeName: &attribute, AttributeType: types.ScalarAttributeType(kind)}})
		}
		return elements
	}
	in.KeySchema = schema(strings.Fields(key))
	for _, text := range indexes {
		f := strings.Fields(text)
		kind, indexName, f := f[0], f[1], f[2:]
		projection := &types.Projection{ProjectionType: types.ProjectionTypeAll}
		var parts []string
		for i, word := range f {
			switch {
			case strings.Contains(word, ":"):
				parts = append(parts, word)
			case i > 0 && f[i-1] == "INCLUDE":
				projection.NonKeyAttributes = strings.Split(word, ",")
			default:
				projection.ProjectionType = types.ProjectionType(word)
			}
		}
		if kind == "lsi" {
			parts = append([]string{strings.Fields(key)[0]}, parts...)
			in.LocalSecondaryIndexes = append(in.LocalSecondaryIndexes,
				types.LocalSecondaryIndex{IndexName: &indexName, KeySchema: schema(parts), Projection: projection})
		} else {
			in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes,
				types.GlobalSecondaryIndex{IndexName: &indexName, KeySchema: schema(parts), Projection: projection})
		}
	}
	return in
}

// fixture is a store with one table "t".
type fixture struct {
	*testing.T
	store  *Store
	client ddb.Client
}

func newFixture(t *testing.T, opts Options, key string, indexes ...string) *fixture {
	t.Helper()
	f := &fixture{T: t, store: Open(opts)}
	f.client = f.store.Client()
	if _, err := f.client.CreateTable(t.Context(), definitionOf("t-1", key, indexes...)); err != nil {
		t.Fatalf("create table: %v", err)
	}
	return f
}

func (f *fixture) put(items ...ddb.Item) {
	f.Helper()
	for _, item := range items {
		if _, err := f.client.PutItem(f.Context(), &ddb.PutItemInput{TableName: ptr("t-1"), Item: item}); err != nil {
			f.Fatalf("put %v: %v", item, err)
		}
	}
}

func (f *fixture) query(in *ddb.QueryInput) *ddb.QueryOutput {
	f.Helper()
	in.TableName = ptr("t-1")
	out, err := f.client.Query(f.Context(), in)
	if err != nil {
		f.Fatalf("query %s: %v", str(in.KeyConditionExpression), err)
	}
	return out
}

func (f *fixture) scan(in *ddb.ScanInput) *ddb.ScanOutput {
	f.Helper()
	in.TableName = ptr("t-1")
	out, err := f.client.Scan(f.Context(), in)
	if err != nil {
		f.Fatalf("scan: %v", err)
	}
	return out
}

// column lists an attribute of items as text.
func column(items []map[string]types.AttributeValue, name string) []string {
	texts := make([]string, len(items))
	for i, item := range items {
		switch v := item[name].(type) {
		case *types.AttributeValueMemberS:
			texts[i] = v.Value
		case *types.AttributeValueMemberN:
			texts[i] = v.Value
		case *types.AttributeValueMemberB:
			texts[i] = string(v.Value)
		case nil:
			texts[i] = "-"
		}
	}
	return texts
}

// wantError checks the exception's name and a part of its message.
func wantError(t *testing.T, err error, code, part string) {
	t.Helper()
	var api smithy.APIError
	if !errors.As(err, &api) {
		t.Fatalf("got error %v, want %s", err, code)
	}
	if api.ErrorCode() != code || !strings.Contains(api.ErrorMessage(), part) {
		t.Errorf("got %s: %s\nwant %s: ...%s...", api.ErrorCode(), api.ErrorMessage(), code, part)
	}
}
