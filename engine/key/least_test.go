package key

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/dolthub/go-mysql-server/sql/types"
)

// TestLeast wants what is told of a key without making it to be its first bytes, as
// far as they are told, and never above them.
func TestLeast(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	first := func(k []byte) uint64 {
		return binary.BigEndian.Uint64(append(k, 0, 0, 0, 0, 0, 0, 0)[:8])
	}
	for _, descending := range []bool{false, true} {
		numbers, texts := NewOrder(types.Int64, descending), NewOrder(types.LongText, descending)
		if texts.NullLeast() > first(append(texts.AppendNull(nil), 0xff)) {
			t.Error("NULL")
		}
		for range 100_000 {
			n, scale := r.Int64()>>r.IntN(64), uint8(r.IntN(19))
			if r.IntN(2) == 0 {
				n = -n
			}
			want := first(append(numbers.AppendDigits(nil, n, scale), 0xff))
			got := numbers.DigitsLeast(n, scale)
			if got > want || n != 0 && n < 1e18 && n > -1e18 && got != want {
				t.Fatalf("%d / 10^%d, descending %t: %x, want %x", n, scale, descending, got, want)
			}
			text := make([]byte, r.IntN(12))
			for i := range text {
				text[i] = byte(r.IntN(3)) * 100
			}
			want, got = first(append(texts.AppendText(nil, text), 0xff)), texts.TextLeast(text)
			if got > want || len(text) > 6 && text[0]&text[1]&text[2]&text[3]&text[4]&text[5]&text[6] != 0 && got != want {
				t.Fatalf("%q, descending %t: %x, want %x", text, descending, got, want)
			}
		}
	}
}
