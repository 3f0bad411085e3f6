package spill

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	ddb "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/connector/codec"
)

func values() sql.Row {
	wide, _, _ := apd.NewFromString("-12345678901234567890123456789012345678e-20")
	nested := &ddb.AttributeValueMemberM{Value: map[string]ddb.AttributeValue{
		"n": &ddb.AttributeValueMemberN{Value: "1.50"}, "": &ddb.AttributeValueMemberSS{Value: []string{"a", "\x00\"é"}}}}
	return sql.Row{nil, true, false, "", "text\x00é", []byte{}, []byte{0, 255},
		int8(-1), int16(-300), int32(1 << 30), int64(math.MinInt64), int64(math.MaxInt64), 7,
		uint8(255), uint16(65535), uint32(math.MaxUint32), uint64(math.MaxUint64),
		float32(1.5), math.Inf(-1), 2.5e-300,
		apd.New(150, -2), apd.New(0, 0), wide, apd.New(1, 125),
		time.Date(2026, 2, 3, 4, 5, 6, 7000, time.UTC), types.Timespan(-5),
		codec.NewDocument(nested), codec.PlainDocument([]any{"x", int64(1), nil}),
		types.JSONDocument{Val: map[string]any{"a": []any{1.5, "b"}}},
	}
}

func TestRowsComeBackAsTheyWere(t *testing.T) {
	m := NewMemory(0, nil)
	f, err := m.Create()
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if err := f.Write([]byte(fmt.Sprint("key ", i)), values()); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // a file is read as often as wanted
		r, err := f.Read()
		if err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			key, row, err := r.Next()
			if err != nil {
				t.Fatal(err)
			}
			if string(key) != fmt.Sprint("key ", i) {
				t.Errorf("row %d has the key %q", i, key)
			}
			for c, want := range values() {
				if !reflect.DeepEqual(row[c], want) {
					t.Errorf("value %d: %#v, want %#v", c, row[c], want)
				}
			}
		}
		if _, _, err := r.Next(); err != io.EOF {
			t.Errorf("after the last row: %v", err)
		}
	}
	if m.Spilled() == 0 || f.Rows() != 3 {
		t.Errorf("%d bytes, %d rows counted", m.Spilled(), f.Rows())
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestNoFileIsLeft(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	f, err := NewMemory(0, nil).Create()
	if err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "*")); len(left) > 0 && os.PathSeparator == '/' {
		t.Errorf("a process that is killed now leaves %v", left)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func TestMemoryCountsInTheWhole(t *testing.T) {
	whole := NewMemory(100, nil)
	a, b := NewMemory(80, whole).Account(), NewMemory(80, whole).Account()
	if !a.Grow(60) || b.Grow(60) {
		t.Error("60 of 80 is within, 120 of 100 in all is not")
	}
	b.Free()
	if !a.Grow(20) || a.Grow(1) {
		t.Error("80 of 80 is within, 81 is not")
	}
	a.Free()
	if a.Held() != 0 || whole.used.Load() != 0 {
		t.Errorf("%d and %d held after all was freed", a.Held(), whole.used.Load())
	}
}

// FuzzParseRow: bytes that were cut or changed give an error and no panic.
func FuzzParseRow(f *testing.F) {
	b, err := AppendRow(nil, values())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add(b[:len(b)/2])
	f.Fuzz(func(_ *testing.T, b []byte) { _, _ = ParseRow(b) })
}
