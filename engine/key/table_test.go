package key

import (
	"encoding/binary"
	"fmt"
	"strings"
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
		k := listed(i * i % 9_973)
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

// listed is one of many keys, short and long, some of which begin others.
func listed(i int) string {
	return strings.Repeat(string(rune('\x00'+i%3)), i%40) + fmt.Sprint(i%30_011)
}

// TestTableFindsListed numbers the keys of lists like single ones.
func TestTableFindsListed(t *testing.T) {
	var table, single Table
	var list List
	for i := range 40 {
		list.Reset()
		for n := range 1024 {
			list.Add(append(list.Bytes(), listed(i*n)...))
		}
		found, numbers := make([]uint32, list.Len()), make([]uint32, list.Len())
		before := uint32(table.Len())
		table.FindAll(&list, found)
		table.NumberAll(&list, numbers)
		for n := range 1024 {
			k := list.Key(n)
			if string(k) != listed(i*n) || list.Hash(n) != Hash(k) {
				t.Fatalf("key %d of list %d is %q", n, i, k)
			}
			want, _ := single.Number(k)
			if numbers[n] != want {
				t.Fatalf("%q has the number %d, want %d", k, numbers[n], want)
			}
			if want >= before {
				want = None
			}
			if found[n] != want {
				t.Fatalf("%q was found as %d, want %d", k, found[n], want)
			}
		}
	}
}

// TestKeysOfTexts wants a list to have the keys of texts that are written byte by byte,
// and a key of another table to keep its number.
func TestKeysOfTexts(t *testing.T) {
	var list List
	var from, to Table
	text := "\x00a text of many bytes"
	for n := range len(text) + 1 {
		list.Reset()
		for _, has := range []int{n, len(text)} { // bytes that can be read
			texts, nulls := [][]byte{[]byte(text)[:n:has], nil}, []bool{false, true}
			list.AddTexts(texts, nulls)
			list.AddLasts(texts, nulls)
		}
		length := binary.LittleEndian.AppendUint32([]byte{1}, uint32(n))
		wants := []string{string(length) + text[:n], "", "\x01" + text[:n], "\x00"}
		for i, want := range append(wants, wants...) {
			if got := list.Key(i); string(got) != want || list.Hash(i) != Hash([]byte(want)) {
				t.Errorf("key %d of %q is %q, want %q", i, text[:n], got, want)
			}
			number, _ := from.Number([]byte(want))
			if to.NumberOf(&from, int(number)) != number || string(to.Key(int(number))) != want {
				t.Errorf("%q has the number %d and in another table is %q", want, number, to.Key(int(number)))
			}
		}
	}
}

// TestTableCompare compares keys that are held as words and others.
func TestTableCompare(t *testing.T) {
	keys := []string{"", "a", "b", "aaaaaaaaaaaaaab", "aaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaaab", "b\x00"}
	var table Table
	for _, k := range keys {
		table.Number([]byte(k))
	}
	for a, x := range keys {
		for b, y := range keys {
			if got, want := table.Compare(a, b), strings.Compare(x, y); got != want {
				t.Errorf("Compare of %q and %q: %d, want %d", x, y, got, want)
			}
		}
	}
}
