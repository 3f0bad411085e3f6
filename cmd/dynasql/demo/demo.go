// Package demo is the sample data of `dynasql demo`, as files in the form that
// `dynasql load` takes, and what the shell says about it. It knows no store and
// no engine: the command fills the one and runs the other.
//
// Wrenfold Tea does not exist; every person, address and number is made up.
package demo

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
)

//go:generate go run ./gen

//go:embed tables.json items.json
var files embed.FS

// Files has tables.json (CreateTable shapes) and items.json (BatchWriteItem
// shapes) in its root.
func Files() fs.FS { return files }

// Question is something worth asking of the sample data.
type Question struct {
	Title string
	SQL   string // one statement, without a terminator; valid under ONLY_FULL_GROUP_BY
}

// Questions returns five, the simplest first. Together they show a scan, a
// GetItem, a Query on part of a key, a path into a document, and a join with
// GROUP BY.
func Questions() []Question {
	return []Question{
		{
			"The most expensive teas",
			"SELECT name, category, price FROM products ORDER BY price DESC LIMIT 5",
		},
		{
			"One customer, by key: a single GetItem",
			"SELECT name, city, joined, points FROM customers WHERE customer_id = 'C0046'",
		},
		{
			"Her orders of this year: a Query on the single table",
			"SELECT sk, status, total FROM shop WHERE pk = 'CUSTOMER#C0046' AND sk LIKE 'ORDER#2026-%'",
		},
		{
			"Japanese gardens, out of a nested document",
			"SELECT name, origin->>'$.region' AS region, origin->>'$.elevation_m.high' AS metres FROM products\n" +
				" WHERE origin->>'$.country' = 'JP' AND category = 'green' ORDER BY name",
		},
		{
			"Which countries buy the most? A join and a GROUP BY",
			"SELECT c.country, COUNT(*) AS orders, SUM(o.total) AS revenue\n" +
				"  FROM shop o JOIN customers c ON c.customer_id = o.customer_id\n" +
				" WHERE o.entity = 'order' AND o.status <> 'cancelled'\n" +
				" GROUP BY c.country ORDER BY revenue DESC LIMIT 5",
		},
	}
}

const introduction = `Wrenfold Tea, a shop that does not exist, in four DynamoDB tables in memory:

  customers   250 people; index by-country
  products     36 teas and accessories, with nested documents, sets and binaries
  shop       1411 orders, order lines, reviews and tickets in a single table;
                  indexes gsi1, worklist (open ones only), by-total
  stock       324 monthly counts

Questions worth typing (or pasting):
`

// Greeting introduces the sample and lists the questions as statements that can
// be pasted. It ends with a newline.
func Greeting() string {
	var b strings.Builder
	b.WriteString(introduction)
	for _, q := range Questions() {
		fmt.Fprintf(&b, "  -- %s\n  %s;\n", q.Title, strings.ReplaceAll(q.SQL, "\n", "\n  "))
	}
	return b.String()
}
