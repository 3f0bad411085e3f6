package localdb

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/dynasql/dynasql/internal/ddb"
)

// TestDifferentialDynalite gives random tables, items, expressions and reads to
// the store and to dynalite, which must answer the same. DYNASQL_SEED chooses
// another run, DYNASQL_ROUNDS its length.
//
// Where dynalite is known to be wrong, the test does not go:
//   - lists and maps are never equal there, not even to themselves;
//   - IN, BETWEEN and attribute_type treat "", false and an empty binary as missing;
//   - contains on a list does not find "";
//   - begins_with and contains on binary compare it as UTF-8 text;
//   - size() and the item size count UTF-16 units instead of bytes;
//   - a Query or Scan that reads nothing costs nothing, where the service takes
//     one unit;
//   - items that a local index fetches from the table are charged together,
//     where the service charges each by itself;
//   - SPECIFIC_ATTRIBUTES without a projection is accepted;
//   - an item that its page stops at by its size is judged by an internal form
//     of it, so that pages of more than 1 MiB end elsewhere;
//   - an index may miss an attribute that a projection names.
func TestDifferentialDynalite(t *testing.T) {
	url := startDynalite(t)
	if url == "" {
		t.Skip("DYNASQL_DYNALITE does not name dynalite's cli.js")
	}
	seed, rounds := uint64(1), 12
	if x, err := strconv.ParseUint(os.Getenv("DYNASQL_SEED"), 10, 64); err == nil {
		seed = x
	}
	if x, err := strconv.Atoi(os.Getenv("DYNASQL_ROUNDS")); err == nil {
		rounds = x
	}
	other := endpointClient(t, url)
	ours := ddb.OpenTransport(Open(Options{}).Transport())
	for round := range rounds {
		t.Run(fmt.Sprintf("seed %d round %d", seed, round), func(t *testing.T) {
			d := &duel{T: t, r: rand.New(rand.NewPCG(seed, uint64(round))), ours: ours, other: other, name: fmt.Sprintf("round-%d", round)}
			d.makeTable()
			d.writeItems(60)
			for range 150 {
				d.read()
				if t.Failed() {
					return
				}
			}
		})
	}
}

// duel is a round of the differential test.
type duel struct {
	*testing.T
	r           *rand.Rand
	ours, other ddb.Client
	name        string
	definition  *ddb.CreateTableInput
	keys        []ddb.Item
}

func pick[T any](d *duel, from ...T) T { return from[d.r.IntN(len(from))] }

func (d *duel) makeTable() {
	key := "pk:" + pick(d, "S", "N", "B")
	sorted := d.r.IntN(4) > 0
	if sorted {
		key += " sk:" + pick(d, "S", "N", "B")
	}
	var indexes []string
	for i := range d.r.IntN(3) {
		text := fmt.Sprintf("gsi global-%d %s", i, pick(d, "a:N", "b:S"))
		if d.r.IntN(3) > 0 {
			text += " " + pick(d, "c:N", "d:S")
		}
		indexes = append(indexes, text+" "+pick(d, "ALL", "KEYS_ONLY", "INCLUDE e,m"))
	}
	if sorted {
		for i := range d.r.IntN(3) {
			indexes = append(indexes, fmt.Sprintf("lsi local-%d %s %s", i, pick(d, "c:N", "d:S"), pick(d, "ALL", "KEYS_ONLY", "INCLUDE e,m")))
		}
	}
	d.definition = definitionOf(d.name, key, indexes...)
	d.both("create table "+key+" "+strings.Join(indexes, "; "), func(c ddb.Client) (any, error) {
		_, err := c.CreateTable(d.Context(), d.definition)
		for err == nil {
			var out *ddb.DescribeTableOutput
			if out, err = c.DescribeTable(d.Context(), &ddb.DescribeTableInput{TableName: &d.name}); err == nil && out.Table.TableStatus == types.TableStatusActive {
				break
			}
		}
		return nil, err
	})
}

// kindOf is the type of an attribute that is defined for a key, or "".
func (d *duel) kindOf(name string) string {
	for _, a := range d.definition.AttributeDefinitions {
		if *a.AttributeName == name {
			return string(a.AttributeType)
		}
	}
	return ""
}

