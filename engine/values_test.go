package engine_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"sort"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/connector/codec"
	"github.com/dynasql/dynasql/internal/ddb"
)

// The numbers at the edges, as they are shown.
var (
	tiny  = "0." + strings.Repeat("0", 129) + "1" // 1E-130
	huge  = "99" + strings.Repeat("0", 124)       // 9.9E+125
	long  = "0.12345678901234567890123456789012345678"
	later = "0.12345678901234567890123456789012345679"
)

var numbers = fixture{name: "nums", hash: "id:S", items: []string{
	`{"id":{"S":"a"},"n":{"N":"1E-130"},"m":{"N":"1.5"},"x":{"N":"9.9E+125"},"s":{"S":"<nil>"}}`,
	`{"id":{"S":"b"},"n":{"N":"9.9E+125"},"m":{"N":"150"},"x":{"N":"1E-130"}}`,
	`{"id":{"S":"c"},"n":{"N":"` + long + `"},"m":{"N":"58.4"},"s":{"S":"a,"},"t":{"S":"b"}}`,
	`{"id":{"S":"d"},"n":{"N":"` + later + `"},"m":{"N":"58.40"},"s":{"S":"a"},"t":{"S":",b"}}`,
	`{"id":{"S":"e"},"n":{"N":"150"},"m":{"N":"1.5E2"},"s":{"S":"a"},"t":{"S":",b"}}`,
	`{"id":{"S":"f"},"n":{"N":"-1E-130"},"m":{"N":"0"}}`,
	`{"id":{"S":"g"},"m":{"N":"0"}}`,
}}

