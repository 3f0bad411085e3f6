package engine_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// The tables of TPC-H, with values of our own making in the proportions and
// ranges that its queries expect. Answers over them say nothing about TPC-H.

// A tpchTable is a table of TPC-H: columns with their MariaDB types, keys and rows.
type tpchTable struct {
	name    string
	columns []string // "name TYPE"
	key     []string // names; at most two
	index   string   // further indexed columns, for MariaDB alone; "" if none
	rows    [][]string
}

// column returns the name and the type of a column.
func (t *tpchTable) column(i int) (name, sqlType string) {
	name, sqlType, _ = strings.Cut(t.columns[i], " ")
	return name, sqlType
}

func (t *tpchTable) add(values ...any) {
	row := make([]string, len(values))
	for i, v := range values {
		row[i] = fmt.Sprint(v)
	}
	t.rows = append(t.rows, row)
}

// numeric reports whether a column holds numbers.
func (t *tpchTable) numeric(i int) bool {
	_, sqlType := t.column(i)
	return sqlType == "INT" || strings.HasPrefix(sqlType, "DECIMAL")
}

// fixture is the table as DynamoDB has it: dates are strings, absent values none.
func (t *tpchTable) fixture() fixture {
	kind := map[string]string{}
	for i := range t.columns {
		name, _ := t.column(i)
		kind[name] = "S"
		if t.numeric(i) {
			kind[name] = "N"
		}
	}
	f := fixture{name: t.name, hash: t.key[0] + ":" + kind[t.key[0]]}
	if len(t.key) == 2 {
		f.sort = t.key[1] + ":" + kind[t.key[1]]
	}
	for _, row := range t.rows {
		parts := make([]string, len(row))
		for i, v := range row {
			name, _ := t.column(i)
			parts[i] = fmt.Sprintf(`%q:{%q:%q}`, name, kind[name], v)
		}
		f.items = append(f.items, "{"+strings.Join(parts, ",")+"}")
	}
	return f
}

// definition is the table as statements for MariaDB, each of one line.
func (t *tpchTable) definition() []string {
	definition := "CREATE TABLE " + t.name + " (" + strings.Join(t.columns, ", ") + ", PRIMARY KEY (" + strings.Join(t.key, ", ") + ")"
	if t.index != "" {
		definition += ", INDEX (" + t.index + ")"
	}
	out := []string{definition + ")"}
	const most = 1000
	for from := 0; from < len(t.rows); from += most {
		var values []string
		for _, row := range t.rows[from:min(from+most, len(t.rows))] {
			values = append(values, "('"+strings.Join(row, "','")+"')")
		}
		out = append(out, "INSERT INTO "+t.name+" VALUES "+strings.Join(values, ","))
	}
	return out
}

var tpchNations = strings.Fields(`ALGERIA:0 ARGENTINA:1 BRAZIL:1 CANADA:1 EGYPT:4 ETHIOPIA:0 FRANCE:3 GERMANY:3 INDIA:2 INDONESIA:2 IRAN:4 IRAQ:4
	JAPAN:2 JORDAN:4 KENYA:0 MOROCCO:0 MOZAMBIQUE:0 PERU:1 CHINA:2 ROMANIA:3 SAUDI_ARABIA:4 VIETNAM:2 RUSSIA:3 UNITED_KINGDOM:3 UNITED_STATES:1`)

// A tpchGenerator fills the tables. orders is how many orders there are; the
// other tables are in proportion, as in TPC-H (1,500,000 orders are its scale 1).
type tpchGenerator struct {
	*rand.Rand
	orders int
}

func (g *tpchGenerator) pick(words string) string {
	list := strings.Split(words, "|")
	return list[g.IntN(len(list))]
}

// between is a whole number from low to high, both included.
func (g *tpchGenerator) between(low, high int) int { return low + g.IntN(high-low+1) }

// cents writes a number of hundredths.
func cents(n int) string { return strconv.FormatFloat(float64(n)/100, 'f', 2, 64) }

func (g *tpchGenerator) words(count int) string {
	list := make([]string, count)
	for i := range list {
		list[i] = g.pick("packages|deposits|requests|accounts|pinto beans|foxes|ideas|theodolites|carefully|quickly|furiously|final|special|pending|regular|express|bold|even|ironic|silent|sleep|wake|nag|haggle|are|among the|above the")
	}
	return strings.Join(list, " ")
}

func (g *tpchGenerator) phone(nation int) string {
	return fmt.Sprintf("%d-%03d-%03d-%04d", nation+10, g.between(100, 999), g.between(100, 999), g.between(1000, 9999))
}