var words = []string{"a", "ab", "abc", "b", "ba", "bab", "c", "ca", "zz", "A", "Zebra", "0", "10", "9"}
var numbers = []string{"0", "1", "-1", "2", "10", "9", "2.5", "-2.5", "100", "0.001", "1e5", "-1e-5", "12345678901234567890123456789012345678"}

func (d *duel) scalar(kind string) types.AttributeValue {
	switch kind {
	case "N":
		return n(pick(d, numbers...))
	case "B":
		return b(pick(d, words...))
	}
	return s(pick(d, words...))
}

func (d *duel) value(depth int) types.AttributeValue {
	switch k := d.r.IntN(12); {
	case k < 3:
		return d.scalar("S")
	case k < 6:
		return d.scalar("N")
	case k == 6:
		return d.scalar("B")
	case k == 7:
		return &types.AttributeValueMemberBOOL{Value: true}
	case k == 8:
		return &types.AttributeValueMemberNULL{Value: true}
	case k == 9:
		return &types.AttributeValueMemberSS{Value: slices.Clone(words[d.r.IntN(3) : 3+d.r.IntN(4)])}
	case k == 10:
		return &types.AttributeValueMemberNS{Value: slices.Clone(numbers[d.r.IntN(3) : 3+d.r.IntN(4)])}
	case depth > 2:
		return d.scalar("S")
	case d.r.IntN(2) == 0:
		list := make([]types.AttributeValue, d.r.IntN(3)+1)
		for i := range list {
			list[i] = d.value(depth + 1)
		}
		return &types.AttributeValueMemberL{Value: list}
	}
	m := ddb.Item{}
	for _, name := range []string{"x", "y"} {
		if d.r.IntN(3) > 0 {
			m[name] = d.value(depth + 1)
		}
	}
	return &types.AttributeValueMemberM{Value: m}
}

func (d *duel) key() ddb.Item {
	key := ddb.Item{}
	for _, e := range d.definition.KeySchema {
		kind := d.kindOf(*e.AttributeName)
		if e.KeyType == types.KeyTypeHash {
			key[*e.AttributeName] = map[string]types.AttributeValue{"S": s(pick(d, words[:4]...)), "N": n(pick(d, numbers[:4]...)), "B": b(pick(d, words[:4]...))}[kind]
		} else {
			key[*e.AttributeName] = d.scalar(kind)
		}
	}
	return key
}

func (d *duel) writeItems(count int) {
	for range count {
		item := d.key()
		d.keys = append(d.keys, d.keyOf(item))
		for _, name := range []string{"a", "b", "c", "d", "e", "l", "m"} {
			switch kind := d.kindOf(name); {
			case d.r.IntN(4) == 0:
			case kind != "":
				item[name] = d.scalar(kind)
			default:
				item[name] = d.value(0)
			}
		}
		if d.r.IntN(5) == 0 {
			item["text"] = s(strings.Repeat("x", d.r.IntN(9000)))
		}
		d.write(item)
	}
}

func (d *duel) keyOf(item ddb.Item) ddb.Item {
	key := ddb.Item{}
	for _, e := range d.definition.KeySchema {
		key[*e.AttributeName] = item[*e.AttributeName]
	}
	return key
}

// write puts an item, with or without a condition, or updates or deletes it.
func (d *duel) write(item ddb.Item) {
	e := newExpression(d)
	in := &ddb.PutItemInput{TableName: &d.name, Item: item, ReturnValues: pick(d, types.ReturnValueNone, types.ReturnValueAllOld), ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal}
	switch d.r.IntN(6) {
	case 0:
		in.ConditionExpression = ptr(e.condition(0))
		in.ExpressionAttributeNames, in.ExpressionAttributeValues = e.placeholders()
	case 1:
		d.delete(d.keyOf(item), e)
		return
	case 2, 3:
		d.update(d.keyOf(item), e)
		return
	}
	d.both(fmt.Sprintf("put %s if %s", canonical(item), str(in.ConditionExpression)), func(c ddb.Client) (any, error) {
		out, err := c.PutItem(d.Context(), in)
		if err != nil {
			return nil, err
		}
		return canonical(out.Attributes), nil
	})
}