// TestExactNumbers asks for numbers that neither a DOUBLE nor MySQL's DECIMAL
// holds, as planned and with the whole table read.
func TestExactNumbers(t *testing.T) {
	s := sessionOver(t, numbers)
	for _, test := range []struct {
		query string
		want  []string
	}{
		{"SELECT id, n FROM nums ORDER BY n", []string{"g|NULL", "f|-" + tiny, "a|" + tiny, "c|" + long, "d|" + later, "e|150", "b|" + huge}},
		{"SELECT id FROM nums WHERE n = " + long, []string{"c"}},
		{"SELECT id FROM nums WHERE n > " + long, []string{"b", "d", "e"}},
		{"SELECT id FROM nums WHERE n IN (" + long + ", 150)", []string{"c", "e"}},
		{"SELECT id FROM nums WHERE n IN (150, " + long + ")", []string{"c", "e"}},
		{"SELECT id FROM nums WHERE n NOT IN (150, 1E-130)", []string{"b", "c", "d", "f"}},
		{"SELECT id FROM nums WHERE n = 1E-130", []string{"a"}},
		{"SELECT id FROM nums WHERE n < 1E-130", []string{"f"}},
		{"SELECT id FROM nums WHERE n = 9.9E125", []string{"b"}},
		{"SELECT id FROM nums WHERE n = " + huge, []string{"b"}},
		{"SELECT id FROM nums WHERE n BETWEEN 1E-131 AND 1", []string{"a", "c", "d"}},
		{"SELECT DISTINCT n FROM nums WHERE n < 1", []string{"-" + tiny, tiny, long, later}},
		{"SELECT n, COUNT(*) FROM nums WHERE n > 1 GROUP BY n", []string{"150|1", huge + "|1"}},
		{"SELECT a.id, b.id FROM nums a JOIN nums b ON a.n = b.n", []string{"a|a", "b|b", "c|c", "d|d", "e|e", "f|f"}},
		{"SELECT a.id, b.id FROM nums a JOIN nums b ON a.n = b.x", []string{"a|b", "b|a"}},
		{"SELECT a.id, b.id FROM nums a LEFT JOIN nums b ON a.n = b.m AND a.id = b.id", []string{"a|NULL", "b|NULL", "c|NULL", "d|NULL", "e|e", "f|NULL", "g|NULL"}},
		{"SELECT COUNT(*) FROM (SELECT n FROM nums UNION SELECT x FROM nums) q", []string{"7"}},
		{"SELECT COALESCE(n, m) FROM nums WHERE id IN ('a', 'g')", []string{tiny, "0"}},
		{"SELECT IFNULL(n, 0.0) FROM nums WHERE id IN ('b', 'd')", []string{huge, later}},
		{"SELECT CASE id WHEN 'a' THEN n ELSE m END FROM nums WHERE id IN ('a', 'c')", []string{tiny, "58.4"}},
		{"SELECT IF(id = 'd', n, 1) FROM nums WHERE id = 'd'", []string{later}},
		{"SELECT NULLIF(n, 150) FROM nums WHERE id IN ('d', 'e')", []string{later, "NULL"}},
		{"SELECT MIN(n), MAX(n) FROM nums", []string{"-" + tiny + "|" + huge}},
		{"SELECT SUM(n) FROM nums WHERE id IN ('c', 'd')", []string{"0.24691357802469135780246913578024691357"}},
		{"SELECT SUM(n) FROM nums WHERE id IN ('a', 'f')", []string{strings.Replace(tiny, "1", "0", 1)}},
		{"SELECT SUM(m), AVG(m), SUM(DISTINCT m), COUNT(DISTINCT m) FROM nums", []string{"418.3|59.75714|209.9|4"}},
		{"SELECT MAX(n) OVER () FROM nums WHERE id < 'c'", []string{huge, huge}},
		{"SELECT id, SUM(m) OVER (ORDER BY m) FROM nums ORDER BY id", []string{"a|1.5", "b|418.3", "c|118.3", "d|118.3", "e|418.3", "f|0", "g|0"}},
		{"SELECT GREATEST(n, m, 0.5), LEAST(n, m) FROM nums WHERE id = 'd'", []string{"58.4|" + later}},
		{"SELECT n * 2, n + 1, -n FROM nums WHERE id = 'd'", []string{"0.24691357802469135780246913578024691358|1.12345678901234567890123456789012345679|-" + later}},
		{"SELECT n / 3, m / 3, 7 / 2, (m + 1) / 3, m / 3 / 2 FROM nums WHERE id = 'e'", []string{"50.0000|50.0000|3.5000|50.3333|25.00000000"}},
		{"SELECT MOD(n, 7), n % 7 FROM nums WHERE id = 'b'", []string{"4|4"}},
		{"SELECT FLOOR(n), CEIL(n), n FROM nums WHERE id = 'f'", []string{"-1|0|-" + tiny}},
		{"SELECT FLOOR(m), CEIL(m), ROUND(m), m FROM nums WHERE id = 'c'", []string{"58|59|58|58.4"}},
		{"SELECT ROUND(n, 3), TRUNCATE(n, 3), ROUND(-m, -1), ABS(-m) FROM nums WHERE id = 'd'", []string{"0.123|0.123|-60|58.4"}},
		{"SELECT CAST(n AS CHAR), CONCAT(n, '') FROM nums WHERE id = 'a'", []string{tiny + "|" + tiny}},
		{"SELECT CAST(m AS DECIMAL(10,3)), CAST(m AS DECIMAL), CAST(m AS SIGNED) FROM nums WHERE id = 'c'", []string{"58.400|58|58"}},
		{"SELECT CAST(m AS DECIMAL(4,2)) FROM nums WHERE id = 'b'", []string{"99.99"}},
		{"SELECT id FROM nums WHERE n IN (SELECT x FROM nums)", []string{"a", "b"}},
		{"SELECT id FROM nums WHERE m * 1.0 IN (SELECT n FROM nums)", []string{"b", "e"}},
		{"SELECT id, m * 1.0 IN (SELECT n FROM nums) FROM nums WHERE id < 'c'", []string{"a|NULL", "b|1"}},
		{"SELECT id FROM nums WHERE (m, s) IN (SELECT m * 1.0, s FROM nums)", []string{"a", "c", "d", "e"}},
		{"SELECT m * 1.0 FROM nums UNION SELECT m FROM nums", []string{"0.0", "1.50", "150.0", "58.40"}},
		{"SELECT m FROM nums INTERSECT SELECT m * 1.00 FROM nums WHERE id < 'c'", []string{"1.5", "150"}},
		{"SELECT m FROM nums EXCEPT SELECT m * 1.00 FROM nums WHERE id < 'c'", []string{"0", "58.4"}},
		{"SELECT a.id, b.id FROM nums a JOIN (SELECT id, m * 1.00 v, s FROM nums) b ON a.m = b.v AND a.s = b.s", []string{"a|a", "c|c", "d|d", "e|e"}},
		{"SELECT 123456789012345678901234567890, -0.0, 5 - 5.0", []string{"123456789012345678901234567890|0.0|0.0"}},
	} {
		for _, pushdown := range []string{"1", "0"} {
			expect(t, s, "SET ddb_pushdown = "+pushdown+", ddb_typed = "+pushdown)
			expect(t, s, test.query, test.want...)
		}
	}
	expect(t, s, "SELECT CAST(m AS DECIMAL(66,2)) FROM nums", "error: Too-big precision 66 specified for a DECIMAL. Maximum is 65")
}

