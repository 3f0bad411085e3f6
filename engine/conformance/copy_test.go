package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	sqle "github.com/dolthub/go-mysql-server"
	"github.com/dolthub/go-mysql-server/enginetest"
	"github.com/dolthub/go-mysql-server/memory"
	"github.com/dolthub/go-mysql-server/sql"
	sqltypes "github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dynasql/dynasql/connector/codec"
	"github.com/dynasql/dynasql/engine"
	"github.com/dynasql/dynasql/internal/ddb"
	"github.com/dynasql/dynasql/internal/localdb"
)

// copied is an engine of ours over copies of the tables of the library's.
type copied struct {
	engine  *engine.Engine
	session *engine.Session
	dir     string
	// extra are the columns that copies have for their keys.
	extra map[string]bool
	// left are the tables, in lower case, that DynamoDB cannot hold.
	left map[string]string
}

func (c *copied) close() {
	c.session.Close()
	_ = c.engine.Close()
	_ = os.RemoveAll(c.dir)
}

// copyTables copies every table of every database.
func copyTables(from *sqle.Engine) (*copied, error) {
	provider, ok := from.Analyzer.Catalog.DbProvider.(*memory.DbProvider)
	if !ok {
		return nil, fmt.Errorf("a provider of another kind: %T", from.Analyzer.Catalog.DbProvider)
	}
	ctx := sql.NewContext(context.Background(), sql.WithSession(memory.NewSession(enginetest.NewBaseSession(), provider)))
	dir, err := os.MkdirTemp("", "conformance")
	if err != nil {
		return nil, err
	}
	c := &copied{dir: dir, extra: map[string]bool{}, left: map[string]string{}}
	var cfg engine.Config
	for _, db := range provider.AllDatabases(ctx) {
		conn, err := c.database(ctx, from, db)
		if err != nil {
			return nil, err
		}
		cfg.Connections = append(cfg.Connections, conn)
	}
	if c.engine, err = engine.New(cfg); err != nil {
		return nil, err
	}
	c.session = c.engine.NewSession()
	return c, nil
}

func (c *copied) database(ctx *sql.Context, from *sqle.Engine, db sql.Database) (engine.Connection, error) {
	store := localdb.Open(localdb.Options{})
	client := renaming{store.Client()}
	conn := engine.Connection{Name: db.Name(), Client: client, Schema: filepath.Join(c.dir, db.Name()+".yaml")}
	names, err := db.GetTableNames(ctx)
	if err != nil {
		return conn, err
	}
	file := "tables:\n"
	for _, name := range names {
		t, ok, err := db.GetTableInsensitive(ctx, name)
		if err != nil || !ok {
			return conn, fmt.Errorf("table %s: found %t, %w", name, ok, err)
		}
		copy := tableCopy{name: name, schema: t.Schema(ctx)}
		if err := copy.read(ctx, from, db.Name()); err != nil {
			c.left[strings.ToLower(name)] = err.Error()
			continue
		}
		copy.chooseKey()
		if copy.extra != "" {
			c.extra[copy.extra] = true
		}
		if err := copy.write(ctx, client); err != nil {
			return conn, fmt.Errorf("table %s: %w", name, err)
		}
		file += copy.pins()
	}
	if file == "tables:\n" {
		file = ""
	}
	return conn, os.WriteFile(conn.Schema, []byte(file), 0o600)
}

// A tableCopy is one table on its way.
type tableCopy struct {
	name   string
	schema sql.Schema
	items  []ddb.Item
	key    []string // names of its one or two attributes
	extra  string   // the key if no columns can be it
}

