package mysqld_test

import (
	"context"
	"database/sql"
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
	"github.com/dynasql/dynasql/internal/dataset"
	"github.com/dynasql/dynasql/internal/ddb"
	"github.com/dynasql/dynasql/internal/localdb"
)

// roleVariable makes the test binary the store or the client of BenchmarkPoint.
const roleVariable = "DYNASQL_BENCH_ROLE"

func TestMain(m *testing.M) {
	switch role := os.Getenv(roleVariable); role {
	case "":
		_ = mysql.SetLogger(log.New(io.Discard, "", 0)) // tests end connections
		os.Exit(m.Run())
	case "store":
		storeRole()
	default:
		clientRole(role)
	}
}

// startRole runs the test binary in a role. Its input ends with the benchmark.
func startRole(b *testing.B, role string) (in io.Writer, out io.Reader) {
	b.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env, cmd.Stderr = append(os.Environ(), roleVariable+"="+role), os.Stderr
	stdin, _ := cmd.StdinPipe()
	stdout, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { stdin.Close(); _ = cmd.Wait() })
	return stdin, stdout
}

// storeRole serves the shop, and says where.
func storeRole() {
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
	_, out := startRole(b, "store")
	var address string
	if _, err := fmt.Fscan(out, &address); err != nil {
		b.Fatal(err)
	}
	c, _, err := ddb.Open(b.Context(), ddb.Config{EndpointURL: "http://" + address})
	if err != nil {
		b.Fatal(err)
	}
	return c
}

// clientRole runs point reads against the server at an address: for each line of
// its input a number of them in a form of the protocol, and answers with the
// length of the last value.
func clientRole(address string) {
	db, err := sql.Open("mysql", "somebody@tcp("+address+")/dynamodb?interpolateParams=true")
	if err != nil {
		panic(err)
	}
	db.SetMaxOpenConns(1)
	prepared, err := db.Prepare("SELECT name FROM customers WHERE id = ?")
	if err != nil {
		panic(err)
	}
	for {
		var form, name string
		var n int
		if _, err := fmt.Scan(&form, &n); err != nil {
			return
		}
		for i := range n {
			id := fmt.Sprint("c", 1+i%5)
			if form == "prepared" {
				err = prepared.QueryRow(id).Scan(&name)
			} else {
				err = db.QueryRow("SELECT name FROM customers WHERE id = ?", id).Scan(&name)
			}
			if err != nil {
				panic(err)
			}
		}
		fmt.Println(len(name))
	}
}

// cpu is the processor time of this process.
func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkPoint reads one item by its key: straight by the SDK, through the
// engine, and through the server in both forms of the protocol. The store and
// the client are processes of their own: the processor time is the server's.
func BenchmarkPoint(b *testing.B) {
	store := storeProcess(b)
	e := newEngine(b, store)
	run := func(name string, times func(n int)) {
		b.Run(name, func(b *testing.B) {
			times(100)
			b.ReportAllocs()
			b.ResetTimer()
			began := cpu()
			times(b.N)
			b.ReportMetric(float64((cpu()-began).Microseconds())/float64(b.N), "cpu-us/op")
		})
	}
	table := "customers"
	run("GetItem", func(n int) {
		for i := range n {
			in := &ddb.GetItemInput{TableName: &table, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
				Key: ddb.Item{"id": &types.AttributeValueMemberS{Value: fmt.Sprint("c", 1+i%5)}}}
			if _, err := store.GetItem(context.Background(), in); err != nil {
				b.Fatal(err)
			}
		}
	})
	s := e.NewSession()
	defer s.Close()
	run("engine", func(n int) {
		for i := range n {
			drain(b, s, fmt.Sprintf("SELECT name FROM customers WHERE id = 'c%d'", 1+i%5))
		}
	})
	in, out := startRole(b, serve(b, e, mysqld.Options{}))
	for _, form := range []string{"text", "prepared"} {
		run(form, func(n int) {
			fmt.Fprintln(in, form, n)
			var length int
			if _, err := fmt.Fscan(out, &length); err != nil || length == 0 {
				b.Fatal(length, err)
			}
		})
	}
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
