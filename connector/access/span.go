package access

import "github.com/dynasql/dynasql/connector/schema"

// A bound is one end of a span; the zero bound is no bound.
type bound struct {
	value schema.Scalar
	set   bool
	open  bool // the value itself is outside
}

// A span is a range of values of one key attribute; the zero span is all.
type span struct{ lo, hi bound }

func pointSpan(v schema.Scalar) span { return span{lo: closed(v), hi: closed(v)} }

func closed(v schema.Scalar) bound { return bound{value: v, set: true} }

func opened(v schema.Scalar) bound { return bound{value: v, set: true, open: true} }

// prefixSpan is the strings that begin with p.
func prefixSpan(p string) span {
	s := span{lo: closed(schema.Str(p))}
	if after, ok := afterPrefix(p); ok {
		s.hi = opened(schema.Str(after))
	}
	return s
}

func (s span) all() bool { return !s.lo.set && !s.hi.set }

func (s span) point() bool {
	return s.lo.set && s.hi.set && !s.lo.open && !s.hi.open && s.lo.value == s.hi.value
}

func (s span) empty() bool {
	if !s.lo.set || !s.hi.set {
		return false
	}
	c := compare(s.lo.value, s.hi.value)
	return c > 0 || c == 0 && (s.lo.open || s.hi.open)
}

// prefix reports whether s is exactly the strings that begin with its lower bound.
func (s span) prefix() bool {
	if !s.lo.set || !s.hi.set || s.lo.open || !s.hi.open || s.lo.value.Kind != schema.S {
		return false
	}
	after, ok := afterPrefix(s.lo.value.Text)
	return ok && after == s.hi.value.Text
}

// compareLo orders lower bounds, no bound first.
func compareLo(a, b bound) int {
	if !a.set || !b.set {
		return truth(a.set) - truth(b.set)
	}
	if c := compare(a.value, b.value); c != 0 {
		return c
	}
	return truth(a.open) - truth(b.open)
}

// compareHi orders upper bounds, no bound last.
func compareHi(a, b bound) int {
	if !a.set || !b.set {
		return truth(b.set) - truth(a.set)
	}
	if c := compare(a.value, b.value); c != 0 {
		return c
	}
	return truth(b.open) - truth(a.open)
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (s span) intersect(t span) span {
	if compareLo(s.lo, t.lo) < 0 {
		s.lo = t.lo
	}
	if compareHi(s.hi, t.hi) > 0 {
		s.hi = t.hi
	}
	return s
}

// hull is the least span that holds both.
func (s span) hull(t span) span {
	if compareLo(s.lo, t.lo) > 0 {
		s.lo = t.lo
	}
	if compareHi(s.hi, t.hi) < 0 {
		s.hi = t.hi
	}
	return s
}

// within reports whether t holds all of s.
func (s span) within(t span) bool {
	return compareLo(s.lo, t.lo) >= 0 && compareHi(s.hi, t.hi) <= 0
}

// joins reports whether t, which does not begin before s, overlaps s or goes on
// where s ends, so that their hull holds nothing else.
func (s span) joins(t span) bool {
	if !s.hi.set || !t.lo.set {
		return true
	}
	c := compare(s.hi.value, t.lo.value)
	return c > 0 || c == 0 && !(s.hi.open && t.lo.open)
}

// condition puts the span as the one condition that a key condition may have on
// a sort key; not ok when it needs none. A key condition has no room for a range
// with two ends of which one is open, unless it is a prefix; then sent, the span
// that the condition selects, is larger by its ends.
func (s span) condition() (cond SortCond, sent span, ok bool) {
	switch {
	case s.all():
		return SortCond{}, s, false
	case s.point():
		return SortCond{Op: Eq, Lo: s.lo.value}, s, true
	case s.prefix():
		return SortCond{Op: Prefix, Lo: s.lo.value}, s, true
	case !s.hi.set:
		return SortCond{Op: openOr(s.lo, Gt, Ge), Lo: s.lo.value}, s, true
	case !s.lo.set:
		return SortCond{Op: openOr(s.hi, Lt, Le), Lo: s.hi.value}, s, true
	}
	sent = span{lo: closed(s.lo.value), hi: closed(s.hi.value)}
	return SortCond{Op: Between, Lo: s.lo.value, Hi: s.hi.value}, sent, true
}

func openOr(b bound, open, closed Op) Op {
	if b.open {
		return open
	}
	return closed
}
