package main

import (
	"math/rand/v2"
	"strconv"
	"time"
)

// counted are the positions in products that are counted on the first of each
// month: every other of those that sell.
func counted() []product {
	var some []product
	for i, p := range products {
		if i%2 == 0 && p.share > 0 {
			some = append(some, p)
		}
	}
	return some
}

// stockItems makes a level for each counted product and month: what was sold
// since the last count is taken off, and a delivery added when little is left.
func stockItems(r *rand.Rand, orders []order) []item {
	var items []item
	for _, p := range counted() {
		level := 40 + 4*p.share
		for month := opened; month.Before(today); month = month.AddDate(0, 1, 0) {
			sold := soldBetween(orders, p.sku, month.AddDate(0, -1, 0), month)
			received := 0
			if level-sold < 25 {
				received = 60
			}
			lost := 0
			if chance(r, 8) {
				lost = 1 + r.IntN(3)
			}
			level += received - sold - lost
			items = append(items, stockItem(p.sku, month, level, sold, received, lost))
		}
	}
	return items
}

func soldBetween(orders []order, sku string, from, to time.Time) int {
	sum := 0
	for _, o := range orders {
		if o.status == "cancelled" || o.placed.Before(from) || !o.placed.Before(to) {
			continue
		}
		for _, l := range o.lines {
			if l.product.sku == sku {
				sum += l.qty
			}
		}
	}
	return sum
}

// stockItem has its moment as milliseconds since 1970, and no attribute for
// what did not happen.
func stockItem(sku string, at time.Time, level, sold, received, lost int) item {
	it := item{
		{"sku", str(sku)},
		{"at", num(strconv.FormatInt(at.Add(7*time.Hour).UnixMilli(), 10))},
		{"level", count(level)},
		{"sold", count(sold)},
	}
	if received > 0 {
		it = append(it, field{"received", count(received)})
	}
	if lost > 0 {
		it = append(it, field{"lost", count(lost)})
	}
	return it
}
