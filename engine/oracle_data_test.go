package engine_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/connector/catalog"
	"github.com/dynasql/dynasql/connector/schema"
	"github.com/dynasql/dynasql/engine"
	"github.com/dynasql/dynasql/internal/ddb"
	"github.com/dynasql/dynasql/internal/localdb"
)

// A world is a random set of tables with items: what the statements of some
// seeds in a row are run on.
type world struct {
	seed   uint64
	tables []worldTable
	// page is the most items of a page of Query and Scan.
	page int32
	// sample is how many items columns are inferred from; 0 means all.
	sample int
	// portable says that every value has its like in another SQL database.
	portable bool
}

type worldTable struct {
	definition ddb.CreateTableInput
	items      []ddb.Item
}

func (t *worldTable) name() string { return *t.definition.TableName }

// dice are the random choices of one world or one statement.
type dice struct{ *rand.Rand }

func diceOf(seed uint64) dice { return dice{rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))} }

func (d dice) chance(percent int) bool { return d.IntN(100) < percent }

func pick[T any](d dice, from []T) T { return from[d.IntN(len(from))] }

// Texts that were, or could be, taken for one another.
var (
	textPool = []string{
		"a", "b", "ab", "abc", "ab中", "abÿz", "aB", "AB", "a%", "a_b", "a%b", `a\b`, `a\%b`, "it's", `say "x"`,
		"1", "1.0", "01", "1e2", "100", "-0", "0", "10", "9", "é", "e\u0301", "ß", "ss", "z", "a ", " a", "a\nb", "a\tb",
		"😀", "中", "NULL", "<nil>", "true", "ÿ", "2024-01-02", "U#1", "U#2", "U#10", "ORDER#1",
	}
	wildTexts     = []string{"\uffff", "\U0010ffff", "a\x00b", "\x00", "ab\U0010ffff", "  ", "\u00a0"}
	numberPool    = []string{"0", "1", "2", "3", "10", "100", "-1", "-2", "1.5", "-1.5", "0.1", "0.25", "99", "1000000", "9007199254740993"}
	wildNumbers   = []string{"99999999999999999999999999999999999999", "-12345678901234567890123456789012345678", "0.00000000000000000000000000000000000001", "1e30", "1E-30", "9007199254740992", "12345678901234567.5", "1.50", "1e2"}
	binaryPool    = []string{"a", "ab", "\x00", "\x01\x02", "\xff", "\xff\xff", "a\x00", "é", "ab\xff", "abc"}
	tablePool     = []string{"things", "users", "Orders", "my-table", "order", "a.b"}
	attributePool = []string{"s1", "s2", "n1", "n2", "flag", "bin", "mix", "doc", "any", "none", "date", "size", "User.Name", "x-y", "group"}
)

func newWorld(seed uint64) *world {
	d := diceOf(seed)
	w := &world{seed: seed, page: pick(d, []int32{1, 1, 2, 3, 5, 100}), portable: d.chance(60)}
	if d.chance(15) {
		w.portable, w.sample = false, 1+d.IntN(3)
	}
	names := slices.Clone(tablePool)
	d.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for i := range 2 {
		w.tables = append(w.tables, w.newTable(d, names[i]))
	}
	return w
}

// A part is an attribute of a table that is being made.
type part struct {
	name string
	kind types.ScalarAttributeType
}

func (w *world) newTable(d dice, name string) worldTable {
	kinds := []types.ScalarAttributeType{"S", "S", "S", "N", "N", "B"}
	key := []part{{"pk", pick(d, kinds)}}
	if d.chance(75) {
		key = append(key, part{"sk", pick(d, kinds)})
	}
	indexed := []part{{"g1", pick(d, kinds)}, {"g2", pick(d, kinds)}, {"l1", pick(d, kinds)}}
	t := worldTable{definition: ddb.CreateTableInput{TableName: &name, BillingMode: types.BillingModePayPerRequest}}
	t.definition.KeySchema = keySchema(key)
	used := slices.Clone(key)
	for i := range d.IntN(4) {
		t.addIndex(d, i, key, indexed, &used)
	}
	for _, p := range used {
		t.definition.AttributeDefinitions = append(t.definition.AttributeDefinitions, types.AttributeDefinition{AttributeName: &p.name, AttributeType: p.kind})
	}
	t.fill(d, w.portable, key, used[len(key):])
	return t
}

