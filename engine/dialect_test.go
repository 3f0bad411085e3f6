package engine

import "testing"

func TestRewrite(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"nothing to do", "SELECT 1", "SELECT 1"},
		{"comments before are blanked", "/* app */ -- x\nSELECT 1", "               SELECT 1"},
		{"hints stay", "/*+ X */ SELECT 1", "/*+ X */ SELECT 1"},
		{"code for a version stays", "/*!50000 SET @a = 1 */", "/*!50000 SET @a = 1 */"},
		{"the rest stays", "SHOW FULL TRIGGERS; SELECT ':= /* x */'", "SHOW TRIGGERS; SELECT ':= /* x */'"},
		{"a column is described", "DESCRIBE `a``b`.orders customer", "SHOW COLUMNS FROM `a``b`.orders LIKE 'customer'"},
		{"a pattern is described", "desc orders 'a''b%' ;", "SHOW COLUMNS FROM orders LIKE 'a''b%';"},
		{"a table is described", "DESCRIBE orders", "DESCRIBE orders"},
		{"a statement is explained", "EXPLAIN SELECT 1", "EXPLAIN SELECT 1"},
		{"a table statement is explained", "EXPLAIN TABLE orders", "EXPLAIN TABLE orders"},
		{"DO", "DO SLEEP(0), 1", "SET @`ddb do` = JSON_ARRAY(SLEEP(0), 1)"},
		{"DO is not DOUBLE", "DOUBLE", "DOUBLE"},
		{"tables are locked for reading", "LOCK TABLES a READ, b AS c READ LOCAL", nothingToDo},
		{"tables are locked for writing", "LOCK TABLES a READ, b WRITE", "LOCK TABLES a READ, b WRITE"},
		{"SHOW EXTENDED", "SHOW EXTENDED INDEX FROM t", "SHOW INDEX FROM t"},
		{"an assignment", "SELECT @a := 1 + 2, @b", "SELECT ddb_assign('a', 1 + 2), @b"},
		{"SET has assignments of its own", "SET @a := 1", "SET @a := 1"},
		{"the next statement's assignment", "SELECT @a := 1; SET @b := 2", "SELECT ddb_assign('a', 1); SET @b := 2"},
		{"an assignment in a text", "SELECT '@a := 1', \"@b := 2\"", "SELECT '@a := 1', \"@b := 2\""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := rewrite(tt.text); err != nil || got != tt.want {
				t.Errorf("rewrite(%q) = %q, %v; want %q", tt.text, got, err, tt.want)
			}
		})
	}
}

func TestRewriteRefuses(t *testing.T) {
	for text, number := range map[string]int{
		"EXPLAIN FOR CONNECTION 5":             3012,
		"EXPLAIN FORMAT=JSON FOR CONNECTION 5": 3012,
		"OPTIMIZE TABLE t":                     1290,
		"/* x */ REPAIR LOCAL TABLE t":         1290,
	} {
		if _, err := rewrite(text); err == nil || err.(*Error).Number != number {
			t.Errorf("rewrite(%q) = %v, want error %d", text, err, number)
		}
	}
}

func TestAssignments(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"in a list", "SELECT @a:=b, c", "SELECT ddb_assign('a',b), c"},
		{"with an alias", "SELECT @a := b + 1 AS x FROM t", "SELECT ddb_assign('a', b + 1 )AS x FROM t"},
		{"before FROM", "SELECT @a := b FROM t", "SELECT ddb_assign('a', b )FROM t"},
		{"in brackets", "SELECT (@a := @a + 1) * 2", "SELECT (ddb_assign('a', @a + 1)) * 2"},
		{"in another", "SELECT @a := @b := 3", "SELECT ddb_assign('a', ddb_assign('b', 3))"},
		{"in CASE", "CASE x WHEN 1 THEN @a:=(-7) ELSE @a:=2 END AS y", "CASE x WHEN 1 THEN ddb_assign('a',(-7) )ELSE ddb_assign('a',2 )END AS y"},
		{"of a CASE", "SELECT @a := CASE WHEN b THEN 1 ELSE 2 END, c", "SELECT ddb_assign('a', CASE WHEN b THEN 1 ELSE 2 END), c"},
		{"a quoted name", "SELECT @`x y` := 1, @'it' := 2", "SELECT ddb_assign('x y', 1), ddb_assign('it', 2)"},
		{"a system variable is none", "SELECT @@a", "SELECT @@a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := assignments(tt.text); got != tt.want {
				t.Errorf("assignments(%q)\n got %q\nwant %q", tt.text, got, tt.want)
			}
		})
	}
}

func FuzzRewrite(f *testing.F) {
	f.Add("SELECT @a := CASE WHEN 'x' THEN 1 END; DESCRIBE `t` 'p%'")
	f.Add("/* c */ SHOW OPEN TABLES FROM `d` -- x")
	f.Fuzz(func(t *testing.T, text string) {
		out, err := rewrite(text)
		if err == nil && len(out) < len(text)/20 && len(text) > 4000 {
			t.Errorf("%d bytes became %d", len(text), len(out))
		}
		joined := ""
		for _, token := range lex(text) {
			joined += token
		}
		if joined != text {
			t.Errorf("lex loses something of %q", text)
		}
	})
}
