package engine_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/connector/access"
	"github.com/dynasql/dynasql/connector/catalog"
	"github.com/dynasql/dynasql/connector/read"
	"github.com/dynasql/dynasql/engine"
	"github.com/dynasql/dynasql/internal/ddb"
	"github.com/dynasql/dynasql/internal/localdb"
)

// storeVariable makes the test binary the store of BenchmarkLocal, with so many
// items.
const storeVariable = "DYNASQL_BENCH_STORE"

func TestMain(m *testing.M) {
	if n, err := strconv.Atoi(os.Getenv(storeVariable)); err == nil {
		serveFacts(n)
		return
	}
	os.Exit(m.Run())
}

// serveFacts serves a table of n facts and one of kinds, says where, and ends
// with its input.
func serveFacts(n int) {
	store := localdb.Open(localdb.Options{})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	err = errors.Join(err,
		loadTable(store.Client(), "facts", "id", n, func(i int) ddb.Item {
			item := benchItem(i)
			item["many"] = &types.AttributeValueMemberS{Value: fmt.Sprint("k", i%100_000)}
			return item
		}),
		loadTable(store.Client(), "kinds", "k", 10_000, func(i int) ddb.Item {
			return ddb.Item{
				"k":    &types.AttributeValueMemberS{Value: fmt.Sprint("k", i)},
				"kind": &types.AttributeValueMemberS{Value: fmt.Sprint("kind ", i%37)},
			}
		}))
	if err != nil {
		panic(err)
	}
	go http.Serve(l, store.Handler())
	fmt.Println(l.Addr())
	_, _ = io.Copy(io.Discard, os.Stdin)
}

func loadTable(c ddb.Client, name, hash string, n int, item func(int) ddb.Item) error {
	ctx := context.Background()
	_, err := c.CreateTable(ctx, &ddb.CreateTableInput{
		TableName: &name, BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: &hash, AttributeType: types.ScalarAttributeTypeS}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: &hash, KeyType: types.KeyTypeHash}},
	})
	var batch []types.WriteRequest
	for i := 0; i < n && err == nil; i++ {
		batch = append(batch, types.WriteRequest{PutRequest: &types.PutRequest{Item: item(i)}})
		if len(batch) == 25 || i == n-1 {
			in := &ddb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{name: batch}}
			_, err = c.BatchWriteItem(ctx, in)
			batch = nil
		}
	}
	return err
}

// factsClient is the client of a store that is a process of its own and has a
// million items, or as many as DYNASQL_BENCH_ITEMS says.
func factsClient(b *testing.B) ddb.Client {
	b.Helper()
	n := os.Getenv("DYNASQL_BENCH_ITEMS")
	if n == "" {
		n = "1000000"
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env, cmd.Stderr = append(os.Environ(), storeVariable+"="+n), os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { stdin.Close(); _ = cmd.Wait() })
	var address string
	if _, err := fmt.Fscan(stdout, &address); err != nil {
		b.Fatal(err)
	}
	c, _, err := ddb.Open(b.Context(), ddb.Config{EndpointURL: "http://" + address})
	if err != nil {
		b.Fatal(err)
	}
	return c
}

func processorTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkLocal runs statements over a million items (DYNASQL_BENCH_ITEMS) that
// a store in a process of its own serves, on typed values and row by row, and
// beside each the reading and decoding of the same attributes alone. Compare
// cpu-s, the processor seconds of this process.
//
//	go test -tags gms_pure_go ./engine -run xxx -bench Local -benchtime 1x
func BenchmarkLocal(b *testing.B) {
	client := factsClient(b)
	e, err := engine.New(engine.Config{Connections: []engine.Connection{{Client: client}}})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { e.Close() })
	for _, bb := range []struct {
		name, query string
		columns     []string
	}{
		{"group of 100", "SELECT grp, COUNT(*), SUM(amount), AVG(weight) FROM facts GROUP BY grp", []string{"grp", "amount", "weight"}},
		{"group of 100,000", "SELECT many, COUNT(*), SUM(amount) FROM facts GROUP BY many", []string{"many", "amount"}},
		{"filtered count", "SELECT COUNT(*) FROM facts WHERE amount + 0 > 5000 AND (flag OR FALSE)", []string{"amount", "flag"}},
		{"sum", "SELECT SUM(amount), AVG(weight) FROM facts", []string{"amount", "weight"}},
		{"top 10", "SELECT id, amount FROM facts ORDER BY amount DESC, id LIMIT 10", []string{"id", "amount"}},
		{"sort", "SELECT id, amount FROM facts ORDER BY amount DESC, id", []string{"id", "amount"}},
		{"rows", "SELECT id, amount FROM facts", []string{"id", "amount"}},
		{"row numbers", "SELECT id, ROW_NUMBER() OVER (ORDER BY amount) FROM facts", []string{"id", "amount"}},
		{"distinct", "SELECT DISTINCT many FROM facts", []string{"many"}},
		{"join", "SELECT k.kind, SUM(f.amount) FROM facts f JOIN kinds k ON k.k = f.many GROUP BY k.kind", []string{"many", "amount"}},
	} {
		b.Run(bb.name+"/decode", func(b *testing.B) { measure(b, func() { decodeFacts(b, client, bb.columns) }) })
		for _, typed := range []string{"1", "0"} {
			b.Run(bb.name+"/typed="+typed, func(b *testing.B) {
				s := e.NewSession()
				defer s.Close()
				drain(b, s, "SET ddb_typed = "+typed+", ddb_max_rcu = 0")
				measure(b, func() { drain(b, s, bb.query) })
			})
		}
	}
}

func measure(b *testing.B, run func()) {
	b.ReportAllocs()
	runtime.GC()
	before := processorTime()
	for b.Loop() {
		run()
	}
	b.ReportMetric((processorTime()-before).Seconds()/float64(b.N), "cpu-s")
}

func decodeFacts(b *testing.B, client ddb.Client, columns []string) {
	b.Helper()
	ctx := b.Context()
	t, err := catalog.New(client, catalog.Options{}).Table(ctx, "facts")
	if err != nil {
		b.Fatal(err)
	}
	request := access.Request{Table: t}
	for _, name := range columns {
		request.Columns = append(request.Columns, access.Path{Attribute: name})
	}
	p, err := access.Choose(request)
	if err != nil {
		b.Fatal(err)
	}
	stream, err := read.New(client, read.Options{}).Open(ctx, p, read.NewStatement(read.Limits{}))
	if err != nil {
		b.Fatal(err)
	}
	for err == nil {
		_, _, err = stream.NextBatch()
	}
	if err != io.EOF {
		b.Fatal(err)
	}
}

// BenchmarkSpill sorts and joins ten times as many rows as there are items, with
// 256 MB for what operators hold, and reports the most that the process ever held.
//
//	go test -tags gms_pure_go ./engine -run xxx -bench Spill -benchtime 1x -timeout 1h
func BenchmarkSpill(b *testing.B) {
	e, err := engine.New(engine.Config{Connections: []engine.Connection{{Client: factsClient(b)}}})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { e.Close() })
	tens := "(SELECT 0 AS t UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9) tens"
	for _, bb := range []struct{ name, query string }{
		{"sort", "SELECT name, amount, t FROM facts, " + tens + " ORDER BY amount DESC, name, t"},
		{"join", "SELECT COUNT(*) FROM (SELECT id, amount, t FROM facts, " + tens + ") a JOIN (SELECT id, weight, t FROM facts, " + tens + ") b ON a.id = b.id AND a.t = b.t"},
	} {
		b.Run(bb.name, func(b *testing.B) {
			s := e.NewSession()
			defer s.Close()
			drain(b, s, "SET ddb_max_rcu = 0, ddb_memory_limit = 268435456")
			measure(b, func() { drain(b, s, bb.query) })
			var u syscall.Rusage
			_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
			b.ReportMetric(float64(u.Maxrss)/1024, "peak-MB")
			b.ReportMetric(float64(s.Memory().Spilled())/(1<<20), "files-MB")
		})
	}
}
