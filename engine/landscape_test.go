package engine_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/dynasql/dynasql/connector/catalog"
	"github.com/dynasql/dynasql/connector/schemafile"
)

// A complaint is a case in which other SQL layers over DynamoDB were reported to
// be wrong, by the number under which it was collected: items, questions, and
// the right answers.
type complaint struct {
	id, about string
	tables    []fixture
	pins      string
	sample    int // items in a sample of a table; 0 for as many as usual
	asks      []asked
}

// asked is a question, or an item to put into a table before the next one.
type asked struct {
	query string
	want  []string
	table string
	item  string
}

func after(table, item string) asked { return asked{table: table, item: item} }

func q(query string, want ...string) asked { return asked{query: query, want: want} }

func keyed(name string, items ...string) fixture {
	f := fixture{name: name, hash: "pk:S"}
	for i, item := range items {
		f.items = append(f.items, fmt.Sprintf(`{"pk":{"S":"%d"},%s}`, i+1, item))
	}
	return f
}

// numbered is a table of n items, to which more adds attributes.
func numbered(n int, more func(i int) string) fixture {
	f := fixture{name: "tab", hash: "pk:S", sort: "at:N"}
	for i := range n {
		f.items = append(f.items, fmt.Sprintf(`{"pk":{"S":"p%d"},"at":{"N":"%d"}%s}`, i%97, i, more(i)))
	}
	return f
}

// the is an attribute that an item has on a condition.
func the(attribute string, on bool) string {
	if !on {
		return ""
	}
	return `,"` + attribute + `":{"N":"1"}`
}

