package key

// A List has some keys, and their hashes. The zero value is empty. It belongs to one
// goroutine.
type List struct {
	keys   []packed
	hashes []uint64
	data   []byte // of keys that are not short
	others []int32
	short  [mostShort]byte
}

// Reset drops all keys.
func (l *List) Reset() { l.keys, l.hashes, l.data = l.keys[:0], l.hashes[:0], l.data[:0] }

// Len is the number of keys.
func (l *List) Len() int { return len(l.keys) }

// Bytes are what the next key may be written behind, for Add.
func (l *List) Bytes() []byte { return l.data }

// Add takes Bytes with the next key behind them.
func (l *List) Add(data []byte) {
	k := data[len(l.data):]
	p := pack(k)
	if !p.isShort() {
		p.low = uint64(len(l.data))
		l.data = data
	} else {
		l.data = data[:len(l.data)]
	}
	l.keys, l.hashes = append(l.keys, p), append(l.hashes, p.hash(k))
}

// addBehind adds a key of a text with bytes before it, as many as bits / 8. It
// reports false if that is not short.
func (l *List) addBehind(before uint64, bits int, text []byte) bool {
	p := pack(text)
	if !p.isShort() {
		return false
	}
	p, ok := p.behind(before, bits)
	if ok {
		l.keys, l.hashes = append(l.keys, p), append(l.hashes, p.hash(nil))
	}
	return ok
}

// AddText adds a text as AppendText writes it.
func (l *List) AddText(text []byte) {
	if !l.addBehind(value|uint64(len(text))<<8, 40, text) {
		l.Add(AppendText(l.data, text))
	}
}

// AddLast adds a text as AppendLast writes it.
func (l *List) AddLast(text []byte) {
	if !l.addBehind(value, 8, text) {
		l.Add(AppendLast(l.data, text))
	}
}

// AppendLast writes a text that is the last value of a key, and thus needs no length.
func AppendLast(dst, text []byte) []byte { return append(append(dst, value), text...) }

// Key is the i-th key. It is valid until the next call.
func (l *List) Key(i int) []byte { return l.keys[i].bytes(l.data, &l.short) }

// Hash is the hash of the i-th key.
func (l *List) Hash(i int) uint64 { return l.hashes[i] }
