package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/ddb"
)

// TestRegressions has the statements that TestOracle found wrong once, each as
// small as it became.
func TestRegressions(t *testing.T) {
	s := sessionOver(t,
		fixture{name: "sales", hash: "shop:S", sort: "day:N", items: []string{
			`{"shop":{"S":"a"},"day":{"N":"1"},"n":{"N":"10"}}`, `{"shop":{"S":"a"},"day":{"N":"2"},"n":{"N":"20"}}`,
			`{"shop":{"S":"b"},"day":{"N":"1"},"n":{"N":"5"}}`, `{"shop":{"S":"b"},"day":{"N":"3"}}`,
		}},
		fixture{name: "ones", hash: "id:S", items: []string{`{"id":{"S":"1"},"ref":{"S":"x"},"y":{"S":"k"}}`, `{"id":{"S":"2"},"ref":{"S":"none"},"y":{"S":"k"}}`}},
		fixture{name: "twos", hash: "id:S", items: []string{`{"id":{"S":"x"},"z":{"S":"w"}}`}},
		fixture{name: "threes", hash: "id:S", items: []string{`{"id":{"S":"w"},"y":{"S":"a"}}`, `{"id":{"S":"v"},"y":{"S":"a"}}`}},
		fixture{name: "bytes", hash: "id:B", items: []string{`{"id":{"B":"/w=="},"b":{"B":"AAE="},"doc":{"M":{"k":{"S":"v"},"m":{"M":{"q":{"S":"say \"x\""}}}}},"t":{"S":"v"}}`}},
		fixture{name: "texts", hash: "id:S", items: []string{`{"id":{"S":"abÿz"}}`, `{"id":{"S":"AB"}}`}},
	)
	for name, tt := range map[string]struct{ sql, want string }{
		"a running total, peers by all terms":    {"SELECT COUNT(*) OVER (ORDER BY shop, day) FROM sales ORDER BY shop, day", "1|2|3|4"},
		"a running total that descends":          {"SELECT day, COUNT(n) OVER (ORDER BY day DESC) FROM sales ORDER BY day DESC, shop", "3,0|2,1|1,3|1,3"},
		"a running total over NULL":              {"SELECT COUNT(*) OVER (ORDER BY n) FROM sales ORDER BY n", "1|2|3|4"},
		"MAX over an order":                      {"SELECT MAX(n) OVER (ORDER BY shop, day) FROM sales ORDER BY shop, day", "10|20|20|20"},
		"MIN over all":                           {"SELECT MIN(n) OVER () FROM sales ORDER BY shop, day", "5|5|5|5"},
		"a range of values":                      {"SELECT day, COUNT(*) OVER (ORDER BY day DESC RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) FROM sales ORDER BY day DESC, shop", "3,1|2,2|1,3|1,3"},
		"rows with NULL, not equal":              {"SELECT COUNT(*) FROM sales WHERE (shop, n) <> ('b', 5)", "2"},
		"rows with NULL, not in":                 {"SELECT COUNT(*) FROM sales WHERE (shop, n) NOT IN (('b', 5), ('c', 1))", "2"},
		"rows with NULL, in the select list":     {"SELECT (shop, n) NOT IN (('b', 5)) FROM sales ORDER BY shop, day", "1|1|0|NULL"},
		"rows of expressions":                    {"SELECT COUNT(*) FROM sales WHERE (shop, n) IN ((CONCAT('b', ''), 5), ('a', 10 + 10))", "2"},
		"rows with NULL, in WITH":                {"WITH q AS (SELECT shop, n FROM sales WHERE (n, n) >= (6, 5)) SELECT COUNT(*) FROM q", "2"},
		"rows with NULL, in WITH of a UNION":     {`WITH q AS (SELECT shop FROM sales WHERE (n, n) >= (6, 5) AND shop NOT LIKE 'a\_%') SELECT shop FROM q UNION ALL SELECT 'x' FROM q`, "a|a|x|x"},
		"rows in order":                          {"SELECT COUNT(*) FROM sales WHERE (shop, day) > ('a', 1)", "3"},
		"UNION, OFFSET after ORDER BY":           {"SELECT shop FROM sales UNION ALL SELECT id FROM threes ORDER BY shop DESC LIMIT 1 OFFSET 1", "v"},
		"UNION of binary columns":                {"SELECT HEX(x) FROM (SELECT id AS x FROM bytes UNION SELECT b FROM bytes) u ORDER BY 1", "0001|FF"},
		"UNION ordered by numbers and texts":     {"SELECT day AS x FROM sales WHERE shop = 'b' UNION SELECT id FROM threes ORDER BY x", "1|3|v|w"},
		"a condition beside a LEFT JOIN":         {"SELECT COUNT(*) FROM ones JOIN twos ON twos.id = ones.ref JOIN threes ON threes.id = twos.z AND threes.y < ones.y", "1"},
		"a condition on both sides":              {"SELECT COUNT(*) FROM ones LEFT JOIN twos ON twos.id = ones.ref JOIN threes ON threes.id = twos.z AND threes.y < ones.y", "1"},
		"LOCATE counts characters":               {"SELECT LOCATE('z', id), LOCATE('AB', id), INSTR(id, 'z') FROM texts WHERE id = 'abÿz'", "4,0,4"},
		"LPAD counts characters":                 {"SELECT LPAD(id, 3, 'x'), RPAD(id, 5, 'é') FROM texts WHERE id = 'abÿz'", "abÿ,abÿzé"},
		"FIELD minds case":                       {"SELECT FIELD(id, 'ab', 'AB') FROM texts WHERE id = 'AB'", "2"},
		"SIGN of a fraction":                     {"SELECT SIGN(n / 100), SIGN(-n / 100), SIGN(n - n) FROM sales WHERE shop = 'a' AND day = 1", "1,-1,0"},
		"->> of a document":                      {`SELECT JSON_VALID(doc->>'$.m'), doc->>'$.m', doc->>'$.k' FROM bytes`, `1,{"q": "say \"x\""},v`},
		"documents joined with texts":            {"SELECT COUNT(*) FROM bytes a JOIN bytes b ON a.doc->'$.k' = b.t", "1"},
		"several documents joined with texts":    {"SELECT COUNT(*) FROM (SELECT 1 AS n UNION SELECT 2) x JOIN bytes a JOIN bytes b ON a.doc->'$.k' = b.t", "2"},
		"binary joined with texts":               {"SELECT COUNT(*) FROM bytes a JOIN texts b ON a.id = b.id", "0"},
		"outer columns in nested derived tables": {"SELECT COUNT(*) FROM ones o WHERE o.ref IN (SELECT d.id FROM (SELECT e.id, e.z FROM (SELECT id, z FROM twos) e) d WHERE d.id = o.ref)", "1"},
		"a correlated subquery in a UNION":       {"SELECT id FROM ones o WHERE y = 'q' OR EXISTS (SELECT * FROM twos t WHERE t.id = o.ref) UNION SELECT id FROM twos WHERE id = 'none'", "1"},
		"a condition with a subquery in ON":      {"SELECT COUNT(*) FROM ones o LEFT JOIN twos t ON t.z = (SELECT MAX(i.z) FROM twos i WHERE i.id = t.id)", "2"},
	} {
		for _, pushdown := range []int{1, 0} {
			t.Run(fmt.Sprintf("%s, pushdown %d", name, pushdown), func(t *testing.T) {
				if _, err := answer(s, fmt.Sprintf("SET ddb_pushdown = %d, ddb_typed = %[1]d", pushdown)); err != nil {
					t.Fatal(err)
				}
				got, err := answer(s, tt.sql)
				if err != nil {
					t.Fatalf("%s\n%v", tt.sql, err)
				}
				for i := range got {
					got[i] = strings.ReplaceAll(got[i], "|", ",")
				}
				if strings.Join(got, "|") != tt.want {
					t.Errorf("%s\n got %s\nwant %s", tt.sql, strings.Join(got, "|"), tt.want)
				}
			})
		}
	}
}

