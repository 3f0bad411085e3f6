package exec

import "slices"

// An arena has pieces of bytes, which do not move when others come.
type arena struct {
	blocks [][]byte
	bytes  int // of all blocks
}

// arenaBlock is how many bytes a block has, unless one piece is longer.
const arenaBlock = 256 << 10

// add copies a piece, and another one right behind it, and returns its place.
func (a *arena) add(piece, behind []byte) uint64 {
	last := len(a.blocks) - 1
	if size := len(piece) + len(behind); last < 0 || cap(a.blocks[last])-len(a.blocks[last]) < size {
		block := make([]byte, 0, max(min(arenaBlock, 2*a.bytes), size, 512))
		a.blocks, a.bytes, last = append(a.blocks, block), a.bytes+cap(block), last+1
	}
	block := a.blocks[last]
	a.blocks[last] = append(append(block, piece...), behind...)
	return uint64(last)<<32 | uint64(len(block))
}

// at is the piece of a size at a place.
func (a *arena) at(place uint64, size uint32) []byte {
	from := uint64(uint32(place))
	return a.blocks[place>>32][from : from+uint64(size)]
}

// behind begins with the piece behind that of a size at a place.
func (a *arena) behind(place uint64, size uint32) []byte {
	return a.blocks[place>>32][uint32(place)+size:]
}

// doubled makes room for one more element: where there is none, for twice as many.
func doubled[E any](list []E) []E {
	if len(list) == cap(list) {
		return slices.Grow(list, max(len(list), 64))
	}
	return list
}
