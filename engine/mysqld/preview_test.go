package mysqld_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/engine/mysqld"
	"github.com/dynasql/dynasql/internal/ddb"
	"github.com/dynasql/dynasql/internal/localdb"
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

// TestManyTables asks for the columns of 500 tables, which must not be
// described again and again.
func TestManyTables(t *testing.T) {
	const tables = 500
	store := localdb.Open(localdb.Options{})
	counted := &describes{Client: store.Client()}
	for i := range tables {
		name, id := fmt.Sprintf("table%03d", i), "id"
		_, err := store.Client().CreateTable(t.Context(), &ddb.CreateTableInput{
			TableName: &name, BillingMode: types.BillingModePayPerRequest,
			KeySchema:            []types.KeySchemaElement{{AttributeName: &id, KeyType: types.KeyTypeHash}},
			AttributeDefinitions: []types.AttributeDefinition{{AttributeName: &id, AttributeType: types.ScalarAttributeTypeS}},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	conn, err := connect(t, serve(t, newEngine(t, counted), mysqld.Options{}), "/dynamodb").Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	const query = "SELECT COUNT(*) FROM information_schema.columns WHERE table_schema = 'dynamodb'"
	if _, err := firstValue(t.Context(), conn, query); err != nil {
		t.Fatal(err)
	}
	counted.n.Store(0)
	began := time.Now()
	if got, err := firstValue(t.Context(), conn, query); err != nil || got == "0" {
		t.Errorf("%s columns, %v", got, err)
	}
	if _, err := firstValue(t.Context(), conn, "SHOW TABLE STATUS"); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("took %s", took)
	}
	if n := counted.n.Load(); n > 0 {
		t.Errorf("%d tables were described again", n)
	}
}

type describes struct {
	ddb.Client
	n atomic.Int64
}

func (d *describes) DescribeTable(ctx context.Context, in *ddb.DescribeTableInput, o ...func(*ddb.Options)) (*ddb.DescribeTableOutput, error) {
	d.n.Add(1)
	return d.Client.DescribeTable(ctx, in, o...)
}
