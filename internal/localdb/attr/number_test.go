package attr

import (
	"bytes"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestParseNumber(t *testing.T) {
	nines := strings.Repeat("9", 38)
	tests := []struct{ in, want string }{
		{"0", "0"}, {"-0", "0"}, {"+7", "7"}, {"00042", "42"}, {"1.0", "1"}, {"3.1400", "3.14"},
		{"1.5E2", "150"}, {"1e-3", "0.001"}, {".5", "0.5"}, {"5.", "5"}, {"-00.10", "-0.1"},
		{"1E125", "1" + strings.Repeat("0", 125)},
		{"1E-130", "0." + strings.Repeat("0", 129) + "1"},
		{"0e125", "0"}, {"0e-130", "0"}, {"0.000", "0"},
		{nines, nines}, {"-" + nines + "E88", "-" + nines + strings.Repeat("0", 88)},
		{"0042.1200", "42.12"}, {strings.Repeat("0", 100) + "1", "1"},
		{"1" + strings.Repeat("0", 100), "1" + strings.Repeat("0", 100)},
	}
	for _, tt := range tests {
		if got, err := ParseNumber(tt.in); err != nil || got != tt.want {
			t.Errorf("ParseNumber(%q) = %q, %v; want %q", tt.in, got, err, tt.want)
		}
	}
}

func TestParseNumberRefuses(t *testing.T) {
	const overflow, underflow = "Number overflow", "Number underflow"
	const unreadable = "The parameter cannot be converted to a numeric value"
	tests := []struct{ in, want string }{
		{"", unreadable}, {"abc", unreadable + ": abc"}, {"1.2.3", unreadable}, {" 1", unreadable}, {"1 ", unreadable},
		{"0x10", unreadable}, {"1e", unreadable}, {"NaN", unreadable}, {"Infinity", unreadable}, {".", unreadable}, {"-", unreadable},
		{"--1", unreadable}, {"1_0", unreadable}, {"1e1_0", unreadable}, {"1e9223372036854775808", unreadable},
		{"1E126", overflow}, {"-1E126", overflow}, {"1e2147483648", overflow}, {"1e9223372036854775807", overflow}, {"0e126", overflow},
		{"1E-131", underflow}, {"0e-131", underflow}, {"1e-99999999999", underflow},
		{strings.Repeat("1", 39), "Attempting to store more than 38 significant digits in a Number"},
	}
	for _, tt := range tests {
		if got, err := ParseNumber(tt.in); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("ParseNumber(%q) = %q, %v; want error %q", tt.in, got, err, tt.want)
		}
	}
}

// Figures as the public conformance suite measured them on the service.
func TestNumberSize(t *testing.T) {
	tests := []struct {
		text string
		want int
	}{
		{"0", 1}, {"1", 2}, {"12", 2}, {"123", 3}, {"1234", 3}, {"12345678901234567890123456789012345678", 20},
		{"0042", 2}, {"100", 2}, {"1010", 3}, {"0.0000001", 2}, {"1E125", 2}, {"1E-100", 2}, {"1.5", 3}, {"15", 2},
		{"1.200", 3}, {"1.234", 4}, {"3.14159", 5}, {"123456", 4}, {"100.5", 4}, {"0.15", 2}, {"-42", 3}, {"-0", 1},
	}
	for _, tt := range tests {
		if got := Encode(map[string]Value{"": number(t, tt.text)}).Size(); got != tt.want {
			t.Errorf("size of %s = %d, want %d", tt.text, got, tt.want)
		}
	}
}

func number(t testing.TB, text string) Value {
	t.Helper()
	n, err := ParseNumber(text)
	if err != nil {
		t.Fatal(err)
	}
	return Scalar(N, n)
}

func rat(t testing.TB, text string) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		t.Fatalf("big.Rat does not read %q", text)
	}
	return r
}

// checkNumberPair holds two number texts against math/big.
func checkNumberPair(t *testing.T, a, b string) {
	x, errA := ParseNumber(a)
	y, errB := ParseNumber(b)
	if errA != nil || errB != nil {
		return
	}
	rx, ry := rat(t, x), rat(t, y)
	if rx.Cmp(rat(t, a)) != 0 {
		t.Fatalf("ParseNumber(%q) = %q", a, x)
	}
	if again, err := ParseNumber(x); err != nil || again != x {
		t.Fatalf("ParseNumber(%q) = %q, %v: not canonical", x, again, err)
	}
	want := rx.Cmp(ry)
	if (want == 0) != (x == y) {
		t.Fatalf("%q and %q: equal %v, texts equal %v", a, b, want == 0, x == y)
	}
	if got := CompareNumbers(x, y); got != want {
		t.Fatalf("CompareNumbers(%q, %q) = %d, want %d", x, y, got, want)
	}
	kx, ky := AppendKey(nil, Scalar(N, x)), AppendKey(nil, Scalar(N, y))
	if got := bytes.Compare(kx, ky); got != want {
		t.Fatalf("keys of %q and %q order %d, want %d", x, y, got, want)
	}
	if want != 0 && (bytes.HasPrefix(kx, ky) || bytes.HasPrefix(ky, kx)) {
		t.Fatalf("key of %q or %q is a prefix of the other", x, y)
	}
	checkSum(t, x, y)
}

func checkSum(t *testing.T, x, y string) {
	for _, op := range []struct {
		got  func(a, b string) (string, error)
		want *big.Rat
	}{
		{AddNumbers, new(big.Rat).Add(rat(t, x), rat(t, y))},
		{SubtractNumbers, new(big.Rat).Sub(rat(t, x), rat(t, y))},
	} {
		got, err := op.got(x, y)
		if err != nil {
			continue // out of range or precision; tested by name
		}
		if rat(t, got).Cmp(op.want) != 0 {
			t.Fatalf("%q with %q = %q, want %s", x, y, got, op.want)
		}
	}
}

func TestNumbersAgainstBig(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		var b strings.Builder
		if r.IntN(2) == 0 {
			b.WriteByte('-')
		}
		for n := r.IntN(20); n >= 0; n-- {
			b.WriteByte(byte('0' + r.IntN(10)*r.IntN(2)))
		}
		if r.IntN(2) == 0 {
			b.WriteByte('.')
			for n := r.IntN(20); n >= 0; n-- {
				b.WriteByte(byte('0' + r.IntN(10)*r.IntN(2)))
			}
		}
		if r.IntN(3) == 0 {
			b.WriteString("E")
			b.WriteString(big.NewInt(int64(r.IntN(60) - 30)).String())
		}
		return b.String()
	}
	for range 20000 {
		checkNumberPair(t, text(), text())
	}
}

func TestAddNumbersRefuses(t *testing.T) {
	tests := []struct{ name, a, b, want string }{
		{"too precise", "1E38", "1E-10", "Attempting to store more than 38"},
		{"too large", "9E125", "9E125", "Number overflow"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := AddNumbers(number(t, tt.a).Text(), number(t, tt.b).Text())
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("sum = %q, %v; want error %q", got, err, tt.want)
			}
		})
	}
}

func FuzzNumber(f *testing.F) {
	f.Add("1", "-1")
	f.Add("0.00100", "1E-3")
	f.Add("99999999999999999999999999999999999999", "1E125")
	f.Add("-1.5e-130", "0")
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a) > 400 || len(b) > 400 {
			return
		}
		checkNumberPair(t, a, b)
	})
}
