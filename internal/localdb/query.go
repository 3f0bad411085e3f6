package localdb

import (
	"github.com/dynasql/dynasql/internal/ddb"
	"github.com/dynasql/dynasql/internal/localdb/attr"
	"github.com/dynasql/dynasql/internal/localdb/expr"
)

func (s *Store) query(in *ddb.QueryInput) (*page, error) {
	if err := checkQuery(in); err != nil {
		return nil, err
	}
	var condition expr.KeyCondition
	r, err := parseReading(in, func(env *expr.Env) (err error) {
		if in.KeyConditionExpression != nil {
			condition, err = expr.ParseKeyCondition(*in.KeyConditionExpression, env)
		} else {
			condition, err = parseKeyConditions(in.KeyConditions)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := condition.Check(); err != nil {
		return nil, err
	}
	r.reverse = in.ScanIndexForward != nil && !*in.ScanIndexForward
	if err := s.aim(r, in); err != nil {
		return nil, err
	}
	if err := r.resolve(condition, in); err != nil {
		return nil, err
	}
	return s.read(r)
}

func checkQuery(in *ddb.QueryInput) error {
	if err := checkTable(in.TableName); err != nil {
		return err
	}
	var c constraints
	c.reading(in, "queryFilter")
	if in.Limit != nil && *in.Limit < 1 {
		c.found = append(c.found, "Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1")
	}
	c.comparisons(in.KeyConditions, "keyConditions")
	if err := c.err(); err != nil {
		return err
	}
	// KeyConditions may stand beside expressions, only not beside its successor.
	mixed := in.KeyConditions != nil && in.KeyConditionExpression != nil
	err := checkMixedReading(in, "QueryFilter", []parameter{{"KeyConditionExpression", in.KeyConditionExpression != nil}}, parameter{"KeyConditions", mixed})
	if err != nil {
		return err
	}
	if in.KeyConditions == nil && in.KeyConditionExpression == nil {
		return invalid("Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.")
	}
	return checkSelect(in, "Querying")
}

// resolve turns the key condition and the start key into a span.
func (r *reading) resolve(condition expr.KeyCondition, in *ddb.QueryInput) error {
	key := r.key()
	hash, sort, err := condition.Resolve(key[0], key.sort())
	if err != nil {
		return err
	}
	if err := checkConditionValues(key, hash, sort); err != nil {
		return err
	}
	if err := r.checkFilter(in); err != nil {
		return err
	}
	partition, bounded := keySpans(hash.Args[0], sort)
	r.span = bounded
	if r.startKey == "" {
		return nil
	}
	p, err := r.start()
	if err != nil {
		return err
	}
	switch {
	case !partition.contains(p) && sort != nil:
		return invalid("The query can return at most one row and cannot be restarted")
	case !partition.contains(p):
		return invalid("The provided starting key is outside query boundaries based on provided conditions")
	case !bounded.contains(p):
		return invalid("The provided starting key does not match the range key predicate")
	}
	r.resume(p)
	return nil
}

func checkConditionValues(key keySchema, hash expr.KeyTerm, sort *expr.KeyTerm) error {
	if err := checkKeyValue(key[0], hash.Args[0], true); err != nil {
		return err
	}
	if sort == nil || sort.Op == expr.KeyBeginsWith {
		return nil
	}
	for _, v := range sort.Args {
		if err := checkKeyValue(key.sort(), v, false); err != nil {
			return err
		}
	}
	return nil
}

// checkFilter refuses a filter on the key by which the Query goes.
func (r *reading) checkFilter(in *ddb.QueryInput) error {
	if r.filter == nil {
		return nil
	}
	parameter := "Filter Expression"
	if in.FilterExpression == nil {
		parameter = "QueryFilter"
	}
	for _, p := range r.filter.Paths() {
		if r.key().has(p[0].Name) {
			return invalid("%s can only contain non-primary key attributes: Primary key attribute: %s", parameter, p[0].Name)
		}
	}
	return nil
}

// keySpans are the spans of all items of a hash key and of those within the
// condition on the sort key.
func keySpans(hash attr.Value, sort *expr.KeyTerm) (partition, bounded span) {
	prefix := attr.AppendKey(nil, hash)
	h := hashKey(prefix)
	at := func(key []byte) position { return position{h, string(key)} }
	partition = span{from: at(prefix), to: at(prefixEnd(prefix))}
	if sort == nil {
		return partition, partition
	}
	bounded = partition
	low := attr.AppendKey(prefix[:len(prefix):len(prefix)], sort.Args[0])
	switch sort.Op {
	case expr.KeyEqual:
		bounded = span{from: at(low), to: at(prefixEnd(low))}
	case expr.KeyLess:
		bounded.to = at(low)
	case expr.KeyLessEqual:
		bounded.to = at(prefixEnd(low))
	case expr.KeyGreater:
		bounded.from = at(prefixEnd(low))
	case expr.KeyGreaterEqual:
		bounded.from = at(low)
	case expr.KeyBetween:
		high := attr.AppendKey(prefix[:len(prefix):len(prefix)], sort.Args[1])
		bounded = span{from: at(low), to: at(prefixEnd(high))}
	case expr.KeyBeginsWith:
		low = attr.AppendKeyPrefix(prefix[:len(prefix):len(prefix)], sort.Args[0])
		bounded = span{from: at(low), to: at(prefixEnd(low))}
	}
	return partition, bounded
}

// prefixEnd is the least string above all that start with prefix, or nil if
// there is none.
func prefixEnd(prefix []byte) []byte {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] < 0xff {
			end := append([]byte(nil), prefix[:i+1]...)
			end[i]++
			return end
		}
	}
	return nil
}
