package connector

import "github.com/dolthub/go-mysql-server/sql"

// A KeyCollector takes the left rows of a reduced join while they are held back.
type KeyCollector struct{ of *reduction }

// CollectsKeys reports whether a node holds the left rows of a join back for
// their keys, and returns the node below it and a new collector of its keys, which
// takes the place of the node. A join under a LIMIT takes its left rows in steps
// instead.
func CollectsKeys(n sql.Node) (child sql.Node, keys func() *KeyCollector, ok bool) {
	k, ok := n.(*keyed)
	if !ok || k.reduction.goal > 0 {
		return nil, nil, false
	}
	return k.child, k.reduction.collector, true
}

func (d *reduction) collector() *KeyCollector {
	d.reset()
	d.spent = 0
	return &KeyCollector{d}
}

// Wants reports whether more rows are worth being held back.
func (k *KeyCollector) Wants() bool { return !k.of.enough() }

// Add takes a row, which stands behind those around the join. It reports false
// if the right side cannot be read by keys.
func (k *KeyCollector) Add(ctx *sql.Context, row sql.Row) (bool, error) {
	return k.of.add(ctx, row)
}

// End says that every left row has been taken.
func (k *KeyCollector) End() { k.of.complete = true }
