package dataset

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/md5"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/ddb"
	"github.com/dynasql/dynasql/internal/localdb"
)

// TestExport loads the export of testdata: the manifests are as DynamoDB writes
// them, of two partitions with items and an empty one.
func TestExport(t *testing.T) {
	for _, dir := range []string{"testdata/export", "testdata"} { // the second has it below
		e, err := OpenExport(dir)
		if err != nil {
			t.Fatal(err)
		}
		if taken := time.Date(2026, 11, 1, 6, 0, 0, 0, time.UTC); e.Table != "orders" || !e.Taken.Equal(taken) || e.Items != 3 || e.Files() != 3 {
			t.Errorf("%s: got %+v", dir, e)
		}
	}
	store, count := loaded(t, "testdata/export", "customer", "placed")
	if count != 3 {
		t.Errorf("progress says %d items, want 3", count)
	}
	out, err := store.Client().GetItem(t.Context(), &ddb.GetItemInput{TableName: pointer("orders"), Key: ddb.Item{
		"customer": &types.AttributeValueMemberS{Value: "C1"}, "placed": &types.AttributeValueMemberN{Value: "1788220800"}}})
	if err != nil {
		t.Fatal(err)
	}
	want := ddb.Item{
		"customer": &types.AttributeValueMemberS{Value: "C1"}, "placed": &types.AttributeValueMemberN{Value: "1788220800"},
		"total": &types.AttributeValueMemberN{Value: "12345678901234567890.123456789012345678"},
		"tags":  &types.AttributeValueMemberSS{Value: []string{"red", "green"}},
		"nums":  &types.AttributeValueMemberNS{Value: []string{"1", "2.5"}},
		"raw":   &types.AttributeValueMemberB{Value: []byte{0, 1, 255}},
		"bins":  &types.AttributeValueMemberBS{Value: [][]byte{{0}, {255}}},
		"lines": &types.AttributeValueMemberL{Value: []types.AttributeValue{}},
		"none":  &types.AttributeValueMemberNULL{Value: true}, "paid": &types.AttributeValueMemberBOOL{Value: true},
	}
	if !reflect.DeepEqual(out.Item, want) {
		t.Errorf("got %v\nwant %v", out.Item, want)
	}
}

func pointer(s string) *string { return &s }

func loaded(t *testing.T, dir string, key ...string) (*localdb.Store, int64) {
	t.Helper()
	store := localdb.Open(localdb.Options{})
	count, err := loadExport(t, store, dir, key...)
	if err != nil {
		t.Fatal(err)
	}
	return store, count
}

func loadExport(t *testing.T, store *localdb.Store, dir string, key ...string) (count int64, err error) {
	t.Helper()
	e, err := OpenExport(dir)
	if err != nil {
		return 0, err
	}
	definition, err := e.ByKey(t.Context(), "orders", key)
	if err != nil {
		return 0, err
	}
	err = e.Load(t.Context(), store.Client(), definition, func(n int64) { count = n })
	return count, err
}

func packed(text string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	return b.Bytes()
}

