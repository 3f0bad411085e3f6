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
	maxBatchKeys       = 100
	maxBatchWrites     = 25
	maxBatchBytes      = 16 << 20
	maxPartitionBytes  = 1 << 20 // that a BatchGetItem reads of one partition
	tooManyBatchKeys   = "Too many items requested for the BatchGetItem call"
	tooManyBatchWrites = "Too many items requested for the BatchWriteItem call"
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
	keys       []position
	projection *expr.Projection
	consistent bool
	partitions int
}

func (s *Store) batchGetItem(in *ddb.BatchGetItemInput) (*gathered, error) {
	if err := checkBatchGet(in); err != nil {
		return nil, err
	}
	var wants []want
	total := 0
	for _, name := range slices.Sorted(maps.Keys(in.RequestItems)) {
		w, err := s.newWant(name, in.RequestItems[name])
		if err != nil {
			return nil, err
		}
		if total += len(w.keys); total > maxBatchKeys {
			return nil, invalid(tooManyBatchKeys)
		}
		wants = append(wants, w)
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
	for _, name := range slices.Sorted(maps.Keys(in.RequestItems)) {
		k := in.RequestItems[name]
		c.notNull(k.Keys != nil, "requestItems."+name+".member.keys")
		if k.Keys != nil && len(k.Keys) == 0 {
			c.length(0, 1, maxBatchKeys, quote("[]"), "requestItems."+name+".member.keys")
		}
		if len(k.Keys) > maxBatchKeys {
			c.found = append(c.found, "Value at 'RequestItems."+name+".member.Keys' failed to satisfy constraint: Member must have length less than or equal to 100")
		}
		c.attributesToGet(k.AttributesToGet)
	}
	return c.err()
}

func (s *Store) newWant(name string, k types.KeysAndAttributes) (want, error) {
	w := want{request: k, consistent: isTrue(k.ConsistentRead)}
	var err error
	if w.projection, err = soleProjection(k.ProjectionExpression, k.AttributesToGet, k.ExpressionAttributeNames); err != nil {
		return w, err
	}
	if w.table, err = s.open(&name); err != nil {
		return w, err
	}
	w.table.mu.RLock()
	w.partitions = w.table.partitions()
	w.table.mu.RUnlock()
	seen := make(map[position]bool, len(k.Keys))
	for _, sdk := range k.Keys {
		key, err := attr.FromSDK(sdk)
		if err != nil {
			return w, err
		}
		if err := w.table.checkGet(key, w.projection); err != nil {
			return w, err
		}
		p := w.table.key.tablePosition(key)
		if seen[p] {
			return w, invalid("Provided list of item keys contains duplicates")
		}
		seen[p] = true
		w.keys = append(w.keys, p)
	}
	return w, nil
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
	partitions := map[int]int{} // bytes read by partition
	for i, p := range w.keys {
		part := partitionOf(p.hash, w.partitions)
		item, cost, err := attr.Form(""), charge{}, error(nil)
		full := g.bytes >= maxBatchBytes || partitions[part] >= maxPartitionBytes
		if !full {
			item, cost, err = s.get(w.table, p, w.consistent)
		}
		if full || err != nil {
			g.refusal = err
			rest.Keys = append(rest.Keys, w.request.Keys[i])
			continue
		}
		g.read++
		sum.merge(cost)
		if item != "" {
			g.bytes += item.Size()
			partitions[part] += item.Size()
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
