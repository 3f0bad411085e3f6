package exec

// radixRows is from how many entries on sorting byte by byte takes less time
// than comparing them.
const radixRows = 1 << 12

// A prefixed has some bytes of the key by which it is sorted.
type prefixed interface{ bytes() uint64 }

// sortByFirst sorts entries by their bytes: by the last, then the one before and so
// on, leaving out those that are the same in all. Equal entries stay as they come.
func sortByFirst[E prefixed](entries []E) {
	var counts [8][256]int
	for _, e := range entries {
		first := e.bytes()
		for b := range counts {
			counts[b][byte(first>>(8*b))]++
		}
	}
	one := entries[0].bytes()
	from, to := entries, make([]E, len(entries))
	for b := range counts {
		if counts[b][byte(one>>(8*b))] == len(entries) {
			continue
		}
		at := 0
		for v, n := range counts[b] {
			counts[b][v] = at
			at += n
		}
		for _, e := range from {
			v := byte(e.bytes() >> (8 * b))
			to[counts[b][v]] = e
			counts[b][v]++
		}
		from, to = to, from
	}
	if &from[0] != &entries[0] {
		copy(entries, from)
	}
}
