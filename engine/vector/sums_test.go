package vector

import (
	"math/rand/v2"
	"testing"

	"github.com/cockroachdb/apd/v3"
)

// fixed gives the same column for every chunk.
type fixed struct{ out Column }

func (f *fixed) Kind() Kind                   { return f.out.Kind }
func (f *fixed) Eval(*Chunk) (*Column, error) { return &f.out, nil }

// TestSumsAreExact adds numbers of all sizes in two parts, puts these together, and
// compares with sums of any number of digits.
func TestSumsAreExact(t *testing.T) {
	const groups = 40
	r := rand.New(rand.NewPCG(1, 2))
	var want [groups]apd.Decimal
	of := &fixed{Column{Kind: Number}}
	parts := []*sums{{of: of}, {of: of}}
	to := make([]uint32, groups)
	for chunk := range 60 {
		of.out.reset(100)
		ids := make([]uint32, 100)
		for i := range ids {
			ids[i] = r.Uint32N(groups)
			of.out.Null[i] = r.IntN(7) == 0
			d := apd.New(r.Int64N(pow10[1+r.IntN(18)])-r.Int64N(pow10[1+r.IntN(18)]), -int32(r.IntN(min(chunk/3+1, 19))))
			if r.IntN(40) == 0 {
				d.Exponent = 9
			}
			of.out.setDecimal(i, d)
			if !of.out.Null[i] {
				add(&want[ids[i]], d)
			}
		}
		if err := parts[chunk%2].update(&Chunk{}, ids, groups); err != nil {
			t.Fatal(err)
		}
	}
	for g := range to {
		to[g] = uint32(groups - 1 - g)
	}
	all := &sums{at: 3}
	for _, part := range parts {
		if err := all.merge(part, to, groups); err != nil {
			t.Fatal(err)
		}
	}
	for g := range want {
		total := all.total(groups - 1 - g)
		if want[g].Cmp(total) != 0 || want[g].Exponent != total.Exponent {
			t.Errorf("group %d is %s, want %s", g, total, &want[g])
		}
	}
}

// TestNumbersAreComparedByValue compares numbers of all sizes and scales.
func TestNumbersAreComparedByValue(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	a, b := Column{Kind: Number}, Column{Kind: Number}
	a.reset(1)
	b.reset(1)
	for range 20_000 {
		x := apd.New(r.Int64N(pow10[1+r.IntN(18)])-r.Int64N(pow10[1+r.IntN(18)]), -int32(r.IntN(19)))
		y := apd.New(x.Coeff.Int64()/pow10[r.IntN(3)]*int64(1-2*r.IntN(2)), x.Exponent+int32(r.IntN(3)))
		a.setDecimal(0, x)
		b.setDecimal(0, y)
		if got, want := compareNumbers(&a, 0, &b, 0), x.Cmp(y); got != want {
			t.Fatalf("%s against %s is %d, want %d", x, y, got, want)
		}
	}
}
