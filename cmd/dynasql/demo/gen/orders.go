package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// order is an order with what is needed to follow it up: lines, reviews and
// tickets, and the stock that it takes.
type order struct {
	customer  customer
	number    int
	placed    time.Time
	status    string
	delivered time.Time // zero until then
	lines     []line
	coupon    string
}

type line struct {
	product product
	qty     int
	price   int // cents a piece, on the day
}

const firstOrder = 10001

// season weighs the months, January first: tea is a winter's drink and a
// December present.
var season = [12]int{11, 10, 10, 9, 8, 8, 7, 7, 9, 10, 13, 16}

// makeOrders makes up the orders of all customers in the order of placing. About
// one customer in seven never buys; a few buy often.
func makeOrders(r *rand.Rand, customers []customer) []order {
	var orders []order
	for _, c := range customers {
		for _, placed := range purchases(r, c.joined) {
			orders = append(orders, order{customer: c, placed: placed})
		}
	}
	slices.SortFunc(orders, func(a, b order) int { return a.placed.Compare(b.placed) })
	for i := range orders {
		orders[i].number = firstOrder + i
		fillOrder(r, &orders[i])
	}
	return orders
}

// purchases draws the moments at which a customer buys: soon after joining,
// then every other month or so, and more often in the season.
func purchases(r *rand.Rand, joined time.Time) []time.Time {
	habit := 28 + r.IntN(70) // days between two purchases
	most := 1 + weighted(r, []int{7, 8, 8, 6, 5})
	switch {
	case chance(r, 12):
		return nil
	case chance(r, 7):
		habit, most = 20, 14
	}
	var moments []time.Time
	for t := after(r, joined, 12); t.Before(today) && len(moments) < most; t = after(r, t, habit) {
		if t.Hour() >= 6 && r.IntN(14) < season[t.Month()-1] {
			moments = append(moments, t)
		}
	}
	return moments
}

// after draws a moment later than t, by days on the average.
func after(r *rand.Rand, t time.Time, days int) time.Time {
	gap := r.ExpFloat64() * float64(days) * float64(24*time.Hour)
	return t.Add(time.Duration(gap)).Truncate(time.Second)
}

func fillOrder(r *rand.Rand, o *order) {
	o.lines = makeLines(r, o.placed)
	if chance(r, 12) {
		o.coupon = pick(r, []string{"FIRSTCUP", "WINTER10", "FRIENDS"})
	}
	o.status = "delivered"
	switch age := today.Sub(o.placed); {
	case chance(r, 4):
		o.status = "cancelled"
	case age < 3*24*time.Hour:
		o.status = "placed"
	case age < 6*24*time.Hour:
		o.status = "packed"
	case age < 14*24*time.Hour:
		o.status = "shipped"
	case chance(r, 3):
		o.status = "returned"
	}
	if o.status == "delivered" || o.status == "returned" {
		o.delivered = o.placed.Add(time.Duration(40+r.IntN(130)) * time.Hour).Truncate(time.Minute)
	}
}

// makeLines draws distinct products. Prices rose by five percent with the new
// year of 2026.
func makeLines(r *rand.Rand, placed time.Time) []line {
	shares := sharesOn(day(placed))
	lines := make([]line, 1+weighted(r, []int{9, 7, 4, 1}))
	for i := range lines {
		n := weighted(r, shares)
		shares[n] = 0
		p := products[n]
		lines[i] = line{product: p, qty: 1 + weighted(r, []int{14, 5, 2}), price: p.price}
		if placed.Year() < 2026 {
			lines[i].price = p.price * 20 / 21
		}
	}
	return lines
}

func (o *order) goods() int {
	sum := 0
	for _, l := range o.lines {
		sum += l.qty * l.price
	}
	return sum
}

func (o *order) discount() int {
	if o.coupon == "" {
		return 0
	}
	return o.goods() / 10
}

// shipping is free above fifty euro.
func (o *order) shipping() int {
	switch {
	case o.goods() >= 5000:
		return 0
	case o.customer.country.code == "DE":
		return 390
	}
	return 790
}

func (o *order) total() int { return o.goods() - o.discount() + o.shipping() }

func (o *order) open() bool {
	return o.status == "placed" || o.status == "packed" || o.status == "shipped"
}

func (o *order) pk() string { return "CUSTOMER#" + o.customer.id }

// orderItem is the head of an order. Only an open order has open_since, so that
// the index worklist holds just those; delivered_at is NULL until it is known.
func orderItem(r *rand.Rand, o *order) item {
	it := item{
		{"pk", str(o.pk())},
		{"sk", str(fmt.Sprintf("ORDER#%s#%d", day(o.placed), o.number))},
		{"entity", str("order")},
		{"customer_id", str(o.customer.id)},
		{"order_no", count(o.number)},
		{"placed_at", str(second(o.placed))},
		{"status", str(o.status)},
		{"total", cents(o.total())},
		{"shipping", cents(o.shipping())},
		{"gift", boolean(chance(r, giftPercent(o.placed)))},
		{"payment", payment(r, o)},
		{"gsi1pk", str("COUNTRY#" + o.customer.country.code)},
		{"gsi1sk", str("ORDER#" + second(o.placed))},
	}
	if o.coupon != "" {
		it = append(it, field{"coupon", str(o.coupon)}, field{"discount", cents(o.discount())})
	}
	if o.open() {
		return append(it, field{"open_since", str(second(o.placed))}, field{"delivered_at", null()})
	}
	if !o.delivered.IsZero() {
		it = append(it, field{"delivered_at", str(second(o.delivered))})
	}
	return it
}

func giftPercent(placed time.Time) int {
	if placed.Month() >= time.November {
		return 35
	}
	return 6
}

// payment has a reference of twenty digits, more than 64 bits hold.
func payment(r *rand.Rand, o *order) value {
	methods := []string{"card", "card", "card", "bank transfer", "wallet"}
	method := pick(r, methods)
	fields := []field{{"method", str(method)}, {"reference", num(digits(r, 20))}}
	if method == "card" {
		fields = append(fields, field{"card", doc(
			field{"scheme", str(pick(r, []string{"debit", "credit"}))},
			field{"last4", str(digits(r, 4))},
		)})
	}
	return doc(fields...)
}

func lineItem(o *order, l line, n int) item {
	return item{
		{"pk", str(o.pk())},
		{"sk", str(fmt.Sprintf("LINE#%d#%d", o.number, n))},
		{"entity", str("line")},
		{"order_no", count(o.number)},
		{"sku", str(l.product.sku)},
		{"qty", count(l.qty)},
		{"price", cents(l.price)},
		{"gsi1pk", str("PRODUCT#" + l.product.sku)},
		{"gsi1sk", str("LINE#" + day(o.placed))},
	}
}
