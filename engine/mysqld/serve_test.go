package mysqld_test

import (
	"testing"

	"github.com/dynasql/dynasql/engine/mysqld"
)

func TestQueries(t *testing.T) {
	address := serve(t, newEngine(t, tables(t, "shop")), mysqld.Options{})
	db := connect(t, address, "/dynamodb")
	for _, tt := range []struct {
		name, query string
		args        []any
		want        string
	}{
		{"a constant", "SELECT 1", nil, "1"},
		{"a key", "SELECT name FROM customers WHERE id = 'c3'", nil, "Chloé"},
		{"a key as a parameter", "SELECT name FROM customers WHERE id = ?", []any{"c4"}, "Dmitri Ω"},
		{"both keys as parameters", "SELECT total FROM orders WHERE customer = ? AND number = ?", []any{"c5", 2}, "12.5"},
		{"outside the basic plane", "SELECT name FROM customers WHERE id = ?", []any{"c5"}, "Eve 🍋"},
		{"38 digits", "SELECT credit FROM customers WHERE id = ?", []any{"c5"}, "99999999999999999999999999999999999999"},
		{"its own scale", "SELECT credit FROM customers WHERE id = 'c1'", nil, "10.5"},
		{"a join", "SELECT COUNT(*) FROM customers c JOIN orders o ON o.customer = c.id WHERE c.vip", nil, "9"},
		{"a floating-point number", "SELECT CAST(1.5 AS DOUBLE)", nil, "1.5"},
		{"a floating-point number, prepared", "SELECT CAST(? AS DOUBLE)", []any{1.5}, "1.5"},
		{"a date", "SELECT CAST(? AS DATE)", []any{"2024-02-29"}, "2024-02-29"},
		{"the database", "SELECT DATABASE()", nil, "dynamodb"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got string
			if err := db.QueryRow(tt.query, tt.args...).Scan(&got); err != nil {
				t.Fatalf("%s: %v", tt.query, err)
			}
			if got != tt.want {
				t.Errorf("%s %v = %q, want %q", tt.query, tt.args, got, tt.want)
			}
		})
	}
}
