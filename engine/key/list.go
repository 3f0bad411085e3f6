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

// AddTexts adds each text of a column as AppendText writes it, or the empty key where
// there is a NULL.
func (l *List) AddTexts(texts [][]byte, null []bool) {
	for i, text := range texts {
		if null[i] {
			l.Add(l.data)
			continue
		}
		if n := len(text); n <= mostShort-5 {
			l.addShort(packText(text).behind(value|uint64(n)<<8, 5))
			continue
		}
		l.Add(AppendText(l.data, text))
	}
}

// AddLasts adds each text of a column as AppendLast writes it, or the key of a NULL.
func (l *List) AddLasts(texts [][]byte, nulls []bool) {
	for i, text := range texts {
		if nulls[i] {
			l.Add(append(l.data, null))
			continue
		}
		if len(text) < mostShort {
			l.addShort(packText(text).behind(value, 1))
			continue
		}
		l.Add(AppendLast(l.data, text))
	}
}

func (l *List) addShort(p packed) {
	l.keys, l.hashes = append(l.keys, p), append(l.hashes, p.hashShort())
}

// AppendLast writes a text that is the last value of a key, and thus needs no length.
func AppendLast(dst, text []byte) []byte { return append(append(dst, value), text...) }

// Key is the i-th key. It is valid until the next call.
func (l *List) Key(i int) []byte { return l.keys[i].bytes(l.data, &l.short) }

// Hash is the hash of the i-th key.
func (l *List) Hash(i int) uint64 { return l.hashes[i] }
