package repl

import (
	"bytes"
	"io"
)

// keys is what the keyboard sends, made fit for the line editor: within a paste
// that the terminal marks, tabs are spaces (Tab would complete) and the marks
// are gone; Home, End and word keys of terminals that send other sequences than
// the editor knows are translated.
type keys struct {
	r       io.Reader
	pending []byte // read but not yet given out; already translated up to done
	pasting bool
	rest    []byte // the start of a sequence whose end was not read yet
}

func newKeys(r io.Reader) *keys { return &keys{r: r} }

var keySequences = []struct{ from, to string }{
	{"\x1b[1~", "\x1b[H"}, {"\x1b[7~", "\x1b[H"},
	{"\x1b[4~", "\x1b[F"}, {"\x1b[8~", "\x1b[F"},
	{"\x1b[1;5C", "\x1bf"}, {"\x1b[1;5D", "\x1bb"}, {"\x1b[1;3C", "\x1bf"}, {"\x1b[1;3D", "\x1bb"},
	{pasteBegin, ""}, {pasteEnd, ""},
}

const (
	pasteBegin = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

func (k *keys) Read(p []byte) (int, error) {
	for len(k.pending) == 0 {
		buf := make([]byte, 4096)
		n, err := k.r.Read(buf)
		if n == 0 && err != nil {
			k.pending, k.rest = append(k.pending, k.rest...), nil
			if len(k.pending) == 0 {
				return 0, err
			}
			break
		}
		k.translate(append(k.rest, buf[:n]...))
	}
	n := copy(p, k.pending)
	k.pending = k.pending[n:]
	return n, nil
}

// translate moves bytes to pending. A sequence that may go on stays in rest,
// but a lone escape does not: it may be the key.
func (k *keys) translate(b []byte) {
	k.rest = nil
	for len(b) > 0 {
		if b[0] == 0x1b {
			n, partial := k.sequence(b)
			if partial {
				k.rest = append([]byte(nil), b...)
				return
			}
			if n > 0 {
				b = b[n:]
				continue
			}
		}
		c := b[0]
		if k.pasting && c == '\t' {
			c = ' '
		}
		k.pending = append(k.pending, c)
		b = b[1:]
	}
}

// sequence handles a known sequence at the start of b and returns its length.
func (k *keys) sequence(b []byte) (n int, partial bool) {
	for _, s := range keySequences {
		if bytes.HasPrefix(b, []byte(s.from)) {
			k.pasting = s.from == pasteBegin || k.pasting && s.from != pasteEnd
			k.pending = append(k.pending, s.to...)
			return len(s.from), false
		}
		if len(b) > 2 && len(b) < len(s.from) && bytes.HasPrefix([]byte(s.from), b) {
			partial = true
		}
	}
	return 0, partial
}