// An index page without items, whose items were to be completed from the table,
// was waited for without end.
func TestRegressionEmptyIndexPage(t *testing.T) {
	hash, sort, name, index := "pk", "g", "things", "by-g"
	text := types.ScalarAttributeTypeS
	w := &world{page: 1}
	w.tables = []worldTable{{definition: ddb.CreateTableInput{
		TableName: &name, BillingMode: types.BillingModePayPerRequest,
		KeySchema:            keySchema([]part{{hash, text}}),
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: &hash, AttributeType: text}, {AttributeName: &sort, AttributeType: text}},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{IndexName: &index, KeySchema: keySchema([]part{{sort, text}}),
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly}}},
	}}}
	for i := range 40 {
		item := ddb.Item{"pk": &types.AttributeValueMemberS{Value: fmt.Sprintf("p%02d", i)}, "v": &types.AttributeValueMemberS{Value: strings.Repeat("x", 5000)}}
		if i < 2 {
			item["g"] = &types.AttributeValueMemberS{Value: "a"}
		}
		w.tables[0].items = append(w.tables[0].items, item)
	}
	o := w.open(t)
	defer o.engine.Close()
	for text, want := range map[string]int{
		"SELECT pk, v FROM things WHERE g = 'a'":                      2,
		"SELECT pk, v FROM things WHERE g = 'b'":                      0,
		"SELECT pk, v FROM things WHERE g = 'a' AND pk LIKE '%1'":     1,
		"SELECT pk, v FROM things WHERE g IN ('a', 'c') AND v = 'no'": 0,
	} {
		a := o.run(&query{}, text, 1, true)
		if a.err != nil || len(a.rows) != want {
			t.Errorf("%s: %d rows, %v, want %d", text, len(a.rows), a.err, want)
		}
	}
}

