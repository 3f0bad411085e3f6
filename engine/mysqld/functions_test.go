package mysqld_test

import (
	"strings"
	"testing"

	"github.com/dynasql/dynasql/engine/mysqld"
)

// Both protocols show what functions of ours give as MySQL does; statements that
// the grammar lacks can be prepared.
func TestFunctionsOverTheWire(t *testing.T) {
	address := serve(t, newEngine(t, tables(t, "shop")), mysqld.Options{})
	for _, dsn := range []string{"/dynamodb?interpolateParams=true", "/dynamodb"} {
		db := connect(t, address, dsn)
		for _, tt := range []struct {
			query string
			args  []any
			want  string
		}{
			{"SELECT SEC_TO_TIME(?)", []any{2378}, "00:39:38"},
			{"SELECT SEC_TO_TIME(?)", []any{-3661.5}, "-01:01:01.500000"},
			{"SELECT MAKEDATE(2024, ?)", []any{60}, "2024-02-29"},
			{"SELECT FROM_DAYS(366 + ?)", []any{0}, "0001-01-01"},
			{"SELECT CAST(? AS DATETIME)", []any{"2024-01-31 10:11:12"}, "2024-01-31 10:11:12"},
			{"SELECT ? > ALL (SELECT ?)", []any{2, 1}, "1"},
			{"SELECT ? MEMBER OF (?)", []any{"a", `["a", "b"]`}, "1"},
			{"SELECT ? = ? = ?", []any{5, 5, 1}, "1"},
			{"SELECT INTERVAL(?, 1, 2)", []any{1}, "1"},
			{"SELECT 'Ada' REGEXP ?", []any{"^A(?=d)"}, "1"},
			{"SELECT '10' BETWEEN ? AND ?", []any{"9", 11}, "1"},
			{"SELECT ~? & 255", []any{1}, "254"},
			{"SELECT COUNT(*) FROM customers WHERE id > ALL (SELECT id FROM customers WHERE id < ?)", []any{"c3"}, "3"},
			{"SELECT COUNT(*) FROM customers WHERE name RLIKE ?", []any{"^[[:alpha:]]+$"}, "3"},
		} {
			var got string
			err := db.QueryRow(tt.query, tt.args...).Scan(&got)
			got = strings.TrimSuffix(got, ".000000") // the driver shows all digits that a TIME may have
			if err != nil || got != tt.want {
				t.Errorf("%s, %s with %v: %q, %v; want %q", dsn, tt.query, tt.args, got, err, tt.want)
			}
		}
	}
}