func (d *duel) delete(key ddb.Item, e *expression) {
	in := &ddb.DeleteItemInput{TableName: &d.name, Key: key, ReturnValues: types.ReturnValueAllOld}
	if d.r.IntN(2) == 0 {
		in.ConditionExpression = ptr(e.condition(0))
		in.ExpressionAttributeNames, in.ExpressionAttributeValues = e.placeholders()
	}
	d.both(fmt.Sprintf("delete %s if %s", canonical(key), str(in.ConditionExpression)), func(c ddb.Client) (any, error) {
		out, err := c.DeleteItem(d.Context(), in)
		if err != nil {
			return nil, err
		}
		return canonical(out.Attributes), nil
	})
}

func (d *duel) update(key ddb.Item, e *expression) {
	in := &ddb.UpdateItemInput{
		TableName: &d.name, Key: key, UpdateExpression: ptr(e.update()),
		ReturnValues: pick(d, types.ReturnValueAllNew, types.ReturnValueAllOld, types.ReturnValueUpdatedNew, types.ReturnValueUpdatedOld),
	}
	in.ExpressionAttributeNames, in.ExpressionAttributeValues = e.placeholders()
	d.both(fmt.Sprintf("update %s: %s returning %s", canonical(key), *in.UpdateExpression, in.ReturnValues), func(c ddb.Client) (any, error) {
		out, err := c.UpdateItem(d.Context(), in)
		if err != nil {
			return nil, err
		}
		return canonical(out.Attributes), nil
	})
}

// both gives a request to both and compares the answers: the same values, or
// errors of the same name.
func (d *duel) both(what string, send func(ddb.Client) (any, error)) {
	d.Helper()
	got, gotErr := send(d.ours)
	want, wantErr := send(d.other)
	if errorCode(gotErr) != errorCode(wantErr) {
		d.Fatalf("%s\n ours:  %v\n other: %v\n ours:  %v\n other: %v", what, gotErr, wantErr, got, want)
	}
	if gotErr == nil && !reflect.DeepEqual(got, want) {
		d.Fatalf("%s\n ours:  %v\n other: %v", what, got, want)
	}
}

