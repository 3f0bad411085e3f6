package expr

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/dynasql/dynasql/internal/localdb/attr"
)

const small = `{"a":{"S":"key"},"n":{"N":"5"},"l":{"L":[{"N":"1"},{"N":"2"},{"N":"3"}]},"m":{"M":{"x":{"N":"1"},"y":{"N":"2"}}},"ss":{"SS":["x","z"]}}`

func TestUpdateApply(t *testing.T) {
	// want is small with the attributes given replaced, or left out if null.
	tests := []struct{ src, want string }{
		{"SET b = :s", `"b":{"S":"abc"}`},
		{"set n = n + :one, b = n - :one", `"n":{"N":"6"},"b":{"N":"4"}`},
		{"SET n = :one, b = n", `"n":{"N":"1"},"b":{"N":"5"}`},
		{"SET b = if_not_exists(gone, :s), c = if_not_exists(n, :s)", `"b":{"S":"abc"},"c":{"N":"5"}`},
		{"SET n = if_not_exists(gone, n) + :one", `"n":{"N":"6"}`},
		{"SET b = if_not_exists(gone, if_not_exists(gone2, :n))", `"b":{"N":"5"}`},
		{"SET l = list_append(l, :l)", `"l":{"L":[{"N":"1"},{"N":"2"},{"N":"3"},{"N":"1"},{"S":"x"}]}`},
		{"SET b = list_append(if_not_exists(gone, :empty), :l)", `"b":{"L":[{"N":"1"},{"S":"x"}]}`},
		{"SET l[1] = :s", `"l":{"L":[{"N":"1"},{"S":"abc"},{"N":"3"}]}`},
		{"SET l[9] = :s, l[7] = :n", `"l":{"L":[{"N":"1"},{"N":"2"},{"N":"3"},{"N":"5"},{"S":"abc"}]}`},
		{"REMOVE l[0], l[2], l[9]", `"l":{"L":[{"N":"2"}]}`},
		{"REMOVE l[0] SET l[1] = :s, l[5] = :n", `"l":{"L":[{"S":"abc"},{"N":"3"},{"N":"5"}]}`},
		{"SET m.z = :s, m.x = m.y REMOVE m.y", `"m":{"M":{"x":{"N":"2"},"z":{"S":"abc"}}}`},
		{"SET m.x=((l[1])+(m.y)), l[0] = m.x", `"m":{"M":{"x":{"N":"4"},"y":{"N":"2"}}},"l":{"L":[{"N":"1"},{"N":"2"},{"N":"3"}]}`},
		{"REMOVE n, gone", `"n":null`},
		{"ADD n :one, b :n", `"n":{"N":"6"},"b":{"N":"5"}`},
		{"ADD ss :ss, b :ns", `"ss":{"SS":["x","z","y"]},"b":{"NS":["1","5"]}`},
		{"ADD m.x :n, m.z :ss, l[5] :n", `"m":{"M":{"x":{"N":"6"},"y":{"N":"2"},"z":{"SS":["x","y"]}}},"l":{"L":[{"N":"1"},{"N":"2"},{"N":"3"},{"N":"5"}]}`},
		{"DELETE ss :ss", `"ss":{"SS":["z"]}`},
		{"DELETE gone :ss", ``},
		{"SET ss = :x ADD n :one DELETE m.gone :ss REMOVE l", `"ss":{"S":"x"},"n":{"N":"6"},"l":null`},
		{"SET #dot = :s", `"x.y":{"S":"abc"}`},
		{"SET b = (:n)", `"b":{"N":"5"}`},
	}
	for _, tt := range tests {
		t.Run(tt.src, func(t *testing.T) {
			u, err := ParseUpdate(tt.src, newEnv(t))
			if err != nil {
				t.Fatal(err)
			}
			it := item(t, small)
			got, touched, err := u.Apply(it)
			if err != nil {
				t.Fatal(err)
			}
			if want := patched(t, tt.want); got != want {
				t.Errorf("got  %s\nwant %s", jsonOf(got), jsonOf(want))
			}
			if it != item(t, small) {
				t.Errorf("the item itself was changed: %s", jsonOf(it))
			}
			if fmt.Sprint(touched) != fmt.Sprint(u.Paths()) {
				t.Errorf("touched %v, want %v", touched, u.Paths())
			}
		})
	}
}

func patched(t *testing.T, changes string) attr.Form {
	m := values(item(t, small))
	for _, name := range []string{"n", "l"} {
		if gone := `"` + name + `":null`; strings.Contains(changes, gone) {
			delete(m, name)
			changes = strings.TrimSuffix(strings.ReplaceAll(changes, gone, ""), ",")
		}
	}
	maps.Copy(m, values(item(t, "{"+changes+"}")))
	return attr.Encode(m)
}

