package engine_test

import (
	"fmt"
	"strings"
)

// shop are tables of a shop, each of a few hundred read units or next to none:
// a chain of countries, customers, orders, lines, products and makers; picks,
// which name rows of most of them; and app, a single table of users with their
// profile and orders, with the users' teams in an index.
func shop() []fixture {
	pad := func(n int) string { return fmt.Sprintf(`,"pad":{"S":"%s"}`, strings.Repeat("x", n)) }
	countries := fixture{name: "countries", hash: "code:S"}
	for i := range 10 {
		countries.items = append(countries.items, fmt.Sprintf(`{"code":{"S":"n%d"},"region":{"S":"r%d"}%s}`, i, i%3, pad(100)))
	}
	customers := fixture{name: "customers", hash: "id:S", indexes: []string{"by-country country:S"}}
	for i := range 200 {
		customers.items = append(customers.items, fmt.Sprintf(`{"id":{"S":"c%d"},"country":{"S":"n%d"},"tier":{"N":"%d"}%s}`, i, i%10, i%7, pad(1500)))
	}
	orders := fixture{name: "orders", hash: "customer:S", sort: "placed:N", indexes: []string{"by-status status:S placed:N", "by-number number:S"}}
	for i := range 1200 {
		status := "done"
		if i%60 == 7 {
			status = "open"
		}
		orders.items = append(orders.items, fmt.Sprintf(`{"customer":{"S":"c%d"},"placed":{"N":"%d"},"number":{"S":"o%d"},"status":{"S":"%s"},"sku":{"S":"p%d"},"total":{"N":"%d"}%s}`,
			i%200, i/200, i, status, i*7%300, i*13%500, pad(800)))
	}
	lines := fixture{name: "lines", hash: "number:S", sort: "line:N", indexes: []string{"by-sku sku:S"}}
	for i := range 2400 {
		lines.items = append(lines.items, fmt.Sprintf(`{"number":{"S":"o%d"},"line":{"N":"%d"},"sku":{"S":"p%d"},"qty":{"N":"%d"}%s}`, i/2, i%2, i*11%300, i%9, pad(400)))
	}
	products := fixture{name: "products", hash: "sku:S", indexes: []string{"by-maker maker:S"}}
	for i := range 300 {
		products.items = append(products.items, fmt.Sprintf(`{"sku":{"S":"p%d"},"maker":{"S":"m%d"},"price":{"N":"%d"}%s}`, i, i%15, i%40, pad(900)))
	}
	makers := fixture{name: "makers", hash: "id:S"}
	for i := range 15 {
		makers.items = append(makers.items, fmt.Sprintf(`{"id":{"S":"m%d"},"country":{"S":"n%d"}%s}`, i, i%10, pad(200)))
	}
	picks := fixture{name: "picks", hash: "k:S", items: []string{
		`{"k":{"S":"u"},"customer":{"S":"c3"},"placed":{"N":"2"},"sku":{"S":"p5"},"number":{"S":"o17"},"flag":{"N":"1"}}`,
		`{"k":{"S":"v"},"customer":{"S":"c3"},"placed":{"N":"4"},"sku":{"S":"p9"},"number":{"S":"o90"},"flag":{"N":"0"}}`,
		`{"k":{"S":"w"},"customer":{"S":"c8"},"placed":{"N":"77"},"sku":{"S":"p9"},"number":{"S":"none"},"flag":{"N":"1"}}`,
		`{"k":{"S":"x"},"flag":{"N":"0"}}`,
	}}
	app := fixture{name: "app", hash: "pk:S", sort: "sk:S", indexes: []string{"by-team team:S sk:S"}}
	for i := range 150 {
		app.items = append(app.items, fmt.Sprintf(`{"pk":{"S":"U%d"},"sk":{"S":"PROFILE"},"team":{"S":"t%d"},"boss":{"S":"U%d"}%s}`, i, i%25, i/10, pad(1000)))
		for j := range 4 {
			app.items = append(app.items, fmt.Sprintf(`{"pk":{"S":"U%d"},"sk":{"S":"ORDER#%d"},"product":{"S":"p%d"}%s}`, i, j, (i*4+j)%300, pad(900)))
		}
	}
	return []fixture{countries, customers, orders, lines, products, makers, picks, app}
}

// A joinCase is a statement with what brute force is told of it (see specOf).
type joinCase struct {
	query string
	spec  string
	limit int
	above float64 // the ratio that is allowed, where it is not 1
	why   string
}

