package localdb

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"hash/crc32"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/ddb"
)

// server is the fixture's store behind HTTP.
func (f *fixture) server() *httptest.Server {
	server := httptest.NewServer(f.store.Handler())
	f.Cleanup(server.Close)
	return server
}

func TestSDKOverHTTP(t *testing.T) {
	f := newFixture(t, Options{}, "pk:S sk:N", "gsi by-kind kind:S")
	c := endpointClient(t, f.server().URL)
	item := ddb.Item{
		"pk": s("é\u2028\"\\"), "sk": n("-12345678901234567890123456789012345678"), "kind": s("k"), "b": b("\x00\xff"), "empty": s(""),
		"m":  &types.AttributeValueMemberM{Value: ddb.Item{"l": &types.AttributeValueMemberL{Value: []types.AttributeValue{&types.AttributeValueMemberNULL{Value: true}, &types.AttributeValueMemberBOOL{}}}}},
		"ss": &types.AttributeValueMemberSS{Value: []string{"x", "y"}}, "ns": &types.AttributeValueMemberNS{Value: []string{"1", "2.5"}}, "bs": &types.AttributeValueMemberBS{Value: [][]byte{{1}}},
	}
	if _, err := c.PutItem(t.Context(), &ddb.PutItemInput{TableName: ptr("t-1"), Item: item}); err != nil {
		t.Fatal(err)
	}
	got, err := c.GetItem(t.Context(), &ddb.GetItemInput{TableName: ptr("t-1"), Key: ddb.Item{"pk": item["pk"], "sk": item["sk"]}, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal})
	if err != nil || canonical(got.Item) != canonical(item) || *got.ConsumedCapacity.CapacityUnits != 0.5 {
		t.Errorf("got %v, %v\nwant %s", got, err, canonical(item))
	}
	missing, err := c.GetItem(t.Context(), &ddb.GetItemInput{TableName: ptr("t-1"), Key: ddb.Item{"pk": s("x"), "sk": n(1)}})
	if err != nil || missing.Item != nil {
		t.Errorf("missing item: got %v, %v", missing, err)
	}
	update, err := c.UpdateItem(t.Context(), &ddb.UpdateItemInput{TableName: ptr("t-1"), Key: ddb.Item{"pk": s("u"), "sk": n(1)}, UpdateExpression: ptr("SET v = :v"),
		ExpressionAttributeValues: ddb.Item{":v": n("1.50")}, ReturnValues: types.ReturnValueAllNew})
	if err != nil || canonical(update.Attributes) != `{pk="u" sk=1 v=1.5}` {
		t.Errorf("update: got %v, %v", update, err)
	}
	page, err := c.Query(t.Context(), &ddb.QueryInput{TableName: ptr("t-1"), IndexName: ptr("by-kind"), KeyConditionExpression: ptr("kind = :k"), ExpressionAttributeValues: ddb.Item{":k": s("k")}, Limit: ptr[int32](1)})
	if err != nil || page.Count != 1 || canonical(page.Items[0]) != canonical(item) || len(page.LastEvaluatedKey) != 3 {
		t.Errorf("query: got %v, %v", page, err)
	}
	count, err := c.Scan(t.Context(), &ddb.ScanInput{TableName: ptr("t-1"), Select: types.SelectCount})
	if err != nil || count.Count != 2 || count.Items != nil {
		t.Errorf("count: got %v, %v", count, err)
	}
	batch, err := c.BatchGetItem(t.Context(), &ddb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{"t-1": {Keys: []ddb.Item{{"pk": s("u"), "sk": n(1)}, {"pk": s("v"), "sk": n(1)}}}}})
	if err != nil || len(batch.Responses["t-1"]) != 1 || len(batch.UnprocessedKeys) != 0 {
		t.Errorf("batch get: got %v, %v", batch, err)
	}
	table, err := c.DescribeTable(t.Context(), &ddb.DescribeTableInput{TableName: ptr("t-1")})
	if err != nil || table.Table.CreationDateTime.Unix() != f.describe().CreationDateTime.Unix() || *table.Table.ItemCount != 2 {
		t.Errorf("describe: got %+v, %v", table, err)
	}
	_, err = c.Scan(t.Context(), &ddb.ScanInput{TableName: ptr("none")})
	wantError(t, err, "ResourceNotFoundException", "Requested resource not found")
}