// TestNullIsNoText tells NULL from a text that the engine library writes for it.
func TestNullIsNoText(t *testing.T) {
	s := sessionOver(t, numbers)
	expect(t, s, "SELECT DISTINCT s FROM nums", "NULL", "a", "a,", "<nil>")
	expect(t, s, "SELECT s, COUNT(*) FROM nums GROUP BY s", "NULL|3", "a|2", "a,|1", "<nil>|1")
	expect(t, s, "SELECT COUNT(DISTINCT s), COUNT(DISTINCT s, t) FROM nums", "3|2")
	expect(t, s, "SELECT s FROM nums UNION SELECT '<nil>'", "NULL", "a", "a,", "<nil>")
	expect(t, s, "SELECT s FROM nums EXCEPT SELECT s FROM nums WHERE s IS NULL", "a", "a,", "<nil>")
	expect(t, s, "SELECT s FROM nums INTERSECT SELECT s FROM nums WHERE s IS NULL", "NULL")
	expect(t, s, "SELECT id FROM nums WHERE s NOT IN (SELECT s FROM nums WHERE id = 'a')", "c", "d", "e")
	expect(t, s, "SELECT a.id, b.id FROM nums a JOIN nums b ON a.s = b.s AND a.id <> b.id", "d|e", "e|d")
}

var documents = fixture{name: "docs", hash: "id:S", items: []string{
	`{"id":{"S":"a"},"j":{"M":{"n":{"N":"12345678901234567890123456789012345678"},"f":{"N":"0.1234567890123456789"},"i":{"N":"9007199254740993"},"u":{"N":"18446744073709551615"},"z":{"NULL":true},"e":{"M":{}},"l":{"L":[]},"es":{"S":""}}},"ss":{"SS":["a","b"]},"ns":{"NS":["1.5","12345678901234567890"]},"txt":{"S":"{\"id\": 1234567890123456789, \"f\": 1.50}"}}`,
	`{"id":{"S":"b"},"j":{"M":{"n":{"N":"12345678901234567890123456789012345679"},"f":{"N":"1E-130"},"i":{"N":"9007199254740992"}}},"ns":{"NS":["3"]}}`,
	`{"id":{"S":"c"},"j":{"M":{"a b":{"S":"sp"},"a.b":{"N":"1"},"日本":{"S":"n"},"a":{"M":{"b":{"L":[{"N":"1"},{"N":"2"}]}}}}}}`,
}}