func errorCode(err error) string {
	var api smithy.APIError
	if errors.As(err, &api) {
		return api.ErrorCode()
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// read sends a random GetItem, BatchGetItem, Query or Scan.
func (d *duel) read() {
	switch d.r.IntN(6) {
	case 0:
		d.get()
	case 1:
		d.batchGet()
	case 2:
		d.scan()
	default:
		d.query()
	}
}

func (d *duel) get() {
	e := newExpression(d)
	in := &ddb.GetItemInput{TableName: &d.name, Key: pick(d, d.keys...), ConsistentRead: ptr(d.r.IntN(2) == 0), ReturnConsumedCapacity: types.ReturnConsumedCapacityIndexes}
	if d.r.IntN(2) == 0 {
		in.ProjectionExpression = ptr(e.projection())
		in.ExpressionAttributeNames, _ = e.placeholders()
	}
	d.both(fmt.Sprintf("get %s of %s", str(in.ProjectionExpression), canonical(in.Key)), func(c ddb.Client) (any, error) {
		out, err := c.GetItem(d.Context(), in)
		if err != nil {
			return nil, err
		}
		return []any{canonical(out.Item), capacity(out.ConsumedCapacity)}, nil
	})
}

func (d *duel) batchGet() {
	request := types.KeysAndAttributes{ConsistentRead: ptr(d.r.IntN(2) == 0)}
	for range d.r.IntN(8) + 1 {
		request.Keys = append(request.Keys, pick(d, d.keys...))
	}
	in := &ddb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{d.name: request}, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal}
	d.both(fmt.Sprintf("batch get of %d", len(request.Keys)), func(c ddb.Client) (any, error) {
		out, err := c.BatchGetItem(d.Context(), in)
		if err != nil {
			return nil, err
		}
		return []any{canonicalSet(out.Responses[d.name]), capacity(&out.ConsumedCapacity[0])}, nil
	})
}

// index is a random index of the table with its key, or the table's key.
func (d *duel) index() (name *string, key []types.KeySchemaElement, projection *types.Projection, global bool) {
	i := d.r.IntN(1 + len(d.definition.GlobalSecondaryIndexes) + len(d.definition.LocalSecondaryIndexes))
	if i == 0 {
		return nil, d.definition.KeySchema, nil, false
	}
	if i--; i < len(d.definition.GlobalSecondaryIndexes) {
		g := d.definition.GlobalSecondaryIndexes[i]
		return g.IndexName, g.KeySchema, g.Projection, true
	}
	l := d.definition.LocalSecondaryIndexes[i-len(d.definition.GlobalSecondaryIndexes)]
	return l.IndexName, l.KeySchema, l.Projection, false
}

func (d *duel) query() {
	e := newExpression(d)
	in := &ddb.QueryInput{TableName: &d.name, ScanIndexForward: ptr(d.r.IntN(2) == 0), ReturnConsumedCapacity: types.ReturnConsumedCapacityIndexes}
	name, key, projection, global := d.index()
	in.IndexName = name
	if !global {
		in.ConsistentRead = ptr(d.r.IntN(2) == 0)
	}
	in.KeyConditionExpression = ptr(e.keyCondition(key))
	if d.r.IntN(3) == 0 {
		in.FilterExpression = ptr(e.condition(0))
	}
	switch d.r.IntN(5) {
	case 0:
		in.Select = types.SelectCount
	case 1:
		if !global || projection.ProjectionType == types.ProjectionTypeAll {
			in.Select = types.SelectAllAttributes
		}
	case 2:
		if projection == nil || projection.ProjectionType == types.ProjectionTypeAll {
			in.ProjectionExpression = ptr(e.projection())
		}
	}
	fetches := in.Select == types.SelectAllAttributes && projection != nil && projection.ProjectionType != types.ProjectionTypeAll
	limit := 0
	if name == nil && d.r.IntN(2) == 0 {
		limit = d.r.IntN(4) + 1
		in.Limit = ptr(int32(limit))
	}
	in.ExpressionAttributeNames, in.ExpressionAttributeValues = e.placeholders()
	what := fmt.Sprintf("query index %s where %s filter %s project %s select %s limit %d forward %v names %v values %s", str(name), *in.KeyConditionExpression, str(in.FilterExpression),
		str(in.ProjectionExpression), in.Select, limit, *in.ScanIndexForward, in.ExpressionAttributeNames, canonical(in.ExpressionAttributeValues))
	d.both(what, func(c ddb.Client) (any, error) {
		in := *in
		var pages []any
		for range 200 {
			out, err := c.Query(d.Context(), &in)
			if err != nil {
				return nil, err
			}
			items := canonicalAll(out.Items)
			if name != nil {
				items = canonicalSet(out.Items) // items of equal sort keys are in no order
			}
			consumed := capacity(out.ConsumedCapacity)
			if out.ScannedCount == 0 || fetches {
				consumed = nil
			}
			pages = append(pages, items, out.Count, out.ScannedCount, canonical(out.LastEvaluatedKey), consumed)
			if in.ExclusiveStartKey = out.LastEvaluatedKey; in.ExclusiveStartKey == nil {
				break
			}
		}
		return pages, nil
	})
}

func (d *duel) scan() {
	e := newExpression(d)
	in := &ddb.ScanInput{TableName: &d.name, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal}
	in.IndexName, _, _, _ = d.index()
	if d.r.IntN(2) == 0 {
		in.FilterExpression = ptr(e.condition(0))
	}
	total := 1
	if d.r.IntN(2) == 0 {
		in.Limit = ptr(int32(d.r.IntN(20) + 1))
	}
	if d.r.IntN(2) == 0 {
		total = d.r.IntN(4) + 1
	}
	in.ExpressionAttributeNames, in.ExpressionAttributeValues = e.placeholders()
	what := fmt.Sprintf("scan index %s filter %s limit %v segments %d names %v values %s", str(in.IndexName), str(in.FilterExpression), in.Limit, total, in.ExpressionAttributeNames, canonical(in.ExpressionAttributeValues))
	d.both(what, func(c ddb.Client) (any, error) {
		var items []ddb.Item
		count, scanned := 0, 0
		for segment := range total {
			in := *in
			in.Segment, in.TotalSegments = ptr(int32(segment)), ptr(int32(total))
			for range 200 {
				out, err := c.Scan(d.Context(), &in)
				if err != nil {
					return nil, err
				}
				items = append(items, out.Items...)
				count += int(out.Count)
				scanned += int(out.ScannedCount)
				if in.ExclusiveStartKey = out.LastEvaluatedKey; in.ExclusiveStartKey == nil {
					break
				}
			}
		}
		return []any{canonicalSet(items), count, scanned}, nil
	})
}

// capacity is a consumed capacity as comparable text.
func capacity(c *types.ConsumedCapacity) any {
	if c == nil {
		return nil
	}
	text := fmt.Sprint(*c.CapacityUnits)
	if c.Table != nil {
		text += fmt.Sprint(" table ", *c.Table.CapacityUnits)
	}
	for _, m := range []map[string]types.Capacity{c.GlobalSecondaryIndexes, c.LocalSecondaryIndexes} {
		for name, x := range m {
			text += fmt.Sprint(" ", name, " ", *x.CapacityUnits)
		}
	}
	return text
}

func canonicalAll(items []ddb.Item) []string {
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = canonical(item)
	}
	return texts
}

