package connector

import (
	"errors"
	"strings"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dynasql/dynasql/connector/schema"
)

// full is an account without room.
type full struct{ bytes int64 }

func (f *full) Grow(sql.Row) bool { return f.GrowBytes(0) }

func (f *full) GrowBytes(n int64) bool { f.bytes += n; return false }

func (f *full) Full(what string) error { return errors.New(what) }

func (f *full) Free() { f.bytes = 0 }

// TestKeysOfAlternativesAreCounted wants the keys by which items are told apart to
// be counted, and to be an error where there is no room; those of the last
// alternative are not kept.
func TestKeysOfAlternativesAreCounted(t *testing.T) {
	held := new(full)
	a := &AnyOf{Read: &Read{table: &table{schema: &schema.Table{Name: "orders"}}}, parts: make([]*Read, 2)}
	rows := &anyOfRows{from: a, seen: map[string]bool{}, held: held}
	ctx := sql.NewEmptyContext()
	if _, err := rows.isNew(ctx, sql.Row{"key"}); err == nil || !strings.Contains(err.Error(), "'orders'") || held.bytes < keyBytes {
		t.Errorf("%v, %d bytes", err, held.bytes)
	}
	rows.part = 1
	if isNew, err := rows.isNew(ctx, sql.Row{"key"}); err != nil || !isNew {
		t.Errorf("the last alternative: %v, %v", isNew, err)
	}
	if err := rows.Close(ctx); err != nil || held.bytes != 0 {
		t.Errorf("%v, %d bytes after all", err, held.bytes)
	}
}