// read takes the rows as items.
func (t *tableCopy) read(ctx *sql.Context, from *sqle.Engine, database string) error {
	for _, c := range t.schema {
		if _, err := pinOf(c.Type); err != nil {
			return err
		}
	}
	var columns []string
	for _, c := range t.schema {
		columns = append(columns, quote(c.Name))
	}
	_, iter, _, err := from.Query(ctx, "SELECT "+strings.Join(columns, ", ")+" FROM "+quote(database)+"."+quote(t.name))
	if err != nil {
		return err
	}
	rows, err := sql.RowIterToRows(ctx, iter)
	if err != nil {
		return err
	}
	for _, row := range rows {
		item := ddb.Item{}
		for i, v := range row {
			a, err := attributeOf(ctx, t.schema[i].Type, v)
			if err != nil {
				return err
			}
			if a != nil {
				item[t.schema[i].Name] = a
			}
		}
		if codec.ItemSize(item) > mostItem {
			return fmt.Errorf("an item has at most %d bytes", mostItem)
		}
		t.items = append(t.items, item)
	}
	return nil
}

// mostItem is the size of an item in DynamoDB, with room for a further key.
const mostItem = 400*1024 - 100

func quote(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

// chooseKey takes the primary key if DynamoDB can have it, and otherwise a
// further attribute with the number of the row.
func (t *tableCopy) chooseKey() {
	for _, c := range t.schema {
		if c.PrimaryKey {
			t.key = append(t.key, c.Name)
		}
	}
	if len(t.key) < 1 || len(t.key) > 2 || !t.unique() {
		t.extra = "key of " + t.name
		t.key = []string{t.extra}
		for i := range t.items {
			t.items[i][t.extra] = &types.AttributeValueMemberN{Value: fmt.Sprint(i)}
		}
	}
}

// unique reports whether every item has the key, and no two the same.
func (t *tableCopy) unique() bool {
	seen := map[string]bool{}
	for _, item := range t.items {
		text := ""
		for _, name := range t.key {
			switch v := item[name].(type) {
			case *types.AttributeValueMemberS:
				if v.Value == "" || len(v.Value) > 1000 {
					return false
				}
				text += v.Value + "\x00"
			case *types.AttributeValueMemberN:
				text += v.Value + "\x00"
			default:
				return false
			}
		}
		if seen[text] {
			return false
		}
		seen[text] = true
	}
	for _, name := range t.key {
		pin, _ := pinOf(t.schema[t.schema.IndexOfColName(name)].Type)
		if pin.kind != types.ScalarAttributeTypeN && pin.kind != types.ScalarAttributeTypeS {
			return false
		}
	}
	return true
}

func (t *tableCopy) write(ctx context.Context, client ddb.Client) error {
	in := &ddb.CreateTableInput{TableName: &t.name, BillingMode: types.BillingModePayPerRequest}
	for i, name := range t.key {
		kind := types.ScalarAttributeTypeN
		if t.extra == "" {
			pin, _ := pinOf(t.schema[t.schema.IndexOfColName(name)].Type)
			kind = pin.kind
		}
		in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{AttributeName: aws.String(name), AttributeType: kind})
		in.KeySchema = append(in.KeySchema, types.KeySchemaElement{AttributeName: aws.String(name), KeyType: []types.KeyType{types.KeyTypeHash, types.KeyTypeRange}[i]})
	}
	if _, err := client.CreateTable(ctx, in); err != nil {
		return err
	}
	for _, item := range t.items {
		if _, err := client.PutItem(ctx, &ddb.PutItemInput{TableName: &t.name, Item: item}); err != nil {
			return err
		}
	}
	return nil
}

// pins are the lines of the table in a schema file.
func (t *tableCopy) pins() string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %s:\n    columns:\n", jsonText(t.name))
	for _, c := range t.schema {
		pin, _ := pinOf(c.Type)
		fmt.Fprintf(&b, "      %s: {type: %s", jsonText(c.Name), jsonText(pin.name))
		if pin.from != "" {
			b.WriteString(", from: " + pin.from)
		}
		b.WriteString("}\n")
	}
	return b.String()
}

func jsonText(s string) string {
	text, _ := json.Marshal(s) // a string always encodes
	return string(text)
}

// A pin is how a schema file names a type, and what DynamoDB stores for it.
type pin struct {
	name, from string
	kind       types.ScalarAttributeType // "" for documents
}

