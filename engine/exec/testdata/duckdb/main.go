// Command duckdb measures DuckDB on the statements and rows of BenchmarkWindow in
// engine/exec, and on those of BenchmarkLocal and BenchmarkDecoded in engine. It is
// a module of its own because its driver needs cgo.
//
//	cd engine/exec/testdata/duckdb && go run .
package main

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"log"
	"math/big"
	"syscall"
	"time"

	"github.com/duckdb/duckdb-go/v2"
)

const rows = 1_000_000

func main() {
	connector, err := duckdb.NewConnector("?threads=2", nil)
	if err != nil {
		log.Fatal(err)
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	if _, err := db.Exec("CREATE TABLE t (id BIGINT, grp VARCHAR, x DECIMAL(18,2))"); err != nil {
		log.Fatal(err)
	}
	var version string
	if err := db.QueryRow("SELECT version()").Scan(&version); err != nil {
		log.Fatal(err)
	}
	fmt.Println("DuckDB", version)
	load(connector)
	if _, err := db.Exec(`CREATE TABLE facts AS SELECT 'i' || i AS id, printf('group %02d', i % 100) AS grp, 'k' || (i % 100000) AS many,
		'name of the item ' || i AS name, CAST(i % 10000 + (i % 100) / 100 AS DECIMAL(18,2)) AS amount, CAST(i % 977 AS DECIMAL(18,0)) AS weight,
		i % 3 = 0 AS flag FROM range(1000000) t(i)`); err != nil {
		log.Fatal(err)
	}
	if _, err := db.Exec(`CREATE TABLE kinds AS SELECT 'k' || i AS k, 'kind ' || (i % 37) AS kind FROM range(10000) t(i)`); err != nil {
		log.Fatal(err)
	}
	for _, query := range []string{
		"SELECT grp, COUNT(*), SUM(amount), AVG(weight) FROM facts GROUP BY grp",
		"SELECT many, COUNT(*), SUM(amount) FROM facts GROUP BY many",
		"SELECT COUNT(*) FROM facts WHERE amount > 5000 AND flag",
		"SELECT grp, SUM(amount) FROM facts WHERE amount > 5000 AND flag GROUP BY grp",
		"SELECT SUM(amount), AVG(weight) FROM facts",
		"SELECT id, amount FROM facts ORDER BY amount DESC, id LIMIT 10",
		"SELECT id, amount FROM facts ORDER BY amount DESC, id",
		"SELECT DISTINCT many FROM facts",
		"SELECT k.kind, SUM(f.amount) FROM facts f JOIN kinds k ON k.k = f.many GROUP BY k.kind",
		"SELECT id, ROW_NUMBER() OVER (ORDER BY amount) FROM facts",
	} {
		fmt.Println(query)
		fmt.Println("  rows fetched in Go:", best(db, query))
	}
	for _, query := range []string{
		"ROW_NUMBER() OVER (ORDER BY x)",
		"ROW_NUMBER() OVER (PARTITION BY grp ORDER BY x, id)",
		"SUM(x) OVER (PARTITION BY grp ORDER BY id)",
		"SUM(x) OVER (PARTITION BY grp ORDER BY id ROWS BETWEEN 100 PRECEDING AND CURRENT ROW)",
	} {
		fmt.Println(query)
		fmt.Println("  inside:", best(db, "SELECT MAX(id), MAX(v) FROM (SELECT id, "+query+" AS v FROM t)"))
		fmt.Println("  rows fetched in Go:", best(db, "SELECT id, "+query+" FROM t"))
	}
}

func load(connector *duckdb.Connector) {
	conn, err := connector.Connect(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	a, err := duckdb.NewAppenderFromConn(conn.(driver.Conn), "", "t")
	if err != nil {
		log.Fatal(err)
	}
	random := uint64(1)
	for i := range int64(rows) {
		random = random*6364136223846793005 + 1442695040888963407
		x := duckdb.Decimal{Width: 18, Scale: 2, Value: big.NewInt(int64(random>>33) % 10_000_000)}
		if err := a.AppendRow(i, fmt.Sprintf("group %03d", random>>40%1000), x); err != nil {
			log.Fatal(err)
		}
	}
	if err := a.Close(); err != nil {
		log.Fatal(err)
	}
}

// best is the shortest of five runs, by the clock and by processor time.
func best(db *sql.DB, query string) string {
	shortest, least := time.Hour, time.Hour
	for range 5 {
		start, used := time.Now(), processorTime()
		result, err := db.Query(query)
		if err != nil {
			log.Fatal(err)
		}
		columns, _ := result.Columns()
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(any)
		}
		for result.Next() {
			if err := result.Scan(values...); err != nil {
				log.Fatal(err)
			}
		}
		if err := result.Err(); err != nil {
			log.Fatal(err)
		}
		shortest, least = min(shortest, time.Since(start)), min(least, processorTime()-used)
	}
	return fmt.Sprintf("%v, processor time %v", shortest.Round(time.Millisecond), least.Round(time.Millisecond))
}

func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		log.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
