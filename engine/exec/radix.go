package exec

import "slices"

// radixRows is from how many entries on sorting byte by byte takes less time
// than comparing them.
const radixRows = 1 << 12

// sort sorts entries by their keys; equal ones stay as they come.
func (k *sortKeys) sort(entries []entry) {
	if len(entries) < radixRows {
		slices.SortFunc(entries, k.compare)
		return
	}
	sortByFirst(entries)
	for start := 0; start < len(entries); {
		end, whole := start+1, entries[start].whole
		for ; end < len(entries) && entries[end].first == entries[start].first; end++ {
			whole = whole && entries[end].whole
		}
		if !whole && end > start+1 {
			slices.SortFunc(entries[start:end], k.compare)
		}
		start = end
	}
}

// sortByFirst sorts entries by the first bytes of their keys: by the last byte,
// then the one before and so on, leaving out those that are the same in all.
func sortByFirst(entries []entry) {
	var counts [8][256]int
	for _, e := range entries {
		for b := range counts {
			counts[b][byte(e.first>>(8*b))]++
		}
	}
	from, to := entries, make([]entry, len(entries))
	for b := range counts {
		if counts[b][byte(entries[0].first>>(8*b))] == len(entries) {
			continue
		}
		at := 0
		for v, n := range counts[b] {
			counts[b][v] = at
			at += n
		}
		for _, e := range from {
			v := byte(e.first >> (8 * b))
			to[counts[b][v]] = e
			counts[b][v]++
		}
		from, to = to, from
	}
	if &from[0] != &entries[0] {
		copy(entries, from)
	}
}
