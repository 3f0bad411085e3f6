package read

import (
	"context"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/connector/access"
	"github.com/dynasql/dynasql/connector/codec/page"
	"github.com/dynasql/dynasql/connector/schema"
	"github.com/dynasql/dynasql/internal/ddb"
)

// The benchmarks read pages that a process of its own serves, so that the CPU
// seconds reported are the reader's alone. Compare ratios within one run:
//
//	go test ./connector/read -run xxx -bench Scan -benchtime 5x
//
// Items are of eight attributes and 360 bytes of JSON; a tenth are in another
// order, 1 % each lack an attribute, have a NULL or a value of another kind, 5 %
// of the texts have escapes and 3 % of the amounts more than 18 digits or an
// exponent.
const (
	benchPages = 300
	pageItems  = 2500
)

const serverVariable = "DYNASQL_BENCH_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(serverVariable) != "" {
		serveBenchPages()
		return
	}
	os.Exit(m.Run())
}

var benchNames = []string{"pk", "sk", "region", "description", "amount", "quantity", "createdAtMs", "active"}

func benchPage(p int) []byte {
	r := rand.New(rand.NewPCG(uint64(p), 7))
	text := func(n int) string {
		s := strings.Repeat("alpha bravo charlie delta echo foxtrot golf hotel ", 4)[r.IntN(20):][:n]
		if r.IntN(20) == 0 {
			s = s[:n/2] + []string{`say \"hi\" \\ back\/slash`, `tab\tnl\n`, `caf\u00e9 \u4e2d`, `pair \uD83D\uDE00`, `raw 😀`, `lone \ud800`}[r.IntN(6)] + s[n/2:]
		}
		return s
	}
	amount := func() string {
		exotic := []string{"12345678901234567890123456789012345678", "1E+125", "-9.9999999999999999999999999999999999999E-130", "-9223372036854775808"}
		if r.IntN(100) < 3 {
			return exotic[r.IntN(len(exotic))]
		}
		return fmt.Sprintf("%d.%02d", r.IntN(9999), r.IntN(100))
	}
	b := fmt.Appendf(nil, `{"Count":%d,"Items":[`, pageItems)
	for i := range pageItems {
		id := p*pageItems + i
		attrs := []string{
			fmt.Sprintf(`"pk":{"S":"CUST#%08d"}`, id/10),
			fmt.Sprintf(`"sk":{"S":"ORDER#2026-%02d-%02dT%02d:%02d:00Z#%06d"}`, r.IntN(12)+1, r.IntN(28)+1, r.IntN(24), r.IntN(60), id%1000000),
			fmt.Sprintf(`"region":{"S":"region-%d"}`, r.IntN(10)),
			fmt.Sprintf(`"description":{"S":"%s"}`, text(100+r.IntN(60))),
			fmt.Sprintf(`"amount":{"N":"%s"}`, amount()),
			fmt.Sprintf(`"quantity":{"N":"%d"}`, r.IntN(100)),
			fmt.Sprintf(`"createdAtMs":{"N":"%d"}`, 1700000000000+r.Int64N(80000000000)),
			fmt.Sprintf(`"active":{"BOOL":%v}`, r.IntN(2) == 0),
		}
		switch r.IntN(100) {
		case 0:
			attrs[3] = `"description":{"NULL":true}`
		case 1:
			attrs = append(attrs[:3], attrs[4:]...)
		case 2:
			attrs[2] = `"region":{"N":"42"}`
		}
		if r.IntN(10) == 0 {
			r.Shuffle(len(attrs), func(i, k int) { attrs[i], attrs[k] = attrs[k], attrs[i] })
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '{')
		b = append(b, strings.Join(attrs, ",")...)
		b = append(b, '}')
	}
	return append(b, ']')
}

var (
	benchSegment = regexp.MustCompile(`"Segment":(\d+)`)
	benchTotal   = regexp.MustCompile(`"TotalSegments":(\d+)`)
	benchStart   = regexp.MustCompile(`"sk":\{"N":"(\d+)"\}`)
	benchTable   = regexp.MustCompile(`"TableName":"ms(\d+)"`)
	benchBig     = regexp.MustCompile(`"TableName":"pages(\d+)"`)
)