var complaints = []complaint{
	{id: "T01", about: "maps of one attribute with different keys",
		tables: []fixture{{name: "users", hash: "pk:N", sort: "sk:S", items: []string{
			`{"pk":{"N":"11"},"sk":{"S":"userdata"},"data":{"M":{"name":{"S":"Ann"},"jobid":{"S":"j1"}}}}`,
			`{"pk":{"N":"11"},"sk":{"S":"assignment"},"data":{"M":{"name":{"S":"Bob"},"starunits":{"L":[{"M":{"value":{"S":"v"},"percentage":{"S":"9"}}}]},"updateby":{"S":"me"}}}}`}}},
		asks: []asked{
			q("SELECT data FROM users ORDER BY sk", `{"name": "Bob", "updateby": "me", "starunits": [{"value": "v", "percentage": "9"}]}`, `{"name": "Ann", "jobid": "j1"}`),
			q("SELECT data->>'$.jobid', data->>'$.starunits[0].percentage' FROM users ORDER BY sk", "NULL|9", "j1|NULL")}},
	{id: "T02", about: "maps whose keys are data",
		tables: []fixture{keyed("lots", `"defectMap":{"M":{"0":{"M":{"name":{"S":"a"}}},"1":{"M":{"name":{"S":"b"},"defectId":{"N":"7"}}},"2":{"M":{}},"5":{"M":{"name":{"S":"c"}}}}}`)},
		asks: []asked{
			q("SELECT JSON_LENGTH(defectMap), JSON_KEYS(defectMap), defectMap->'$.\"1\".defectId' FROM lots", `4|["0", "1", "2", "5"]|7`)}},
	{id: "T03", about: "an empty map or list",
		tables: []fixture{keyed("tab", `"m":{"M":{}},"l":{"L":[]},"s":{"S":""}`, `"m":{"M":{"a":{"N":"1"}}},"l":{"L":[{"N":"1"}]},"s":{"S":"x"}`)},
		asks:   []asked{q("SELECT m, l, s FROM tab", "{}|[]|", `{"a": 1}|[1]|x`)}},
	{id: "T04", about: "NULL-typed values at the top and inside",
		tables: []fixture{{name: "odd", hash: "id:S", items: []string{`{"id":{"S":"foo"},"obj":{"M":{"field1":{"N":"456"},"field2":{"NULL":true}}},"top":{"NULL":true}}`}},
			keyed("other", `"x":{"NULL":true}`, `"x":{"N":"5"}`)},
		asks: []asked{
			q("SHOW TABLES", "odd", "other"), q("SELECT id, obj, top FROM odd", `foo|{"field1": 456, "field2": null}|NULL`),
			q("SELECT x + 1 FROM other WHERE x IS NOT NULL", "6")}},
	{id: "T05", about: "a column declared integral",
		tables: []fixture{keyed("tab", `"some_number":{"N":"123"},"some_object":{"M":{"nested_number":{"N":"456"}}}`)},
		pins:   "tables: {tab: {columns: {some_number: BIGINT, nested: {attribute: some_object, path: $.nested_number, type: BIGINT}}}}",
		asks:   []asked{q("SELECT some_number, nested FROM tab", "123|456"), q("SELECT some_number DIV 10 FROM tab WHERE nested = 456", "12")}},
	{id: "T06", about: "an attribute of a minority, one of them a string set",
		tables: []fixture{keyed("tab", `"a":{"N":"1"}`, `"a":{"N":"2"}`, `"a":{"N":"3"},"tags":{"SS":["x","y"]}`, `"a":{"N":"4"}`)},
		asks:   []asked{q("SELECT a FROM tab WHERE JSON_CONTAINS(tags, '\"y\"')", "3"), q("SELECT a FROM tab WHERE tags IS NULL", "1", "2", "4")}},
	{id: "T07", about: "attributes of recent items only", sample: 300,
		tables: []fixture{numbered(3000, func(i int) string { return the("fresh", i >= 2700) })},
		asks: []asked{q("SELECT COUNT(*), SUM(at >= 2700) FROM tab WHERE fresh = 1", "300|300"),
			after("tab", `{"pk":{"S":"p1"},"at":{"N":"9000"},"newest":{"S":"x"}}`),
			q("SELECT newest FROM tab", "error: unknown column 'newest' in table 'tab'"), q("SELECT COUNT(*) FROM tab WHERE _item->>'$.newest' = 'x'", "1"),
			q("SELECT COUNT(*) FROM (SELECT 1) q WHERE EXISTS (SELECT 1 FROM ddb_schema('tab') WHERE attribute = 'newest')", "0"),
			q("CALL ddb_refresh('tab', 4000)", "tab|3001|4|4"), q("SELECT COUNT(newest) FROM tab", "1")}},
	{id: "T08", about: "an empty table",
		tables: []fixture{{name: "nothing", hash: "pk:S", sort: "sk:N"}},
		asks: []asked{q("SELECT * FROM nothing"), q("SELECT COUNT(*) FROM nothing WHERE pk = 'a' AND sk > 1", "0"),
			q("SELECT _item FROM nothing"), q("SELECT column_name, column_type FROM information_schema.columns WHERE table_name = 'nothing'", "pk|varchar(2048)", "sk|decimal(65,30)")}},
	{id: "T09", about: "fewer items than a scan has segments",
		tables: []fixture{keyed("few", `"a":{"N":"1"}`)},
		asks:   []asked{q("SELECT pk, a FROM few", "1|1")}},
	{id: "T10", about: "one schema for all sessions and all engines", sample: 100,
		tables: []fixture{numbered(2000, func(i int) string { return the(fmt.Sprintf("a%02d", i%13), true) })},
		asks: []asked{q("SELECT COUNT(*) FROM information_schema.columns WHERE table_name = 'tab'", "15"),
			q("SELECT GROUP_CONCAT(column_name ORDER BY ordinal_position) FROM information_schema.columns WHERE table_name = 'tab'",
				"pk,at,a00,a01,a02,a03,a04,a05,a06,a07,a08,a09,a10,a11,a12")}},
	{id: "T11", about: "a refresh that sees only NULL, or other kinds",
		tables: []fixture{keyed("tab", `"doc":{"M":{"a":{"N":"1"}}},"n":{"N":"1"},"gone":{"S":"x"}`)},
		pins:   "tables: {tab: {columns: {doc: JSON, gone: VARCHAR(9), n: \"DECIMAL(10,2)\"}}}",
		asks: []asked{q("SELECT doc, n, gone FROM tab", `{"a": 1}|1.00|x`), after("tab", `{"pk":{"S":"1"},"doc":{"NULL":true},"n":{"S":"one"}}`),
			q("CALL ddb_refresh('tab')", "tab|1|4|0.5"),
			q("SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'tab'", "pk|varchar", "doc|json", "gone|varchar", "n|decimal"),
			q("SELECT column_name, drift FROM ddb_schema('tab') WHERE drift <> ''", "gone|no sampled item has it", "n|1 of 1 sampled values do not fit DECIMAL(10,2)"),
			q("SELECT doc, gone FROM tab", "NULL|NULL"), q("SELECT n FROM tab", "error: attribute 'n' is 'one' of type S, which the column 'n' (DECIMAL(10,2)) cannot hold")}},
	{id: "T12", about: "a field of six records in a hundred", sample: 200,
		tables: []fixture{numbered(4000, func(i int) string { return the("rare", i%100 >= 94) })},
		asks:   []asked{q("SELECT COUNT(rare) FROM tab", "240")}},
	{id: "T13", about: "a declared type that does not exist is an error, in TestWrongSchemaFile"},
	{id: "T14", about: "whole numbers show as such, each at its own scale",
		tables: []fixture{keyed("tab", `"n":{"N":"1667354412793"}`, `"n":{"N":"123456"}`, `"n":{"N":"58.4"}`)},
		asks:   []asked{q("SELECT n FROM tab", "1667354412793", "123456", "58.4")}},
	{id: "T15", about: "a number compared with its text",
		tables: []fixture{{name: "tab", hash: "id:N", items: []string{`{"id":{"N":"1"},"v":{"S":"x"}}`}},
			keyed("mixed", `"x":{"S":"1"}`, `"x":{"N":"1"}`, `"x":{"S":"one"}`)},
		asks: []asked{q("SELECT v FROM tab WHERE id = '1'", "x"), q("SELECT v FROM tab WHERE id = 1", "x"),
			q("SELECT pk FROM mixed WHERE x = '1'", "1", "2"), q("SELECT pk FROM mixed WHERE x = 'one'", "3")}},
	{id: "T16", about: "<> on a missing attribute",
		tables: []fixture{keyed("tab", `"status":{"S":"working"}`, `"status":{"S":"done"}`, `"other":{"N":"1"}`, `"status":{"NULL":true}`)},
		asks:   []asked{q("SELECT pk FROM tab WHERE status <> 'working'", "2"), q("SELECT pk FROM tab WHERE NOT (status = 'working')", "2")}},
	{id: "T17", about: "< on a missing attribute",
		tables: []fixture{{name: "tab", hash: "pk:N", items: []string{`{"pk":{"N":"1"}}`, `{"pk":{"N":"2"},"a":{"N":"42"}}`}}},
		asks:   []asked{q("SELECT pk FROM tab WHERE a < 43", "2"), q("SELECT pk FROM tab WHERE a > 43")}},
	{id: "T18", about: "missing and NULL-typed are NULL, and can be told apart",
		tables: []fixture{keyed("tab", `"a":{"NULL":true}`, `"b":{"N":"1"}`, `"a":{"S":"x"}`)},
		asks: []asked{q("SELECT pk FROM tab WHERE a IS NULL", "1", "2"),
			q("SELECT pk, ddb_type(_item, 'a'), ddb_exists(_item, 'a') FROM tab", "1|NULL|1", "2|missing|0", "3|S|1"),
			q("SELECT pk FROM tab WHERE a IS NULL AND ddb_exists(_ddb, 'a')", "1")}},
	{id: "T19", about: "IS NOT NULL",
		tables: []fixture{keyed("tab", `"phone":{"S":"1"}`, `"phone":{"NULL":true}`, `"x":{"N":"1"}`)},
		asks:   []asked{q("SELECT pk FROM tab WHERE phone IS NOT NULL", "1")}},
	{id: "T20", about: "all conjuncts count",
		tables: []fixture{keyed("tab", `"bar":{"S":"1234"},"deleted_at":{"S":"2020"}`, `"bar":{"S":"1234"}`, `"bar":{"S":"5"},"deleted_at":{"S":"2020"}`)},
		asks:   []asked{q("SELECT pk FROM tab WHERE bar = '1234' AND NOT (deleted_at IS NULL)", "1")}},
	{id: "T21", about: "IS NULL on a missing map",
		tables: []fixture{keyed("tab", `"m":{"M":{"a":{"N":"1"}}}`, `"x":{"N":"1"}`)},
		asks:   []asked{q("SELECT pk FROM tab WHERE m IS NULL", "2"), q("SELECT pk FROM tab WHERE m->'$.a' IS NULL", "2"), q("SELECT pk FROM tab WHERE m->'$.b' IS NULL", "1", "2")}},
	{id: "T22", about: "IS NOT NULL alone has no values to send",
		tables: []fixture{keyed("tab", `"a":{"N":"1"}`, `"a":{"NULL":true}`, `"b":{"N":"1"}`)},
		asks: []asked{q("SELECT pk FROM tab WHERE a IS NOT NULL", "1"), q("SELECT COUNT(*) FROM tab WHERE b IS NOT NULL", "1"),
			q("SELECT pk FROM tab WHERE a IS NOT NULL OR b IS NOT NULL", "1", "3")}},
	{id: "T23", about: "seventeen digits",
		tables: []fixture{{name: "tab", hash: "UserId:N", items: []string{`{"UserId":{"N":"10200000000000001"},"v":{"S":"mine"}}`, `{"UserId":{"N":"10200000000000000"},"v":{"S":"other"}}`}}},
		asks: []asked{q("SELECT v FROM tab WHERE UserId = 10200000000000001", "mine"), q("SELECT UserId FROM tab ORDER BY UserId", "10200000000000000", "10200000000000001"),
			q("SELECT a.v, b.v FROM tab a JOIN tab b ON a.UserId = b.UserId", "mine|mine", "other|other")}},
	{id: "T24", about: "nineteen digits are shown",
		tables: []fixture{keyed("tab", `"n":{"N":"1300000000000000001"}`)},
		asks:   []asked{q("SELECT n, n + 0, CAST(n AS CHAR), _item->'$.n' FROM tab", "1300000000000000001|1300000000000000001|1300000000000000001|1300000000000000001")}},
	{id: "T25", about: "a sort key with 33 digits",
		tables: []fixture{{name: "tab", hash: "pk:S", sort: "sk:N", items: []string{`{"pk":{"S":"a"},"sk":{"N":"1234567890123.1234567890123456789012345"}}`}}},
		asks:   []asked{q("SELECT sk FROM tab WHERE pk = 'a' AND sk = 1234567890123.1234567890123456789012345", "1234567890123.1234567890123456789012345")}},
	{id: "T26", about: "the largest and the smallest numbers",
		tables: []fixture{keyed("tab", `"n":{"N":"1.23E+40"}`, `"n":{"N":"9.9E+125"}`, `"n":{"N":"1E-130"}`, `"n":{"N":"-1E-130"}`)},
		asks: []asked{q("SELECT pk FROM tab ORDER BY n", "4", "3", "1", "2"), q("SELECT pk FROM tab WHERE n = 1E-130", "3"), q("SELECT pk FROM tab WHERE n > 1E124", "2"),
			q("SELECT n FROM tab WHERE pk = '1'", "123"+strings.Repeat("0", 38)), q("SELECT n FROM tab WHERE pk = '3'", "0."+strings.Repeat("0", 129)+"1"),
			q("SELECT COUNT(*), COUNT(DISTINCT n) FROM tab", "4|4"), q("SELECT a.pk FROM tab a JOIN tab b ON a.n = b.n", "1", "2", "3", "4")}},
	{id: "T27", about: "one number in several spellings",
		tables: []fixture{keyed("tab", `"n":{"N":"1.5E2"}`, `"n":{"N":"150"}`, `"n":{"N":"150.0"}`, `"n":{"N":"00042"}`)},
		asks: []asked{q("SELECT n, COUNT(*) FROM tab GROUP BY n", "150|3", "42|1"), q("SELECT DISTINCT n * 1.00 FROM tab", "150.00", "42.00"),
			q("SELECT COUNT(DISTINCT n) FROM tab WHERE n = 150.000", "1"), q("SELECT n FROM tab UNION SELECT 150.00", "150", "42")}},
	{id: "T28", about: "a decimal fraction stays one",
		tables: []fixture{keyed("tab", `"n":{"N":"13.2"}`)},
		asks:   []asked{q("SELECT pk FROM tab WHERE n = 13.2", "1"), q("SELECT n * 3, n / 3, SUM(n), AVG(n) FROM tab GROUP BY n", "39.6|4.40000|13.2|13.20000")}},
	{id: "T29", about: "numeric sort keys order as numbers",
		tables: []fixture{{name: "tab", hash: "pk:S", sort: "sk:N", items: []string{`{"pk":{"S":"a"},"sk":{"N":"10"}}`, `{"pk":{"S":"a"},"sk":{"N":"-5"}}`, `{"pk":{"S":"a"},"sk":{"N":"5"}}`, `{"pk":{"S":"a"},"sk":{"N":"0"}}`}}},
		asks: []asked{q("SELECT sk FROM tab WHERE pk = 'a' ORDER BY sk", "-5", "0", "5", "10"), q("SELECT sk FROM tab WHERE pk = 'a' ORDER BY sk DESC", "10", "5", "0", "-5"),
			q("SELECT sk FROM tab ORDER BY sk + 0", "-5", "0", "5", "10")}},
	{id: "T30", about: "dots in an attribute's name",
		tables: []fixture{keyed("tab", `"hwid.metric.fidelity":{"N":"3"},"hwid":{"M":{"metric":{"N":"9"}}}`)},
		asks: []asked{q("SELECT `hwid.metric.fidelity` FROM tab WHERE `hwid.metric.fidelity` = 3", "3"),
			q("SELECT _item->'$.\"hwid.metric.fidelity\"', hwid->'$.metric' FROM tab", "3|9")}},
	{id: "T31", about: "a filter inside a document",
		tables: []fixture{keyed("tab", `"environment":{"M":{"item":{"S":"x"}}}`, `"environment":{"M":{"item":{"S":"y"}}}`)},
		asks:   []asked{q("SELECT pk FROM tab WHERE environment->>'$.item' = 'y'", "2")}},
	{id: "T32", about: "dashes in names",
		tables: []fixture{{name: "tab", hash: "foo-bar:S", indexes: []string{"gi1 GI-1-PK:S"}, items: []string{`{"foo-bar":{"S":"a"},"GI-1-PK":{"S":"g"},"brand-identifier":{"S":"b"}}`}}},
		asks: []asked{q("SELECT `brand-identifier` FROM tab WHERE `foo-bar` = 'a'", "b"), q("SELECT `foo-bar` FROM tab WHERE `GI-1-PK` = 'g'", "a"),
			q("SELECT `foo-bar` FROM tab WHERE `brand-identifier` = 'b'", "a")}},
	{id: "T33", about: "# in names and values",
		tables: []fixture{keyed("tab", `"ServiceType#ConfigType#Drug":{"S":"a#b"},"#":{"S":"n"}`)},
		asks:   []asked{q("SELECT `ServiceType#ConfigType#Drug`, `#` FROM tab WHERE `ServiceType#ConfigType#Drug` = 'a#b' AND `#` = 'n'", "a#b|n")}},
	{id: "T34", about: "names that begin with _ or have a colon",
		tables: []fixture{keyed("tab", `"_version":{"N":"1"},"_sortKey":{"S":"s"},"last:name":{"S":"L"}`)},
		asks:   []asked{q("SELECT _version, _sortKey, `last:name` FROM tab WHERE _version = 1 AND `last:name` = 'L'", "1|s|L")}},
	{id: "T35", about: "reserved words",
		tables: []fixture{{name: "tab", hash: "key:S", sort: "timestamp:N", items: []string{`{"key":{"S":"k"},"timestamp":{"N":"5"},"name":{"S":"n"},"time":{"N":"6"},"hash":{"S":"h"},"select":{"S":"s"},"group":{"S":"g"}}`}}},
		asks: []asked{q("SELECT `key`, timestamp, name, time, hash, `select`, `group` FROM tab WHERE `key` = 'k' AND timestamp = 5 AND name = 'n' AND hash = 'h' AND `select` = 's'", "k|5|n|6|h|s|g"),
			q("SELECT `group`, COUNT(*) FROM tab GROUP BY `group` ORDER BY `group`", "g|1")}},
	{id: "T36", about: "a reserved word inside a path",
		tables: []fixture{keyed("tab", `"payload":{"M":{"size":{"N":"3"}}}`)},
		asks:   []asked{q("SELECT payload->'$.size', payload->'$.\"size\"' FROM tab WHERE payload->'$.size' = 3", "3|3")}},
	{id: "T37", about: "a dot in a table's name beside an index",
		tables: []fixture{{name: "prod.orders", hash: "pk:S", indexes: []string{"by-st st:S"}, items: []string{`{"pk":{"S":"a"},"st":{"S":"x"}}`, `{"pk":{"S":"b"}}`}}},
		asks: []asked{q("SELECT COUNT(*) FROM `prod.orders`", "2"), q("SELECT pk FROM `prod.orders.by-st`", "a"), q("SELECT o.pk FROM dynamodb.`prod.orders` o WHERE o.st = 'x'", "a"),
			q("SELECT * FROM `prod.orders.nope`", "error: table 'prod.orders' has no index 'nope'; its indexes are 'by-st'")}},
	{id: "T38", about: "a table named user",
		tables: []fixture{{name: "user", hash: "id:S", items: []string{`{"id":{"S":"a"}}`}}},
		asks:   []asked{q("SELECT id FROM `user`", "a"), q("SELECT id FROM user", "a"), q("SELECT `user`.id FROM `user`", "a")}},
	{id: "T39", about: "camelCase attributes",
		tables: []fixture{keyed("tab", `"userName":{"S":"Ann"},"createdAt":{"N":"5"}`)},
		asks: []asked{q("SELECT userName, createdAt FROM tab WHERE userName = 'Ann' AND createdAt = 5", "Ann|5"), q("SELECT USERNAME FROM tab WHERE username = 'Ann'", "Ann"),
			q("SELECT column_name FROM information_schema.columns WHERE table_name = 'tab'", "pk", "userName", "createdAt")}},
	{id: "T40", about: "names that differ in case only",
		tables: []fixture{{name: "Orders", hash: "pk:S", items: []string{`{"pk":{"S":"upper"},"id":{"N":"1"},"ID":{"S":"two"}}`, `{"pk":{"S":"more"},"id":{"N":"3"}}`}},
			{name: "orders", hash: "pk:S", items: []string{`{"pk":{"S":"lower"}}`}}},
		asks: []asked{q("SELECT pk FROM orders", "lower"), q("SELECT pk FROM Orders", "upper", "more"), q("SELECT pk FROM ORDERS", "error: matches several tables that differ in case"),
			q("SELECT id, ID_2 FROM Orders WHERE ID_2 = 'two'", "1|two"), q("SELECT id FROM Orders", "1", "3"),
			q("SHOW COLUMNS FROM Orders LIKE 'ID_%'", "ID_2|varchar(31)|YES||NULL|"),
			q("SELECT o.pk, u.pk FROM orders o, Orders u WHERE u.id = 1", "lower|upper")}},
	{id: "T82", about: "maps print as JSON",
		tables: []fixture{keyed("tab", `"m":{"M":{"firstName":{"S":"Ann"},"lastName":{"S":"L\"ee"}}}`)},
		asks:   []asked{q("SELECT m FROM tab", `{"lastName": "L\"ee", "firstName": "Ann"}`)}},
	{id: "T83", about: "lists are no sets",
		tables: []fixture{keyed("tab", `"tags":{"L":[]},"t2":{"L":[{"S":"x"},{"S":"x"}]},"t3":{"SS":["x"]}`)},
		asks: []asked{q("SELECT _ddb->'$.tags', _ddb->'$.t2', _ddb->'$.t3' FROM tab", `{"L": []}|{"L": [{"S": "x"}, {"S": "x"}]}|{"SS": ["x"]}`),
			q("SELECT ddb_type(_item, 'tags'), ddb_type(_item, 't2'), ddb_type(_item, 't3'), ddb_type(tags) FROM tab", "L|L|SS|L")}},
	{id: "T84", about: "binary sets stay binary sets",
		tables: []fixture{keyed("tab", `"bs":{"BS":["AAE=","/w=="]},"b":{"B":"AP8="}`)},
		asks:   []asked{q("SELECT _ddb->'$.bs', _ddb->'$.b', bs, HEX(b) FROM tab", `{"BS": ["AAE=", "/w=="]}|{"B": "AP8="}|["AAE=", "/w=="]|00FF`)}},
	{id: "T85", about: "exports to S3 are tables, in TestExport of internal/dataset and TestCommandLine of cmd/dynasql"},
	{id: "T86", about: "epoch numbers as times, and constants turned back", tables: []fixture{events}, pins: eventPins,
		asks: []asked{q("SELECT at, ms FROM events WHERE user = 'u1' AND at = '2026-09-01'", "2026-09-01 00:00:00|2026-09-01 00:00:00.123")}},
	{id: "D7", about: "a number here and a text there",
		tables: []fixture{keyed("tab", `"n":{"N":"1"}`, `"n":{"S":"one"}`, `"n":{"BOOL":true}`)},
		asks:   []asked{q("SELECT n FROM tab", "1", "one", "true"), q("SELECT pk FROM tab WHERE n = 'one'", "2"), q("SELECT pk FROM tab WHERE n = '1'", "1")}},
	{id: "D12", about: "numbers beyond 32 bits and beyond a double",
		tables: []fixture{keyed("tab", `"j":{"M":{"i":{"N":"5000000000"}}},"n":{"N":"12345678901234567890"}`)},
		asks:   []asked{q("SELECT j->'$.i', n, n + 1 FROM tab WHERE n = 12345678901234567890", "5000000000|12345678901234567890|12345678901234567891")}},
	{id: "D15", about: "nineteen digits behind the point",
		tables: []fixture{keyed("tab", `"n":{"N":"0.1234567890123456789"}`)},
		asks:   []asked{q("SELECT n, _item->'$.n' FROM tab WHERE n = 0.1234567890123456789", "0.1234567890123456789|0.1234567890123456789")}},
	{id: "D17", about: "negative and long numbers",
		tables: []fixture{keyed("tab", `"n":{"N":"-5"}`, `"n":{"N":"12345678901234567890123"}`)},
		asks:   []asked{q("SELECT n FROM tab", "-5", "12345678901234567890123"), q("SELECT SUM(n), MIN(n), MAX(n) FROM tab", "12345678901234567890118|-5|12345678901234567890123")}},
}

