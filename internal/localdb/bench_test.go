package localdb

import (
	"bytes"
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
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/ddb"
	"github.com/dynasql/dynasql/internal/localdb/attr"
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

// target is a DynamoDB to measure; url is "" in process, pid is 0 for a server
// in the process of the benchmark.
type target struct {
	name   string
	client ddb.Client
	url    string
	pid    int
}

// cpu is the processor time of the benchmark and of the target's server so far.
// Unlike the time on the clock it does not depend on what else the machine does.
func (t target) cpu(b *testing.B) time.Duration {
	var self syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &self); err != nil {
		b.Fatal(err)
	}
	used := time.Duration(self.Utime.Nano() + self.Stime.Nano())
	if t.pid == 0 {
		return used
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", t.pid))
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	for _, ticks := range fields[11:13] { // utime and stime, in hundredths of a second
		n, err := strconv.Atoi(ticks)
		if err != nil {
			b.Fatal(err)
		}
		used += time.Duration(n) * 10 * time.Millisecond
	}
	return used
}

// report gives the rate on the clock and the processor time an item.
func (t target) report(b *testing.B, items int, before time.Duration) {
	b.ReportMetric(float64(items)/b.Elapsed().Seconds(), "items/s")
	b.ReportMetric(float64((t.cpu(b)-before).Nanoseconds())/float64(items), "cpu-ns/item")
}

func targets(b *testing.B) []target {
	b.Helper()
	inProcess := target{name: "in-process", client: Open(Options{}).Client()}
	server := httptest.NewServer(Open(Options{}).Handler())
	b.Cleanup(server.Close)
	all := []target{inProcess, {name: "http", client: endpointClient(b, server.URL), url: server.URL}}
	if url, pid := runDynalite(b); url != "" {
		all = append(all, target{name: "dynalite", client: endpointClient(b, url), url: url, pid: pid})
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

// BenchmarkLoad writes a table. The rows named raw send requests that were made
// before by plain HTTP, the others make, sign and serialize them with the SDK's
// client.
func BenchmarkLoad(b *testing.B) {
	items := benchItems()
	for _, t := range targets(b) {
		b.Run(t.name, func(b *testing.B) {
			for i := range b.N {
				name := fmt.Sprintf("load-%s-%d", t.name, i)
				benchTable(b, t.client, name)
				before, cpu := heap(), t.cpu(b)
				b.ResetTimer()
				b.StartTimer()
				benchLoad(b, t.client, name, items)
				b.StopTimer()
				t.report(b, items, cpu)
				if t.name == "in-process" {
					b.ReportMetric(float64(heap()-before)/float64(items), "heap-B/item")
				}
				if _, err := t.client.DeleteTable(context.Background(), &ddb.DeleteTableInput{TableName: &name}); err != nil {
					b.Fatal(err)
				}
			}
		})
		if t.url == "" {
			continue
		}
		b.Run(t.name+"-raw", func(b *testing.B) {
			for i := range b.N {
				name := fmt.Sprintf("raw-%s-%d", t.name, i)
				benchTable(b, t.client, name)
				bodies := loadBodies(b, name, items)
				cpu := t.cpu(b)
				b.ResetTimer()
				b.StartTimer()
				loadRaw(b, t.url, bodies)
				b.StopTimer()
				t.report(b, items, cpu)
				if _, err := t.client.DeleteTable(context.Background(), &ddb.DeleteTableInput{TableName: &name}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// loadBodies are the requests of benchLoad.
func loadBodies(b *testing.B, name string, items int) []string {
	var bodies []string
	for first := 0; first < items; first += 25 {
		body := []byte(`{"RequestItems":{"` + name + `":[`)
		for i := first; i < min(first+25, items); i++ {
			item, err := attr.FromSDK(benchItem(i))
			if err != nil {
				b.Fatal(err)
			}
			body = item.AppendJSON(append(body, `{"PutRequest":{"Item":`...))
			body = append(body, "}},"...)
		}
		bodies = append(bodies, string(body[:len(body)-1])+"]}}")
	}
	return bodies
}

// loadRaw sends requests with 8 workers.
func loadRaw(b *testing.B, url string, bodies []string) {
	const workers = 8
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(bodies); i += workers {
				resp := sendPlain(b, url, "BatchWriteItem", bodies[i])
				answer, err := io.ReadAll(resp.Body)
				resp.Body.Close()
				if err != nil || !strings.Contains(string(answer), `"UnprocessedItems":{}`) {
					b.Errorf("answer %s, %v", answer, err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// BenchmarkScan reads a whole table. The rows named raw take the bodies of the
// responses without decoding them, the others decode to the SDK's values.
func BenchmarkScan(b *testing.B) {
	items := benchItems()
	for _, t := range targets(b) {
		benchTable(b, t.client, "scan-table")
		benchLoad(b, t.client, "scan-table", items)
		b.Run(t.name, func(b *testing.B) {
			cpu := t.cpu(b)
			for range b.N {
				scanAll(b, t.client)
			}
			t.report(b, b.N*items, cpu)
		})
		if t.url == "" {
			continue
		}
		b.Run(t.name+"-raw", func(b *testing.B) {
			size, cpu := 0, t.cpu(b)
			for range b.N {
				size += scanRaw(b, t.url)
			}
			t.report(b, b.N*items, cpu)
			b.ReportMetric(float64(size)/1e6/b.Elapsed().Seconds(), "MB/s")
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
func scanRaw(b *testing.B, url string) (size int) {
	start := ""
	for {
		body := post(b, url, "Scan", `{"TableName":"scan-table"`+start+`}`)
		size += len(body)
		key := lastKey(body)
		if key == nil {
			return size
		}
		start = `,"ExclusiveStartKey":` + string(key)
	}
}

// lastKey finds LastEvaluatedKey near the start of a page, where dynalite has
// it, or near its end; its values hold no braces.
func lastKey(body []byte) []byte {
	name := []byte(`"LastEvaluatedKey":`)
	for _, part := range [][]byte{body[:min(500, len(body))], body[max(len(body)-500, 0):]} {
		if _, key, ok := bytes.Cut(part, name); ok {
			return key[:bytes.Index(key, []byte("}}"))+2]
		}
	}
	return nil
}

// plainHTTP asks for no compression, as the SDK's client does not.
var plainHTTP = &http.Client{Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 8}}

// pageBuffer holds one page after another.
var pageBuffer []byte

func sendPlain(tb testing.TB, url, operation, body string) *http.Response {
	tb.Helper()
	r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		tb.Error(err)
		runtime.Goexit()
	}
	r.Header.Set("X-Amz-Target", targetPrefix+operation)
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=local/20261130/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0")
	r.Header.Set("X-Amz-Date", "20261130T120000Z")
	resp, err := plainHTTP.Do(r)
	if err != nil {
		tb.Error(err)
		runtime.Goexit()
	}
	return resp
}

func post(tb testing.TB, url, operation, body string) []byte {
	tb.Helper()
	resp := sendPlain(tb, url, operation, body)
	defer resp.Body.Close()
	if n := int(resp.ContentLength); n > cap(pageBuffer) {
		pageBuffer = make([]byte, n)
	}
	page := pageBuffer[:resp.ContentLength]
	if _, err := io.ReadFull(resp.Body, page); err != nil {
		tb.Fatal(err)
	}
	return page
}

func BenchmarkPoint(b *testing.B) {
	items := min(benchItems(), 100_000)
	for _, t := range targets(b) {
		benchTable(b, t.client, "point-table")
		benchLoad(b, t.client, "point-table", items)
		b.Run("get-item/"+t.name, func(b *testing.B) {
			cpu := t.cpu(b)
			defer func() { t.report(b, b.N, cpu) }()
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
			cpu := t.cpu(b)
			defer func() { t.report(b, b.N, cpu) }()
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