// tables makes all eight.
func (g *tpchGenerator) tables() []*tpchTable {
	region := &tpchTable{name: "region", key: []string{"r_regionkey"}, columns: []string{"r_regionkey INT", "r_name VARCHAR(25)", "r_comment VARCHAR(152)"}}
	for i, name := range strings.Fields("AFRICA AMERICA ASIA EUROPE MIDDLE_EAST") {
		region.add(i, strings.ReplaceAll(name, "_", " "), g.words(5))
	}
	nation := &tpchTable{name: "nation", key: []string{"n_nationkey"}, columns: []string{"n_nationkey INT", "n_name VARCHAR(25)", "n_regionkey INT", "n_comment VARCHAR(152)"}}
	for i, entry := range tpchNations {
		name, in, _ := strings.Cut(entry, ":")
		nation.add(i, strings.ReplaceAll(name, "_", " "), in, g.words(5))
	}
	part, partsupp := g.parts()
	orders, lineitem := g.ordersAndLines(part)
	return []*tpchTable{region, nation, g.suppliers(), g.customers(), part, partsupp, orders, lineitem}
}

func (g *tpchGenerator) supplierCount() int { return g.orders / 150 }
func (g *tpchGenerator) customerCount() int { return g.orders / 10 }
func (g *tpchGenerator) partCount() int     { return g.orders * 2 / 15 }

func (g *tpchGenerator) suppliers() *tpchTable {
	t := &tpchTable{name: "supplier", key: []string{"s_suppkey"}, index: "s_nationkey",
		columns: []string{"s_suppkey INT", "s_name VARCHAR(25)", "s_address VARCHAR(80)", "s_nationkey INT", "s_phone VARCHAR(15)", "s_acctbal DECIMAL(15,2)", "s_comment VARCHAR(400)"}}
	for i := 1; i <= g.supplierCount(); i++ {
		comment := g.words(6)
		if g.IntN(12) == 0 {
			comment = "Customer " + g.words(1) + " Complaints"
		}
		n := g.IntN(len(tpchNations))
		t.add(i, fmt.Sprintf("Supplier#%09d", i), g.words(2), n, g.phone(n), cents(g.between(-99999, 999999)), comment)
	}
	return t
}

func (g *tpchGenerator) customers() *tpchTable {
	t := &tpchTable{name: "customer", key: []string{"c_custkey"}, index: "c_nationkey",
		columns: []string{"c_custkey INT", "c_name VARCHAR(25)", "c_address VARCHAR(80)", "c_nationkey INT", "c_phone VARCHAR(15)", "c_acctbal DECIMAL(15,2)", "c_mktsegment VARCHAR(10)", "c_comment VARCHAR(400)"}}
	for i := 1; i <= g.customerCount(); i++ {
		n := g.IntN(len(tpchNations))
		t.add(i, fmt.Sprintf("Customer#%09d", i), g.words(2), n, g.phone(n), cents(g.between(-99999, 999999)),
			g.pick("AUTOMOBILE|BUILDING|FURNITURE|HOUSEHOLD|MACHINERY"), g.words(8))
	}
	return t
}

func (g *tpchGenerator) parts() (part, partsupp *tpchTable) {
	part = &tpchTable{name: "part", key: []string{"p_partkey"},
		columns: []string{"p_partkey INT", "p_name VARCHAR(80)", "p_mfgr VARCHAR(25)", "p_brand VARCHAR(10)", "p_type VARCHAR(25)", "p_size INT", "p_container VARCHAR(10)", "p_retailprice DECIMAL(15,2)", "p_comment VARCHAR(100)"}}
	partsupp = &tpchTable{name: "partsupp", key: []string{"ps_partkey", "ps_suppkey"}, index: "ps_suppkey",
		columns: []string{"ps_partkey INT", "ps_suppkey INT", "ps_availqty INT", "ps_supplycost DECIMAL(15,2)", "ps_comment VARCHAR(400)"}}
	for i := 1; i <= g.partCount(); i++ {
		colours := make([]string, 5)
		for j := range colours {
			colours[j] = g.pick("almond|azure|blue|chocolate|coral|cyan|forest|gold|green|hot|ivory|khaki|lemon|linen|navy|olive|peru|pink|red|salmon|sky|snow|tan|white")
		}
		maker := g.between(1, 5)
		part.add(i, strings.Join(colours, " "), fmt.Sprintf("Manufacturer#%d", maker), fmt.Sprintf("Brand#%d%d", maker, g.between(1, 5)),
			g.pick("STANDARD|SMALL|MEDIUM|LARGE|ECONOMY|PROMO")+" "+g.pick("ANODIZED|BURNISHED|PLATED|POLISHED|BRUSHED")+" "+g.pick("TIN|NICKEL|BRASS|STEEL|COPPER"),
			g.between(1, 50), g.pick("SM|LG|MED|JUMBO|WRAP")+" "+g.pick("CASE|BOX|BAG|JAR|PKG|PACK|CAN|DRUM"), cents(g.price(i)), g.words(2))
		for n := range 4 {
			partsupp.add(i, g.supplierOf(i, n), g.between(1, 9999), cents(g.between(100, 100000)), g.words(8))
		}
	}
	return part, partsupp
}

