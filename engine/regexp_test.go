package engine_test

import "testing"

// MySQL 8.0 Reference Manual, 14.8.2, "Regular Expressions".
func TestRegularExpressions(t *testing.T) {
	s := sessionOver(t, fixture{name: "words", hash: "id:S", items: []string{
		`{"id":{"S":"foobar"},"b":{"B":"AAE="}}`, `{"id":{"S":"foobaz"}}`, `{"id":{"S":"日本語abc"}}`, `{"id":{"S":"hey hey"}}`,
		`{"id":{"S":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"}}`,
	}})
	for _, tt := range []struct {
		where string
		want  []string
	}{
		{"id REGEXP 'foo(?=bar)'", []string{"foobar"}},
		{"id RLIKE '^foo'", []string{"foobar", "foobaz"}},
		{"id NOT REGEXP '^(foo|a)'", []string{"日本語abc", "hey hey"}},
		{`id REGEXP '^(\\w+) \\1$'`, []string{"hey hey"}},
		{"id REGEXP 'FOO'", nil},
		{"REGEXP_LIKE(id, 'FOO', 'i')", []string{"foobar", "foobaz"}},
		{"id REGEXP '^[[:alpha:]]{6}$'", []string{"foobar", "foobaz", "日本語abc"}},
		{"id REGEXP id AND id < 'foobaz'", []string{"foobar", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"}},
		{"id REGEXP 'foo' AND id = 'foobar'", []string{"foobar"}},
	} {
		expect(t, s, "SELECT id FROM words WHERE "+tt.where, tt.want...)
	}
	for _, tt := range [][2]string{
		{"REGEXP_INSTR('dog cat dog', 'dog')", "1"}, {"REGEXP_INSTR('dog cat dog', 'dog', 2)", "9"}, {"REGEXP_INSTR('aa aaa aaaa', 'a{4}')", "8"},
		{"REGEXP_INSTR('日本語abc', 'abc')", "4"}, {"REGEXP_INSTR('dog cat dog', 'dog', 1, 2)", "9"}, {"REGEXP_INSTR('dog cat dog', 'dog', 1, 1, 1)", "4"}, {"REGEXP_INSTR('Dog', 'dog', 1, 1, 0, 'i')", "1"},
		{"REGEXP_INSTR('a', 'b')", "0"}, {"REGEXP_INSTR('a', 'a', 3)", "error: Index out of bounds in regular expression search."}, {"REGEXP_INSTR('a', 'a', 0)", "error: Index out of bounds"}, {"REGEXP_INSTR('a', 'a', 1, 1, 2)", "error: return_option must be 1 or 0"},
		{"REGEXP_SUBSTR('abc def ghi', '[a-z]+')", "abc"}, {"REGEXP_SUBSTR('abc def ghi', '[a-z]+', 1, 3)", "ghi"}, {"REGEXP_SUBSTR('abc', 'x')", "NULL"},
		{"REGEXP_REPLACE('a b c', 'b', 'X')", "a X c"}, {"REGEXP_REPLACE('abc def ghi', '[a-z]+', 'X', 1, 3)", "abc def X"}, {"REGEXP_REPLACE('John Smith', '(\\\\w+) (\\\\w+)', '$2 $1')", "Smith John"},
		{"REGEXP_LIKE('CamelCase', 'CAMELCASE', 'i')", "1"}, {"REGEXP_LIKE('a\\nb', 'a.b')", "0"}, {"REGEXP_LIKE('a\\nb', 'a.b', 'n')", "1"}, {"REGEXP_LIKE('a\\nb', '^b', 'm')", "1"}, {"REGEXP_LIKE('Ab', 'ab', 'ic')", "0"}, {"REGEXP_LIKE('Ab', 'ab', 'ci')", "1"},
		{"REGEXP_LIKE('a', 'a', 'q')", "error: Incorrect arguments to regexp_like"}, {"'a' REGEXP NULL", "NULL"}, {"NULL REGEXP 'a'", "NULL"}, {"12 REGEXP '1'", "1"},
		{"'a' REGEXP ''", "error: Illegal argument to a regular expression."}, {"'a' REGEXP '('", "error: Mismatched parenthesis in regular expression."}, {"'a' REGEXP '[a'", "error: The regular expression contains an unclosed bracket expression."},
	} {
		expect(t, s, "SELECT "+tt[0], tt[1])
	}
	expect(t, s, "SELECT b REGEXP 'a' FROM words WHERE id = 'foobar'", "error: Character set 'binary' cannot be used")
	expect(t, s, "SELECT COUNT(*) FROM words WHERE id REGEXP '^(a|aa)+$'", "error: Timeout exceeded in regular expression match.")
}
