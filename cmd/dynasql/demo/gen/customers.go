package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
	"unicode"
)

const customerCount = 250

// customer is what the orders need to know of a customer.
type customer struct {
	id      string
	name    string
	country *country
	joined  time.Time
}

// makeCustomers makes up people in the order in which they joined.
func makeCustomers(r *rand.Rand) []customer {
	window := today.Sub(opened)
	joined := make([]time.Time, customerCount)
	for i := range joined {
		joined[i] = opened.Add(time.Duration(r.Float64() * float64(window)))
	}
	slices.SortFunc(joined, time.Time.Compare)

	customers := make([]customer, customerCount)
	for i := range customers {
		c := &countries[weighted(r, countryShares())]
		customers[i] = customer{
			id: fmt.Sprintf("C%04d", i+1), name: makeName(r, c), country: c, joined: joined[i],
		}
	}
	return customers
}

func countryShares() []int {
	shares := make([]int, len(countries))
	for i, c := range countries {
		shares[i] = c.share
	}
	return shares
}

func makeName(r *rand.Rand, c *country) string {
	given, family := pick(r, c.given), pick(r, c.family)
	if c.family1st {
		return family + " " + given
	}
	return given + " " + family
}

func customerItems(r *rand.Rand, customers []customer) []item {
	items := make([]item, len(customers))
	for i, c := range customers {
		items[i] = customerItem(r, c, customers[:i])
	}
	return items
}

// customerItem leaves out what people do not tell: a missing attribute, not an
// empty one. Accounts taken over from the old till, the first forty, hold the
// phone as a number, and know for certain that nobody referred them.
func customerItem(r *rand.Rand, c customer, earlier []customer) item {
	home := pick(r, c.country.cities)
	old := len(earlier) < 40
	it := item{
		{"customer_id", str(c.id)},
		{"name", str(c.name)},
		{"email", str(email(c))},
		{"country", str(c.country.code)},
		{"city", str(home.name)},
		{"joined", str(day(c.joined))},
		{"newsletter", boolean(chance(r, 58))},
		{"points", count(r.IntN(40) * r.IntN(25))},
		{"address", address(r, c.country, home)},
	}
	if chance(r, 60) {
		it = append(it, field{"phone", phone(r, c.country, old)})
	}
	if chance(r, 45) {
		it = append(it, field{"birthday", str(birthday(r))})
	}
	if chance(r, 50) {
		it = append(it, field{"interests", interests(r)})
	}
	switch {
	case old:
		it = append(it, field{"referred_by", null()})
	case chance(r, 25):
		it = append(it, field{"referred_by", str(pick(r, earlier).id)})
	}
	return it
}

// email is made of the name where that is ASCII, and always unique.
func email(c customer) string {
	name := strings.ToLower(strings.ReplaceAll(c.name, " ", "."))
	for _, letter := range name {
		if letter > unicode.MaxASCII {
			return strings.ToLower(c.id) + "@example.net"
		}
	}
	return name + "." + strings.TrimLeft(c.id, "C0") + "@example.org"
}

func address(r *rand.Rand, c *country, home city) value {
	return doc(
		field{"street", str(fmt.Sprintf("%s %d", pick(r, c.streets), 1+r.IntN(140)))},
		field{"postcode", str(fill(r, c.postcode))},
		field{"geo", doc(
			field{"lat", degrees(home.lat + r.IntN(8000) - 4000)},
			field{"lon", degrees(home.lon + r.IntN(8000) - 4000)},
		)},
	)
}

// fill replaces each # by a digit and each @ by a capital letter.
func fill(r *rand.Rand, pattern string) string {
	return strings.Map(func(c rune) rune {
		switch c {
		case '#':
			return rune('1' + r.IntN(9))
		case '@':
			return rune('A' + r.IntN(26))
		}
		return c
	}, pattern)
}

func degrees(hundredThousandths int) value {
	return num(fmt.Sprintf("%.5f", float64(hundredThousandths)/100_000))
}

func phone(r *rand.Rand, c *country, old bool) value {
	number := digits(r, 9)
	if old {
		return num(strings.TrimPrefix(c.phone, "+") + number)
	}
	return str(c.phone + " " + number[:3] + " " + number[3:])
}

func birthday(r *rand.Rand) string {
	return day(time.Date(1948+r.IntN(58), 1, 1+r.IntN(365), 0, 0, 0, 0, time.UTC))
}

func interests(r *rand.Rand) value {
	all := []string{"black", "ceramics", "cold brew", "gifts", "green", "herbal", "matcha", "oolong", "rare lots", "white"}
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	some := all[:1+r.IntN(4)]
	slices.Sort(some)
	return set("SS", some...)
}
