package key

import (
	"fmt"
	"testing"
)

// TestTable numbers keys as a map would, those that begin another too.
func TestTable(t *testing.T) {
	var table Table
	if _, ok := table.Find([]byte("a")); ok || table.Len() != 0 {
		t.Error("an empty table has a key")
	}
	numbers := map[string]uint32{}
	for i := range 20_000 {
		k := fmt.Sprint(i * i % 9_973)
		want, known := numbers[k]
		if n, ok := table.Find([]byte(k)); ok != known || known && n != want {
			t.Fatalf("%q is found as %d, %t", k, n, ok)
		}
		if !known {
			want = uint32(len(numbers))
			numbers[k] = want
		}
		n, isNew := table.Number([]byte(k))
		if n != want || isNew == known {
			t.Fatalf("%q has the number %d, new %t; want %d, %t", k, n, isNew, want, !known)
		}
	}
	if table.Len() != len(numbers) {
		t.Errorf("%d keys, want %d", table.Len(), len(numbers))
	}
	for k, n := range numbers {
		if got := string(table.Key(int(n))); got != k || table.Hash(int(n)) != Hash([]byte(k)) {
			t.Errorf("key %d is %q, want %q", n, got, k)
		}
	}
	if n, isNew := table.Number(nil); !isNew || len(table.Key(int(n))) != 0 {
		t.Error("the empty key is not new")
	}
}
