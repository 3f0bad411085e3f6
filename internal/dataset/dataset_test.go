package dataset

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/ddb"
	"github.com/dynasql/dynasql/internal/localdb"
)

const usersTable = `[
 {"TableName": "users", "BillingMode": "PAY_PER_REQUEST",
  "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}, {"AttributeName": "n", "KeyType": "RANGE"}],
  "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}, {"AttributeName": "n", "AttributeType": "N"}]}
]`

const usersItems = `{"users": [
 {"PutRequest": {"Item": {"id": {"S": "a"}, "n": {"N": "1"}, "big": {"N": "12345678901234567890123456789012345678"}}}},
 {"PutRequest": {"Item": {"id": {"S": "b"}, "n": {"N": "2.50"}, "m": {"M": {"l": {"L": [{"B": "AAE="}, {"NULL": true}, {"BOOL": false}]}}}}}}
]}`

func files(tables, items string) fstest.MapFS {
	return fstest.MapFS{"tables.json": {Data: []byte(tables)}, "items.json": {Data: []byte(items)}}
}

func TestReadFS(t *testing.T) {
	s, err := ReadFS(files(usersTable, usersItems))
	if err != nil {
		t.Fatal(err)
	}
	if s.Count() != 2 || !reflect.DeepEqual(s.Names(), []string{"users"}) {
		t.Fatalf("got %d items of tables %q", s.Count(), s.Names())
	}
	want := []ddb.Item{
		{
			"id": &types.AttributeValueMemberS{Value: "a"}, "n": &types.AttributeValueMemberN{Value: "1"},
			"big": &types.AttributeValueMemberN{Value: "12345678901234567890123456789012345678"},
		},
		{
			"id": &types.AttributeValueMemberS{Value: "b"}, "n": &types.AttributeValueMemberN{Value: "2.50"},
			"m": &types.AttributeValueMemberM{Value: ddb.Item{"l": &types.AttributeValueMemberL{Value: []types.AttributeValue{
				&types.AttributeValueMemberB{Value: []byte{0, 1}},
				&types.AttributeValueMemberNULL{Value: true},
				&types.AttributeValueMemberBOOL{Value: false},
			}}}},
		},
	}
	if got := s.Tables[0].Items; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

func TestReadFSRefuses(t *testing.T) {
	one := func(attributes string) string {
		return "{\"users\": [\n {\"PutRequest\": {\"Item\": {\"id\": {\"S\": \"a\"}, \"n\": {\"N\": \"1\"}}}},\n {\"PutRequest\": {\"Item\": {" + attributes + "}}}\n]}"
	}
	for _, tt := range []struct {
		name, tables, items, want string
	}{
		{"tables is an object", "{}", "{}", `tables.json line 1: the file must hold an array of tables, [{"TableName": ..}, ..]`},
		{"tables cut off", "[\n{\"TableName\": \"users\",\n", "{}", "tables.json line 3: unexpected EOF"},
		{"unknown field", strings.Replace(usersTable, "BillingMode", "BilingMode", 1), "{}", `tables.json line 4: unknown field "BilingMode"`},
		{"number for a string", strings.Replace(usersTable, `"PAY_PER_REQUEST"`, "1", 1), "{}", `tables.json line 2: BillingMode has a number, which it cannot be`},
		{"no key", `[{"TableName": "users"}]`, "{}", `tables.json line 1, table "users": KeySchema has 0 attributes; a key has one or two`},
		{"key without definition", strings.Replace(usersTable, `"AttributeName": "n", "AttributeType"`, `"AttributeName": "x", "AttributeType"`, 1), "{}",
			`tables.json line 2, table "users": key attribute "n" has no definition with AttributeType S, N or B`},
		{"table twice", strings.Replace(usersTable, "\n]", ","+usersTable[1:], 1), "{}", `tables.json line 5: table "users" is defined twice`},
		{"text behind the tables", usersTable + "[]", "{}", "tables.json line 5: there is more text behind the array of tables"},

		{"unknown table", usersTable, "{\"user\": []}", `items.json line 1: tables.json defines no table "user"; it has users`},
		{"items cut off", usersTable, "{\"users\": [\n", `items.json line 2, table "users", item 1: the file ends where '{' in an object must be`},
		{"not a put", usersTable, "{\"users\": [{\"DeleteRequest\": {}}]}", `items.json line 1, table "users", item 1: found "DeleteRequest" where {"PutRequest": ..} must be`},
		{"no sort key", usersTable, one(`"id": {"S": "b"}`), `items.json line 3, table "users", item 2: key attribute "n" is missing`},
		{"key of another type", usersTable, one(`"id": {"S": "b"}, "n": {"S": "1"}`), `items.json line 3, table "users", item 2: key attribute "n" is S, the table has it as N`},
		{"empty key", usersTable, one(`"id": {"S": ""}, "n": {"N": "1"}`), `items.json line 3, table "users", item 2: key attribute "id" is empty`},
		{"same key in another notation", usersTable, one(`"id": {"S": "a"}, "n": {"N": "10e-1"}`), `items.json line 3, table "users", item 2: has the same key as item 1, which it would replace`},
		{"bare value", usersTable, one(`"id": "b"`), `items.json line 3, table "users", item 2: attribute "id": found '"' where '{' in an object must be`},
		{"unknown type", usersTable, one(`"id": {"X": "b"}`), `items.json line 3, table "users", item 2: attribute "id": "X" is no type of DynamoDB; the types are S, N, B, BOOL, NULL, M, L, SS, NS, BS`},
		{"two types", usersTable, one(`"id": {"S": "b", "N": "1"}`), `items.json line 3, table "users", item 2: attribute "id": a value has more than one type`},
		{"no type", usersTable, one(`"id": {}`), `items.json line 3, table "users", item 2: attribute "id": a value has no type; write {"S": "text"}, {"N": "1"} and so on`},
		{"number without quotes", usersTable, one(`"v": {"N": 1}`), `items.json line 3, table "users", item 2: attribute "v": found '1' where a string must be`},
		{"wrong number", usersTable, one(`"v": {"L": [{"N": "1,5"}]}`), `items.json line 3, table "users", item 2: attribute "v": "1,5" is not a number`},
		{"too many digits", usersTable, one(`"v": {"N": "123456789012345678901234567890123456789"}`), `items.json line 3, table "users", item 2: attribute "v": "123456789012345678901234567890123456789" has more than 38 significant digits`},
		{"too large", usersTable, one(`"v": {"N": "1e126"}`), `items.json line 3, table "users", item 2: attribute "v": "1e126" is larger than DynamoDB's numbers go`},
		{"nested attribute", usersTable, one(`"m": {"M": {"x": {"B": "?"}}}`), `items.json line 3, table "users", item 2: attribute "m.x": a binary value is not base64`},
		{"empty set", usersTable, one(`"v": {"SS": []}`), `items.json line 3, table "users", item 2: attribute "v": a set has no members`},
		{"set member twice", usersTable, one(`"v": {"NS": ["1", "1.0"]}`), `items.json line 3, table "users", item 2: attribute "v": a set has the member 1.0 twice`},
		{"attribute twice", usersTable, one(`"v": {"S": "1"}, "v": {"S": "2"}`), `items.json line 3, table "users", item 2: attribute "v" is there twice`},
		{"a NUL behind the items", usersTable, "{}\x00", `items.json line 1: there is more text behind the end`},
		{"text behind the items", usersTable, "{}x", `items.json line 1: there is more text behind the end`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ReadFS(files(tt.tables, tt.items))
			if err == nil || err.Error() != tt.want {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}

func TestReadMissingFile(t *testing.T) {
	_, err := Read(t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "needs a file tables.json") || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// flaky is a store whose writes can be made to fail or to stay unprocessed.
type flaky struct {
	ddb.Client
	fail      func(call int) error
	unhandled int // requests left unprocessed in the next call
	calls     int
	creating  int // looks at a table that find it CREATING
}

func (f *flaky) BatchWriteItem(ctx context.Context, in *ddb.BatchWriteItemInput, o ...func(*ddb.Options)) (*ddb.BatchWriteItemOutput, error) {
	f.calls++
	if f.fail != nil {
		if err := f.fail(f.calls); err != nil {
			return nil, err
		}
	}
	rest := map[string][]types.WriteRequest{}
	for name, requests := range in.RequestItems {
		n := min(f.unhandled, len(requests)-1)
		rest[name] = requests[len(requests)-n:]
		in.RequestItems[name] = requests[:len(requests)-n]
	}
	f.unhandled = 0
	out, err := f.Client.BatchWriteItem(ctx, in, o...)
	if err == nil {
		out.UnprocessedItems = rest
	}
	return out, err
}

func (f *flaky) DescribeTable(ctx context.Context, in *ddb.DescribeTableInput, o ...func(*ddb.Options)) (*ddb.DescribeTableOutput, error) {
	out, err := f.Client.DescribeTable(ctx, in, o...)
	if err == nil && f.creating > 0 {
		f.creating--
		out.Table.TableStatus = types.TableStatusCreating
	}
	return out, err
}

func noWait(context.Context, int) error { return nil }

func load(t *testing.T, f *flaky) (Summary, error) {
	t.Helper()
	s, err := ReadFS(files(usersTable, usersItems))
	if err != nil {
		t.Fatal(err)
	}
	return Loader{Client: f, Wait: noWait}.Load(t.Context(), s)
}

func TestLoad(t *testing.T) {
	client := localdb.Open(localdb.Options{}).Client()
	f := &flaky{Client: client, unhandled: 1, creating: 2}
	got, err := load(t, f)
	if want := (Summary{Tables: []string{"users"}, Items: 2}); err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("got %+v, %v, want %+v", got, err, want)
	}
	if f.calls != 2 {
		t.Errorf("got %d writes, want 2: the unprocessed item must be sent again", f.calls)
	}
	out, err := client.Scan(t.Context(), &ddb.ScanInput{TableName: &got.Tables[0]})
	if err != nil || out.Count != 2 {
		t.Errorf("the store has %v items, %v", out, err)
	}
	if _, err := load(t, f); err == nil || !strings.Contains(err.Error(), `table "users" exists already: nothing was loaded`) {
		t.Errorf("second load: got %v", err)
	}
	if out, err := client.DescribeTable(t.Context(), &ddb.DescribeTableInput{TableName: &got.Tables[0]}); err != nil || *out.Table.ItemCount != 2 {
		t.Errorf("the refused load changed the table: %v", err)
	}
}

func TestLoadUndone(t *testing.T) {
	for _, tt := range []struct {
		name string
		fail func(int) error
		want string
	}{
		{"write refused", func(int) error { return errors.New("no") }, `write items 1 to 2 of table "users": no`},
		{"cancelled", func(int) error { return context.Canceled }, `write items 1 to 2 of table "users": context canceled`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := &flaky{Client: localdb.Open(localdb.Options{}).Client(), fail: tt.fail}
			if _, err := load(t, f); err == nil || err.Error() != tt.want {
				t.Errorf("got %v, want %s", err, tt.want)
			}
			out, err := f.ListTables(t.Context(), &ddb.ListTablesInput{})
			if err != nil || len(out.TableNames) != 0 {
				t.Errorf("left behind: %q, %v", out.TableNames, err)
			}
		})
	}
}

func TestLoadNeverActive(t *testing.T) {
	f := &flaky{Client: localdb.Open(localdb.Options{CreateDelay: time.Hour}).Client()}
	_, err := load(t, f)
	if err == nil || !strings.Contains(err.Error(), `table "users" is not active after 60 looks at it`) ||
		!strings.Contains(err.Error(), `table "users" was created and could not be deleted again`) {
		t.Errorf("got %v", err)
	}
}

func TestNumberKey(t *testing.T) {
	for _, tt := range []struct{ a, b string }{
		{"1", "1.0"}, {"0", "-0"}, {"100", "1e2"}, {"0.001", "1E-3"}, {"-12.50", "-1.25e1"}, {".5", "0.5"}, {"5.", "5"},
	} {
		if numberKey(tt.a) != numberKey(tt.b) {
			t.Errorf("%s and %s are told apart", tt.a, tt.b)
		}
	}
	for _, tt := range []struct{ a, b string }{{"1", "-1"}, {"1", "10"}, {"12", "1.2"}, {"0", "1"}} {
		if numberKey(tt.a) == numberKey(tt.b) {
			t.Errorf("%s and %s are taken for equal", tt.a, tt.b)
		}
	}
}

// TestSharedSets loads every data set beside the repository.
func TestSharedSets(t *testing.T) {
	dirs, err := filepath.Glob("../../../shared/data/*/tables.json")
	if err != nil {
		t.Fatal(err)
	}
	if len(dirs) == 0 {
		if os.Getenv("DYNASQL_CI") == "1" {
			t.Fatal("no data sets in ../shared/data")
		}
		t.Skip("no data sets in ../shared/data")
	}
	for _, file := range dirs {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			s, err := Read(dir)
			if err != nil {
				t.Fatal(err)
			}
			client := localdb.Open(localdb.Options{}).Client()
			if _, err := s.Load(t.Context(), client); err != nil {
				t.Fatal(err)
			}
			for _, table := range s.Tables {
				out, err := client.Scan(t.Context(), &ddb.ScanInput{TableName: &table.Name, Select: types.SelectCount})
				if err != nil || out.LastEvaluatedKey == nil && int(out.Count) != len(table.Items) {
					t.Errorf("table %s: got %d items, %v, want %d", table.Name, out.Count, err, len(table.Items))
				}
			}
		})
	}
}