// serveBenchPages serves the pages until its standard input ends. The table
// msN adds N milliseconds to each page, the table pagesN has N pages.
func serveBenchPages() {
	bodies := make([][]byte, benchPages)
	sums := make([]uint32, benchPages)
	for i := range bodies {
		bodies[i] = benchPage(i)
		sums[i] = crc32.ChecksumIEEE(bodies[i])
	}
	number := func(re *regexp.Regexp, in []byte, otherwise int) int {
		if m := re.FindSubmatch(in); m != nil {
			n, _ := strconv.Atoi(string(m[1]))
			return n
		}
		return otherwise
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		in, _ := io.ReadAll(q.Body)
		pages, segments, segment := number(benchBig, in, benchPages), number(benchTotal, in, 1), number(benchSegment, in, 0)
		at := number(benchStart, in, segment*pages/segments)
		last := (segment+1)*pages/segments - 1
		time.Sleep(time.Duration(number(benchTable, in, 0)) * time.Millisecond)
		if at > last {
			fmt.Fprint(w, `{"Count":0,"Items":[],"ScannedCount":0}`)
			return
		}
		tail := fmt.Appendf(nil, `,"ScannedCount":%d,"ConsumedCapacity":{"CapacityUnits":128.5,"TableName":"t"}`, pageItems)
		if at < last {
			tail = fmt.Appendf(tail, `,"LastEvaluatedKey":{"pk":{"S":"page"},"sk":{"N":"%d"}}`, at+1)
		}
		tail = append(tail, '}')
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		w.Header().Set("X-Amz-Crc32", strconv.FormatUint(uint64(crc32.Update(sums[at%benchPages], crc32.IEEETable, tail)), 10))
		w.Header().Set("Content-Length", strconv.Itoa(len(bodies[at%benchPages])+len(tail)))
		w.Write(bodies[at%benchPages])
		w.Write(tail)
	}))
	fmt.Println(l.Addr())
	io.Copy(io.Discard, os.Stdin)
}

// benchClient starts the server and returns a client of it.
func benchClient(b *testing.B) (ddb.Client, string) {
	b.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), serverVariable+"=1")
	stdin, _ := cmd.StdinPipe()
	stdout, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { stdin.Close(); cmd.Wait() })
	var addr string
	if _, err := fmt.Fscan(stdout, &addr); err != nil {
		b.Fatal(err)
	}
	c, _, err := ddb.Open(b.Context(), ddb.Config{EndpointURL: "http://" + addr})
	if err != nil {
		b.Fatal(err)
	}
	return c, "http://" + addr
}

func cpu() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// measure reports what one pass over all pages takes.
func measure(b *testing.B, pass func() int) {
	b.Helper()
	pass() // connections, buffers
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	started := cpu()
	items := 0
	for b.Loop() {
		items += pass()
	}
	used := cpu() - started
	runtime.ReadMemStats(&after)
	if want := b.N * benchPages * pageItems; items != want {
		b.Fatalf("%d items, want %d", items, want)
	}
	b.ReportMetric(used.Seconds()/float64(b.N), "cpu-s/op")
	b.ReportMetric(float64(after.Mallocs-before.Mallocs)/float64(items), "allocs/item")
	b.ReportMetric(float64(items)/b.Elapsed().Seconds()/1000, "kitems/s")
}

func benchPlan(table string, segments int, columns []string) access.Plan {
	t := &schema.Table{Name: table, Key: schema.Key{Hash: schema.Attr{Name: "pk", Kind: schema.S}, Sort: schema.Attr{Name: "sk", Kind: schema.S}},
		Items: benchPages * pageItems, SizeBytes: int64(segments) * segmentBytes}
	return access.Plan{Op: access.Scan, Table: t, Project: paths(columns...)}
}

// pass reads all pages and hands every batch to use.
func passOver(b *testing.B, r *Reader, p access.Plan, use func(*page.Batch)) int {
	s, err := r.Open(b.Context(), p, NewStatement(Limits{}))
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	items := 0
	for {
		batch, count, err := s.NextBatch()
		if err == io.EOF {
			return items
		}
		if err != nil {
			b.Fatal(err)
		}
		items += int(count)
		use(batch)
	}
}

