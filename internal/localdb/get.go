package localdb

import (
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/ddb"
	"github.com/dynasql/dynasql/internal/localdb/attr"
	"github.com/dynasql/dynasql/internal/localdb/expr"
)

// found is the answer to a GetItem; Item is "" if there is none.
type found struct {
	Item             attr.Form
	ConsumedCapacity *types.ConsumedCapacity
}

func (s *Store) getItem(in *ddb.GetItemInput) (*found, error) {
	if err := checkGet(in); err != nil {
		return nil, err
	}
	key, err := attr.FromSDK(in.Key)
	if err != nil {
		return nil, err
	}
	projection, err := soleProjection(in.ProjectionExpression, in.AttributesToGet, in.ExpressionAttributeNames)
	if err != nil {
		return nil, err
	}
	t, err := s.open(in.TableName)
	if err != nil {
		return nil, err
	}
	if err := t.checkGet(key, projection); err != nil {
		return nil, err
	}
	item, cost, err := s.get(t, t.key.tablePosition(key), isTrue(in.ConsistentRead))
	if err != nil {
		return nil, err
	}
	if item != "" && projection != nil {
		item = attr.Form(projection.Apply(nil, item))
	}
	return &found{item, cost.report(in.ReturnConsumedCapacity, t.name)}, nil
}

func checkGet(in *ddb.GetItemInput) error {
	if err := checkTable(in.TableName); err != nil {
		return err
	}
	var c constraints
	enum(&c, in.ReturnConsumedCapacity, "returnConsumedCapacity")
	c.notNull(in.Key != nil, "key")
	c.attributesToGet(in.AttributesToGet)
	return c.err()
}

// soleProjection checks and compiles the only expression of a request.
func soleProjection(expression *string, attributes []string, names map[string]string) (*expr.Projection, error) {
	err := checkMixed(names, nil, []parameter{{"ProjectionExpression", expression != nil}}, []parameter{{"AttributesToGet", attributes != nil}})
	if err != nil {
		return nil, err
	}
	env, err := newEnv(names, nil)
	if err != nil {
		return nil, err
	}
	p, err := parseProjection(expression, attributes, env)
	if err != nil {
		return nil, err
	}
	return p, env.Unused()
}

func (t *table) checkGet(key attr.Form, projection *expr.Projection) error {
	if err := t.key.checkKey(key); err != nil {
		return err
	}
	if projection == nil {
		return nil
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.checkKeyPaths(projection.Paths())
}

// get reads one item, "" if there is none.
func (s *Store) get(t *table, p position, consistent bool) (attr.Form, charge, error) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if err := s.passRead(t, nil, p.hash); err != nil {
		return "", charge{}, err
	}
	item := t.items.get(p)
	var cost charge
	if !s.opts.FreeReads {
		cost.table = readUnits(item.Size(), consistent)
	}
	s.takeRead(t, nil, p.hash, cost.table)
	return item, cost, nil
}

// Limits of the service on a batch.
const (
	maxBatchKeys      = 100
	maxBatchWrites    = 25
	maxBatchBytes     = 16 << 20
	maxPartitionBytes = 1 << 20 // that a BatchGetItem reads of one partition
)

// gathered is the answer to a BatchGetItem.
type gathered struct {
	Responses        map[string][]attr.Form
	UnprocessedKeys  map[string]types.KeysAndAttributes
	ConsumedCapacity []types.ConsumedCapacity
}

// want is what a BatchGetItem wants of one table.
type want struct {
	table      *table
	request    types.KeysAndAttributes
	keys       []attr.Form
	projection *expr.Projection
}

func (s *Store) batchGetItem(in *ddb.BatchGetItemInput) (*gathered, error) {
	if err := checkBatchGet(in); err != nil {
		return nil, err
	}
	var wants []want
	for _, name := range slices.Sorted(maps.Keys(in.RequestItems)) {
		w, err := newWant(in.RequestItems[name])
		if err != nil {
			return nil, err
		}
		wants = append(wants, w)
	}
	for i, name := range slices.Sorted(maps.Keys(in.RequestItems)) {
		if err := s.aimAt(&wants[i], name); err != nil {
			return nil, err
		}
	}
	g := gathering{
		gathered: gathered{Responses: map[string][]attr.Form{}, UnprocessedKeys: map[string]types.KeysAndAttributes{}},
		mode:     in.ReturnConsumedCapacity,
	}
	for _, w := range wants {
		s.gather(&g, w)
	}
	if g.read == 0 && g.refusal != nil { // only if nothing at all could be read for throttling
		return nil, g.refusal
	}
	return &g.gathered, nil
}