func canonicalSet(items []ddb.Item) []string {
	texts := canonicalAll(items)
	slices.Sort(texts)
	return texts
}

// canonical is the same text for the same item.
func canonical(item ddb.Item) string {
	names := make([]string, 0, len(item))
	for name := range item {
		names = append(names, name)
	}
	slices.Sort(names)
	var text strings.Builder
	for _, name := range names {
		fmt.Fprintf(&text, "%s=%s ", name, canonicalValue(item[name]))
	}
	return "{" + strings.TrimSpace(text.String()) + "}"
}

func canonicalValue(v types.AttributeValue) string {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		if len(v.Value) > 100 {
			return fmt.Sprintf("%d bytes", len(v.Value))
		}
		return strconv.Quote(v.Value)
	case *types.AttributeValueMemberN:
		return v.Value
	case *types.AttributeValueMemberB:
		return "0x" + hex.EncodeToString(v.Value)
	case *types.AttributeValueMemberSS:
		return fmt.Sprint("SS", slices.Sorted(slices.Values(v.Value)))
	case *types.AttributeValueMemberNS:
		return fmt.Sprint("NS", slices.Sorted(slices.Values(v.Value)))
	case *types.AttributeValueMemberBOOL:
		return fmt.Sprint(v.Value)
	case *types.AttributeValueMemberNULL:
		return "null"
	case *types.AttributeValueMemberM:
		return canonical(v.Value)
	case *types.AttributeValueMemberL:
		texts := make([]string, len(v.Value))
		for i, e := range v.Value {
			texts[i] = canonicalValue(e)
		}
		return fmt.Sprint(texts)
	}
	return fmt.Sprintf("%T", v)
}

// expression makes random expressions with placeholders.
type expression struct {
	*duel
	names  map[string]string
	values ddb.Item
}

func newExpression(d *duel) *expression {
	return &expression{duel: d, names: map[string]string{}, values: ddb.Item{}}
}

func (e *expression) placeholders() (map[string]string, ddb.Item) {
	names, values := e.names, e.values
	if len(names) == 0 {
		names = nil
	}
	if len(values) == 0 {
		values = nil
	}
	return names, values
}

func (e *expression) name(attribute string) string {
	placeholder := "#" + attribute
	e.names[placeholder] = attribute
	return placeholder
}

func (e *expression) operand(v types.AttributeValue) string {
	placeholder := fmt.Sprintf(":v%d", len(e.values))
	e.values[placeholder] = v
	return placeholder
}

// freePath is a path that no key of the table or of an index is in.
func (e *expression) freePath() string {
	for {
		name := pick(e.duel, "a", "b", "c", "d", "e", "l", "m", "f", "g")
		if e.kindOf(name) == "" {
			return e.name(name)
		}
	}
}

func (e *expression) plainValue() string {
	return e.operand(e.scalar(pick(e.duel, "S", "N", "B")))
}