func keySchema(parts []part) []types.KeySchemaElement {
	out := make([]types.KeySchemaElement, len(parts))
	for i, p := range parts {
		out[i] = types.KeySchemaElement{AttributeName: &p.name, KeyType: [...]types.KeyType{types.KeyTypeHash, types.KeyTypeRange}[i]}
	}
	return out
}

func (t *worldTable) addIndex(d dice, i int, key, indexed []part, used *[]part) {
	name := fmt.Sprintf("idx%d", i)
	if d.chance(30) {
		name = fmt.Sprintf("by-x.%d", i)
	}
	projection := &types.Projection{ProjectionType: pick(d, []types.ProjectionType{"ALL", "KEYS_ONLY", "INCLUDE"})}
	if projection.ProjectionType == "INCLUDE" {
		projection.NonKeyAttributes = []string{pick(d, attributePool)}
	}
	use := func(p part) {
		if !slices.Contains(*used, p) {
			*used = append(*used, p)
		}
	}
	if len(key) == 2 && d.chance(35) {
		use(indexed[2])
		t.definition.LocalSecondaryIndexes = append(t.definition.LocalSecondaryIndexes, types.LocalSecondaryIndex{
			IndexName: &name, KeySchema: keySchema([]part{key[0], indexed[2]}), Projection: projection})
		return
	}
	candidates := append(slices.Clone(indexed[:2]), key...)
	parts := []part{pick(d, candidates)}
	if p := pick(d, candidates); d.chance(60) && p != parts[0] {
		parts = append(parts, p)
	}
	for _, p := range parts {
		use(p)
	}
	t.definition.GlobalSecondaryIndexes = append(t.definition.GlobalSecondaryIndexes, types.GlobalSecondaryIndex{
		IndexName: &name, KeySchema: keySchema(parts), Projection: projection})
}

// fill makes the items. Attributes of index keys have the kind of the key or
// are missing, since DynamoDB takes nothing else.
func (t *worldTable) fill(d dice, portable bool, key, indexed []part) {
	others := slices.Clone(attributePool)
	d.Shuffle(len(others), func(i, j int) { others[i], others[j] = others[j], others[i] })
	others = others[:2+d.IntN(6)]
	dense := d.IntN(100)
	seen := map[string]bool{}
	for range pick(d, []int{0, 1, 3, 8, 12, 20}) {
		item := ddb.Item{}
		for _, p := range key {
			item[p.name] = keyValue(d, p.kind, portable)
		}
		if id := keyOf(item, key); seen[id] {
			continue
		} else {
			seen[id] = true
		}
		for _, p := range indexed {
			if d.chance(dense) {
				item[p.name] = keyValue(d, p.kind, portable)
			}
		}
		for _, name := range others {
			if v := attributeValue(d, name, portable); v != nil {
				item[name] = v
			}
		}
		t.items = append(t.items, item)
	}
}

func keyOf(item ddb.Item, key []part) string {
	var id strings.Builder
	for _, p := range key {
		text := show(item[p.name])
		if n, ok := item[p.name].(*types.AttributeValueMemberN); ok {
			text = number(n.Value)
		}
		id.WriteString(text + "\x00")
	}
	return id.String()
}

func keyValue(d dice, kind types.ScalarAttributeType, portable bool) types.AttributeValue {
	switch kind {
	case "N":
		return &types.AttributeValueMemberN{Value: randomNumber(d, portable)}
	case "B":
		return &types.AttributeValueMemberB{Value: []byte(pick(d, binaryPool))}
	}
	return &types.AttributeValueMemberS{Value: randomText(d, portable)}
}