func checkBatchGet(in *ddb.BatchGetItemInput) error {
	if len(in.RequestItems) == 0 {
		return invalid("The requestItems parameter is required for BatchGetItem")
	}
	var c constraints
	enum(&c, in.ReturnConsumedCapacity, "returnConsumedCapacity")
	total := 0
	for _, name := range slices.Sorted(maps.Keys(in.RequestItems)) {
		k := in.RequestItems[name]
		total += len(k.Keys)
		c.notNull(k.Keys != nil, "requestItems."+name+".member.keys")
		if k.Keys != nil && len(k.Keys) == 0 {
			c.length(0, 1, maxBatchKeys, quote("[]"), "requestItems."+name+".member.keys")
		}
		if len(k.Keys) > maxBatchKeys {
			c.found = append(c.found, "Value at 'RequestItems."+name+".member.Keys' failed to satisfy constraint: Member must have length less than or equal to 100")
		}
		c.attributesToGet(k.AttributesToGet)
	}
	if err := c.err(); err != nil {
		return err
	}
	if total > maxBatchKeys {
		return invalid("Too many items requested for the BatchGetItem call")
	}
	return nil
}

// newWant reads what a request wants of a table, whose name does not matter yet.
func newWant(k types.KeysAndAttributes) (w want, err error) {
	w.request = k
	if w.projection, err = soleProjection(k.ProjectionExpression, k.AttributesToGet, k.ExpressionAttributeNames); err != nil {
		return w, err
	}
	for _, sdk := range k.Keys {
		key, err := attr.FromSDK(sdk)
		if err != nil {
			return w, err
		}
		if slices.Contains(w.keys, key) {
			return w, invalid("Provided list of item keys contains duplicates")
		}
		w.keys = append(w.keys, key)
	}
	return w, nil
}

func (s *Store) aimAt(w *want, name string) (err error) {
	if w.table, err = s.open(&name); err != nil {
		return err
	}
	for _, key := range w.keys {
		if err := w.table.checkGet(key, w.projection); err != nil {
			return err
		}
	}
	return nil
}

// gathering is one BatchGetItem at work.
type gathering struct {
	gathered
	mode    types.ReturnConsumedCapacity
	bytes   int // read so far
	read    int // keys read so far
	refusal error
}

// gather reads the wanted items of a table. What goes beyond the limits on
// bytes, or is throttled, comes back as unprocessed.
func (s *Store) gather(g *gathering, w want) {
	var sum charge
	items := []attr.Form{}
	rest := w.request
	rest.Keys = nil
	count := w.table.countPartitions()
	partitions := make([]int, count) // bytes read by partition
	for i, key := range w.keys {
		p := w.table.key.tablePosition(key)
		read := &partitions[partitionOf(p.hash, count)]
		if g.bytes >= maxBatchBytes || *read >= maxPartitionBytes {
			rest.Keys = append(rest.Keys, w.request.Keys[i])
			continue
		}
		item, cost, err := s.get(w.table, p, isTrue(w.request.ConsistentRead))
		if err != nil {
			g.refusal = err
			rest.Keys = append(rest.Keys, w.request.Keys[i])
			continue
		}
		g.read++
		sum.merge(cost)
		g.bytes += item.Size()
		*read += item.Size()
		if item != "" {
			items = append(items, item)
		}
	}
	g.Responses[w.table.name] = project(items, w.projection)
	if rest.Keys != nil {
		g.UnprocessedKeys[w.table.name] = rest
	}
	if r := sum.report(g.mode, w.table.name); r != nil {
		g.ConsumedCapacity = append(g.ConsumedCapacity, *r)
	}
}
