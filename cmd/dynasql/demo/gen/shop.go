package main

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// shopItems makes the items of the single table: under the hash key of a
// customer lie orders, order lines, reviews and tickets, told apart by the
// beginning of the sort key.
func shopItems(r *rand.Rand, orders []order) []item {
	var items []item
	reviewed := map[string]bool{}
	tickets := 0
	for i := range orders {
		o := &orders[i]
		items = append(items, orderItem(r, o))
		for n, l := range o.lines {
			items = append(items, lineItem(o, l, n+1))
		}
		if o.status == "delivered" {
			items = append(items, reviews(r, o, reviewed)...)
		}
		if o.status == "returned" || chance(r, 5) {
			tickets++
			items = append(items, ticketItem(r, o, tickets))
		}
	}
	return items
}

// reviews makes up some, at most one by a customer of a product.
func reviews(r *rand.Rand, o *order, reviewed map[string]bool) []item {
	var items []item
	for _, l := range o.lines {
		key := o.customer.id + l.product.sku
		if !chance(r, 17) || reviewed[key] {
			continue
		}
		reviewed[key] = true
		items = append(items, reviewItem(r, o, l.product))
	}
	return items
}

// verdicts are what people write, by stars; the first is for one star.
var verdicts = [5][]string{
	{"Stale on arrival.", "Not what the label promises."},
	{"Rather flat for the price.", "Too much dust in the packet."},
	{"Decent, nothing more.", "Good cold, dull when hot."},
	{"Very pleasant in the morning.", "Will buy again.", "二煎目が一番おいしい。"},
	{"The second infusion is a wonder.", "Our whole office drinks it now.", "Wunderbar rund und süß.", "향이 정말 좋아요."},
}

func reviewItem(r *rand.Rand, o *order, p product) item {
	stars := 1 + weighted(r, []int{3, 4, 10, 32, 51})
	written := o.delivered.Add(time.Duration(24+r.IntN(400)) * time.Hour)
	if written.After(today) {
		written = today
	}
	it := item{
		{"pk", str(o.pk())},
		{"sk", str("REVIEW#" + p.sku)},
		{"entity", str("review")},
		{"sku", str(p.sku)},
		{"stars", count(stars)},
		{"written_at", str(second(written))},
		{"gsi1pk", str("PRODUCT#" + p.sku)},
		{"gsi1sk", str("REVIEW#" + day(written))},
	}
	if chance(r, 70) {
		it = append(it, field{"comment", str(pick(r, verdicts[stars-1]))})
	}
	return it
}

// complaints are subjects with what the customer writes first.
var complaints = [][2]string{
	{"damaged parcel", "The tin was crushed, half of the tea is loose in the box."},
	{"late delivery", "Tracking has not moved for a week."},
	{"wrong product", "I ordered leaves and received powder."},
	{"invoice", "Please put the company name on the invoice."},
	{"brewing advice", "It turns bitter whatever I do. What am I doing wrong?"},
}

func ticketItem(r *rand.Rand, o *order, n int) item {
	raised := o.placed.Add(time.Duration(20+r.IntN(200)) * time.Hour).Truncate(time.Minute)
	if raised.After(today) {
		raised = today.Add(-time.Hour)
	}
	c := pick(r, complaints)
	open := today.Sub(raised) < 35*24*time.Hour
	messages := []value{message("customer", raised, c[1])}
	it := item{
		{"pk", str(o.pk())},
		{"sk", str(fmt.Sprintf("TICKET#%s#%d", day(raised), n))},
		{"entity", str("ticket")},
		{"customer_id", str(o.customer.id)},
		{"order_no", count(o.number)},
		{"subject", str(c[0])},
	}
	if open {
		it = append(it, field{"status", str("open")}, field{"open_since", str(second(raised))})
	} else {
		it = append(it, field{"status", str("closed")})
		answered := raised.Add(time.Duration(1+r.IntN(40)) * time.Hour)
		messages = append(messages, message("shop", answered, "Sorry about that. We have put it right."))
	}
	return append(it, field{"messages", list(messages...)})
}

func message(from string, at time.Time, text string) value {
	return doc(field{"from", str(from)}, field{"at", str(second(at))}, field{"text", str(text)})
}
