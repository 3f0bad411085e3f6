package localdb

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/ddb"
)

// The benchmarks compare the store in process, the store over HTTP and, if
// DYNASQL_DYNALITE names its cli, dynalite over HTTP, with the same items and
// the same client. DYNASQL_BENCH_ITEMS sets how many items are loaded; run with
// -benchtime=1x for loads.

func benchItems() int {
	if n, err := strconv.Atoi(os.Getenv("DYNASQL_BENCH_ITEMS")); err == nil {
		return n
	}
	return 100_000
}

// benchItem is an order with 8 attributes, 239 bytes by the service's accounting.
func benchItem(i int) ddb.Item {
	return ddb.Item{
		"customer": s("customer#" + strconv.Itoa(i/10)),
		"order":    s(fmt.Sprintf("order#%010d", i)),
		"status":   s([]string{"shipped", "pending", "returned"}[i%3]),
		"total":    n(fmt.Sprintf("%d.%02d", i%1000, i%100)),
		"quantity": n(i % 17),
		"paid":     &types.AttributeValueMemberBOOL{Value: i%2 == 0},
		"placed":   s("2026-11-30T12:00:00.000Z"),
		"note":     s("a text of some length that nobody filters on but that every scan has to carry, item " + strconv.Itoa(i)),
	}
}

func benchTable(tb testing.TB, c ddb.Client, name string) {
	tb.Helper()
	in := definitionOf(name, "customer:S order:S")
	if _, err := c.CreateTable(context.Background(), in); err != nil {
		tb.Fatal(err)
	}
	for {
		out, err := c.DescribeTable(context.Background(), &ddb.DescribeTableInput{TableName: &name})
		if err != nil {
			tb.Fatal(err)
		}
		if out.Table.TableStatus == types.TableStatusActive {
			return
		}
	}
}