// rawPass reads the bytes of all pages and throws them away.
func rawPass(b *testing.B, c *http.Client, url, table string, segments int) int {
	done := make(chan int)
	for s := range segments {
		go func() {
			pages := 0
			for at, last := s*benchPages/segments, (s+1)*benchPages/segments; at < last; at++ {
				in := fmt.Sprintf(`{"TableName":"%s","Segment":%d,"TotalSegments":%d,"ExclusiveStartKey":{"sk":{"N":"%d"}}}`, table, s, segments, at)
				resp, err := c.Post(url, "application/x-amz-json-1.0", strings.NewReader(in))
				if err != nil {
					b.Error(err)
					break
				}
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
				pages++
			}
			done <- pages
		}()
	}
	pages := 0
	for range segments {
		pages += <-done
	}
	return pages * pageItems
}

func nothing(*page.Batch) {}

func BenchmarkScan(b *testing.B) {
	c, url := benchClient(b)
	r := New(c, Options{})
	b.Run("raw", func(b *testing.B) {
		h := &http.Client{}
		measure(b, func() int { return rawPass(b, h, url, "t", 1) })
	})
	b.Run("typed-8", func(b *testing.B) {
		measure(b, func() int { return passOver(b, r, benchPlan("t", 1, benchNames), nothing) })
	})
	b.Run("typed-3", func(b *testing.B) {
		measure(b, func() int { return passOver(b, r, benchPlan("t", 1, benchNames[2:5]), nothing) })
	})
	b.Run("rows", func(b *testing.B) {
		measure(b, func() int { return passOver(b, r, benchPlan("t", 1, benchNames), makeRows) })
	})
	b.Run("sdk", func(b *testing.B) {
		measure(b, func() int { return sdkPass(b, c, nil) })
	})
	b.Run("sdk-maps", func(b *testing.B) {
		measure(b, func() int { return sdkPass(b, c, goValue) })
	})
}

// BenchmarkScanLatency reads with 20 ms a page, as from a table in the region.
func BenchmarkScanLatency(b *testing.B) {
	c, url := benchClient(b)
	r := New(c, Options{Requests: 8})
	b.Run("raw", func(b *testing.B) {
		h := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8}}
		measure(b, func() int { return rawPass(b, h, url, "ms20", 8) })
	})
	b.Run("typed-8", func(b *testing.B) {
		measure(b, func() int { return passOver(b, r, benchPlan("ms20", 64, benchNames), nothing) })
	})
}

// BenchmarkScanTenMillion reads 10 million items, 3.6 GB of JSON, in 64 segments
// and reports the most memory that the process ever had.
func BenchmarkScanTenMillion(b *testing.B) {
	c, _ := benchClient(b)
	r := New(c, Options{})
	for b.Loop() {
		if items := passOver(b, r, benchPlan("pages4000", 64, benchNames), nothing); items != 10_000_000 {
			b.Fatalf("%d items", items)
		}
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Skip(err)
	}
	if m := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(status); m != nil {
		kb, _ := strconv.Atoi(string(m[1]))
		b.ReportMetric(float64(kb)/1024, "peak-MB")
	}
}

// makeRows makes a row of Go values of each item.
func makeRows(batch *page.Batch) {
	for i := range batch.Rows() {
		row := make([]any, len(batch.Columns()))
		for c := range row {
			v := batch.Value(i, c)
			switch v.Kind {
			case schema.S:
				row[c] = string(batch.Span(v))
			case schema.N:
				if digits, scale, ok := v.Small(); ok && scale == 0 {
					row[c] = digits
				} else {
					row[c] = string(batch.AppendNumber(nil, v))
				}
			case schema.Bool:
				row[c] = v.True()
			}
		}
	}
}

// sdkPass scans with the SDK alone and converts every value.
func sdkPass(b *testing.B, c ddb.Client, convert func(types.AttributeValue) any) int {
	items := 0
	in := &ddb.ScanInput{TableName: aws.String("t")}
	for {
		out, err := c.Scan(context.Background(), in)
		if err != nil {
			b.Fatal(err)
		}
		items += len(out.Items)
		for _, item := range out.Items {
			if convert == nil {
				break
			}
			m := make(map[string]any, len(item))
			for name, v := range item {
				if x := convert(v); x != nil {
					m[name] = x
				}
			}
		}
		if in.ExclusiveStartKey = out.LastEvaluatedKey; in.ExclusiveStartKey == nil {
			return items
		}
	}
}

func goValue(v types.AttributeValue) any {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return v.Value
	case *types.AttributeValueMemberN:
		f, _ := strconv.ParseFloat(v.Value, 64)
		return f
	case *types.AttributeValueMemberBOOL:
		return v.Value
	}
	return nil
}
