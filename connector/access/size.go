package access

// Limits of the service on one expression, and the most bytes of constants that
// a filter gets (of 2 MB that a request may have).
const (
	maxExpression  = 4096
	maxOperators   = 300
	maxFilterBytes = 1 << 20
)

// A size bounds from above what an expression takes.
type size struct{ chars, operators, valueBytes int }

func (s size) plus(t size) size {
	return size{s.chars + t.chars, s.operators + t.operators, s.valueBytes + t.valueBytes}
}

func (s size) fits() bool {
	return s.chars <= maxExpression && s.operators <= maxOperators && s.valueBytes <= maxFilterBytes
}

// placeholder is the length of "#n999" or ":v999" and a separator.
const placeholder = 5 + len(", ")

// size counts the expression as Expression writes it.
func (f *Filter) size() size {
	s := size{chars: len("attribute_not_exists()") + f.Path.chars(), operators: 1}
	for _, v := range f.Args {
		s = s.plus(size{chars: placeholder, valueBytes: len(v.Text)})
	}
	if f.Op == TypeIs {
		s.chars += placeholder
	}
	for _, kid := range f.Kids {
		s = s.plus(kid.size()).plus(size{chars: len("() AND "), operators: 1})
	}
	return s
}

func (p Path) chars() int {
	n := placeholder
	for _, e := range p.Elems {
		n += placeholder
		if _, ok := e.(int); ok {
			n += 8
		}
	}
	return n
}