// benchLoad writes items in batches of 25 with 8 workers.
func benchLoad(tb testing.TB, c ddb.Client, name string, items int) {
	tb.Helper()
	const workers = 8
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for first := w * 25; first < items; first += workers * 25 {
				requests := make([]types.WriteRequest, 0, 25)
				for i := first; i < min(first+25, items); i++ {
					requests = append(requests, types.WriteRequest{PutRequest: &types.PutRequest{Item: benchItem(i)}})
				}
				_, err := c.BatchWriteItem(context.Background(), &ddb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{name: requests}})
				if err != nil {
					tb.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// target is a DynamoDB to measure; url is "" in process.
type target struct {
	name   string
	client ddb.Client
	url    string
}

func targets(b *testing.B) []target {
	b.Helper()
	inProcess := target{name: "in-process", client: Open(Options{}).Client()}
	server := httptest.NewServer(Open(Options{}).Handler())
	b.Cleanup(server.Close)
	all := []target{inProcess, {name: "http", client: endpointClient(b, server.URL), url: server.URL}}
	if url := startDynalite(b); url != "" {
		all = append(all, target{name: "dynalite", client: endpointClient(b, url), url: url})
	}
	return all
}

// endpointClient is the product's SDK client on an endpoint.
func endpointClient(tb testing.TB, url string) ddb.Client {
	tb.Helper()
	tb.Setenv("AWS_ACCESS_KEY_ID", "local")
	tb.Setenv("AWS_SECRET_ACCESS_KEY", "local")
	client, _, err := ddb.Open(context.Background(), ddb.Config{EndpointURL: url, Region: "us-east-1"})
	if err != nil {
		tb.Fatal(err)
	}
	return client
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func BenchmarkLoad(b *testing.B) {
	items := benchItems()
	for _, t := range targets(b) {
		b.Run(t.name, func(b *testing.B) {
			for i := range b.N {
				name := fmt.Sprintf("load-%s-%d", t.name, i)
				benchTable(b, t.client, name)
				before := heap()
				b.ResetTimer()
				benchLoad(b, t.client, name, items)
				b.StopTimer()
				b.ReportMetric(float64(items)/b.Elapsed().Seconds(), "items/s")
				if t.name == "in-process" {
					b.ReportMetric(float64(heap()-before)/float64(items), "heap-B/item")
				}
				if _, err := t.client.DeleteTable(context.Background(), &ddb.DeleteTableInput{TableName: &name}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkScan reads a whole table. The rows named raw take the bodies of the
// responses without decoding them, the others decode to the SDK's values.
func BenchmarkScan(b *testing.B) {
	items := benchItems()
	for _, t := range targets(b) {
		benchTable(b, t.client, "scan-table")
		benchLoad(b, t.client, "scan-table", items)
		b.Run(t.name, func(b *testing.B) {
			for range b.N {
				scanAll(b, t.client)
			}
			b.ReportMetric(float64(b.N*items)/b.Elapsed().Seconds(), "items/s")
		})
		if t.url == "" {
			continue
		}
		b.Run(t.name+"-raw", func(b *testing.B) {
			bytes := 0
			for range b.N {
				bytes += scanRaw(b, t.url)
			}
			b.ReportMetric(float64(b.N*items)/b.Elapsed().Seconds(), "items/s")
			b.ReportMetric(float64(bytes)/1e6/b.Elapsed().Seconds(), "MB/s")
		})
	}
}

func scanAll(b *testing.B, c ddb.Client) {
	in := &ddb.ScanInput{TableName: ptr("scan-table")}
	for {
		out, err := c.Scan(context.Background(), in)
		if err != nil {
			b.Fatal(err)
		}
		if in.ExclusiveStartKey = out.LastEvaluatedKey; in.ExclusiveStartKey == nil {
			return
		}
	}
}

// scanRaw scans by plain HTTP and gives the size of all bodies.
func scanRaw(b *testing.B, url string) (bytes int) {
	start := ""
	for {
		body := post(b, url, "Scan", `{"TableName":"scan-table"`+start+`}`)
		bytes += len(body)
		_, last, more := strings.Cut(tail(body), `"LastEvaluatedKey":`)
		if !more {
			return bytes
		}
		end := strings.Index(last, "}}") + 2
		start = `,"ExclusiveStartKey":` + last[:end]
	}
}

// tail is where LastEvaluatedKey is: dynalite has it at the start.
func tail(body string) string {
	if i := strings.LastIndex(body, `"LastEvaluatedKey":`); i >= 0 {
		return body[i:]
	}
	return ""
}

func post(tb testing.TB, url, operation, body string) string {
	tb.Helper()
	r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		tb.Fatal(err)
	}
	r.Header.Set("X-Amz-Target", targetPrefix+operation)
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=local/20261130/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0")
	r.Header.Set("X-Amz-Date", "20261130T120000Z")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		tb.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}

func BenchmarkPoint(b *testing.B) {
	items := min(benchItems(), 100_000)
	for _, t := range targets(b) {
		benchTable(b, t.client, "point-table")
		benchLoad(b, t.client, "point-table", items)
		b.Run("get-item/"+t.name, func(b *testing.B) {
			for i := range b.N {
				item := benchItem(i * 7919 % items)
				_, err := t.client.GetItem(context.Background(), &ddb.GetItemInput{
					TableName: ptr("point-table"), Key: ddb.Item{"customer": item["customer"], "order": item["order"]},
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("query-10/"+t.name, func(b *testing.B) {
			for i := range b.N {
				out, err := t.client.Query(context.Background(), &ddb.QueryInput{
					TableName: ptr("point-table"), KeyConditionExpression: ptr("customer = :c"),
					ExpressionAttributeValues: ddb.Item{":c": s("customer#" + strconv.Itoa(i*7919%(items/10)))},
				})
				if err != nil || out.Count != 10 {
					b.Fatal(out, err)
				}
			}
		})
	}
}

// BenchmarkFilter scans with a filter that keeps little.
func BenchmarkFilter(b *testing.B) {
	items := benchItems()
	c := Open(Options{}).Client()
	benchTable(b, c, "filter-table")
	benchLoad(b, c, "filter-table", items)
	for b.Loop() {
		in := &ddb.ScanInput{
			TableName: ptr("filter-table"), FilterExpression: ptr("quantity = :q AND begins_with(#s, :s)"),
			ExpressionAttributeNames:  map[string]string{"#s": "status"},
			ExpressionAttributeValues: ddb.Item{":q": n(3), ":s": s("ret")},
		}
		for {
			out, err := c.Scan(context.Background(), in)
			if err != nil {
				b.Fatal(err)
			}
			if in.ExclusiveStartKey = out.LastEvaluatedKey; in.ExclusiveStartKey == nil {
				break
			}
		}
	}
	b.ReportMetric(float64(b.N*items)/b.Elapsed().Seconds(), "items/s")
}