// TestFoundRows: SQL_CALC_FOUND_ROWS counts the rows without LIMIT and OFFSET,
// whatever orders them.
func TestFoundRows(t *testing.T) {
	s := sessionOver(t, few())
	for _, tt := range []struct{ query, found string }{
		{"SELECT SQL_CALC_FOUND_ROWS k FROM few LIMIT 1", "4"},
		{"SELECT SQL_CALC_FOUND_ROWS k FROM few LIMIT 2, 1", "4"},
		{"SELECT SQL_CALC_FOUND_ROWS k FROM few LIMIT 9, 1", "4"},
		{"SELECT SQL_CALC_FOUND_ROWS k FROM few LIMIT 0", "4"},
		{"SELECT SQL_CALC_FOUND_ROWS k FROM few ORDER BY k LIMIT 1", "4"},
		{"SELECT SQL_CALC_FOUND_ROWS k FROM few ORDER BY k LIMIT 1 OFFSET 1", "4"},
		{"SELECT SQL_CALC_FOUND_ROWS ref, COUNT(*) FROM few GROUP BY ref LIMIT 1", "3"},
		{"SELECT SQL_CALC_FOUND_ROWS DISTINCT ref FROM few ORDER BY ref LIMIT 1, 1", "3"},
		{"SELECT SQL_CALC_FOUND_ROWS k FROM few WHERE k > 'v' LIMIT 1", "3"},
		{"SELECT k FROM few LIMIT 2", "2"},
	} {
		for _, typed := range []string{"SET ddb_typed = 0", "SET ddb_typed = 1"} {
			mustAnswer(t, s, typed)
			mustAnswer(t, s, tt.query)
			if got := mustAnswer(t, s, "SELECT FOUND_ROWS()"); !slices.Equal(got, []string{tt.found}) {
				t.Errorf("%s; %s: FOUND_ROWS() is %s, want %s", typed, tt.query, got, tt.found)
			}
		}
	}
}

// TestUnionsOrderedByConstants: ORDER BY 1 sorts a UNION by its first column, also
// where that is a constant of the first select.
func TestUnionsOrderedByConstants(t *testing.T) {
	s := sessionOver(t, few())
	expect(t, s, "SELECT 1 UNION SELECT 2 ORDER BY 1 DESC LIMIT 1", "2")
	expect(t, s, "SELECT 'b' UNION SELECT 'a' ORDER BY 1", "a", "b")
	expect(t, s, "SELECT 'b', COUNT(*) FROM few UNION SELECT 'a', 9 ORDER BY 1", "a|9", "b|4")
	expect(t, s, "SELECT 'b', 3 UNION ALL SELECT 'a', 4 UNION ALL SELECT 'a', 3 ORDER BY 2 DESC, 1", "a|4", "a|3", "b|3")
	expect(t, s, "SELECT (-1) UNION SELECT NULL UNION SELECT -3 ORDER BY 1", "NULL", "-3", "-1")
	expect(t, s, "SELECT '' UNION SELECT 'x' ORDER BY 1 DESC", "x", "")
	expect(t, s, "SELECT (SELECT 1 UNION SELECT 2 ORDER BY 1 DESC LIMIT 1)", "2")
	expect(t, s, "WITH c AS (SELECT 3 UNION SELECT 1 ORDER BY 1 LIMIT 1) SELECT * FROM c", "1")
	expect(t, s, "SELECT 'b' EXCEPT SELECT 'c' UNION SELECT 'a' ORDER BY 1", "a", "b")
	rows, err := s.Query(t.Context(), "SELECT 'b', 7 UNION SELECT 'a', 8 ORDER BY 1")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	if c := rows.Columns(); c[0].Name != "b" || c[1].Name != "7" {
		t.Errorf("columns %v", c)
	}
}
