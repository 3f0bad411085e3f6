// Command gen writes items.json, the sample data of `dynasql demo`: the
// customers, products, orders and stock counts of Wrenfold Tea, a company that
// does not exist. Run it with go generate in the folder above.
//
// The same source always writes the same bytes: the random numbers have a
// fixed seed and nothing depends on the clock. Every person, address and number
// is made up.
package main

import (
	"bytes"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"time"
)

// The shop opened on the first of these days and the data was taken on the
// evening of the last.
var (
	opened = time.Date(2025, 5, 1, 0, 0, 0, 0, time.UTC)
	today  = time.Date(2026, 10, 31, 18, 0, 0, 0, time.UTC)
)

// table is one entry of items.json.
type table struct {
	name  string
	items []item
}

func main() {
	if err := os.WriteFile("items.json", itemsFile(), 0o644); err != nil {
		log.Fatal(err)
	}
}

// itemsFile returns the whole file, one item a line.
func itemsFile() []byte {
	var b bytes.Buffer
	b.WriteString("{\n")
	for i, t := range tables() {
		if i > 0 {
			b.WriteString(",\n")
		}
		writeTable(&b, t)
	}
	b.WriteString("\n}\n")
	return b.Bytes()
}

func writeTable(b *bytes.Buffer, t table) {
	fmt.Fprintf(b, "%s: [\n", quote(t.name))
	for i, it := range t.items {
		if i > 0 {
			b.WriteString(",\n")
		}
		fmt.Fprintf(b, `{"PutRequest":{"Item":%s}}`, object(it))
	}
	b.WriteString("\n]")
}

func tables() []table {
	r := newRandom()
	customers := makeCustomers(r)
	orders := makeOrders(r, customers)
	return []table{
		{"customers", customerItems(r, customers)},
		{"products", productItems(r)},
		{"shop", shopItems(r, orders)},
		{"stock", stockItems(r, orders)},
	}
}

// pick returns one of the choices, each as likely as the others.
func pick[T any](r *rand.Rand, choices []T) T { return choices[r.IntN(len(choices))] }

// chance reports true in percent of a hundred cases.
func chance(r *rand.Rand, percent int) bool { return r.IntN(100) < percent }

// weighted returns the position of a weight, drawn in proportion to the weights.
func weighted(r *rand.Rand, weights []int) int {
	sum := 0
	for _, w := range weights {
		sum += w
	}
	n := r.IntN(sum)
	for i, w := range weights {
		if n -= w; n < 0 {
			return i
		}
	}
	panic("unreachable: the weights sum to more than n")
}

// digits returns a number of exactly n decimal digits.
func digits(r *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte('0' + r.IntN(10))
	}
	b[0] = byte('1' + r.IntN(9))
	return string(b)
}

func randomBytes(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.IntN(256))
	}
	return b
}

func day(t time.Time) string    { return t.Format(time.DateOnly) }
func second(t time.Time) string { return t.Format(time.RFC3339) }

func newRandom() *rand.Rand { return rand.New(rand.NewPCG(1706, 48)) }
