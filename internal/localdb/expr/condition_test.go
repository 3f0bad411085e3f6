package expr

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/dynasql/dynasql/internal/localdb/attr"
)

// item reads DynamoDB JSON.
func item(t testing.TB, json string) attr.Form {
	t.Helper()
	it, err := decodeItem(json)
	if err != nil {
		t.Fatalf("%s: %v", json, err)
	}
	return it
}

func decodeItem(json string) (attr.Form, error) {
	s := attr.NewScanner([]byte(json))
	it := s.Item()
	if err := s.End(); err != nil {
		return "", err
	}
	return attr.FromSDK(it)
}

// values are the attributes of an item.
func values(it attr.Form) map[string]attr.Value { return maps.Collect(it.Attributes()) }

// jsonOf is an item as DynamoDB JSON.
func jsonOf(it attr.Form) string { return string(it.AppendJSON(nil)) }

// newEnv has #a for a, #d for [3], #dot for x.y, and values of each kind.
func newEnv(t testing.TB) *Env {
	return &Env{
		Names: map[string]string{"#a": "a", "#b": "b", "#d": "[3]", "#dot": "x.y"},
		Values: values(item(t, `{":s":{"S":"abc"},":ab":{"S":"ab"},":n":{"N":"5"},":one":{"N":"1"},":three":{"N":"3"},":b":{"B":"AAEC"},":t":{"BOOL":true},":null":{"NULL":true},
			":l":{"L":[{"N":"1"},{"S":"x"}]},":m":{"M":{"k":{"S":"v"}}},":ss":{"SS":["x","y"]},":ns":{"NS":["1","5"]},":bs":{"BS":["AAEC"]},
			":N":{"S":"N"},":empty":{"L":[]},":x":{"S":"x"}}`)),
	}
}

const sample = `{"s":{"S":"abcdef"},"n":{"N":"5.0"},"neg":{"N":"-7"},"b":{"B":"AAECAw=="},"t":{"BOOL":true},"nothing":{"NULL":true},
	"l":{"L":[{"N":"1"},{"S":"x"},{"M":{"k":{"S":"deep"}}}]},"m":{"M":{"k":{"S":"v"},"l":{"L":[{"N":"9"}]},"x.y":{"N":"1"}}},
	"ss":{"SS":["y","x"]},"ns":{"NS":["5","1"]},"bs":{"BS":["AAEC"]},"x.y":{"S":"dotted"},"emoji":{"S":"é😀"}}`

