package access

import (
	"fmt"
	"strings"

	"github.com/dynasql/dynasql/connector/schema"
)

// Primary is the name that hints use for the table's own key.
const Primary = "PRIMARY"

// IndexError refuses an index that a statement names. Nothing has been read.
type IndexError struct {
	Table  string
	Index  string
	Why    string
	Remedy string
}

func (e *IndexError) Error() string {
	return fmt.Sprintf("table %q: index %q cannot be used: %s", e.Table, e.Index, e.Why)
}

// Hint says what the user can change.
func (e *IndexError) Hint() string { return e.Remedy }

func unknownIndex(t *schema.Table, name string) error {
	have := make([]string, 0, len(t.Indexes)+1)
	for i := range t.Indexes {
		have = append(have, t.Indexes[i].Name)
	}
	return &IndexError{t.Name, name, "there is no index of that name", "indexes: " + strings.Join(append(have, Primary), ", ")}
}

// indexNamed finds an index as a hint names it: exactly, or else without regard
// to case when that is unique. It returns nil for the table's own key.
func indexNamed(t *schema.Table, name string) (*schema.Index, error) {
	if x, ok := t.Index(name); ok {
		return x, nil
	}
	var found *schema.Index
	for i := range t.Indexes {
		if strings.EqualFold(t.Indexes[i].Name, name) {
			if found != nil {
				return nil, unknownIndex(t, name)
			}
			found = &t.Indexes[i]
		}
	}
	if found == nil && !strings.EqualFold(name, Primary) {
		return nil, unknownIndex(t, name)
	}
	return found, nil
}

// A sparseness says how an index is known to hold all items that are wanted.
type sparseness struct {
	ok  bool
	why string // when not ok, or when it rests on the sample
}

// holdsAll tells whether the index holds every item that satisfies the clause,
// when it is read for a fixed hash key or, with scan, as a whole. An item
// without one of the index's key attributes is not in it.
func (s *binding) holdsAll(req *Request, scan bool) sparseness {
	if s.own {
		return sparseness{ok: true}
	}
	for _, a := range s.key.Attrs() {
		if k, mixed := s.mixed(a); mixed {
			return sparseness{why: fmt.Sprintf("it lacks the items in which %s is %s instead of %s", a.Name, k, a.Kind)}
		}
	}
	if scan && !s.demanded(s.where, s.key.Hash.Name) {
		return sparseness{why: fmt.Sprintf("it lacks the items without %s", s.key.Hash.Name)}
	}
	if !s.key.HasSort() || s.demanded(s.where, s.key.Sort.Name) {
		return sparseness{ok: true}
	}
	return s.sampledWhole(req, scan)
}

// demanded reports whether an item without the attribute is not wanted, or
// cannot be.
func (s *space) demanded(where []Pred, attribute string) bool {
	if s.table.Key.Has(attribute) {
		return true
	}
	for i := range where {
		if where[i].rejectsMissing(attribute, false) {
			return true
		}
	}
	return false
}

// sampledWhole judges by the sample whether items lack the sort key only.
func (s *space) sampledWhole(req *Request, scan bool) sparseness {
	t, name, sort := s.table, s.index.Name, s.key.Sort.Name
	lacks := fmt.Sprintf("it lacks the items without %s, and WHERE does not exclude them", sort)
	without, known := t.SparseSort[name]
	with := seen(t, s.key.Hash)
	switch {
	case scan || req.StrictIndexes || !known || with == 0:
		return sparseness{why: lacks}
	case without > 0:
		return sparseness{why: fmt.Sprintf("%s: %d of the %d sampled items with %s are such", lacks, without, with, s.key.Hash.Name)}
	}
	for i := range req.Where {
		if req.Where[i].asksNull(sort) {
			return sparseness{why: lacks}
		}
	}
	return sparseness{true, fmt.Sprintf("%s holds all items with %s as far as the sample shows: all %d such items have %s",
		name, s.key.Hash.Name, with, sort)}
}

// mixed finds another kind that the sample shows for a key attribute of an
// index: an item older than the index may have one, and then is not in it.
func (s *space) mixed(a schema.Attr) (schema.Kind, bool) {
	if s.table.Key.Has(a.Name) {
		return 0, false
	}
	for i := range s.table.Columns {
		c := &s.table.Columns[i]
		if c.Attribute != a.Name {
			continue
		}
		for k, n := range c.Kinds {
			if k := schema.Kind(k); n > 0 && k != a.Kind && k != schema.Missing && k != schema.Null {
				return k, true
			}
		}
	}
	return 0, false
}

// seen counts the sampled items that hold the key attribute.
func seen(t *schema.Table, a schema.Attr) int {
	for i := range t.Columns {
		if t.Columns[i].Attribute == a.Name {
			return t.Columns[i].Kinds[a.Kind]
		}
	}
	return 0
}