// Why a plan that is made before the items are known takes more.
const (
	tooNear    = "that one range takes less than two look-ups shows in the items alone"
	firstPage  = "a first page has 25 items, and the keys of as many rows as are wanted are read, although fewer may give them"
	whoIsFirst = "which items a Scan gives first shows in the items alone"
)

var joinCases = []joinCase{
	// inner joins of two tables
	{query: "SELECT p.k, c.tier FROM picks p JOIN customers c ON c.id = p.customer", spec: "picks p; customers c; c.id=p.customer"},
	{query: "SELECT p.k, c.tier FROM customers c JOIN picks p ON c.id = p.customer", spec: "picks p; customers c; c.id=p.customer"},
	{query: "SELECT p.k, o.total FROM picks p JOIN orders o ON o.customer = p.customer AND o.placed = p.placed", spec: "picks p; orders o; o.customer=p.customer o.placed=p.placed", above: 1.34, why: tooNear},
	{query: "SELECT p.k, o.total FROM picks p JOIN orders o ON o.customer = p.customer", spec: "picks p; orders o; o.customer=p.customer"},
	{query: "SELECT p.k, o.total FROM picks p JOIN orders o ON o.customer = p.customer WHERE o.placed > 3", spec: "picks p; orders o, placed>3; o.customer=p.customer"},
	{query: "SELECT p.k, o.total FROM picks p JOIN orders o ON o.customer = p.customer AND o.total > p.placed", spec: "picks p; orders o; o.customer=p.customer"},
	{query: "SELECT p.k, o.total FROM picks p JOIN orders o ON o.number = p.number", spec: "picks p; orders o; o.number=p.number"},
	{query: "SELECT p.k, l.qty FROM picks p JOIN `lines` l ON l.sku = p.sku WHERE p.flag = 1", spec: "picks p, flag=1; lines l; l.sku=p.sku"},
	{query: "SELECT c.id, o.total FROM customers c JOIN orders o ON o.customer = c.id WHERE c.country = 'n3'", spec: "customers c, country=n3; orders o; o.customer=c.id"},
	{query: "SELECT c.id, o.total FROM customers c JOIN orders o ON o.customer = c.id WHERE c.id = 'c7'", spec: "customers c, id=c7; orders o, customer=c7; o.customer=c.id"},
	{query: "SELECT c.tier, o.total FROM customers c JOIN orders o ON o.customer = c.id WHERE o.status = 'open'", spec: "customers c; orders o, status=open; o.customer=c.id"},
	{query: "SELECT c.tier, o.total FROM customers c JOIN orders o ON o.customer = c.id WHERE o.status = 'open' AND c.country = 'n7'", spec: "customers c, country=n7; orders o, status=open; o.customer=c.id"},
	{query: "SELECT COUNT(*) FROM customers c JOIN orders o ON o.customer = c.id", spec: "customers c; orders o; o.customer=c.id"},
	{query: "SELECT COUNT(*) FROM orders o JOIN `lines` l ON l.number = o.number", spec: "orders o; lines l; l.number=o.number"},
	{query: "SELECT COUNT(*) FROM orders o JOIN `lines` l ON l.number = o.number WHERE o.placed = 2 AND o.customer IN ('c1', 'c2', 'c3')", spec: "orders o, placed=2, customer=c1/c2/c3; lines l; l.number=o.number"},
	{query: "SELECT COUNT(*) FROM picks p JOIN countries c ON p.k < c.code", spec: "picks p; countries c"},
	{query: "SELECT l.qty FROM `lines` l JOIN products p ON p.sku = l.sku WHERE l.number = 'o5'", spec: "lines l, number=o5; products p; p.sku=l.sku"},
	{query: "SELECT l.qty FROM `lines` l JOIN products p USING (sku) WHERE p.maker = 'm3'", spec: "lines l; products p, maker=m3; p.sku=l.sku"},
	// LEFT JOIN
	{query: "SELECT p.k, c.tier FROM picks p LEFT JOIN customers c ON c.id = p.customer", spec: "picks p; left customers c; c.id=p.customer"},
	{query: "SELECT p.k, o.total FROM picks p LEFT JOIN orders o ON o.customer = p.customer AND o.placed = 2", spec: "picks p; left orders o, placed=2; o.customer=p.customer"},
	{query: "SELECT p.k, o.total FROM picks p LEFT JOIN orders o ON o.customer = p.customer AND o.placed > 2", spec: "picks p; left orders o, placed>2; o.customer=p.customer"},
	{query: "SELECT p.k, o.total FROM picks p LEFT JOIN orders o ON o.customer = p.customer AND p.flag = 1", spec: "picks p; left orders o, p.flag=1; o.customer=p.customer"},
	{query: "SELECT p.k, l.qty FROM picks p LEFT JOIN `lines` l ON l.number = p.number AND p.flag = 1", spec: "picks p; left lines l, p.flag=1; l.number=p.number"},
	{query: "SELECT p.k, o.total FROM picks p LEFT JOIN orders o ON o.customer = p.customer AND o.total > p.placed", spec: "picks p; left orders o; o.customer=p.customer"},
	{query: "SELECT p.k, o.total, c.tier FROM picks p LEFT JOIN orders o ON o.number = p.number LEFT JOIN customers c ON c.id = o.customer", spec: "picks p; left orders o; left customers c; o.number=p.number c.id=o.customer"},
	{query: "SELECT c.id, o.total FROM customers c LEFT JOIN orders o ON o.customer = c.id AND o.status = 'open' WHERE c.country = 'n7'", spec: "customers c, country=n7; left orders o, status=open; o.customer=c.id"},
	{query: "SELECT p.k FROM picks p LEFT JOIN customers c ON c.id = p.customer WHERE c.id IS NULL", spec: "picks p; left customers c; c.id=p.customer"},
	// IN, EXISTS, NOT IN, NOT EXISTS
	{query: "SELECT c.tier FROM customers c WHERE c.id IN (SELECT customer FROM picks)", spec: "customers c; picks p; c.id=p.customer"},
	{query: "SELECT c.tier FROM customers c WHERE EXISTS (SELECT 1 FROM picks p WHERE p.customer = c.id AND p.flag = 1)", spec: "customers c; picks p, flag=1; c.id=p.customer"},
	{query: "SELECT p.k FROM picks p WHERE p.customer IN (SELECT id FROM customers WHERE tier > 2)", spec: "picks p; customers c; c.id=p.customer"},
	{query: "SELECT p.k FROM picks p WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer = p.customer AND o.total > p.placed)", spec: "picks p; orders o; o.customer=p.customer"},
	{query: "SELECT p.k FROM picks p WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer = p.customer AND o.placed = p.placed)", spec: "picks p; anti orders o; o.customer=p.customer o.placed=p.placed", above: 1.34, why: tooNear},
	{query: "SELECT p.k FROM picks p WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer = p.customer AND o.total < p.placed)", spec: "picks p; anti orders o; o.customer=p.customer"},
	{query: "SELECT p.k FROM picks p WHERE p.sku NOT IN (SELECT sku FROM products WHERE maker = 'm5')", spec: "picks p; anti products q, maker=m5; q.sku=p.sku", above: 2, why: "a NULL on the left asks whether any product of the maker is there"},
	{query: "SELECT p.k FROM picks p WHERE p.sku NOT IN (SELECT sku FROM products WHERE price > 4) AND p.k <> 'x'", spec: "picks p, k!x; anti products q; q.sku=p.sku"},
	{query: "SELECT p.k FROM picks p WHERE p.sku NOT IN (SELECT sku FROM products)", spec: "picks p; anti products q; q.sku=p.sku"},
	{query: "SELECT o.total FROM orders o WHERE (o.customer, o.placed) IN (SELECT customer, placed FROM picks)", spec: "orders o; picks p; o.customer=p.customer o.placed=p.placed", above: 1.34, why: tooNear},
	// subqueries that name the row outside
	{query: "SELECT p.k, (SELECT MAX(o.total) FROM orders o WHERE o.customer = p.customer) FROM picks p", spec: "picks p; left orders o; o.customer=p.customer"},
	{query: "SELECT c.id, (SELECT COUNT(*) FROM orders o WHERE o.customer = c.id AND o.placed > 4) FROM customers c WHERE c.id IN ('c1', 'c2')", spec: "customers c, id=c1/c2; left orders o, placed>4; o.customer=c.id"},
	{query: "SELECT p.k FROM picks p WHERE p.placed < (SELECT MAX(o.placed) FROM orders o WHERE o.customer = p.customer)", spec: "picks p; left orders o; o.customer=p.customer"},
	// one table with itself
	{query: "SELECT u.team, o.product FROM app u JOIN app o ON o.pk = u.pk WHERE u.pk = 'U7' AND u.sk = 'PROFILE' AND o.sk LIKE 'ORDER#%'", spec: "app u, pk=U7, sk=PROFILE; app o, pk=U7, sk^ORDER#; o.pk=u.pk"},
	{query: "SELECT u.pk, o.product FROM app u JOIN app o ON o.pk = u.pk WHERE u.team = 't4' AND o.sk LIKE 'ORDER#%'", spec: "app u, team=t4; app o, sk^ORDER#; o.pk=u.pk"},
	{query: "SELECT u.pk, b.team FROM app u JOIN app b ON b.pk = u.boss AND b.sk = 'PROFILE' WHERE u.team = 't4'", spec: "app u, team=t4; app b, sk=PROFILE; b.pk=u.boss"},
	{query: "SELECT u.pk, o.product FROM app u LEFT JOIN app o ON o.pk = u.pk AND o.sk = 'ORDER#1' WHERE u.team = 't4'", spec: "app u, team=t4; left app o, sk=ORDER#1; o.pk=u.pk"},
	{query: "SELECT u.pk, p.price FROM app u JOIN app o ON o.pk = u.pk JOIN products p ON p.sku = o.product WHERE u.team = 't4' AND o.sk = 'ORDER#2'", spec: "app u, team=t4; app o, sk=ORDER#2; products p; o.pk=u.pk p.sku=o.product"},
	// chains and stars
	{query: "SELECT p.k, l.qty FROM picks p JOIN orders o ON o.customer = p.customer AND o.placed = p.placed JOIN `lines` l ON l.number = o.number", spec: "picks p; orders o; lines l; o.customer=p.customer o.placed=p.placed l.number=o.number", above: 1.2, why: tooNear},
	{query: "SELECT c.id, l.qty FROM customers c JOIN orders o ON o.customer = c.id JOIN `lines` l ON l.number = o.number WHERE c.id = 'c9'", spec: "customers c, id=c9; orders o, customer=c9; lines l; o.customer=c.id l.number=o.number"},
	{query: "SELECT o.total, l.qty, q.price FROM orders o JOIN `lines` l ON l.number = o.number JOIN products q ON q.sku = l.sku WHERE o.customer = 'c5' AND o.placed = 1", spec: "orders o, customer=c5, placed=1; lines l; products q; l.number=o.number q.sku=l.sku"},
	{query: "SELECT k.region, c.tier, o.total FROM countries k JOIN customers c ON c.country = k.code JOIN orders o ON o.customer = c.id WHERE k.code = 'n2' AND o.placed = 3", spec: "countries k, code=n2; customers c, country=n2; orders o, placed=3; c.country=k.code o.customer=c.id"},
	{query: "SELECT o.total, c.tier, q.price FROM orders o JOIN customers c ON c.id = o.customer JOIN products q ON q.sku = o.sku WHERE o.status = 'open'", spec: "orders o, status=open; customers c; products q; c.id=o.customer q.sku=o.sku"},
	{query: "SELECT p.k, c.tier, q.price FROM picks p JOIN customers c ON c.id = p.customer JOIN products q ON q.sku = p.sku WHERE p.k = 'u'", spec: "picks p, k=u; customers c; products q; c.id=p.customer q.sku=p.sku"},
	{query: "SELECT q.sku, m.country, n.region FROM products q JOIN makers m ON m.id = q.maker JOIN countries n ON n.code = m.country WHERE q.sku = 'p44'", spec: "products q, sku=p44; makers m; countries n; m.id=q.maker n.code=m.country"},
	{query: "SELECT p.k, c.tier, o.total FROM picks p LEFT JOIN customers c ON c.id = p.customer JOIN orders o ON o.number = p.number", spec: "picks p; left customers c; orders o; c.id=p.customer o.number=p.number"},
	// LIMIT
	{query: "SELECT p.k, o.total FROM picks p JOIN orders o ON o.customer = p.customer LIMIT 2", spec: "picks p; orders o; o.customer=p.customer", limit: 2, above: 1.5, why: whoIsFirst},
	{query: "SELECT c.tier, o.total FROM customers c JOIN orders o ON o.customer = c.id LIMIT 3", spec: "customers c; orders o; o.customer=c.id", limit: 3, above: 5.34, why: firstPage},
	{query: "SELECT c.tier, o.total FROM orders o JOIN customers c ON o.customer = c.id WHERE o.status = 'open' LIMIT 3", spec: "customers c; orders o, status=open; o.customer=c.id", limit: 3, above: 2, why: firstPage},
}