func folderOf(t *testing.T, contents map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range contents {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const (
	lineA = `{"Item":{"id":{"S":"a"}}}` + "\n"
	lineB = `{"Item":{"id":{"S":"b"}}}` + "\n"
)

// TestExportWithoutManifest reads data files alone, in data and beside it.
func TestExportWithoutManifest(t *testing.T) {
	for _, name := range []string{"data/x.json.gz", "x.json.gz"} {
		if _, count := loaded(t, folderOf(t, map[string]string{name: string(packed(lineA + "\n" + lineB)), "data/readme.txt": "?"}), "id"); count != 2 {
			t.Errorf("%s: %d items, want 2", name, count)
		}
	}
	store, _ := loaded(t, folderOf(t, map[string]string{"data/x.json.gz": ""}), "id", "at")
	out, err := store.Client().DescribeTable(t.Context(), &ddb.DescribeTableInput{TableName: pointer("orders")})
	if err != nil || *out.Table.ItemCount != 0 || len(out.Table.KeySchema) != 2 {
		t.Errorf("an empty export: %v, %v", out, err)
	}
}

// manifest is an export with one data file.
func manifest(text string) map[string]string {
	data := packed(text)
	sum := md5.Sum(data)
	n := strings.Count(text, "\n")
	return map[string]string{
		"data/x.json.gz": string(data),
		listFile: fmt.Sprintf(`{"itemCount":%d,"md5Checksum":%q,"dataFileS3Key":"p/AWSDynamoDB/1-2/data/x.json.gz"}`+"\n",
			n, base64.StdEncoding.EncodeToString(sum[:])),
		summaryFile: fmt.Sprintf(`{"tableArn":"arn:aws:dynamodb:eu-west-1:1:table/orders","exportTime":"2026-11-01T06:00:00Z","itemCount":%d,"outputFormat":"DYNAMODB_JSON"}`, n),
	}
}

func TestExportRefuses(t *testing.T) {
	replaced := func(contents map[string]string, name, old, by string) map[string]string {
		if old == "" {
			contents[name] = by
			return contents
		}
		contents[name] = strings.Replace(contents[name], old, by, 1)
		return contents
	}
	long := packed(lineA + lineB)
	for _, tt := range []struct {
		name     string
		contents map[string]string
		want     string
	}{
		{"nothing", map[string]string{"x": ""}, "there is neither manifest-summary.json nor a file *.json.gz here or in data"},
		{"ion files", map[string]string{"data/x.ion.gz": ""}, "its items are in Amazon Ion, which is not read; export the table with the format DynamoDB JSON"},
		{"ion", replaced(manifest(lineA), summaryFile, "DYNAMODB_JSON", "ION"), "its items are in Amazon Ion"},
		{"unknown format", replaced(manifest(lineA), summaryFile, "DYNAMODB_JSON", "CSV"), `outputFormat is "CSV"; DYNAMODB_JSON is read`},
		{"incremental", replaced(manifest(lineA), summaryFile, "{", `{"exportType":"INCREMENTAL_EXPORT",`), "this is an incremental export: it has changes and not the items of a table; give a full export"},
		{"incremental lines", map[string]string{"x.json.gz": string(packed(lineA + `{"Metadata":{"WriteTimestampMicros":{"N":"1"}},"Keys":{"id":{"S":"b"}}}` + "\n"))},
			"x.json.gz line 2: this is an incremental export"},
		{"broken summary", replaced(manifest(lineA), summaryFile, "", "{\n,"), "manifest-summary.json line 2: invalid character ','"},
		{"broken list", replaced(manifest(lineA), listFile, "", "\n{]"), "manifest-files.json line 2: invalid character ']'"},
		{"no key in the list", replaced(manifest(lineA), listFile, "dataFileS3Key", "key"), "manifest-files.json line 1: dataFileS3Key is missing"},
		{"missing file", replaced(manifest(lineA), listFile, "x.json", "y.json"), "manifest-files.json line 1: the file data/y.json.gz is not there: the folder is not complete"},
		{"two counts", replaced(manifest(lineA), summaryFile, `"itemCount":1`, `"itemCount":5`), "manifest-summary.json counts 5 items, the files of manifest-files.json have 1"},
		{"wrong count", replaced(replaced(manifest(lineA+lineB), summaryFile, `"itemCount":2`, `"itemCount":3`), listFile, `"itemCount":2`, `"itemCount":3`),
			"data/x.json.gz line 2: the file has 2 items, manifest-files.json says 3"},
		{"wrong checksum", replaced(manifest(lineA), "data/x.json.gz", "", string(packed(lineB))), "data/x.json.gz line 1: the file's MD5 checksum is "},
		{"cut off", map[string]string{"x.json.gz": string(long[:len(long)-5])}, "the file is damaged or cut off"},
		{"no gzip", map[string]string{"x.json.gz": lineA}, "x.json.gz line 1: the file is no gzip file"},
		{"a bare item", map[string]string{"x.json.gz": string(packed(`{"id":{"S":"a"}}`))}, `x.json.gz line 1: found "id" where {"Item": ..} must be`},
		{"no object", map[string]string{"x.json.gz": string(packed("[]"))}, `x.json.gz line 1: found '[' where '{' in an object must be`},
		{"half a line", map[string]string{"x.json.gz": string(packed(lineA + `{"Item":{`))}, "x.json.gz line 2: the file ends where a string must be"},
		{"a wrong number", map[string]string{"x.json.gz": string(packed(lineA + `{"Item":{"id":{"S":"b"},"n":{"N":"1,5"}}}`))}, `x.json.gz line 2: attribute "n": "1,5" is not a number`},
		{"no such attribute", map[string]string{"x.json.gz": string(packed(`{"Item":{"ID":{"S":"b"},"m":{"M":{}}}}`))}, `"id" is not a key: the first item has it as no attribute; it has "ID"`},
		{"key without value", map[string]string{"x.json.gz": string(packed(lineA + `{"Item":{"ID":{"S":"b"}}}`))}, `x.json.gz line 2: key attribute "id" is missing`},
		{"key of another type", map[string]string{"x.json.gz": string(packed(lineA + `{"Item":{"id":{"N":"1"}}}`))}, `x.json.gz line 2: key attribute "id" is N, the table has it as S`},
		{"no key", map[string]string{"x.json.gz": string(packed(lineA + lineB + lineA))}, "x.json.gz line 3: there was an item with the same key before it: these attributes are not the key of the table"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := folderOf(t, tt.contents)
			_, err := loadExport(t, localdb.Open(localdb.Options{}), dir, "id")
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), dir) {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}

func TestExportFolders(t *testing.T) {
	if _, err := OpenExport(filepath.Join(t.TempDir(), "none")); err == nil || !strings.Contains(err.Error(), "there is no such folder") {
		t.Errorf("got %v", err)
	}
	both := map[string]string{}
	for name, text := range manifest(lineA) {
		both["AWSDynamoDB/1-2/"+name], both["AWSDynamoDB/1-3/"+name] = text, text
	}
	if _, err := OpenExport(folderOf(t, both)); err == nil || !strings.Contains(err.Error(), "there are several exports below it; give one of ") {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	e, err := OpenExport(folderOf(t, manifest(lineA)))
	if err != nil {
		t.Fatal(err)
	}
	definition, err := e.ByKey(ctx, "orders", []string{"id"})
	cancel()
	if err := errors.Join(err, e.Load(ctx, localdb.Open(localdb.Options{}).Client(), definition, nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
