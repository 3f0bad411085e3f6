package mysqld_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/go-sql-driver/mysql"

	"github.com/dynasql/dynasql/engine"
	"github.com/dynasql/dynasql/engine/mysqld"
	"github.com/dynasql/dynasql/engine/mysqld/wire"
	"github.com/dynasql/dynasql/internal/dataset"
	"github.com/dynasql/dynasql/internal/ddb"
	"github.com/dynasql/dynasql/internal/localdb"
)

// storeVariable makes the test binary the store of BenchmarkPoint.
const storeVariable = "DYNASQL_BENCH_STORE"

func TestMain(m *testing.M) {
	if os.Getenv(storeVariable) == "" {
		_ = mysql.SetLogger(log.New(io.Discard, "", 0)) // tests end connections
		os.Exit(m.Run())
	}
	store := localdb.Open(localdb.Options{})
	set, err := dataset.Read(filepath.Join("testdata", "shop"))
	if err == nil {
		_, err = set.Load(context.Background(), store.Client())
	}
	l, listenErr := net.Listen("tcp", "127.0.0.1:0")
	if err := errors.Join(err, listenErr); err != nil {
		panic(err)
	}
	go http.Serve(l, store.Handler())
	fmt.Println(l.Addr())
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// storeProcess is the shop in a store that is a process of its own, by the SDK's
// client.
func storeProcess(b *testing.B) ddb.Client {
	b.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), storeVariable+"=1")
	stdin, _ := cmd.StdinPipe()
	stdout, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
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

// cpu is the processor time of this process.
func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkPoint reads one item by its key: straight by the SDK, through the
// engine, and through the server in both forms of the protocol. The store is a
// process of its own; the processor time is that of the server and of a client
// that hardly looks at what it gets.
func BenchmarkPoint(b *testing.B) {
	store := storeProcess(b)
	e := newEngine(b, store)
	run := func(name string, once func()) {
		b.Run(name, func(b *testing.B) {
			once()
			b.ReportAllocs()
			began := cpu()
			for b.Loop() {
				once()
			}
			b.ReportMetric(float64((cpu()-began).Microseconds())/float64(b.N), "cpu-us/op")
		})
	}
	table := "customers"
	in := &ddb.GetItemInput{TableName: &table, Key: ddb.Item{"id": &types.AttributeValueMemberS{Value: "c3"}}, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal}
	run("GetItem", func() {
		if _, err := store.GetItem(context.Background(), in); err != nil {
			b.Fatal(err)
		}
	})
	s := e.NewSession()
	defer s.Close()
	run("engine", func() { drain(b, s, "SELECT name FROM customers WHERE id = 'c3'") })
	c := login(b, serve(b, e, mysqld.Options{}), wire.DeprecateEOF)
	want := func(row []byte) {
		if !bytes.Contains(row, []byte("Chloé")) {
			b.Fatalf("got %q", row)
		}
	}
	run("text", func() {
		_, rows := c.query("SELECT name FROM customers WHERE id = 'c3'")
		want(rows[0])
	})
	id := c.prepare("SELECT name FROM customers WHERE id = ?")
	run("prepared", func() { want(c.execute(id, "c3")[0]) })
}

// drain runs a statement and reads all its rows.
func drain(b *testing.B, s *engine.Session, query string) {
	b.Helper()
	rows, err := s.Query(context.Background(), query)
	for err == nil {
		_, err = rows.Next()
	}
	if err != io.EOF {
		b.Fatal(err)
	}
	if err := rows.Close(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkStream sends rows of four columns, about 40 bytes each.
func BenchmarkStream(b *testing.B) {
	store := newEndless(b, -1)
	store.perPage = 4000
	db := connect(b, serve(b, newEngine(b, store), mysqld.Options{}), "/dynamodb")
	describe(b, db)
	store.armed.Store(true)
	for _, form := range []struct {
		name string
		args []any
	}{{"text", nil}, {"binary", []any{-1}}} {
		b.Run(form.name, func(b *testing.B) {
			query := "SELECT id, name, vip, credit FROM customers"
			if form.args != nil {
				query += " WHERE credit > ?"
			}
			ctx, leave := context.WithCancel(context.Background())
			defer leave() // the result has no end
			rows, err := db.QueryContext(ctx, query, form.args...)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if !rows.Next() {
					b.Fatal(rows.Err())
				}
			}
		})
	}
}