func randomNumber(d dice, portable bool) string {
	if !portable && d.chance(25) {
		return pick(d, wildNumbers)
	}
	return pick(d, numberPool)
}

func randomText(d dice, portable bool) string {
	if !portable && d.chance(15) {
		return pick(d, wildTexts)
	}
	return pick(d, textPool[:1+d.IntN(len(textPool))])
}

// attributeValue gives the value of an attribute by its name, which says what
// kinds it holds; nil for none.
func attributeValue(d dice, name string, portable bool) types.AttributeValue {
	if d.chance(25) {
		if d.chance(40) {
			return &types.AttributeValueMemberNULL{Value: true}
		}
		return nil
	}
	text := func() types.AttributeValue {
		if d.chance(5) {
			return &types.AttributeValueMemberS{Value: ""}
		}
		return &types.AttributeValueMemberS{Value: randomText(d, portable)}
	}
	num := func() types.AttributeValue {
		return &types.AttributeValueMemberN{Value: randomNumber(d, portable)}
	}
	flag := func() types.AttributeValue { return &types.AttributeValueMemberBOOL{Value: d.chance(50)} }
	binary := func() types.AttributeValue { return &types.AttributeValueMemberB{Value: []byte(pick(d, binaryPool))} }
	switch name {
	case "n1", "n2", "size":
		return num()
	case "flag":
		return flag()
	case "bin":
		return binary()
	case "mix":
		return pick(d, []func() types.AttributeValue{text, num, flag, binary})()
	case "doc":
		return document(d, portable, 2)
	case "any":
		return pick(d, []func() types.AttributeValue{text, num, flag, func() types.AttributeValue { return document(d, portable, 1) }})()
	case "none":
		return &types.AttributeValueMemberNULL{Value: true}
	}
	return text()
}

func document(d dice, portable bool, depth int) types.AttributeValue {
	m := map[string]types.AttributeValue{}
	for _, name := range []string{"a", "b", "n", "B c"} {
		switch {
		case d.chance(30):
		case depth > 0 && d.chance(30):
			m[name] = document(d, portable, depth-1)
		case depth > 0 && d.chance(15):
			m[name] = &types.AttributeValueMemberL{Value: []types.AttributeValue{keyValue(d, "S", portable), keyValue(d, "N", portable)}}
		case name == "n":
			m[name] = keyValue(d, "N", portable)
		case d.chance(5):
			m[name] = &types.AttributeValueMemberNULL{Value: true}
		case d.chance(10):
			m[name] = &types.AttributeValueMemberBOOL{Value: d.chance(50)}
		default:
			m[name] = keyValue(d, "S", portable)
		}
	}
	if d.chance(10) {
		return &types.AttributeValueMemberSS{Value: []string{"a", "ab"}}
	}
	return &types.AttributeValueMemberM{Value: m}
}

// show writes a value as DynamoDB JSON does.
func show(v types.AttributeValue) string {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		text, _ := json.Marshal(v.Value)
		return `{"S":` + string(text) + `}`
	case *types.AttributeValueMemberN:
		return `{"N":"` + v.Value + `"}`
	case *types.AttributeValueMemberB:
		return `{"B":"` + base64.StdEncoding.EncodeToString(v.Value) + `"}`
	case *types.AttributeValueMemberBOOL:
		return fmt.Sprintf(`{"BOOL":%t}`, v.Value)
	case *types.AttributeValueMemberNULL:
		return `{"NULL":true}`
	case *types.AttributeValueMemberSS:
		return fmt.Sprintf(`{"SS":%q}`, v.Value)
	case *types.AttributeValueMemberL:
		parts := make([]string, len(v.Value))
		for i, e := range v.Value {
			parts[i] = show(e)
		}
		return `{"L":[` + strings.Join(parts, ",") + `]}`
	case *types.AttributeValueMemberM:
		return `{"M":` + showItem(v.Value) + `}`
	}
	return "{}"
}