// condition is a filter or a condition; it goes into no key attribute, which
// neither side allows.
func (e *expression) condition(depth int) string {
	kind := e.r.IntN(12)
	if depth > 2 {
		kind = 3 + e.r.IntN(9)
	}
	path := e.freePath() + pick(e.duel, "", "", "", "", ".x", "[0]", ".y.x", "[1].x")
	switch kind {
	case 0:
		return "(" + e.condition(depth+1) + ") AND " + e.condition(depth+1)
	case 1:
		return "(" + e.condition(depth+1) + ") OR (" + e.condition(depth+1) + ")"
	case 2:
		return "NOT (" + e.condition(depth+1) + ")"
	case 3:
		return "attribute_exists(" + path + ")"
	case 4:
		return "attribute_not_exists(" + path + ")"
	case 5:
		return "attribute_type(" + path + ", " + e.operand(s(pick(e.duel, "S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS", "BS"))) + ")"
	case 6:
		return "begins_with(" + path + ", " + e.operand(e.scalar("S")) + ")"
	case 7:
		return "contains(" + path + ", " + e.operand(e.scalar(pick(e.duel, "S", "N"))) + ")"
	case 8:
		return "size(" + path + ") " + pick(e.duel, "=", "<", ">=") + " " + e.operand(n(e.r.IntN(5)))
	case 9:
		return path + " IN (" + e.plainValue() + ", " + e.plainValue() + ")"
	case 10:
		kind := pick(e.duel, "S", "N")
		low, high := e.scalar(kind), e.scalar(kind)
		return path + " BETWEEN " + e.operand(low) + " AND " + e.operand(high)
	}
	return path + " " + pick(e.duel, "=", "<>", "<", "<=", ">", ">=") + " " + e.plainValue()
}

func (e *expression) projection() string {
	parts := []string{e.freePath()}
	for _, name := range []string{"pk", "text"} {
		if e.r.IntN(2) == 0 {
			parts = append(parts, e.name(name))
		}
	}
	if e.r.IntN(2) == 0 {
		nested := e.freePath()
		if nested != parts[0] {
			parts = append(parts, nested+pick(e.duel, ".x", "[0]", "[1]"))
		}
	}
	return strings.Join(parts, ", ")
}

func (e *expression) keyCondition(key []types.KeySchemaElement) string {
	hash := *key[0].AttributeName
	value := e.scalar(e.kindOf(hash))
	if v := pick(e.duel, e.keys...)[hash]; v != nil {
		value = v
	}
	condition := e.name(hash) + " = " + e.operand(value)
	if len(key) == 1 || e.r.IntN(3) == 0 {
		return condition
	}
	sort := *key[1].AttributeName
	kind := e.kindOf(sort)
	switch k := e.r.IntN(8); {
	case k == 0:
		return condition + " AND " + e.name(sort) + " BETWEEN " + e.operand(e.scalar(kind)) + " AND " + e.operand(e.scalar(kind))
	case k == 1 && kind != "N":
		return condition + " AND begins_with(" + e.name(sort) + ", " + e.operand(e.scalar(kind)) + ")"
	}
	return condition + " AND " + e.name(sort) + " " + pick(e.duel, "=", "<", "<=", ">", ">=") + " " + e.operand(e.scalar(kind))
}

// update is an update expression on attributes that are in no key.
func (e *expression) update() string {
	first := e.freePath()
	second := first
	for second == first {
		second = e.freePath()
	}
	switch e.r.IntN(7) {
	case 0:
		return "SET " + first + " = " + e.plainValue() + " REMOVE " + second
	case 1:
		return "SET " + first + " = if_not_exists(" + second + ", " + e.plainValue() + ")"
	case 2:
		return "ADD " + first + " " + e.operand(n(pick(e.duel, "1", "2.5", "-10")))
	case 3:
		return "ADD " + first + " " + e.operand(&types.AttributeValueMemberSS{Value: slices.Clone(words[:1+e.r.IntN(5)])})
	case 4:
		return "DELETE " + first + " " + e.operand(&types.AttributeValueMemberSS{Value: slices.Clone(words[:1+e.r.IntN(5)])})
	case 5:
		return "SET " + first + " = " + second + pick(e.duel, " + ", " - ") + e.operand(n(pick(e.duel, "1", "0.5", "100")))
	}
	return "SET " + first + ".x = " + e.plainValue() + ", " + second + "[1] = " + e.plainValue()
}
