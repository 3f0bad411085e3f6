package access

import (
	"math/big"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/dynasql/dynasql/connector/schema"
)

func FuzzCompareNumbers(f *testing.F) {
	for _, s := range []string{"0", "-0", "1", "-1", "9", "10", "-9", "-10", "1.5", "1.50", "0.001", "-0.001", "00042", "42",
		"10200000000000001", "10200000000000000", "1234567890123.12345678901234567890"} {
		f.Add(s, "1")
		f.Add(s, "-1.25")
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		x, okA := rational(a)
		y, okB := rational(b)
		if !okA || !okB {
			t.Skip()
		}
		if got, want := compareNumbers(a, b), x.Cmp(y); (got > 0) != (want > 0) || (got < 0) != (want < 0) {
			t.Errorf("compareNumbers(%q, %q) = %d, want %d", a, b, got, want)
		}
	})
}

// rational reads plain decimal text; a zero has no sign in it.
func rational(s string) (*big.Rat, bool) {
	digits := strings.TrimPrefix(s, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	if whole == "" || strings.Trim(whole+fraction, "0123456789") != "" {
		return nil, false
	}
	r, ok := new(big.Rat).SetString(s)
	return r, ok && !(r.Sign() == 0 && digits != s)
}

func TestSendable(t *testing.T) {
	nines := strings.Repeat("9", 38)
	for _, tt := range []struct {
		v    schema.Scalar
		want bool
	}{
		{schema.Num(nines), true},
		{schema.Num("-" + nines), true},
		{schema.Num(nines + "9"), false},
		{schema.Num(nines + "0"), true},
		{schema.Num("0." + nines), true},
		{schema.Num("0.1" + nines), false},
		{schema.Num("1" + strings.Repeat("0", 125)), true},
		{schema.Num("1" + strings.Repeat("0", 126)), false},
		{schema.Num("0." + strings.Repeat("0", 129) + "1"), true},
		{schema.Num("0." + strings.Repeat("0", 130) + "1"), false},
		{schema.Num("0"), true},
		{schema.Str("é"), true},
		{schema.Str("\xff"), false},
		{schema.Scalar{Kind: schema.B, Text: "\xff"}, true},
	} {
		if got := sendable(tt.v); got != tt.want {
			t.Errorf("sendable(%v) = %v, want %v", tt.v, got, tt.want)
		}
	}
	long := strings.Repeat("x", 1024)
	if !sendableKey(schema.Str(long), maxSortBytes) || sendableKey(schema.Str(long+"x"), maxSortBytes) {
		t.Error("a sort key has at most 1024 bytes")
	}
	if sendableKey(schema.Str(""), maxSortBytes) {
		t.Error("a key is never empty")
	}
}

func FuzzAfterPrefix(f *testing.F) {
	for _, p := range []string{"a", "A#", "\uD7FF", "a\U0010FFFF", "\U0010FFFF\U0010FFFF", "é", "\x7f", "\u07ff", "\uffff", ""} {
		f.Add(p, "x")
		f.Add(p, "\U0010FFFF\U0010FFFF")
	}
	f.Fuzz(func(t *testing.T, p, rest string) {
		if !utf8.ValidString(p) || !utf8.ValidString(rest) {
			t.Skip()
		}
		after, ok := afterPrefix(p)
		if !ok {
			if strings.Trim(p, "\U0010FFFF") != "" {
				t.Errorf("nothing after %q", p)
			}
			return
		}
		if !utf8.ValidString(after) || after <= p+rest {
			t.Errorf("afterPrefix(%q) = %q, which is not above %q", p, after, p+rest)
		}
		// The least such string: whatever is above all strings with the prefix
		// and below it does not exist, so rest with another prefix is not between.
		if rest > p && rest < after && !strings.HasPrefix(rest, p) {
			t.Errorf("%q is between %q and %q without the prefix", rest, p, after)
		}
	})
}
