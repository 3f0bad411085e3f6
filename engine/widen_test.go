package engine

import (
	"strings"
	"testing"

	"github.com/dolthub/vitess/go/vt/sqlparser"
)

// plainText is what widen makes of a text, without the comments that tell what
// it has replaced.
func plainText(text string) string {
	text = strings.ReplaceAll(text, "/*<*/", "")
	for {
		before, after, ok := strings.Cut(text, "/*>")
		if !ok {
			return text
		}
		_, after, _ = strings.Cut(after, "*/")
		text = before + after
	}
}

func TestWiden(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"nothing to do", "SELECT a FROM t WHERE b = 'x > ALL (SELECT 1)'", "SELECT a FROM t WHERE b = 'x > ALL (SELECT 1)'"},
		{"ALL", "SELECT a > ALL (SELECT 1)", "SELECT a > ddb_all( (SELECT 1))"},
		{"SOME", "SELECT a <> some(SELECT 1) FROM t", "SELECT a <> ddb_any((SELECT 1)) FROM t"},
		{"UNION ALL", "SELECT 1 UNION ALL (SELECT 2)", "SELECT 1 UNION ALL (SELECT 2)"},
		{"a list", "SELECT a > ALL (1, 2)", "SELECT a > ALL (1, 2)"},
		{"MEMBER OF", "SELECT 1 MEMBER OF ('[1]') AND b", "SELECT 1 IN ( ddb_member ('[1]')) AND b"},
		{"a column named member", "SELECT member FROM t", "SELECT member FROM t"},
		{"INTERVAL()", "SELECT INTERVAL (a, 1, (2))", "SELECT ddb_interval (a, 1, (2))"},
		{"an interval in brackets", "SELECT a + INTERVAL (1) DAY", "SELECT a + INTERVAL (1) DAY"},
		{"units", "SELECT a + INTERVAL '1:1' minute_second, EXTRACT(MINUTE_SECOND FROM a)", "SELECT a + INTERVAL '1:1' `MINUTE_SECOND`, EXTRACT(MINUTE_SECOND FROM a)"},
		{"units of ODBC", "SELECT TIMESTAMPADD(SQL_TSI_DAY, 1, a)", "SELECT TIMESTAMPADD(DAY, 1, a)"},
		{"UNKNOWN", "SELECT a IS UNKNOWN, b IS NOT UNKNOWN", "SELECT a IS NULL, b IS NOT NULL"},
		{"SUBSTRING FROM", "SELECT SUBSTRING(TRIM(BOTH FROM a) FROM 2)", "SELECT SUBSTRING(TRIM(BOTH ' ' FROM a) , 2)"},
		{"hints", "SELECT a FROM t IGNORE KEY (PRIMARY, b)", "SELECT a FROM t IGNORE INDEX (`PRIMARY`, b)"},
		{"JSON_VALUE", "SELECT JSON_VALUE(d, '$.a' RETURNING DECIMAL(4,2) DEFAULT 5 ON EMPTY)", "SELECT ddb_json_value(d, '$.a' , ' DECIMAL(4,2) ', 'DEFAULT',  5 , 'NULL', NULL)"},
		{"JSON_VALUE of nothing more", "SELECT JSON_VALUE(d, '$.null')", "SELECT JSON_VALUE(d, '$.null')"},
		{"a chain", "SELECT a = b = c FROM t", "SELECT (a = b) = c FROM t"},
		{"a longer chain", "SELECT a < b >= c != d", "SELECT ((a < b) >= c) != d"},
		{"one comparison", "SELECT a = b, c = d WHERE e = f AND g <=> h", "SELECT a = b, c = d WHERE e = f AND g <=> h"},
		{"LIKE first", "SELECT a LIKE b = 0", "SELECT (a LIKE b) = 0"},
		{"LIKE last", "SELECT a = b NOT LIKE c", "SELECT a = (b NOT LIKE c)"},
		{"BETWEEN first", "SELECT a BETWEEN b AND c = d AND e", "SELECT (a BETWEEN b AND c) = d AND e"},
		{"BETWEEN last", "SELECT a = b BETWEEN c AND d AND e", "SELECT a = (b BETWEEN c AND d) AND e"},
		{"IS between", "SELECT a IS NOT NULL = b", "SELECT (a IS NOT NULL) = b"},
		{"brackets", "SELECT (a = b = c) = d", "SELECT ((a = b) = c) = d"},
		{"CASE", "SELECT CASE WHEN a = b = c THEN d = e = f END = g = h", "SELECT (CASE WHEN (a = b) = c THEN (d = e) = f END = g) = h"},
		{"NOT first", "SELECT NOT a = b = c", "SELECT NOT (a = b) = c"},
		{"or", "SELECT a = b || c = d || e = f = g", "SELECT a = b || c = d || (e = f) = g"},
		{"joins", "SELECT 1 FROM a JOIN b ON a.x = b.x = 1 LEFT JOIN c ON c.x = b.x", "SELECT 1 FROM a JOIN b ON (a.x = b.x) = 1 LEFT JOIN c ON c.x = b.x"},
		{"not", "SELECT a=!b=c", "SELECT (a=!b)=c"},
		{"shifts", "SELECT a << 1 = b >> 1", "SELECT a << 1 = b >> 1"},
		{"SET", "SET @a = b = c", "SET @a = b = c"},
		{"the next statement", "SELECT a = b = c; SELECT a = b = c", "SELECT (a = b) = c; SELECT a = b = c"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			wide := widen(tt.text)
			if got := plainText(wide); got != tt.want {
				t.Errorf("widen(%q)\n got %q\nwant %q", tt.text, got, tt.want)
			}
			if got := narrow(wide); got != tt.text {
				t.Errorf("narrow gives %q, and not %q", got, tt.text)
			}
		})
	}
}

func TestWidenOfWhatIsCutOff(t *testing.T) {
	for _, text := range []string{"SELECT a = b = c FROM", "SELECT a > ALL (SELECT", "SELECT JSON_VALUE(a, 'b' RETURNING", "SELECT INTERVAL (", "SELECT a MEMBER OF ("} {
		if _, err := sqlparser.Parse(widen(text)); err == nil {
			t.Errorf("%q is a statement after all", text)
		}
	}
}

func FuzzWiden(f *testing.F) {
	for _, s := range []string{
		"SELECT a > ALL (SELECT 1) = b", "JSON_VALUE(a, b RETURNING CHAR NULL ON EMPTY ERROR ON ERROR)", "x MEMBER OF (y) IS UNKNOWN", "a = b BETWEEN c AND d = e",
		"INTERVAL(1,2)", "USE KEY(PRIMARY)", "'a' /* b */ -- c\n `d`", "SUBSTRING(a FROM 1 FOR 2)",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Join(lex(text), "") != text {
			t.Fatalf("%q is cut into %q", text, lex(text))
		}
		wide := widen(text)
		if got := narrow(wide); !strings.Contains(text, "/*") && got != text {
			t.Errorf("%q becomes %q and then %q", text, wide, got)
		}
	})
}
