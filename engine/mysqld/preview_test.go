package mysqld_test

import (
	"testing"

	"github.com/dynasql/dynasql/engine/mysqld"
)

// TestPreview limits results as tools do for a preview: the rest of the table
// must not be read.
func TestPreview(t *testing.T) {
	for _, tt := range []struct {
		name, set, query string
		rows             int
	}{
		{"the whole table", "SET sql_select_limit = 200", "SELECT * FROM customers", 200},
		{"an alias", "SET sql_select_limit = 200", "SELECT * FROM customers c", 200},
		{"columns", "SET sql_select_limit = 200", "SELECT id, name FROM customers", 200},
		{"a filter", "SET sql_select_limit = 200", "SELECT * FROM customers WHERE vip", 200},
		{"a smaller limit of its own", "SET sql_select_limit = 200", "SELECT * FROM customers LIMIT 7", 7},
		{"LIMIT alone", "SET sql_select_limit = DEFAULT", "SELECT * FROM customers LIMIT 200", 200},
	} {
		t.Run(tt.name, func(t *testing.T) {
			store := newEndless(t, -1)
			c := login(t, serve(t, newEngine(t, store), mysqld.Options{}), 0)
			c.query("SELECT * FROM customers LIMIT 0")
			if err := isOK(c.command(0x03, tt.set)); err != nil {
				t.Fatal(err)
			}
			store.armed.Store(true)
			if _, rows := c.query(tt.query); len(rows) != tt.rows {
				t.Errorf("%d rows, want %d", len(rows), tt.rows)
			}
			if pages := settle(t, &store.scans); pages > 40 {
				t.Errorf("%d pages of 100 items were read for %d rows", pages, tt.rows)
			}
		})
	}
}
