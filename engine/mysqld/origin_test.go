package mysqld_test

import (
	"fmt"
	"testing"

	"github.com/dynasql/dynasql/engine/mysqld"
)

// named are the names in a column definition: database, table, original table,
// name, original name.
func named(column []byte) string {
	var names []string
	for rest := column[4:]; len(names) < 5; rest = rest[1+int(rest[0]):] {
		names = append(names, string(rest[1:1+int(rest[0])]))
	}
	return fmt.Sprint(names)
}

func TestOrigins(t *testing.T) {
	c := login(t, serve(t, newEngine(t, tables(t, "shop")), mysqld.Options{}), 0)
	if answer := c.command(2, "dynamodb"); answer[0] != 0 {
		t.Fatalf("%q", answer)
	}
	for _, tt := range []struct{ query, want string }{
		{"SELECT name FROM customers", "[dynamodb customers customers name name]"},
		{"SELECT c.name FROM customers AS c", "[dynamodb c customers name name]"},
		{"SELECT c.* FROM orders o JOIN customers c ON c.id = o.customer", "[dynamodb c customers id id]"},
		{"SELECT c.name AS who FROM customers c", "[dynamodb c customers who name]"},
		{"SELECT name who FROM dynamodb.customers", "[dynamodb customers customers who name]"},
		{"SELECT o.status FROM orders o FORCE INDEX (`status-number`) WHERE status = 'open'", "[dynamodb o orders status status]"},
		{"SELECT UPPER(name) who FROM customers", "[   who who]"},
		{"SELECT name who FROM (SELECT name FROM customers) d", "[   who who]"},
	} {
		t.Run(tt.query, func(t *testing.T) {
			columns, _ := c.query(tt.query)
			if got := named(columns[0]); got != tt.want {
				t.Errorf("the column comes from %s, want %s", got, tt.want)
			}
		})
	}
}