// TestExactDocuments checks that numbers keep every digit inside of documents.
func TestExactDocuments(t *testing.T) {
	s := sessionOver(t, documents)
	for _, test := range []struct {
		query string
		want  []string
	}{
		{"SELECT j->'$.n', j->>'$.f', JSON_EXTRACT(j, '$.u') FROM docs WHERE id = 'a'", []string{"12345678901234567890123456789012345678|0.1234567890123456789|18446744073709551615"}},
		{"SELECT CAST(j->'$.n' AS DECIMAL(40,0)), CAST(j->>'$.n' AS DECIMAL(40,0)), CAST(j->>'$.f' AS CHAR) FROM docs WHERE id = 'a'", []string{"12345678901234567890123456789012345678|12345678901234567890123456789012345678|0.1234567890123456789"}},
		{"SELECT id FROM docs WHERE j->'$.n' = 12345678901234567890123456789012345678", []string{"a"}},
		{"SELECT id FROM docs WHERE j->'$.i' = 9007199254740993", []string{"a"}},
		{"SELECT id FROM docs WHERE j->'$.i' > 9007199254740992", []string{"a"}},
		{"SELECT id FROM docs WHERE j->'$.i' IN (9007199254740993, 5)", []string{"a"}},
		{"SELECT id FROM docs WHERE j->>'$.n' = '12345678901234567890123456789012345679'", []string{"b"}},
		{"SELECT id FROM docs ORDER BY j->'$.n' DESC, id", []string{"b", "a", "c"}},
		{"SELECT MAX(j->'$.n'), MIN(j->'$.i') FROM docs", []string{"12345678901234567890123456789012345679|9007199254740992"}},
		{"SELECT j->'$.n', COUNT(*) FROM docs GROUP BY j->'$.n'", []string{"12345678901234567890123456789012345678|1", "12345678901234567890123456789012345679|1", "NULL|1"}},
		{"SELECT COUNT(DISTINCT j->'$.n') FROM docs", []string{"2"}},
		{"SELECT a.id, b.id FROM docs a JOIN docs b ON a.j->'$.n' = b.j->'$.n'", []string{"a|a", "b|b"}},
		{"SELECT id FROM docs WHERE JSON_CONTAINS(ns, '12345678901234567890')", []string{"a"}},
		{"SELECT id FROM docs WHERE JSON_CONTAINS(ns, '12345678901234567891')", nil},
		{"SELECT id FROM docs WHERE JSON_CONTAINS(ns, '1.50')", []string{"a"}},
		{"SELECT id FROM docs WHERE JSON_CONTAINS(ss, JSON_QUOTE('b'))", []string{"a"}},
		{"SELECT id FROM docs WHERE JSON_CONTAINS(j, '2', '$.a.b')", []string{"c"}},
		{"SELECT d.id, x.v, x.w FROM docs d, JSON_TABLE(d.ns, '$[*]' COLUMNS (v DECIMAL(30,5) PATH '$', w VARCHAR(60) PATH '$')) x", []string{"a|1.50000|1.5", "a|12345678901234567890.00000|12345678901234567890", "b|3.00000|3"}},
		{"SELECT x.n, x.d, x.b FROM docs t, JSON_TABLE(t.j, '$' COLUMNS (n VARCHAR(60) PATH '$.n', d DECIMAL(40,0) PATH '$.n', b BIGINT PATH '$.i')) x WHERE id = 'a'", []string{"12345678901234567890123456789012345678|12345678901234567890123456789012345678|9007199254740993"}},
		{"SELECT JSON_EXTRACT(JSON_SET(j, '$.x', 1), '$.n'), JSON_PRETTY(ns) FROM docs WHERE id = 'a'", []string{"12345678901234567890123456789012345678|[\n  1.5,\n  12345678901234567890\n]"}},
		{"SELECT JSON_OBJECT('n', j->'$.n'), JSON_ARRAY(j->'$.f') FROM docs WHERE id = 'a'", []string{`{"n": 12345678901234567890123456789012345678}|[0.1234567890123456789]`}},
		{"SELECT j->'$.e', j->'$.l', j->'$.es', j->'$.z', j->'$.missing', j->>'$.es' FROM docs WHERE id = 'a'", []string{`{}|[]|""|null|NULL|`}},
		{"SELECT j->'$.\"a b\"', j->'$.\"a.b\"', j->'$.日本', j->'$.a.b[1]', j->'$.a.b[last]', j->'$.a.b[*]', j->'$**.b' FROM docs WHERE id = 'c'", []string{`"sp"|1|"n"|2|2|[1, 2]|[[1, 2]]`}},
		{"SELECT j->'$[0].i', JSON_EXTRACT('5', '$[0]'), JSON_EXTRACT('{\"a\": 1}', '$[last].a') FROM docs WHERE id = 'a'", []string{"9007199254740993|5|1"}},
		{"SELECT JSON_TYPE(j->'$.n'), JSON_TYPE(j->'$.i'), JSON_TYPE(j->'$.z'), JSON_TYPE(ss), JSON_LENGTH(ss) FROM docs WHERE id = 'a'", []string{"DECIMAL|INTEGER|NULL|ARRAY|2"}},
		{"SELECT txt->'$.id', JSON_EXTRACT(txt, '$.id') = 1234567890123456789, JSON_EXTRACT(txt, '$.id') = 1234567890123456788, CAST(txt AS JSON) FROM docs WHERE id = 'a'", []string{`1234567890123456789|1|0|{"f": 1.5, "id": 1234567890123456789}`}},
		{"SELECT ddb_type(_item, 'ss'), ddb_type(j, 'n'), ddb_type(j->'$.e'), ddb_type(_ddb, '$.j.z'), ddb_type(_item, 'none') FROM docs WHERE id = 'a'", []string{"SS|N|M|NULL|missing"}},
		{"SELECT ddb_exists(_item, '$.j.z'), ddb_exists(_item, '$.j.zz'), ddb_size(_item, 'ss'), ddb_size(_item) = ddb_size(_ddb) FROM docs WHERE id = 'a'", []string{"1|0|2|1"}},
		{"SELECT id, COUNT(*) FROM docs WHERE ddb_type(_item, 'ss') = 'SS' GROUP BY id", []string{"a|1"}},
	} {
		for _, pushdown := range []string{"1", "0"} {
			expect(t, s, "SET ddb_pushdown = "+pushdown+", ddb_typed = "+pushdown)
			expect(t, s, test.query, test.want...)
		}
	}
	for _, test := range []struct { // a document beside another type is its text, as in MySQL
		query string
		want  []string
	}{
		{"SELECT ns FROM docs UNION SELECT 1.50", []string{"NULL", `[1.5, 12345678901234567890]`, "[3]", "1.50"}},
		{"SELECT 7 UNION ALL SELECT ns FROM docs WHERE id = 'b'", []string{"7", "[3]"}},
		{"SELECT ss FROM docs UNION SELECT id FROM docs WHERE id > 'b' UNION SELECT '[\"a\", \"b\"]'", []string{"NULL", `["a", "b"]`, "c"}},
		{"SELECT ns FROM docs WHERE id = 'b' UNION SELECT ns FROM docs WHERE id = 'b'", []string{"[3]"}},
		{"SELECT ns FROM docs WHERE id = 'b' INTERSECT SELECT '[3]'", []string{"[3]"}},
	} {
		expect(t, s, test.query, test.want...)
	}
	expect(t, s, "SELECT ddb_type(id) FROM docs", "error: the first argument of ddb_type is a JSON document, such as _item")
	expect(t, s, "SELECT ddb_type(_item, '$.*') FROM docs", "error: the path '$.*' does not name one value")
}

