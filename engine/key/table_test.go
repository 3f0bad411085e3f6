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

// TestTableFindsListed numbers the keys of lists like single ones, in a small table
// and in a large one, which are warmed before.
func TestTableFindsListed(t *testing.T) {
	var table, single Table
	var list List
	for i := range 40 {
		list.Reset()
		for n := range 1024 {
			list.Add(append(list.Bytes(), fmt.Sprint(i*n%30_011)...))
		}
		table.Warm(&list)
		for n := range 1024 {
			k := list.Key(n)
			if string(k) != fmt.Sprint(i*n%30_011) || list.Hash(n) != Hash(k) {
				t.Fatalf("key %d of list %d is %q", n, i, k)
			}
			got, isNew := table.NumberHash(k, list.Hash(n))
			want, wantNew := single.Number(k)
			if got != want || isNew != wantNew {
				t.Fatalf("%q has the number %d, new %t; want %d, %t", k, got, isNew, want, wantNew)
			}
			if got, ok := table.FindHash(k, list.Hash(n)); !ok || got != want {
				t.Fatalf("%q is found as %d, %t; want %d", k, got, ok, want)
			}
		}
	}
}