func pinOf(t sql.Type) (pin, error) {
	switch {
	case sqltypes.IsJSON(t):
		return pin{name: "JSON"}, nil
	case sqltypes.IsBit(t), sqltypes.IsYear(t), sqltypes.IsInteger(t) && t != sqltypes.Uint64:
		return pin{"BIGINT", "", types.ScalarAttributeTypeN}, nil
	case t == sqltypes.Uint64:
		return pin{"DECIMAL(20,0)", "", types.ScalarAttributeTypeN}, nil
	case sqltypes.IsFloat(t):
		return pin{"DOUBLE", "", types.ScalarAttributeTypeN}, nil
	case sqltypes.IsDecimal(t):
		d := t.(sql.DecimalType)
		return pin{fmt.Sprintf("DECIMAL(%d,%d)", d.Precision(), d.Scale()), "", types.ScalarAttributeTypeN}, nil
	case sqltypes.IsDatetimeType(t) || sqltypes.IsTimestampType(t):
		return pin{fmt.Sprintf("DATETIME(%d)", t.(sql.DatetimeType).Precision()), "iso8601", types.ScalarAttributeTypeS}, nil
	case sqltypes.IsBinaryType(t):
		return pin{"LONGBLOB", "", types.ScalarAttributeTypeB}, nil
	case sqltypes.IsTextOnly(t), sqltypes.IsDateType(t), sqltypes.IsTimespan(t), sqltypes.IsEnum(t), sqltypes.IsSet(t):
		return pin{"LONGTEXT", "", types.ScalarAttributeTypeS}, nil
	}
	return pin{}, fmt.Errorf("DynamoDB has nothing for %s", t)
}

// attributeOf is a value as an attribute; nil for NULL.
func attributeOf(ctx *sql.Context, t sql.Type, v any) (types.AttributeValue, error) {
	v, err := sql.UnwrapAny(ctx, v)
	if v == nil || err != nil {
		return nil, err
	}
	out, err := t.SQL(ctx, nil, v)
	if err != nil {
		return nil, err
	}
	text := string(out.ToBytes())
	p, err := pinOf(t)
	switch {
	case err != nil:
		return nil, err
	case p.name == "JSON":
		return documentOf(text)
	case p.kind == types.ScalarAttributeTypeB:
		return &types.AttributeValueMemberB{Value: []byte(text)}, nil
	case sqltypes.IsBit(t):
		return &types.AttributeValueMemberN{Value: fmt.Sprint(v)}, nil
	case p.kind == types.ScalarAttributeTypeN:
		return &types.AttributeValueMemberN{Value: text}, nil
	case p.from != "":
		at, ok := v.(time.Time)
		if !ok {
			return nil, fmt.Errorf("%T is no time", v)
		}
		return &types.AttributeValueMemberS{Value: at.UTC().Format("2006-01-02T15:04:05.999999Z")}, nil
	}
	return &types.AttributeValueMemberS{Value: text}, nil
}

func documentOf(text string) (types.AttributeValue, error) {
	var v any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	wire, err := json.Marshal(map[string]any{"v": wireOf(v)})
	if err != nil {
		return nil, err
	}
	item, err := codec.ParseItem(string(wire))
	return item["v"], err
}

// wireOf is a JSON value in DynamoDB JSON.
func wireOf(v any) any {
	switch x := v.(type) {
	case nil:
		return map[string]any{"NULL": true}
	case bool:
		return map[string]any{"BOOL": x}
	case json.Number:
		return map[string]any{"N": x.String()}
	case string:
		return map[string]any{"S": x}
	case []any:
		list := make([]any, len(x))
		for i := range x {
			list[i] = wireOf(x[i])
		}
		return map[string]any{"L": list}
	case map[string]any:
		members := map[string]any{}
		for k := range x {
			members[k] = wireOf(x[k])
		}
		return map[string]any{"M": members}
	}
	return v
}