func TestUpdateApplyRemovesEmptySet(t *testing.T) {
	u, err := ParseUpdate("DELETE ss :all", &Env{Values: values(item(t, `{":all":{"SS":["z","x","q"]}}`))})
	if err != nil {
		t.Fatal(err)
	}
	if got, _, err := u.Apply(item(t, small)); got.Attribute("ss") != "" || err != nil {
		t.Errorf("got %s, %v", jsonOf(got), err)
	}
}

func TestUpdateApplyRefuses(t *testing.T) {
	deep := strings.Repeat(`{"L":[`, 31) + `{"N":"1"}` + strings.Repeat(`]}`, 31)
	tests := []struct{ src, want string }{
		{"SET b = gone", msgMissing}, {"SET b = list_append(l, gone)", msgMissing}, {"SET b = n + gone", msgMissing}, {"SET b = m.z", msgMissing},
		{"SET b = n + a", msgOperandType}, {"SET b = a - :one", msgOperandType}, {"SET b = gone + a", msgOperandType},
		{"SET b = list_append(n, :l)", msgOperandType}, {"SET b = list_append(if_not_exists(n, :l), :l)", msgOperandType},
		{"ADD a :one", msgOperandType}, {"ADD ss :ns", msgOperandType}, {"ADD n :ss", msgOperandType}, {"DELETE n :ns", msgOperandType}, {"DELETE ss :ns", msgOperandType},
		{"SET gone.x = :s", msgTarget}, {"SET gone[0] = :s", msgTarget}, {"SET n.x = :s", msgTarget}, {"SET m[0] = :s", msgTarget}, {"SET l.x = :s", msgTarget},
		{"REMOVE gone.x", msgTarget}, {"REMOVE m[0]", msgTarget}, {"ADD gone.x :n", msgTarget}, {"DELETE l.x :ss", msgTarget}, {"SET l[8].x = :s", msgTarget},
		{"SET m.x = gone, n.x = :s", msgTarget}, {"SET b = gone REMOVE gone.x", msgTarget},
		{"ADD n :huge", "Attempting to store more than 38 significant digits in a Number"},
		{"SET n = :big + :big", "Number overflow. Attempting to store a number with magnitude larger than supported range"},
		{"SET m.x = :deep", "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"},
	}
	for _, tt := range tests {
		t.Run(tt.src, func(t *testing.T) {
			env := newEnv(t)
			env.Values[":huge"] = attr.Scalar(attr.N, "1"+strings.Repeat("0", 38)+".5")
			env.Values[":big"] = attr.Scalar(attr.N, "9"+strings.Repeat("0", 125))
			env.Values[":deep"] = item(t, `{"a":`+deep+`}`).Attribute("a")
			u, err := ParseUpdate(tt.src, env)
			if err != nil {
				t.Fatal(err)
			}
			if got, _, err := u.Apply(item(t, small)); err == nil || err.Error() != tt.want {
				t.Errorf("got %v, %v; want error %q", got, err, tt.want)
			}
		})
	}
}

