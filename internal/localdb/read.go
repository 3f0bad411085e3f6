package localdb

import (
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/localdb/attr"
	"github.com/dynasql/dynasql/internal/localdb/expr"
)

// reading is a Query or a Scan once it is understood: what to read, and what to
// do with it.
type reading struct {
	table      *table
	index      *index    // nil for the table itself
	startKey   attr.Form // "" to start at the beginning
	span       span
	reverse    bool
	limit      int // items evaluated, 0 for no limit
	consistent bool
	whole      bool // each entry of a local index is read from the table too
	filter     *expr.Condition
	projection *expr.Projection
	countOnly  bool
	capacity   types.ReturnConsumedCapacity
}

// page is the answer to a reading.
type page struct {
	Count            int32
	ScannedCount     int32
	Items            []attr.Form // nil when only counts were asked for
	LastEvaluatedKey attr.Form   // "" when the reading is over
	ConsumedCapacity *types.ConsumedCapacity
}

// useIndex checks that an index can give what is asked of it, and tells the
// reading when items must be read whole.
func (r *reading) useIndex(name string, mode types.Select, now time.Time) error {
	x := r.index
	if x == nil {
		return invalid("The table does not have the specified index: %s", name)
	}
	if x.global && r.consistent {
		return invalid("Consistent reads are not supported on global secondary indexes")
	}
	switch x.state.at(now) {
	case types.TableStatusCreating:
		return invalid("Cannot read from backfilling global secondary index: %s", name)
	case types.TableStatusDeleting:
		return invalid("The table does not have the specified index: %s", name)
	}
	if mode == types.SelectAllAttributes && x.held != nil {
		if x.global {
			return invalidValue("Select type ALL_ATTRIBUTES is not supported for global secondary index %s because its projection type is not ALL", name)
		}
		r.whole = true
	}
	if r.projection == nil {
		return nil
	}
	for _, p := range r.projection.Paths() {
		if x.holds(p[0].Name) {
			continue
		}
		if x.global {
			return invalidValue("Global secondary index %s does not project [%s]", name, p[0].Name)
		}
		r.whole = true
	}
	return nil
}

// key is the key by which the reading goes.
func (r *reading) key() keySchema {
	if r.index != nil {
		return r.index.key
	}
	return r.table.key
}

// keyNames are the sorted attributes of LastEvaluatedKey and ExclusiveStartKey.
func (r *reading) keyNames() []string { return keyNames(r.table.key, r.key(), nil) }

// start is the position of the ExclusiveStartKey.
func (r *reading) start() (position, error) {
	key := r.startKey
	if key.Len() != len(r.keyNames()) {
		return position{}, invalid("The provided starting key is invalid: The provided key element does not match the schema")
	}
	for _, k := range []keySchema{r.key(), r.table.key} {
		if err := k.checkKeyParts(key); err != nil {
			return position{}, invalid("The provided starting key is invalid: %s", asAPIError(err).message)
		}
	}
	if r.index == nil {
		return r.table.key.tablePosition(key), nil
	}
	p, _ := r.index.key.indexPosition(r.table.key, key)
	return p, nil
}

// resume narrows the span to what lies behind p in the reading's direction.
func (r *reading) resume(p position) {
	if r.reverse {
		r.span.to, r.span.unbounded = p, false
		return
	}
	r.span.from = p.after()
}

// harvest is what a page reads before filter and projection.
type harvest struct {
	items   []attr.Form
	last    attr.Form // the last item or entry read
	full    bool      // the page ended at the limit or at its size
	bytes   int       // of the items, or of the entries of an index
	fetched float64
}

// collect reads one page. It holds the table's lock only while it gathers
// references to items, which never change.
func (s *Store) collect(r *reading) (harvest, charge, error) {
	t := r.table
	t.mu.RLock()
	defer t.mu.RUnlock()
	from := t.items
	if r.index != nil {
		from = r.index.entries
	}
	if err := s.passRead(t, r.index, r.span.from.hash); err != nil {
		return harvest{}, charge{}, err
	}
	h := harvest{items: []attr.Form{}}
	from.walk(r.span, r.reverse, func(rec record) bool {
		h.last = rec.item
		h.bytes += rec.item.Size()
		item := rec.item
		if r.whole {
			item = t.fetch(item)
			h.fetched += readUnits(item.Size(), r.consistent)
		}
		h.items = append(h.items, item)
		h.full = len(h.items) == r.limit || h.bytes >= s.opts.PageBytes
		return !h.full
	})
	var cost charge
	if !s.opts.FreeReads {
		cost = r.cost(h)
	}
	s.takeRead(t, r.index, r.span.from.hash, cost.total())
	return h, cost, nil
}

// fetch is the item of the table behind an entry of a local index.
func (t *table) fetch(entry attr.Form) attr.Form {
	if item := t.items.get(t.key.tablePosition(entry)); item != "" {
		return item
	}
	return entry
}

func (r *reading) cost(h harvest) charge {
	units := readUnits(h.bytes, r.consistent)
	if r.index == nil {
		return charge{table: units}
	}
	c := charge{table: h.fetched}
	c.add(r.index, units)
	return c
}

// read reads a page and applies filter and projection to it.
func (s *Store) read(r *reading) (*page, error) {
	h, cost, err := s.collect(r)
	if err != nil {
		return nil, err
	}
	p := &page{ScannedCount: int32(len(h.items)), ConsumedCapacity: cost.report(r.capacity, r.table.name)}
	if h.full {
		p.LastEvaluatedKey = attr.Form(h.last.Select(nil, r.keyNames()))
	}
	items := h.items
	if r.filter != nil {
		items = slices.DeleteFunc(items, func(item attr.Form) bool { return !r.filter.Match(item) })
	}
	p.Count = int32(len(items))
	if !r.countOnly {
		p.Items = project(items, r.projection)
	}
	return p, nil
}

// project replaces items by their projections, which share one allocation.
func project(items []attr.Form, p *expr.Projection) []attr.Form {
	if p == nil {
		return items
	}
	var all []byte
	ends := make([]int, len(items))
	for i, item := range items {
		all = p.Apply(all, item)
		ends[i] = len(all)
	}
	form, start := attr.Form(all), 0
	for i, end := range ends {
		items[i] = form[start:end]
		start = end
	}
	return items
}