// TestJSONTable takes lists, sets and nested documents apart.
func TestJSONTable(t *testing.T) {
	s := sessionOver(t, keyed("tab",
		`"l":{"L":[{"N":"1"},{"BOOL":true},{"NULL":true},{"S":"x"},{"M":{"a":{"N":"1"}}},{"L":[{"N":"2"}]}]},"ss":{"SS":["a","b"]},"bs":{"BS":["AAE="]}`,
		`"l":{"L":[]},"ns":{"NS":["12345678901234567890123","0.5"]},"o":{"L":[{"M":{"a":{"N":"1"},"b":{"L":[{"N":"10"},{"N":"20"}]}}},{"M":{"a":{"N":"2"},"b":{"L":[]}}},{"M":{"b":{"L":[{"N":"30"}]}}}]}`))
	for _, test := range []struct {
		query string
		want  []string
	}{
		{"SELECT x.* FROM tab t, JSON_TABLE(t.l, '$[*]' COLUMNS (o FOR ORDINALITY, v VARCHAR(10) PATH '$', n DECIMAL(5,1) PATH '$', j JSON PATH '$')) x ORDER BY x.o",
			[]string{"1|1|1.0|1", "2|true|1.0|true", "3|NULL|NULL|null", `4|x|NULL|"x"`, `5|NULL|NULL|{"a": 1}`, "6|NULL|NULL|[2]"}},
		{"SELECT t.pk, x.v FROM tab t, JSON_TABLE(t.ss, '$[*]' COLUMNS (v VARCHAR(10) PATH '$')) x", []string{"1|a", "1|b"}},
		{"SELECT t.pk, x.v FROM tab t LEFT JOIN JSON_TABLE(t.ns, '$[*]' COLUMNS (v VARCHAR(40) PATH '$')) x ON TRUE", []string{"1|NULL", "2|12345678901234567890123", "2|0.5"}},
		{"SELECT x.v FROM tab t, JSON_TABLE(t.bs, '$[*]' COLUMNS (v VARCHAR(40) PATH '$')) x", []string{"AAE="}},
		{"SELECT t.pk, x.j, x.n FROM tab t, JSON_TABLE(t.ss, '$' COLUMNS (j JSON PATH '$', n VARCHAR(5) PATH '$[1]')) x", []string{`1|["a", "b"]|b`}},
		{"SELECT x.* FROM tab t, JSON_TABLE(t.o, '$[*]' COLUMNS (o FOR ORDINALITY, a INT PATH '$.a' DEFAULT '7' ON EMPTY, NESTED PATH '$.b[*]' COLUMNS (bo FOR ORDINALITY, b INT PATH '$'))) x ORDER BY x.o, x.bo",
			[]string{"1|1|1|10", "1|1|2|20", "2|2|NULL|NULL", "3|7|1|30"}},
		{"SELECT * FROM JSON_TABLE('[{\"a\":[1,2],\"b\":[3]}]', '$[*]' COLUMNS (NESTED PATH '$.a[*]' COLUMNS (a INT PATH '$'), NESTED PATH '$.b[*]' COLUMNS (b INT PATH '$'))) x", []string{"1|NULL", "2|NULL", "NULL|3"}},
		{"SELECT * FROM JSON_TABLE('[{\"a\":1},{}]', '$[*]' COLUMNS (e INT EXISTS PATH '$.a', s VARCHAR(5) PATH '$.a' DEFAULT '\"x\"' ON EMPTY)) x", []string{"1|1", "0|x"}},
		{"SELECT * FROM JSON_TABLE('[\"abc\", 300]', '$[*]' COLUMNS (i TINYINT PATH '$' DEFAULT '5' ON ERROR)) x", []string{"5", "5"}},
		{"SELECT * FROM JSON_TABLE('[\"abc\"]', '$[*]' COLUMNS (i INT PATH '$' ERROR ON ERROR)) x", []string{"error: JSON_TABLE, column 'i': \"abc\" is no int"}},
		{"SELECT * FROM JSON_TABLE('[1]', '$[*]' COLUMNS (i INT PATH '$.a' ERROR ON EMPTY)) x", []string{"error: JSON_TABLE, column 'i': there is no value at $.a"}},
		{"SELECT * FROM JSON_TABLE('{', '$' COLUMNS (i INT PATH '$')) x", []string{"error: Invalid JSON text in argument 1 to function json_table"}},
		{"SELECT * FROM JSON_TABLE('{}', '$[' COLUMNS (i INT PATH '$')) x", []string{"error: Invalid JSON path expression '$[' in JSON_TABLE"}},
		{"SELECT COUNT(*) FROM JSON_TABLE(NULL, '$[*]' COLUMNS (i INT PATH '$')) x", []string{"0"}},
	} {
		expect(t, s, test.query, test.want...)
	}
}

