package mysqld_test

import (
	"context"
	"database/sql"
	"net"
	"path/filepath"
	"testing"
	"time"

	_ "github.com/go-sql-driver/mysql"

	"github.com/dynasql/dynasql/engine"
	"github.com/dynasql/dynasql/engine/mysqld"
	"github.com/dynasql/dynasql/internal/dataset"
	"github.com/dynasql/dynasql/internal/ddb"
	"github.com/dynasql/dynasql/internal/localdb"
)

// tables loads a data set of testdata into an embedded store.
func tables(t testing.TB, dir string) ddb.Client {
	t.Helper()
	store := localdb.Open(localdb.Options{})
	set, err := dataset.Read(filepath.Join("testdata", dir))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := set.Load(context.Background(), store.Client()); err != nil {
		t.Fatal(err)
	}
	return store.Client()
}

func newEngine(t testing.TB, c ddb.Reader) *engine.Engine {
	t.Helper()
	e, err := engine.New(engine.Config{Connections: []engine.Connection{{Client: c}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// serve runs a server until the test ends, and returns its address.
func serve(t testing.TB, e *engine.Engine, opts mysqld.Options) string {
	t.Helper()
	if opts.LoginTimeout == 0 {
		opts.LoginTimeout = 2 * time.Minute // hashing a password is slow under -race
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- mysqld.Serve(ctx, e, l, opts) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return l.Addr().String()
}

// connect opens a pool of connections to a server; dsn is what follows the
// address, such as "/dynamodb?compress=true".
func connect(t testing.TB, address, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open("mysql", "somebody:secret@tcp("+address+")"+dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}