// price is that of a part, in cents.
func (g *tpchGenerator) price(part int) int { return 90000 + part/10%20001 + 100*(part%1000) }

// supplierOf is one of the four suppliers of a part.
func (g *tpchGenerator) supplierOf(part, n int) int {
	s := g.supplierCount()
	return (part+part/s+n*(s/4))%s + 1
}

func (g *tpchGenerator) ordersAndLines(part *tpchTable) (orders, lineitem *tpchTable) {
	orders = &tpchTable{name: "orders", key: []string{"o_orderkey"}, index: "o_custkey",
		columns: []string{"o_orderkey INT", "o_custkey INT", "o_orderstatus CHAR(1)", "o_totalprice DECIMAL(15,2)", "o_orderdate DATE", "o_orderpriority VARCHAR(15)", "o_clerk VARCHAR(15)", "o_shippriority INT", "o_comment VARCHAR(200)"}}
	lineitem = &tpchTable{name: "lineitem", key: []string{"l_orderkey", "l_linenumber"}, index: "l_partkey, l_suppkey",
		columns: []string{"l_orderkey INT", "l_partkey INT", "l_suppkey INT", "l_linenumber INT", "l_quantity DECIMAL(15,2)", "l_extendedprice DECIMAL(15,2)", "l_discount DECIMAL(15,2)", "l_tax DECIMAL(15,2)",
			"l_returnflag CHAR(1)", "l_linestatus CHAR(1)", "l_shipdate DATE", "l_commitdate DATE", "l_receiptdate DATE", "l_shipinstruct VARCHAR(25)", "l_shipmode VARCHAR(10)", "l_comment VARCHAR(100)"}}
	first := time.Date(1992, 1, 1, 0, 0, 0, 0, time.UTC)
	today := time.Date(1995, 6, 17, 0, 0, 0, 0, time.UTC)
	for i := range g.orders {
		key := i/8*32 + i%8 + 1 // as in TPC-H, a quarter of the keys is used
		customer := g.between(1, g.customerCount())
		if customer%3 == 0 { // a third of the customers has no orders
			customer--
		}
		ordered := first.AddDate(0, 0, g.IntN(2406))
		total, shipped, lines := 0, 0, g.between(1, 7)
		for n := 1; n <= lines; n++ {
			p := g.between(1, len(part.rows))
			quantity, discount, tax := g.between(1, 50), g.between(0, 10), g.between(0, 8)
			price := quantity * g.price(p)
			total += price * (100 - discount) / 100 * (100 + tax) / 100
			ship := ordered.AddDate(0, 0, g.between(1, 121))
			receipt := ship.AddDate(0, 0, g.between(1, 30))
			flag, status := "N", "O"
			if !receipt.After(today) {
				flag = g.pick("R|A")
			}
			if !ship.After(today) {
				status = "F"
				shipped++
			}
			lineitem.add(key, p, g.supplierOf(p, g.IntN(4)), n, quantity, cents(price), cents(discount), cents(tax), flag, status,
				ship.Format(time.DateOnly), ordered.AddDate(0, 0, g.between(30, 90)).Format(time.DateOnly), receipt.Format(time.DateOnly),
				g.pick("DELIVER IN PERSON|COLLECT COD|NONE|TAKE BACK RETURN"), g.pick("REG AIR|AIR|RAIL|SHIP|TRUCK|MAIL|FOB"), g.words(3))
		}
		status := "P"
		switch shipped {
		case 0:
			status = "O"
		case lines:
			status = "F"
		}
		orders.add(key, customer, status, cents(total), ordered.Format(time.DateOnly), g.pick("1-URGENT|2-HIGH|3-MEDIUM|4-NOT SPECIFIED|5-LOW"),
			fmt.Sprintf("Clerk#%09d", g.between(1, 10)), 0, g.words(6))
	}
	return orders, lineitem
}
