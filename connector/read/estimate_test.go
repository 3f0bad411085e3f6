package read

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/connector/access"
	"github.com/dynasql/dynasql/connector/schema"
	"github.com/dynasql/dynasql/internal/ddb"
	"github.com/dynasql/dynasql/internal/localdb"
)

// post sends a request to the store as JSON.
func post(t *testing.T, store *localdb.Store, action string, body []byte) {
	t.Helper()
	q := httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(body))
	q.Header.Set("X-Amz-Target", "DynamoDB_20120810."+action)
	q.Header.Set("Content-Type", "application/x-amz-json-1.0")
	q.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=local/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0")
	w := httptest.NewRecorder()
	store.Handler().ServeHTTP(w, q)
	if w.Code != http.StatusOK {
		t.Fatalf("%s: %s", action, w.Body)
	}
}

// load fills the store from a folder and returns the names of the tables.
func load(t *testing.T, store *localdb.Store, dir string) []string {
	t.Helper()
	var definitions []json.RawMessage
	var puts map[string][]json.RawMessage
	for name, into := range map[string]any{"tables.json": &definitions, "items.json": &puts} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, into); err != nil {
			t.Fatal(err)
		}
	}
	var names []string
	for _, d := range definitions {
		post(t, store, "CreateTable", d)
		var named struct{ TableName string }
		if err := json.Unmarshal(d, &named); err != nil {
			t.Fatal(err)
		}
		names = append(names, named.TableName)
	}
	for table, all := range puts {
		for ; len(all) > 0; all = all[min(25, len(all)):] {
			body, err := json.Marshal(map[string]any{"RequestItems": map[string]any{table: all[:min(25, len(all))]}})
			if err != nil {
				t.Fatal(err)
			}
			post(t, store, "BatchWriteItem", body)
		}
	}
	return names
}

// described is the table with what DescribeTable says, and no columns.
func described(t *testing.T, c ddb.Client, name string) *schema.Table {
	t.Helper()
	out, err := c.DescribeTable(t.Context(), &ddb.DescribeTableInput{TableName: &name})
	if err != nil {
		t.Fatal(err)
	}
	d := out.Table
	kinds := map[string]schema.Kind{}
	for _, a := range d.AttributeDefinitions {
		kinds[*a.AttributeName], _ = schema.KindOf(string(a.AttributeType))
	}
	tab := &schema.Table{Name: name, Items: *d.ItemCount, SizeBytes: *d.TableSizeBytes}
	for _, k := range d.KeySchema {
		a := schema.Attr{Name: *k.AttributeName, Kind: kinds[*k.AttributeName]}
		if k.KeyType == types.KeyTypeHash {
			tab.Key.Hash = a
		} else {
			tab.Key.Sort = a
		}
	}
	return tab
}

func chosenPlan(t *testing.T, r access.Request) access.Plan {
	t.Helper()
	p, err := access.Choose(r)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestEstimateOfWholeScans(t *testing.T) {
	root := "../../../shared/data"
	dirs, _ := filepath.Glob(filepath.Join(root, "*", "items.json"))
	if len(dirs) == 0 {
		if os.Getenv("DYNASQL_CI") == "1" {
			t.Fatalf("no data sets in %s", root)
		}
		t.Skipf("no data sets in %s", root)
	}
	for _, file := range dirs {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			store := localdb.Open(localdb.Options{})
			for _, name := range load(t, store, dir) {
				checkScan(t, store.Client(), described(t, store.Client(), name))
			}
		})
	}
	t.Run("generated", func(t *testing.T) {
		store := localdb.Open(localdb.Options{})
		generate(t, store, 20_000, func(i int) int { return 300 + i%700 })
		checkScan(t, store.Client(), described(t, store.Client(), "gen"))
	})
}

// checkScan wants the estimate within 20 %, and within one step of the units
// that DynamoDB rounds to.
func checkScan(t *testing.T, c ddb.Client, tab *schema.Table) {
	t.Helper()
	p := chosenPlan(t, access.Request{Table: tab, All: true})
	got, st := runPlan(t, c, p)
	u := st.Usage()
	if got.err != nil || u.Items != tab.Items {
		t.Fatalf("%s: %d items of %d, %v", tab.Name, u.Items, tab.Items, got.err)
	}
	near := func(what string, estimate, actual, step float64) {
		if diff := estimate - actual; diff > 0.2*actual+step || -diff > 0.2*actual+step {
			t.Errorf("%s: estimated %v %s, took %v", tab.Name, estimate, what, actual)
		}
	}
	near("read units", p.Cost.ReadUnits, u.ReadUnits, 0.5)
	near("requests", p.Cost.Requests, float64(u.Requests["Scan"]), 1)
	near("items", p.Cost.Items, float64(u.Items), 0)
}

func runPlan(t *testing.T, c ddb.Client, p access.Plan) (outcome, *Statement) {
	t.Helper()
	st := NewStatement(Limits{})
	s, err := New(c, Options{}).Open(t.Context(), p, st)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for err == nil {
		_, _, err = s.NextBatch()
	}
	if err.Error() == "EOF" {
		err = nil
	}
	return outcome{err: err}, st
}

// generate makes the table gen of n items, 50 to a hash key.
func generate(t *testing.T, store *localdb.Store, n int, size func(i int) int) {
	t.Helper()
	post(t, store, "CreateTable", []byte(`{"TableName":"gen","BillingMode":"PAY_PER_REQUEST",
		"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
		"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"}]}`))
	c := store.Client()
	for i := range n {
		it := key(fmt.Sprintf("%06d", i/50), i%50)
		it["v"] = &types.AttributeValueMemberS{Value: strings.Repeat("x", size(i))}
		if _, err := c.PutItem(t.Context(), &ddb.PutItemInput{TableName: aws.String("gen"), Item: it}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestEstimateOfKeyReads(t *testing.T) {
	store := localdb.Open(localdb.Options{})
	generate(t, store, 1000, func(int) int { return 5000 })
	tab := described(t, store.Client(), "gen")
	equal := func(attribute string, values ...schema.Scalar) access.Pred {
		p := access.Pred{Op: access.Eq, Path: access.Path{Attribute: attribute}, Args: values, Kind: values[0].Kind}
		if len(values) > 1 {
			p.Op = access.In
		}
		return p
	}
	for _, tt := range []struct {
		name  string
		op    access.Operation
		where []access.Pred
	}{
		{"one item", access.GetItem, []access.Pred{equal("pk", schema.Str("000003")), equal("sk", schema.Num("7"))}},
		{"three items", access.BatchGetItem, []access.Pred{equal("pk", schema.Str("000003")), equal("sk", schema.Num("7"), schema.Num("9"), schema.Num("11"))}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := chosenPlan(t, access.Request{Table: tab, All: true, Where: tt.where})
			got, st := runPlan(t, store.Client(), p)
			u := st.Usage()
			if got.err != nil || p.Op != tt.op || u.ReadUnits != p.Cost.ReadUnits || float64(u.Requests[tt.op.String()]) != p.Cost.Requests {
				t.Errorf("%s: estimated %v read units in %v requests, took %v in %v, %v", p.Op, p.Cost.ReadUnits, p.Cost.Requests, u.ReadUnits, u.Requests, got.err)
			}
		})
	}
}