func showItem(item ddb.Item) string {
	names := make([]string, 0, len(item))
	for name := range item {
		names = append(names, name)
	}
	slices.Sort(names)
	for i, name := range names {
		names[i] = fmt.Sprintf("%q:%s", name, show(item[name]))
	}
	return "{" + strings.Join(names, ",") + "}"
}

// String shows the tables and their items, for the report of a failure.
func (w *world) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "page %d, sample %d\n", w.page, w.sample)
	for _, t := range w.tables {
		fmt.Fprintf(&b, "table %s key %s", t.name(), keyText(t.definition.KeySchema))
		for _, a := range t.definition.AttributeDefinitions {
			fmt.Fprintf(&b, " %s:%s", *a.AttributeName, a.AttributeType)
		}
		for _, x := range t.definition.GlobalSecondaryIndexes {
			fmt.Fprintf(&b, "; GSI %s key %s %s %s", *x.IndexName, keyText(x.KeySchema), x.Projection.ProjectionType, x.Projection.NonKeyAttributes)
		}
		for _, x := range t.definition.LocalSecondaryIndexes {
			fmt.Fprintf(&b, "; LSI %s key %s %s %s", *x.IndexName, keyText(x.KeySchema), x.Projection.ProjectionType, x.Projection.NonKeyAttributes)
		}
		b.WriteString("\n")
		for _, item := range t.items {
			b.WriteString("  " + showItem(item) + "\n")
		}
	}
	return b.String()
}

func keyText(parts []types.KeySchemaElement) string {
	names := make([]string, len(parts))
	for i, p := range parts {
		names[i] = *p.AttributeName
	}
	return "(" + strings.Join(names, ", ") + ")"
}

// smallPages cuts the pages of Query and Scan to a number of items, once the
// tables have been sampled.
type smallPages struct {
	ddb.Client
	most int32
}

func (c *smallPages) cut(limit *int32) *int32 {
	if c.most == 0 || limit != nil && *limit <= c.most {
		return limit
	}
	return &c.most
}

func (c *smallPages) Query(ctx context.Context, in *ddb.QueryInput, o ...func(*ddb.Options)) (*ddb.QueryOutput, error) {
	cut := *in
	cut.Limit = c.cut(in.Limit)
	return c.Client.Query(ctx, &cut, o...)
}

func (c *smallPages) Scan(ctx context.Context, in *ddb.ScanInput, o ...func(*ddb.Options)) (*ddb.ScanOutput, error) {
	cut := *in
	cut.Limit = c.cut(in.Limit)
	return c.Client.Scan(ctx, &cut, o...)
}

// opened is a world with an engine over it.
type opened struct {
	*world
	engine  *engine.Engine
	schemas []*schema.Table
}

func (w *world) open(t testing.TB) *opened {
	t.Helper()
	ctx := context.Background()
	client := &smallPages{Client: localdb.Open(localdb.Options{}).Client()}
	for _, table := range w.tables {
		if _, err := client.CreateTable(ctx, &table.definition); err != nil {
			t.Fatalf("world %d: create %s: %v", w.seed, table.name(), err)
		}
		for _, item := range table.items {
			if _, err := client.PutItem(ctx, &ddb.PutItemInput{TableName: table.definition.TableName, Item: item}); err != nil {
				t.Fatalf("world %d: put %s: %v", w.seed, showItem(item), err)
			}
		}
	}
	e, err := engine.New(engine.Config{
		Connections: []engine.Connection{{Client: client}},
		Catalog:     catalog.Options{SampleItems: w.sample},
	})
	if err != nil {
		t.Fatal(err)
	}
	o := &opened{world: w, engine: e}
	for _, table := range w.tables {
		s, err := e.Databases()[0].Catalog().Table(ctx, table.name())
		if err != nil {
			t.Fatal(err)
		}
		o.schemas = append(o.schemas, s)
	}
	client.most = w.page
	return o
}