// send posts a request and gives the status and the body.
func send(t *testing.T, url string, header http.Header, body io.Reader) (*http.Response, []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header
	transport := &http.Transport{DisableCompression: true}
	defer transport.CloseIdleConnections()
	resp, err := transport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, text
}

func targetHeader(operation string) http.Header {
	return http.Header{"X-Amz-Target": {targetPrefix + operation}, "Content-Type": {contentType}}
}

func TestProtocol(t *testing.T) {
	f := newFixture(t, Options{}, "pk:S")
	url := f.server().URL
	for _, tt := range []struct {
		name      string
		operation string
		body      string
		status    int
		kind      string // __type
		message   string
	}{
		{"served", "ListTables", `{}`, 200, "", ""},
		{"unknown fields and null", "ListTables", `{"Limit":null,"Other":{"a":[1,2,{"b":"c"}]}}`, 200, "", ""},
		{"unknown operation", "TransactWriteItems", `{}`, 400, "com.amazon.coral.service#UnknownOperationException", "the operation TransactWriteItems is not served by this store"},
		{"no operation", "", `{}`, 400, "com.amazon.coral.service#UnknownOperationException", ""},
		{"not JSON", "ListTables", `{"Limit":`, 400, "com.amazon.coral.service#SerializationException", ""},
		{"empty body", "ListTables", ``, 400, "com.amazon.coral.service#SerializationException", ""},
		{"string for a number", "ListTables", `{"Limit":"1"}`, 400, "com.amazon.coral.service#SerializationException", "STRING_VALUE cannot be converted to Integer"},
		{"number for a string", "Scan", `{"TableName":1}`, 400, "com.amazon.coral.service#SerializationException", "NUMBER_VALUE cannot be converted to String"},
		{"refused", "Scan", `{"TableName":"t-1","Limit":0}`, 400, "com.amazon.coral.validate#ValidationException", "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1"},
		{"refused value", "Query", `{"TableName":"t-1","KeyConditionExpression":"pk = :v","ExpressionAttributeValues":{":v":{"N":"x"}}}`, 400, "com.amazon.coral.validate#ValidationException",
			"ExpressionAttributeValues contains invalid value: The parameter cannot be converted to a numeric value: x for key :v"},
		{"missing table", "Scan", `{"TableName":"none"}`, 400, "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException", "Requested resource not found"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			resp, body := send(t, url, targetHeader(tt.operation), strings.NewReader(tt.body))
			if resp.StatusCode != tt.status || resp.Header.Get("Content-Type") != contentType || resp.Header.Get("X-Amzn-Requestid") == "" {
				t.Errorf("got status %d, headers %v", resp.StatusCode, resp.Header)
			}
			if want := strconv.FormatUint(uint64(crc32.ChecksumIEEE(body)), 10); resp.Header.Get("X-Amz-Crc32") != want {
				t.Errorf("got checksum %s, want %s", resp.Header.Get("X-Amz-Crc32"), want)
			}
			var answer map[string]any
			if err := json.Unmarshal(body, &answer); err != nil {
				t.Fatalf("%s: %v", body, err)
			}
			kind, _ := answer["__type"].(string)
			message, _ := answer["message"].(string)
			if m, ok := answer["Message"].(string); ok {
				message = m
			}
			if kind != tt.kind || message != tt.message {
				t.Errorf("got %s: %s\nwant %s: %s", kind, message, tt.kind, tt.message)
			}
		})
	}
}

func TestGzip(t *testing.T) {
	f := newFixture(t, Options{}, "pk:S")
	f.put(ddb.Item{"pk": s("a"), "v": s(strings.Repeat("text ", 1000))})
	header := targetHeader("Scan")
	header.Set("Accept-Encoding", "gzip")
	header.Set("Content-Encoding", "gzip")
	resp, body := send(t, f.server().URL, header, bytes.NewReader(compress([]byte(`{"TableName":"t-1"}`))))
	if want := strconv.FormatUint(uint64(crc32.ChecksumIEEE(body)), 10); resp.Header.Get("X-Amz-Crc32") != want {
		t.Errorf("the checksum is not of the compressed bytes")
	}
	z, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		t.Fatalf("status %d: %v: %s", resp.StatusCode, err, body)
	}
	text, err := io.ReadAll(z)
	if err != nil || !bytes.Contains(text, []byte("text text")) {
		t.Errorf("got %d bytes, %v", len(text), err)
	}
}

