package expr

import (
	"strings"
	"testing"

	"github.com/dynasql/dynasql/internal/localdb/attr"
)

func TestProjection(t *testing.T) {
	tests := []struct{ src, want string }{
		{"n", `{"n":{"N":"5"}}`},
		{"s, n , gone", `{"s":{"S":"abcdef"},"n":{"N":"5"}}`},
		{"gone", `{}`},
		{"#dot", `{"x.y":{"S":"dotted"}}`},
		{"m.k", `{"m":{"M":{"k":{"S":"v"}}}}`},
		{"m.#dot,m.l[0]", `{"m":{"M":{"x.y":{"N":"1"},"l":{"L":[{"N":"9"}]}}}}`},
		{"l[2], l[0]", `{"l":{"L":[{"N":"1"},{"M":{"k":{"S":"deep"}}}]}}`},
		{"l[2].k,l[7]", `{"l":{"L":[{"M":{"k":{"S":"deep"}}}]}}`},
		{"l[9]", `{}`}, {"m.gone", `{}`}, {"s.k", `{}`}, {"n[0]", `{}`}, {"m[0]", `{}`}, {"l.k", `{}`},
	}
	it := item(t, sample)
	for _, tt := range tests {
		t.Run(tt.src, func(t *testing.T) {
			p, err := ParseProjection(tt.src, newEnv(t))
			if err != nil {
				t.Fatal(err)
			}
			want := item(t, tt.want)
			if got := attr.Form(p.Apply(nil, it)); got != want {
				t.Errorf("Apply = %s", jsonOf(got))
			}
		})
	}
}

func TestProjectionRefuses(t *testing.T) {
	tests := []struct{ src, want string }{
		{"", "The expression can not be empty;"},
		{"!!! INVALID !!!", `Syntax error; token: "!", near: "!!"`},
		{"a b", `Syntax error; token: "b", near: "a b"`},
		{"a,", `Syntax error; token: "<EOF>", near: ","`},
		{"a, :s", `Syntax error; token: ":s", near: ", :s"`},
		{"(a)", `Syntax error; token: "(", near: "(a"`},
		{"size(a)", `Syntax error; token: "(", near: "size(a"`},
		{"a, status, #zz", "Attribute name is a reserved keyword; reserved keyword: status"},
		{"a, #zz", "An expression attribute name used in the document path is not defined; attribute name: #zz"},
		{"a, #a", "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]"},
		{"b.c, b", "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [b, c], path two: [b]"},
		{"b[0], b.c", "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [b, [0]], path two: [b, c]"},
		{strings.Repeat("a", 4097), "Expression size has exceeded the maximum allowed size; expression size: 4097"},
	}
	for _, tt := range tests {
		t.Run(tt.src[:min(len(tt.src), 40)], func(t *testing.T) {
			_, err := ParseProjection(tt.src, newEnv(t))
			wantError(t, err, "Invalid ProjectionExpression: "+tt.want)
		})
	}
}

func FuzzParseProjection(f *testing.F) {
	f.Add("a, m.k, l[2].k, #dot")
	f.Add("l[0],l[1],m.l[0]")
	f.Fuzz(func(t *testing.T, src string) {
		p, err := ParseProjection(src, newEnv(t))
		if err != nil {
			wantError(t, err, "Invalid ProjectionExpression: ")
			return
		}
		it := item(t, sample)
		got, want := attr.Form(p.Apply(nil, it)), attr.Encode(p.tree.pickMap(it.Attribute))
		if got != want {
			t.Errorf("Apply = %s, want %s", jsonOf(got), jsonOf(want))
		}
	})
}
