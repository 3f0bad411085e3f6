package main

import (
	"bytes"
	"os"
	"testing"
)

func TestCommittedItemsAreCurrent(t *testing.T) {
	got, err := os.ReadFile("../items.json")
	if err != nil {
		t.Fatal(err)
	}
	if want := itemsFile(); !bytes.Equal(got, want) {
		t.Errorf("../items.json (%d bytes) is not what the generator makes (%d bytes): run go generate in the folder above", len(got), len(want))
	}
}

func TestFill(t *testing.T) {
	r := newRandom()
	for range 100 {
		got := fill(r, "#@ #")
		if len(got) != 4 || got[0] < '1' || got[0] > '9' || got[1] < 'A' || got[1] > 'Z' || got[2] != ' ' {
			t.Fatalf("fill = %q, want a digit, a capital letter, a space, a digit", got)
		}
	}
}

func TestWeighted(t *testing.T) {
	r := newRandom()
	drawn := make([]int, 3)
	for range 1000 {
		drawn[weighted(r, []int{1, 0, 3})]++
	}
	if drawn[1] != 0 || drawn[0] == 0 || drawn[2] < 2*drawn[0] {
		t.Errorf("weights 1, 0, 3 were drawn %v times", drawn)
	}
}

func TestCents(t *testing.T) {
	for _, tt := range []struct {
		cents int
		want  value
	}{
		{5, `{"N":"0.05"}`},
		{1240, `{"N":"12.40"}`},
	} {
		if got := cents(tt.cents); got != tt.want {
			t.Errorf("cents(%d) = %s, want %s", tt.cents, got, tt.want)
		}
	}
}
