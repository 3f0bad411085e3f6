package mysqld_test

import (
	"context"
	"io"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/engine/mysqld"
	"github.com/dynasql/dynasql/internal/ddb"
)

// BenchmarkPoint reads one item by its key: straight from the store, through
// the engine, and through the server in both forms of the protocol.
func BenchmarkPoint(b *testing.B) {
	store := tables(b, "shop")
	e := newEngine(b, store)
	b.Run("GetItem", func(b *testing.B) {
		table := "customers"
		in := &ddb.GetItemInput{TableName: &table, Key: ddb.Item{"id": &types.AttributeValueMemberS{Value: "c3"}}}
		for b.Loop() {
			if _, err := store.GetItem(context.Background(), in); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("engine", func(b *testing.B) {
		s := e.NewSession()
		defer s.Close()
		for b.Loop() {
			rows, err := s.Query(context.Background(), "SELECT name FROM customers WHERE id = 'c3'")
			if err != nil {
				b.Fatal(err)
			}
			for err == nil {
				_, err = rows.Next()
			}
			if err != io.EOF {
				b.Fatal(err)
			}
			rows.Close()
		}
	})
	db := connect(b, serve(b, e, mysqld.Options{}), "/dynamodb")
	db.SetMaxOpenConns(1)
	var name string
	b.Run("text", func(b *testing.B) {
		for b.Loop() {
			if err := db.QueryRow("SELECT name FROM customers WHERE id = 'c3'").Scan(&name); err != nil {
				b.Fatal(err)
			}
		}
	})
	prepared, err := db.Prepare("SELECT name FROM customers WHERE id = ?")
	if err != nil {
		b.Fatal(err)
	}
	b.Run("prepared", func(b *testing.B) {
		for b.Loop() {
			if err := prepared.QueryRow("c3").Scan(&name); err != nil {
				b.Fatal(err)
			}
		}
	})
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