// TestComplaints asks every question twice: as planned, and with whole tables
// read.
func TestComplaints(t *testing.T) {
	for _, c := range complaints {
		t.Run(c.id+" "+c.about, func(t *testing.T) {
			if len(c.asks) == 0 {
				t.Skip("tested where the text says")
			}
			tables, err := schemafile.Parse([]byte(c.pins))
			if err != nil {
				t.Fatal(err)
			}
			for _, pushdown := range []string{"1", "0"} {
				store := storeOf(t, c.tables...)
				s := over(t, store, catalog.Options{Pins: tables, SampleItems: c.sample}).NewSession()
				defer s.Close()
				expect(t, s, "SET ddb_pushdown = "+pushdown+", ddb_typed = "+pushdown)
				for _, a := range c.asks {
					if a.item != "" {
						put(t, store.Client(), a.table, a.item)
						continue
					}
					expect(t, s, a.query, a.want...)
				}
			}
		})
	}
}

// TestLongAndForeignNames has names of every kind that DynamoDB allows.
func TestLongAndForeignNames(t *testing.T) {
	names := []string{strings.Repeat("n", 255), "日本語", "sp ace", "qu'ote", `dou"ble`, "semi;colon", "tab\tname", "a`b", "%", "ünï", "1st", "-", "$x", "(p)", "new\nline", "É", "null", "_ITEM"}
	var fields []string
	for i, name := range names {
		fields = append(fields, fmt.Sprintf("%s:{\"N\":\"%d\"}", encoded(t, name), i))
	}
	s := sessionOver(t, keyed("tab", strings.Join(fields, ",")))
	for i, name := range names {
		if name == "_ITEM" {
			name = "_ITEM_2" // the name of the item is taken
		}
		quoted := "`" + strings.ReplaceAll(name, "`", "``") + "`"
		expect(t, s, fmt.Sprintf("SELECT %s FROM tab WHERE %s = %d AND pk = '1'", quoted, quoted, i), fmt.Sprint(i))
		expect(t, s, fmt.Sprintf("SELECT t.%s FROM tab t WHERE t.%s > %d", quoted, quoted, i-1), fmt.Sprint(i))
	}
	expect(t, s, "SELECT COUNT(*) FROM information_schema.columns WHERE table_name = 'tab'", fmt.Sprint(len(names)+1))
}

// TestNamesNeedQuotes advises on names that SQL takes apart.
func TestNamesNeedQuotes(t *testing.T) {
	s := sessionOver(t, fixture{name: "prod.my-orders", hash: "pk:S"})
	for query, want := range map[string]string{
		"SELECT pk FROM prod.my-orders WHERE pk = 'a'": "`prod.my-orders`",
		"SELECT pk FROM `prod.my-orders` a-b":          "`a-b`",
	} {
		_, err := answer(s, query)
		var hinted interface{ Hint() string }
		if !errors.As(err, &hinted) || !strings.Contains(hinted.Hint(), want) {
			t.Errorf("%s: %v, with the advice %v; want %s", query, err, hinted, want)
		}
	}
}