// TestItemsRoundTrip stores generated items and reads them back from _ddb.
func TestItemsRoundTrip(t *testing.T) {
	g := itemGenerator{rand.New(rand.NewPCG(7, 7))}
	store := storeOf(t, fixture{name: "round", hash: "pk:S"})
	want := map[string]ddb.Item{}
	for i := range 300 {
		key := fmt.Sprintf("k%03d", i)
		item := g.item(key)
		want[key] = item
		put(t, store.Client(), "round", codec.WireJSON(item).String())
	}
	s := over(t, store, optionsOf(1000)).NewSession()
	defer s.Close()
	for _, query := range []string{"SELECT _ddb FROM round", "SELECT _ddb FROM (SELECT _ddb FROM round ORDER BY pk) q", "SELECT ANY_VALUE(_ddb) FROM round GROUP BY pk"} {
		rows, err := answer(s, query)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		if len(rows) != len(want) {
			t.Fatalf("%s: %d rows, want %d", query, len(rows), len(want))
		}
		for _, row := range rows {
			got, err := codec.ParseItem(row)
			if err != nil {
				t.Fatalf("%s\n%v", row, err)
			}
			key := got["pk"].(*types.AttributeValueMemberS).Value
			if !reflect.DeepEqual(sorted(got), sorted(want[key])) {
				t.Fatalf("item %s was read as\n%s\nwant\n%s", key, codec.WireJSON(got), codec.WireJSON(want[key]))
			}
		}
	}
}