func TestLargeRequestRefused(t *testing.T) {
	f := newFixture(t, Options{}, "pk:S")
	resp, _ := send(t, f.server().URL, targetHeader("PutItem"), io.LimitReader(zeros{}, maxRequestBytes+1))
	if resp.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("got status %d", resp.StatusCode)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

func TestSignatures(t *testing.T) {
	f := newFixture(t, Options{Credentials: map[string]string{"local": "local"}}, "pk:S")
	url := f.server().URL
	if _, err := endpointClient(t, url).Scan(t.Context(), &ddb.ScanInput{TableName: ptr("t-1")}); err != nil {
		t.Errorf("a signed request: %v", err)
	}
	for _, tt := range []struct {
		name, key, secret, code string
	}{
		{"wrong secret", "local", "x", "InvalidSignatureException"},
		{"unknown key", "x", "local", "UnrecognizedClientException"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := endpointClient(t, url)
			t.Setenv("AWS_ACCESS_KEY_ID", tt.key)
			t.Setenv("AWS_SECRET_ACCESS_KEY", tt.secret)
			c, _, err := ddb.Open(t.Context(), ddb.Config{EndpointURL: url, Region: "us-east-1"})
			if err != nil {
				t.Fatal(err)
			}
			_, err = c.Scan(t.Context(), &ddb.ScanInput{TableName: ptr("t-1")}, ddb.Once)
			wantError(t, err, tt.code, "")
		})
	}
	resp, body := send(t, url, targetHeader("ListTables"), strings.NewReader("{}"))
	if resp.StatusCode != 400 || !bytes.Contains(body, []byte("MissingAuthenticationTokenException")) {
		t.Errorf("no signature: got %d %s", resp.StatusCode, body)
	}
}

func TestAWSCLI(t *testing.T) {
	cli, err := exec.LookPath("aws")
	if err != nil {
		t.Skip("no aws CLI")
	}
	f := newFixture(t, Options{}, "pk:S")
	f.put(ddb.Item{"pk": s("a"), "v": n(1)})
	t.Setenv("AWS_ACCESS_KEY_ID", "local")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "local")
	for _, tt := range []struct{ args, want string }{
		{"list-tables --output text", "TABLENAMES\tt-1"},
		{"describe-table --table-name t-1 --query Table.[TableStatus,ItemCount,KeySchema[0].AttributeName] --output text", "ACTIVE\t1\tpk"},
		{"scan --table-name t-1 --max-items 5 --query Items[0].v.N --output text", "1"},
	} {
		args := append(strings.Fields("dynamodb --region us-east-1 --endpoint-url "+f.server().URL), strings.Fields(tt.args)...)
		out, err := exec.CommandContext(t.Context(), cli, args...).CombinedOutput()
		if err != nil || strings.TrimSpace(string(out)) != tt.want {
			t.Errorf("aws dynamodb %s: got %q, %v, want %q", tt.args, out, err, tt.want)
		}
	}
}

// TestRarelyAsked covers the operations that only consoles and provisioning
// tools send, which the in-process face does not have.
func TestRarelyAsked(t *testing.T) {
	s := Open(Options{})
	in := definitionOf("t-1", "pk:S")
	in.Tags = []types.Tag{{Key: ptr("team"), Value: ptr("a")}}
	if _, err := s.Client().CreateTable(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	for _, tt := range []struct{ operation, body, want string }{
		{"DescribeTimeToLive", `{"TableName":"t-1"}`, `{"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}}`},
		{"ListTagsOfResource", `{"ResourceArn":"arn:aws:dynamodb:local:000000000000:table/t-1"}`, `{"Tags":[{"Key":"team","Value":"a"}]}`},
		{"DescribeLimits", `{}`, `{"AccountMaxReadCapacityUnits":80000,"AccountMaxWriteCapacityUnits":80000,"TableMaxReadCapacityUnits":40000,"TableMaxWriteCapacityUnits":40000}`},
	} {
		if _, body := send(t, server.URL, targetHeader(tt.operation), strings.NewReader(tt.body)); string(body) != tt.want {
			t.Errorf("%s: got %s, want %s", tt.operation, body, tt.want)
		}
	}
}
