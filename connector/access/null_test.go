package access

import (
	"math/rand/v2"
	"testing"

	"github.com/dynasql/dynasql/connector/schema"
)

// TestRejectsMissing: where a predicate is said to reject items without an
// attribute, it is true of none.
func TestRejectsMissing(t *testing.T) {
	rejected := 0
	for n := range uint64(2000) {
		w := newWorld(rand.New(rand.NewPCG(n, 1)))
		for range 10 {
			p := w.pred(4)
			for _, attribute := range []string{"a", "b", "sk", "m"} {
				for _, negated := range []bool{false, true} {
					if !p.rejectsMissing(attribute, negated) {
						continue
					}
					rejected++
					q := p
					if negated {
						q = Pred{Op: Not, Kids: []Pred{p}}
					}
					for _, it := range w.items {
						_, has := it[attribute]
						if !has && sqlEval(&q, it) == yes {
							t.Fatalf("seed %d: %v is true of %v, which has no %s", n, &q, it, attribute)
						}
					}
				}
			}
		}
	}
	if rejected < 1000 {
		t.Errorf("only %d cases", rejected)
	}
}

// TestRejectsMissingFinds: the plain cases are found, not only never wrong.
func TestRejectsMissingFinds(t *testing.T) {
	for _, tt := range []struct {
		where string
		want  bool
	}{
		{"a = 1", true},
		{"a <> 1", true},
		{"a != 1", true},
		{"not a < 1", true},
		{"a is not null", true},
		{"a is null", false},
		{"not a is null", true},
		{"a in (1, 2)", true},
		{"a not in (1, 2)", true},
		{"a.x = 1", true},
		{"a.x is null", false},
		{"a.x is not null", true},
		{"b = 1", false},
		{"a = 1 or b = 1", false},
		{"a = 1 or a is null", false},
		{"a = 1 or (a > 5 and b = 1)", true},
		{"not (a = 1 or b = 1)", true},
		{"not (a = 1 and b = 1)", false},
		{"(a, b) in ((1, 2))", true},
		{"(a, b) not in ((1, 2))", false},
		{"false", true},
	} {
		p := Pred{Op: And, Kids: parseWhere(tt.where)}
		if got := p.rejectsMissing("a", false); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.where, got, tt.want)
		}
	}
}

// TestFilterIsSuperset: a filter selects each item for which the predicate is
// true, and exactly those when it is said to be exact.
func TestFilterIsSuperset(t *testing.T) {
	exact := 0
	for n := range uint64(3000) {
		w := newWorld(rand.New(rand.NewPCG(n, 2)))
		s := tableSpace(w.table)
		tr := translator{space: &s}
		for range 10 {
			p := w.pred(4)
			f := tr.pred(&p, false)
			if f.exact {
				exact++
			}
			for _, it := range w.items {
				want := sqlEval(&p, it) == yes
				got := !f.never && (f.filter == nil || awsEval(f.filter, it))
				if want && !got || f.exact && got != want {
					t.Fatalf("seed %d: %v: SQL says %v and DynamoDB %v of %v (exact %v)", n, &p, want, got, it, f.exact)
				}
			}
		}
	}
	if exact < 1000 {
		t.Errorf("only %d exact ones", exact)
	}
}

// TestFilterKeepsOtherKinds: a value of another kind always comes back.
func TestFilterKeepsOtherKinds(t *testing.T) {
	s := tableSpace(&schema.Table{Key: schema.Key{Hash: schema.Attr{Name: "pk", Kind: schema.S}}})
	tr := translator{space: &s}
	strange := []val{
		{kind: schema.N, text: "1"}, {kind: schema.B, text: "x"}, {kind: schema.Bool, text: "true"}, {kind: schema.M, m: map[string]val{}},
		{kind: schema.L, list: []val{{kind: schema.S, text: "x"}}}, {kind: schema.SS, list: []val{{kind: schema.S, text: "x"}}},
	}
	for _, where := range []string{"a = 'x'", "a <> 'x'", "a != 'x'", "a < 'x'", "a <= 'x'", "a > 'x'", "a >= 'x'", "not a < 'x'",
		"a in ('x', 'y')", "a not in ('x', 'y')", "a like 'x%'", "a not like 'x%'", "a like '%x%'", "a not like '%x%'",
		"a between 'x' and 'y'", "a = 'x' or a = 'y'", "not (a = 'x' and a = 'y')"} {
		p := parseWhere(where)
		f := tr.pred(&Pred{Op: And, Kids: p}, false)
		for _, v := range strange {
			if f.filter == nil || !awsEval(f.filter, item{"a": v}) {
				t.Errorf("%s: an item with a of kind %v does not come back", where, v.kind)
			}
		}
		for _, it := range []item{{}, {"a": {kind: schema.Null}}} {
			if awsEval(f.filter, it) {
				t.Errorf("%s: %v comes back", where, it)
			}
		}
	}
}
