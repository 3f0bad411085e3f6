package localdb

import (
	"slices"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/localdb/attr"
)

// lifecycle is the state of a table or of a global index. A passing state ends
// by itself at a time, so that the store needs no goroutine of its own.
type lifecycle struct {
	phase types.TableStatus
	until time.Time
}

var active = lifecycle{phase: types.TableStatusActive}

// at is the state at a time, and "" once a deletion is over.
func (l lifecycle) at(now time.Time) types.TableStatus {
	switch {
	case l.phase == types.TableStatusActive || now.Before(l.until):
		return l.phase
	case l.phase == types.TableStatusDeleting:
		return ""
	}
	return types.TableStatusActive
}

// table is one table with its items and indexes.
type table struct {
	name string
	key  keySchema
	tags []types.Tag
	lag  time.Duration // of global indexes

	mu      sync.RWMutex // guards everything below
	state   lifecycle
	about   types.TableDescription // all but status, counts and indexes; what it points to is replaced, never changed
	items   *tree
	indexes []*index
	reads   meter
	writes  meter
}

// index is a secondary index; its entries hold the projected items.
type index struct {
	name    string
	global  bool
	key     keySchema
	held    []string // sorted names of the attributes it holds; nil for all
	state   lifecycle
	about   types.GlobalSecondaryIndexDescription // of a local index too; as that of a table
	entries *tree
	lagging []change // not visible yet, in order of their times
	reads   meter
	writes  meter
}

// onDemand tells that nothing is provisioned. The caller holds the lock.
func (t *table) onDemand() bool {
	b := t.about.BillingModeSummary
	return b != nil && b.BillingMode == types.BillingModePayPerRequest
}

// change is one change of an index: a removal, then an insertion, each optional.
type change struct {
	due    time.Time
	remove *position
	put    *record
}

func (x *index) apply(c change) {
	if c.remove != nil {
		x.entries.remove(*c.remove)
	}
	if c.put != nil {
		x.entries.put(*c.put)
	}
}

// entry is what an index holds of an item, or false if the item is not in it.
func (x *index) entry(base keySchema, item attr.Form) (record, bool) {
	p, ok := x.key.indexPosition(base, item)
	if !ok {
		return record{}, false
	}
	if x.held != nil {
		item = attr.Form(item.Select(nil, x.held))
	}
	return record{p, item}, true
}

// heldNames are the sorted attributes of an index with a projection over a
// table, or nil if it holds all of them.
func heldNames(base, own keySchema, p *types.Projection) []string {
	if p.ProjectionType == types.ProjectionTypeAll {
		return nil
	}
	return keyNames(base, own, p.NonKeyAttributes)
}

// holds tells whether the index has an attribute of the items in it.
func (x *index) holds(name string) bool {
	if x.held == nil {
		return true
	}
	_, ok := slices.BinarySearch(x.held, name)
	return ok
}

// index finds a secondary index that is not being deleted.
func (t *table) index(name string, now time.Time) *index {
	for _, x := range t.indexes {
		if x.name == name && x.state.at(now) != "" {
			return x
		}
	}
	return nil
}

// settle drops indexes whose deletion is over and makes lagging changes of
// global indexes visible. It takes the lock only when there is something to do.
func (t *table) settle(now time.Time) {
	t.mu.RLock()
	due := slices.ContainsFunc(t.indexes, func(x *index) bool {
		return x.state.at(now) == "" || len(x.lagging) > 0 && !now.Before(x.lagging[0].due)
	})
	t.mu.RUnlock()
	if !due {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.indexes = slices.DeleteFunc(t.indexes, func(x *index) bool { return x.state.at(now) == "" })
	t.about.AttributeDefinitions = slices.DeleteFunc(slices.Clone(t.about.AttributeDefinitions), func(d types.AttributeDefinition) bool { return !t.keyed(*d.AttributeName) })
	for _, x := range t.indexes {
		n := 0
		for n < len(x.lagging) && !now.Before(x.lagging[n].due) {
			x.apply(x.lagging[n])
			n++
		}
		x.lagging = slices.Delete(x.lagging, 0, n)
	}
}

// replace stores next at p, or deletes the item there if next is "", keeps the
// indexes in step and gives the item that was there and what the write costs.
// The caller holds the lock.
func (t *table) replace(p position, next attr.Form, now time.Time) (old attr.Form, cost charge) {
	if next == "" {
		old = t.items.remove(p)
	} else {
		old = t.items.put(record{p, next})
	}
	cost.table = max(writeUnits(old), writeUnits(next), 1)
	for _, x := range t.indexes {
		cost.add(x, t.reindex(x, old, next, now))
	}
	return old, cost
}

// reindex moves an index from an old to a next item, either of which may be
// "", and gives the write units of it: none if the entry stays the same.
func (t *table) reindex(x *index, old, next attr.Form, now time.Time) float64 {
	was, wasIn := x.entry(t.key, old)
	is, isIn := x.entry(t.key, next)
	if !wasIn && !isIn || wasIn && isIn && was.item == is.item {
		return 0
	}
	c := change{due: now.Add(t.lag)}
	units := 0.0
	moved := wasIn && (!isIn || was.position != is.position)
	if moved {
		c.remove = &was.position
		units += writeUnits(was.item)
	}
	if isIn {
		c.put = &is
		units += max(writeUnits(is.item), 1)
		if wasIn && !moved {
			units = max(writeUnits(was.item), writeUnits(is.item))
		}
	}
	if x.global && t.lag > 0 {
		x.lagging = append(x.lagging, c)
	} else {
		x.apply(c)
	}
	return units
}

// fill enters the items of the table into a new index.
func (t *table) fill(x *index) {
	t.items.records.Scan(func(r record) bool {
		if e, ok := x.entry(t.key, r.item); ok {
			x.entries.put(e)
		}
		return true
	})
}

// keyed tells whether an attribute is part of the key of the table or of an index.
func (t *table) keyed(name string) bool {
	return t.key.has(name) || slices.ContainsFunc(t.indexes, func(x *index) bool { return x.key.has(name) })
}

// hasLocalIndex tells whether items of one hash key form an item collection.
func (t *table) hasLocalIndex() bool {
	return slices.ContainsFunc(t.indexes, func(x *index) bool { return !x.global })
}
