package catalog

import (
	"context"
	"errors"
	"slices"
	"sort"
	"sync"
	"time"

	"github.com/dynasql/dynasql/connector/schema"
)

// An entry is one table's description, made by the first caller.
type entry struct {
	ready chan struct{} // closed when table and err are set
	table *schema.Table
	err   error
	at    time.Time
	// sample is what the table was inferred from, earlier the kinds that samples
	// before it showed, and widened those that statements met later.
	sample  sample
	earlier kindsOf
	widened kindsOf
}

// kindsOf counts kinds of values by attribute.
type kindsOf map[string]schema.Counts

func (k kindsOf) add(attribute string, kind schema.Kind, n int) {
	counts := k[attribute]
	counts[kind] += n
	k[attribute] = counts
}

// Table describes a table by its exact name, from memory when that is young
// enough. Taking the sample reads at most Options.SampleUnits read units, and
// a page more.
func (c *Catalog) Table(ctx context.Context, name string) (*schema.Table, error) {
	return c.serve(ctx, &c.entries, name, c.describe)
}

// Outline describes a table without reading an item: by what is known of it,
// else by its keys and indexes alone, as Table.Described says.
func (c *Catalog) Outline(ctx context.Context, name string) (*schema.Table, error) {
	if t, ok := c.Peek(name); ok {
		return t, nil
	}
	return c.serve(ctx, &c.outlines, name, c.outline)
}

// outlinesAtOnce is how many tables Outlines asks for at the same time.
const outlinesAtOnce = 16

// Outlines makes the outlines of tables that are not known yet, several at the
// same time, so that Outline sends nothing for them. After an error it asks for
// no further ones: Outline will report it.
func (c *Catalog) Outlines(ctx context.Context, names []string) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	next := make(chan string)
	var workers sync.WaitGroup
	for range min(outlinesAtOnce, len(names)) {
		workers.Go(func() {
			for name := range next {
				if _, err := c.Outline(ctx, name); err != nil && !errors.Is(err, ErrNoTable) {
					stop()
				}
			}
		})
	}
	for _, name := range names {
		if ctx.Err() == nil {
			next <- name
		}
	}
	close(next)
	workers.Wait()
}

// serve returns an entry's table; the first caller fills it. The map is one of the
// catalog's, which Forget replaces.
func (c *Catalog) serve(ctx context.Context, from *map[string]*entry, name string, fill func(context.Context, string, *entry) error) (*schema.Table, error) {
	for {
		e, mine := c.entry(from, name)
		if mine {
			e.err = fill(ctx, name, e)
			if e.err != nil {
				c.drop(from, name, e)
			}
			close(e.ready)
			c.changed()
			return e.table, e.err
		}
		select {
		case <-e.ready:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		// The caller that was describing the table may have been cancelled;
		// that is its end, not ours.
		if e.err == nil || !errors.Is(e.err, context.Canceled) && !errors.Is(e.err, context.DeadlineExceeded) {
			return c.current(e)
		}
	}
}

// entry returns the entry of a table, and whether the caller has to fill it. A
// new entry knows what the old one has seen.
func (c *Catalog) entry(from *map[string]*entry, name string) (*entry, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	old, ok := (*from)[name]
	if ok && c.opts.Now().Sub(old.at) < c.opts.TableAge {
		return old, false
	}
	e := &entry{ready: make(chan struct{}), at: c.opts.Now(), earlier: kindsOf{}, widened: kindsOf{}}
	if ok && old.table != nil {
		old.remember(e)
	}
	(*from)[name] = e
	return e, true
}

// remember hands on the kinds that have been seen: a column must not vanish, nor
// become narrower, because another sample does not show what it was for.
func (e *entry) remember(next *entry) {
	for _, kinds := range []kindsOf{e.earlier, e.widened} {
		for name, counts := range kinds {
			for kind, n := range counts {
				next.earlier.add(name, schema.Kind(kind), n)
			}
		}
	}
	for i := range e.table.Columns {
		col := &e.table.Columns[i]
		if col.Attribute == "" || !col.Whole() {
			continue
		}
		for kind, n := range col.Kinds {
			if schema.Kind(kind) != schema.Missing {
				next.earlier.add(col.Attribute, schema.Kind(kind), n)
			}
		}
	}
}

// Peek is Table from memory alone: it sends nothing and does not wait.
func (c *Catalog) Peek(name string) (*schema.Table, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[name]
	if !ok {
		return nil, false
	}
	select {
	case <-e.ready:
		return e.table, e.err == nil
	default:
		return nil, false
	}
}

// Changes counts how often what the catalog knows has changed.
func (c *Catalog) Changes() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.changes
}

func (c *Catalog) changed() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changes++
}

func (c *Catalog) current(e *entry) (*schema.Table, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return e.table, e.err
}

func (c *Catalog) drop(from *map[string]*entry, name string, e *entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if (*from)[name] == e {
		delete(*from, name)
	}
}

// Forget drops what is known of a table, or of all tables for "", so that the
// next use describes and samples it again.
func (c *Catalog) Forget(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.names = nil
	c.changes++
	if name == "" {
		c.entries, c.outlines = map[string]*entry{}, map[string]*entry{}
		return
	}
	delete(c.entries, name)
	delete(c.outlines, name)
}

// Refresh describes and samples a table again, now and from then on with
// samples of that many items; 0 leaves their size. What earlier samples showed
// is forgotten.
func (c *Catalog) Refresh(ctx context.Context, name string, items int) (*schema.Table, error) {
	if items > 0 {
		c.mu.Lock()
		c.items[name] = items
		c.mu.Unlock()
	}
	c.Forget(name)
	return c.Table(ctx, name)
}

// Widen records that an attribute was met with a kind that its column cannot
// hold, so that the next statement sees a column that can.
func (c *Catalog) Widen(name, attribute string, kind schema.Kind) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[name]
	if !ok || e.table == nil {
		return
	}
	e.widened.add(attribute, kind, 1)
	t := *e.table
	var err error
	if t.Columns, err = columns(&t, e, c.pins[name]); err != nil {
		return // the same pins were right before
	}
	e.table = &t
	c.changes++
}

// SetPins replaces what the schema file says, for the statements that follow.
// Nothing is sampled again.
func (c *Catalog) SetPins(pins map[string][]schema.Pin) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	made := map[string]*schema.Table{}
	for name, e := range c.entries {
		if e.table == nil {
			continue
		}
		t := *e.table
		var err error
		if t.Columns, err = columns(&t, e, pins[name]); err != nil {
			return err
		}
		made[name] = &t
	}
	for name, t := range made {
		c.entries[name].table = t
	}
	c.pins, c.outlines = pins, map[string]*entry{}
	c.changes++
	return nil
}

// Pins are what the schema file says of a table.
func (c *Catalog) Pins(name string) []schema.Pin {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pins[name]
}

// PinnedOnly are the tables that the schema file names and that do not exist, in
// byte order. While the tables have not been listed, listed is false.
func (c *Catalog) PinnedOnly() (names []string, listed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for name := range c.pins {
		if !slices.Contains(c.names, name) {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names, c.names != nil
}

// sampleItems is how many items a sample of a table is to have.
func (c *Catalog) sampleItems(name string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := c.items[name]; n > 0 {
		return n
	}
	return c.opts.SampleItems
}