func TestConditionMatch(t *testing.T) {
	tests := []struct {
		src  string
		want bool
	}{
		{"n = :n", true}, {":n = n", true}, {"n <> :n", false}, {"n > :one", true}, {"n >= :n", true}, {"n < :n", false}, {"n <= :n", true},
		{"neg < :one", true}, {"s > :s", true}, {"b > :b", true},
		{"n = :s", false}, {"n < :s", false}, {"n >= :s", false}, {"n <> :s", true},
		{"gone = :n", false}, {"gone < :n", false}, {"gone <> :n", true}, {"NOT gone = :n", true}, {"gone = absent", false}, {"gone <> absent", true},
		{"ss = :ss", true}, {"ns = :ns", true}, {"m = :m", false}, {"l <> :l", true}, {"t = :t", true}, {"nothing = :null", true},
		{"n BETWEEN :one AND :n", true}, {"s BETWEEN :ab AND :s", false}, {"gone BETWEEN :one AND :n", false}, {":n BETWEEN neg AND n", true},
		{"n IN (:s, :n)", true}, {"n IN (:one)", false}, {"gone IN (:one, gone2)", false}, {"ss IN (:ns, :ss)", true},
		{"n = :n AND s = :s", false}, {"n = :n OR s = :s", true}, {"n = :n or gone = :n and gone = :one", true},
		{"(n = :n OR gone = :n) AND gone = :one", false}, {"NOT n = :n AND s = :s", false}, {"NOT (n = :n AND s = :s)", true},
		{"not not n = :n", true}, {"((n = :n) AND (NOT (s = :s)))", true}, {"(n) = (:n)", true}, {"(size(s)) > :n", true},
		{"attribute_exists(n)", true}, {"attribute_exists(gone)", false}, {"attribute_exists(m.k)", true}, {"attribute_exists(m.k.z)", false},
		{"attribute_exists(l[2].k)", true}, {"attribute_exists(l[3])", false}, {"attribute_exists(s[0])", false}, {"attribute_exists(nothing)", true},
		{"attribute_not_exists(gone)", true}, {"attribute_not_exists(l[0])", false},
		{"attribute_type(n, :N)", true}, {"attribute_type(s, :N)", false}, {"attribute_type(gone, :N)", false},
		{"begins_with(s, :s)", true}, {"begins_with(b, :b)", true}, {"begins_with(n, :s)", false}, {"begins_with(gone, :s)", false}, {"begins_with(:s, s)", false},
		{"contains(s, :ab)", true}, {"contains(ss, :x)", true}, {"contains(ss, :s)", false}, {"contains(ns, :n)", true}, {"contains(bs, :b)", true},
		{"contains(l, :x)", true}, {"contains(l, :one)", true}, {"contains(l, :n)", false}, {"contains(b, :b)", true}, {"contains(n, :n)", false},
		{"contains(gone, :x)", false}, {"contains(ss, :n)", false}, {"contains(m, :x)", false},
		{"size(s) > :n", true}, {"size(ss) < :n", true}, {"size(m) >= :one", true}, {"size(b) < :n", true}, {"size(n) > :one", false},
		{"size(gone) > :one", false}, {"size(gone) <> :one", true}, {"size(l) BETWEEN :one AND :n", true}, {"size(emoji) = :three", true},
		{"l[0] = :one", true}, {"l[2].k = :s", false}, {"m.#dot = :one", true}, {"#dot <> :one", true}, {"m.l[0] > :n", true}, {"m.l [ 0 ] > :n", true},
		{"n=:n\tAND\r\nneg<:one", true},
	}
	it := item(t, sample)
	for _, tt := range tests {
		t.Run(tt.src, func(t *testing.T) {
			c, err := ParseCondition("FilterExpression", tt.src, newEnv(t))
			if err != nil {
				t.Fatal(err)
			}
			if got := c.Match(it); got != tt.want {
				t.Errorf("Match = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestConditionRefuses(t *testing.T) {
	const notReadable = "Syntax error; token: "
	const place = "The function is not allowed to be used this way in an expression; function: "
	const redundant = "The expression has redundant parentheses;"
	const reserved = "Attribute name is a reserved keyword; reserved keyword: "
	const noName = "An expression attribute name used in the document path is not defined; attribute name: "
	const noValue = "An expression attribute value used in expression is not defined; attribute value: "
	const kind = "Incorrect operand type for operator or function; operator or function: "
	const count = "Incorrect number of operands for operator or function; operator or function: "
	const distinct = "The first operand must be distinct from the remaining operands for this operator or function; operator: "
	tests := []struct{ src, want string }{
		{"", "The expression can not be empty;"},
		{"  ", `Syntax error; token: "<EOF>", near: ""`},
		{"things are not", `Syntax error; token: "are", near: "things are not"`},
		{"a > 4", `Syntax error; token: "4", near: "> 4"`},
		{"a", `Syntax error; token: "<EOF>", near: "a"`},
		{"a =", `Syntax error; token: "<EOF>", near: "="`},
		{"!!! x", `Syntax error; token: "!", near: "!!"`},
		{"a = :s AND b", notReadable}, {"(a) AND b = :s", notReadable}, {"NOT a", notReadable}, {"a = :s b", notReadable},
		{"(a = :s) = :s", notReadable}, {"(a = :s", notReadable}, {"attribute_exists(a-b)", `Syntax error; token: "-", near: "a-b"`},
		{`attribute_exists("a")`, notReadable}, {"attribute_exists(a..b)", notReadable}, {"attribute_exists(a#b)", notReadable},
		{"attribute_exists(a[b])", notReadable}, {"attribute_exists(a[01])", notReadable}, {"attribute_exists(a[-1])", notReadable},
		{"attribute_exists()", notReadable}, {"a in b, c", notReadable}, {"a in (b,c,)", notReadable}, {"a in ()", notReadable}, {"a > between", notReadable},
		{"a between b and", notReadable}, {"#$ > a", notReadable}, {"a > :s.x", notReadable}, {"a[:s] > a", notReadable}, {"ü > a", `Syntax error; token: "ü", near: "ü >"`},
		{"size(a).b > a", notReadable}, {"(size(a))[0] > a", notReadable}, {"_a = :s", notReadable}, {"a == :s", notReadable}, {"a = b = c", notReadable},
		{"((a = :s))", redundant}, {"a > ((b))", redundant}, {"a = :s AND ((b = :s AND c = :s))", redundant}, {"contains((a), ((b)))", redundant},
		{"whatever(a) > b", "Invalid function name; function: whatever"},
		{"attRIbute_exIsts(views)", "Invalid function name; function: attRIbute_exIsts"},
		{"size(a)", place + "size"}, {"attribute_exists(a) > b", place + "attribute_exists"}, {"size(contains(a, b)) > a", place + "contains"},
		{"a in (b, attribute_exists(a))", place + "attribute_exists"}, {"a between b and contains(a, b)", place + "contains"}, {"NOT size(a)", place + "size"},
		{"if_not_exists(a, :s) = :s", "The function is not allowed in a condition expression; function: if_not_exists"},
		{"attribute_exists(views, #zz)", reserved + "views"}, {":zz < abOrT", reserved + "abOrT"}, {"a.size = :s", reserved + "size"},
		{"attribute_exists(#zz.x, :a) AND a = a", noName + "#zz"}, {"(#P between :lo and :hi)", noName + "#P"},
		{"begins_with(:hello, #zz, #yy)", noValue + ":hello"}, {":zz < :yy", noValue + ":zz"}, {"a = :s AND b = :zz", noValue + ":zz"},
		{"attribute_exists(a, b)", count + "attribute_exists, number of operands: 2"}, {"begins_with(a)", count + "begins_with, number of operands: 1"},
		{"size(a, b) > c", count + "size, number of operands: 2"}, {"attribute_type(a)", count + "attribute_type, number of operands: 1"},
		{"attribute_type(a, size(b))", kind + "attribute_type, operand type: N"}, {"attribute_type(a, :l)", kind + "attribute_type, operand type: L"},
		{"attribute_type(a, b)", kind + "attribute_type, operand type: {NS,SS,L,BS,N,M,B,BOOL,NULL,S}"},
		{"attribute_type(a, :s)", "Invalid attribute type name found; type: abc, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}"},
		{"begins_with(a, :n)", kind + "begins_with, operand type: N"}, {"begins_with(:t, a)", kind + "begins_with, operand type: BOOL"},
		{"begins_with(a, size(b))", kind + "begins_with, operand type: N"},
		{"size(size(a)) > :n", kind + "size, operand type: N"}, {"size(:t) > a", kind + "size, operand type: BOOL"},
		{"a < :t", kind + "<, operand type: BOOL"}, {":ss >= a", kind + ">=, operand type: SS"}, {"a between :l and :l", kind + "BETWEEN, operand type: L"},
		{"attribute_exists(:s)", "Operator or function requires a document path; operator or function: attribute_exists"},
		{"attribute_not_exists(size(a))", "Operator or function requires a document path; operator or function: attribute_not_exists"},
		{"a between :n and :s", "The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {N:5}, upper bound operand: AttributeValue: {S:abc}"},
		{"a between :s and :ab", "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {S:abc}, upper bound operand: AttributeValue: {S:ab}"},
		{"a = a AND #zz = :zz", distinct + "=, first operand: [a]"}, {"a > #a", distinct + ">, first operand: [a]"},
		{"contains(ab.bc[1].a, ab.bc[1].#a)", distinct + "contains, first operand: [ab, bc, [1], a]"}, {"a in (b, #a)", distinct + "IN, first operand: [a]"},
		{"a[4294967295] = :s", "List index is not within the allowable range; index: [4294967295]"},
		{"a" + strings.Repeat(".a", 32) + " = :s", "The document path has too many nesting levels; nesting levels: 33"},
		{"a IN (" + strings.Repeat(":s,", 100) + ":s)", "The IN operator is provided with too many operands; number of operands: 101"},
		{strings.Repeat("a=:s OR ", 150) + "a=:s", "The expression contains too many operators; operator count: 301"},
		{strings.Repeat(" ", 4093) + "a=:s", "Expression size has exceeded the maximum allowed size; expression size: 4097"},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%.60s", tt.src), func(t *testing.T) {
			_, err := ParseCondition("FilterExpression", tt.src, newEnv(t))
			wantError(t, err, "Invalid FilterExpression: "+tt.want)
		})
	}
}

// wantError accepts a longer message only after a want that ends in ": ".
func wantError(t *testing.T, err error, want string) {
	t.Helper()
	var refused *Error
	if !errors.As(err, &refused) {
		t.Fatalf("got error %v; want %q", err, want)
	}
	if refused.Message != want && (!strings.HasSuffix(want, ": ") || !strings.HasPrefix(refused.Message, want)) {
		t.Errorf("got  %q\nwant %q", refused.Message, want)
	}
}

func TestLimitsAreInclusive(t *testing.T) {
	for _, src := range []string{
		"a IN (" + strings.Repeat(":s,", 99) + ":s)",
		strings.Repeat("a=:s OR ", 149) + "a=:s",
		strings.Repeat(" ", 4092) + "a=:s",
		"a" + strings.Repeat(".a", 31) + " = :s",
		"a[2147483647] = :s",
	} {
		if _, err := ParseCondition("FilterExpression", src, newEnv(t)); err != nil {
			t.Errorf("%.30s...: %v", src, err)
		}
	}
}

func TestConditionPaths(t *testing.T) {
	c, err := ParseCondition("ConditionExpression", "#a = :s AND contains(m.x[1], n) OR size(a) > :n", newEnv(t))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(c.Paths()); got != "[[a] [m, x, [1]] [n]]" {
		t.Errorf("paths = %s", got)
	}
}

func TestEnvCheck(t *testing.T) {
	some := values(item(t, `{":v":{"NULL":true}}`))
	tests := []struct {
		name string
		env  Env
		want string
	}{
		{"none", Env{}, ""},
		{"good", Env{Names: map[string]string{"#0_a": "x"}, Values: some}, ""},
		{"names empty", Env{Names: map[string]string{}}, "ExpressionAttributeNames must not be empty"},
		{"values empty", Env{Values: map[string]attr.Value{}}, "ExpressionAttributeValues must not be empty"},
		{"name without #", Env{Names: map[string]string{"a": "x"}}, `ExpressionAttributeNames contains invalid key: Syntax error; key: "a"`},
		{"bare #", Env{Names: map[string]string{"#": "x"}}, `ExpressionAttributeNames contains invalid key: Syntax error; key: "#"`},
		{"name with dash", Env{Names: map[string]string{"#a-b": "x"}}, `ExpressionAttributeNames contains invalid key: Syntax error; key: "#a-b"`},
		{"value without colon", Env{Values: map[string]attr.Value{"#v": ""}}, `ExpressionAttributeValues contains invalid key: Syntax error; key: "#v"`},
		{"empty name", Env{Names: map[string]string{"#a": ""}}, "ExpressionAttributeNames contains invalid value: Empty attribute name for key #a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.env.Check()
			if tt.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			wantError(t, err, tt.want)
		})
	}
}

func TestEnvUnused(t *testing.T) {
	env := &Env{Names: map[string]string{"#a": "a", "#b": "b", "#c": "c"}, Values: map[string]attr.Value{":v": attr.Scalar(attr.S, ""), ":w": attr.Scalar(attr.S, "")}}
	if _, err := ParseCondition("FilterExpression", "#a = :v", env); err != nil {
		t.Fatal(err)
	}
	wantError(t, env.Unused(), "Value provided in ExpressionAttributeNames unused in expressions: keys: {#b, #c}")
	if _, err := ParseProjection("#b, #c", env); err != nil {
		t.Fatal(err)
	}
	wantError(t, env.Unused(), "Value provided in ExpressionAttributeValues unused in expressions: keys: {:w}")
	if _, err := ParseUpdate("SET d = :w", env); err != nil {
		t.Fatal(err)
	}
	if err := env.Unused(); err != nil {
		t.Error(err)
	}
}

func TestReservedWords(t *testing.T) {
	if len(reservedWords) != 573 {
		t.Errorf("%d reserved words, want 573", len(reservedWords))
	}
	for word, want := range map[string]bool{"status": true, "Name": true, "ABORT": true, "zone": true, "pk": false, "statuses": false, "": false} {
		if got := isReserved(word); got != want {
			t.Errorf("isReserved(%q) = %v, want %v", word, got, want)
		}
	}
}

func FuzzParseCondition(f *testing.F) {
	f.Add("a = :s AND (NOT b.#a[1] <> size(c) OR n BETWEEN :one AND :n)")
	f.Add("contains(a, :ss) OR n IN (:n, :one) AND attribute_type(#dot, :N)")
	f.Add("((a))[0] = \xff")
	f.Fuzz(func(t *testing.T, src string) {
		c, err := ParseCondition("FilterExpression", src, newEnv(t))
		if err != nil {
			wantError(t, err, "Invalid FilterExpression: ")
			return
		}
		c.Match(item(t, sample))
		if c.Match("") != c.Match(item(t, "{}")) {
			t.Errorf("an item without attributes is not as none")
		}
	})
}

func BenchmarkMatch(b *testing.B) {
	c, err := ParseCondition("FilterExpression", "n > :one AND begins_with(s, :s) AND attribute_not_exists(gone)", newEnv(b))
	if err != nil {
		b.Fatal(err)
	}
	it := item(b, sample)
	b.ReportAllocs()
	for b.Loop() {
		if !c.Match(it) {
			b.Fatal("no match")
		}
	}
}

func BenchmarkParseCondition(b *testing.B) {
	env := newEnv(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseCondition("FilterExpression", "n > :one AND begins_with(s, :s) AND attribute_not_exists(gone)", env); err != nil {
			b.Fatal(err)
		}
	}
}