// sorted puts the sets of an item in order, since theirs means nothing.
func sorted(item ddb.Item) ddb.Item {
	out := ddb.Item{}
	for name, v := range item {
		switch v := v.(type) {
		case *types.AttributeValueMemberSS:
			list := append([]string(nil), v.Value...)
			sort.Strings(list)
			out[name] = &types.AttributeValueMemberSS{Value: list}
		case *types.AttributeValueMemberNS:
			list := append([]string(nil), v.Value...)
			sort.Strings(list)
			out[name] = &types.AttributeValueMemberNS{Value: list}
		default:
			out[name] = v
		}
	}
	return out
}

type itemGenerator struct{ *rand.Rand }

func (g itemGenerator) pick(list ...string) string { return list[g.IntN(len(list))] }

func (g itemGenerator) item(key string) ddb.Item {
	item := ddb.Item{"pk": &types.AttributeValueMemberS{Value: key}}
	for range g.IntN(8) {
		item[g.pick("a", "b", "A", "a.b", "日本", "#x", "sp ace")] = g.value(2)
	}
	return item
}

func (g itemGenerator) text() string {
	return g.pick("", "a", "a\x00b", "日本語", "😀", `"`, `\`, "<nil>", "NULL", "line\nbreak", "1", strings.Repeat("x", 2000))
}

func (g itemGenerator) number() string {
	return g.pick("0", "-1", "1.5", "150", "9007199254740993", "12345678901234567890123456789012345678", huge, tiny, "-"+tiny, long, "0.1", fmt.Sprint(g.IntN(1000)))
}

func (g itemGenerator) value(depth int) types.AttributeValue {
	kinds := 9
	if depth == 0 {
		kinds = 7
	}
	switch g.IntN(kinds) {
	case 0:
		return &types.AttributeValueMemberS{Value: g.text()}
	case 1:
		return &types.AttributeValueMemberN{Value: g.number()}
	case 2:
		return &types.AttributeValueMemberB{Value: []byte(g.pick("\x00\xff", "abc", "\x80"))}
	case 3:
		return &types.AttributeValueMemberBOOL{Value: g.IntN(2) == 0}
	case 4:
		return &types.AttributeValueMemberNULL{Value: true}
	case 5:
		return &types.AttributeValueMemberSS{Value: []string{g.text(), "other"}}
	case 6:
		return &types.AttributeValueMemberNS{Value: []string{g.number(), "4242"}}
	case 7:
		m := map[string]types.AttributeValue{}
		for range g.IntN(4) {
			m[g.pick("k", "l", "m n", "ö")] = g.value(depth - 1)
		}
		return &types.AttributeValueMemberM{Value: m}
	}
	list := []types.AttributeValue{}
	for range g.IntN(4) {
		list = append(list, g.value(depth-1))
	}
	return &types.AttributeValueMemberL{Value: list}
}