func TestUpdateRefuses(t *testing.T) {
	const notReadable = "Syntax error; token: "
	const count = "Incorrect number of operands for operator or function; operator or function: "
	const kind = "Incorrect operand type for operator or function; operator or function: "
	const overlap = "Two document paths overlap with each other; must remove or rewrite one of these paths; "
	const conflict = "Two document paths conflict with each other; must remove or rewrite one of these paths; "
	const change = "Incorrect operand type for operator or function; operator: "
	tests := []struct{ src, want string }{
		{"", "The expression can not be empty;"},
		{"INVALID SYNTAX HERE", `Syntax error; token: "INVALID", near: "INVALID SYNTAX"`},
		{"set a", `Syntax error; token: "<EOF>", near: "a"`},
		{"SET", `Syntax error; token: "<EOF>", near: "SET"`},
		{"set a=set", notReadable}, {"remove a = b", notReadable}, {"add a = b", notReadable}, {"delete a b", notReadable}, {"add a if_not_exists(b)", notReadable},
		{"remove a b", notReadable}, {"set a b", notReadable}, {"set :s = b", notReadable}, {"remove :s", notReadable}, {"set a = b / c", notReadable},
		{"set a[1] = 1", notReadable}, {`set a = "x"`, notReadable}, {"set (a = b)", notReadable}, {"set a = (b.c).d", notReadable}, {"set a = b + c + d", notReadable},
		{"set a = (b + c) + d", notReadable}, {"set if_not_exists(a, b) = a", notReadable}, {"set a = b,", notReadable}, {"set a = b, remove c", notReadable},
		{" set #zz = :zz set abOrt = :s ", "Attribute name is a reserved keyword; reserved keyword: abOrt"},
		{"remove Absolute", "Attribute name is a reserved keyword; reserved keyword: Absolute"},
		{"set #zz = if_not_exist(:zz) set c = d", "Invalid function name; function: if_not_exist"},
		{"set a = size(b)", "The function is not allowed in an update expression; function: size"},
		{"set a = #zz set c = :zz", `The "SET" section can only be used once in an update expression;`},
		{"remove #zz set a = b remove e", `The "REMOVE" section can only be used once in an update expression;`},
		{"SET #zz = if_not_exists(:zz)", "An expression attribute name used in the document path is not defined; attribute name: #zz"},
		{"SET c = if_not_exists(:zz)", "An expression attribute value used in expression is not defined; attribute value: :zz"},
		{"set d[1] = a, d.b = a, c[1].a = a, c = if_not_exists(a)", overlap + "path one: [c, [1], a], path two: [c]"},
		{"set c[3].#d = a, c[3] = a", overlap + "path one: [c, [3], [3]], path two: [c, [3]]"},
		{"set a = b remove a", overlap + "path one: [a], path two: [a]"},
		{"remove a.#b set a[1] = #d", conflict + "path one: [a, b], path two: [a, [1]]"},
		{"add a.b :s", change + "ADD, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND"},
		{"add a.b :l", change + "ADD, operand type: LIST, typeSet: ALLOWED_FOR_ADD_OPERAND"},
		{"delete a.b :n", change + "DELETE, operand type: NUMBER, typeSet: ALLOWED_FOR_DELETE_OPERAND"},
		{"delete a.b :m", change + "DELETE, operand type: MAP, typeSet: ALLOWED_FOR_DELETE_OPERAND"},
		{"set a = if_not_exists(c)", count + "if_not_exists, number of operands: 1"},
		{"set a = list_append(c, d, e)", count + "list_append, number of operands: 3"},
		{"set a = if_not_exists(:s, c)", "Operator or function requires a document path; operator or function: if_not_exists"},
		{"set a = list_append(:s, a)", kind + "list_append, operand type: S"}, {"set a = list_append(b, :m)", kind + "list_append, operand type: M"},
		{"set a = b + :s", kind + "+, operand type: S"}, {"set a = :l - b", kind + "-, operand type: L"},
	}
	for _, tt := range tests {
		t.Run(tt.src, func(t *testing.T) {
			_, err := ParseUpdate(tt.src, newEnv(t))
			wantError(t, err, "Invalid UpdateExpression: "+tt.want)
		})
	}
}

func TestUpdatePathsAndReads(t *testing.T) {
	u, err := ParseUpdate("SET #a.b = n + m.x, c = if_not_exists(n, :s) REMOVE l[1] ADD d :n", newEnv(t))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(u.Paths()); got != "[[a, b] [c] [l, [1]] [d]]" {
		t.Errorf("paths = %s", got)
	}
}

// UPDATED_NEW of list elements: those at the indexes named, gaps closed.
func TestExtract(t *testing.T) {
	it := item(t, `{"b":{"M":{"a":{"N":"1"},"b":{"N":"2"}}},"c":{"L":[{"N":"1"},{"S":"k"},{"N":"3"},{"N":"-1"},{"N":"2"}]}}`)
	paths := []Path{{{Name: "b"}, {Name: "a"}}, {{Name: "c"}, {Index: 4}}, {{Name: "c"}, {Index: 1}}, {{Name: "c"}, {Index: 9}}, {{Name: "gone"}}}
	want := item(t, `{"b":{"M":{"a":{"N":"1"}}},"c":{"L":[{"S":"k"},{"N":"2"}]}}`)
	if got := Extract(it, paths); got != want {
		t.Errorf("got %s", jsonOf(got))
	}
	if got := Extract("", paths); got != item(t, "{}") {
		t.Errorf("of no item: %q", got)
	}
}

func FuzzParseUpdate(f *testing.F) {
	f.Add("SET n = n + :one, l[9] = if_not_exists(gone, :s) REMOVE m.x ADD ss :ss DELETE ns :ns")
	f.Add("set m.x=((l[1])+(m.y)), l = list_append(l, :l)")
	f.Fuzz(func(t *testing.T, src string) {
		u, err := ParseUpdate(src, newEnv(t))
		if err != nil {
			wantError(t, err, "Invalid UpdateExpression: ")
			return
		}
		for _, text := range []string{sample, small, "{}"} {
			it := item(t, text)
			got, _, err := u.Apply(it)
			if it != item(t, text) {
				t.Fatalf("the item itself was changed: %s", jsonOf(it))
			}
			if err != nil {
				continue
			}
			if back, err := decodeItem(jsonOf(got)); err != nil || back != got {
				t.Fatalf("not a valid item: %s: %v", jsonOf(got), err)
			}
		}
	})
}
