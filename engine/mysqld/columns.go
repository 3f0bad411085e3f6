package mysqld

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"github.com/dynasql/dynasql/engine/mysqld/wire"
)

// columnsOf describes the columns of a result to a client.
func columnsOf(ctx *sql.Context, schema sql.Schema) []wire.Column {
	columns := make([]wire.Column, len(schema))
	collation := textCollation(ctx)
	for i, c := range schema {
		columns[i] = columnOf(ctx, c, collation)
	}
	return columns
}

// textCollation is the collation of text as it is sent.
func textCollation(ctx *sql.Context) uint16 {
	set := ctx.GetCharacterSetResults()
	if set == sql.CharacterSet_Unspecified || set == sql.CharacterSet_binary {
		set = sql.CharacterSet_utf8mb4
	}
	return uint16(set.DefaultCollation())
}

func columnOf(ctx *sql.Context, c *sql.Column, collation uint16) wire.Column {
	t, _ := sqltypes.TypeToMySQL(c.Type.Type())
	out := wire.Column{
		Database: c.DatabaseSource, Table: c.Source, OrgTable: c.Source, Name: c.Name, OrgName: c.Name,
		Type: wire.Type(t), Collation: wire.BinaryCollation, Length: c.Type.MaxTextResponseByteLength(ctx),
	}
	if !c.Nullable {
		out.Flags |= wire.NotNull
	}
	if c.PrimaryKey {
		out.Flags |= wire.PrimaryKey
	}
	switch {
	case types.IsJSON(c.Type):
		out.Collation = collation
		out.Flags |= wire.BlobFlag
	case types.IsNumber(c.Type):
		number(&out, c)
	case types.IsTime(c.Type), types.IsTimespan(c.Type):
		out.Flags |= wire.Binary
		if dt, ok := c.Type.(sql.DatetimeType); ok {
			out.Decimals = byte(dt.Precision())
		} else if types.IsTimespan(c.Type) {
			out.Decimals = 6
		}
	case types.IsBinaryType(c.Type):
		out.Flags |= wire.Binary
	case c.Type.Type() == sqltypes.Null, c.Type.Type() == sqltypes.Bit, c.Type.Type() == sqltypes.Geometry:
	default:
		out.Collation = collation
		out.Decimals = wire.NotFixed
	}
	if out.Type == wire.TypeBlob {
		out.Flags |= wire.BlobFlag
	}
	switch c.Type.Type() {
	case sqltypes.Enum:
		out.Flags |= wire.EnumFlag
	case sqltypes.Set:
		out.Flags |= wire.SetFlag
	}
	return out
}

// number describes a numeric column. Floating-point numbers have no fixed
// number of digits behind the point; a client that is told zero rounds them.
func number(out *wire.Column, c *sql.Column) {
	out.Flags |= wire.NumFlag | wire.Binary
	if types.IsUnsigned(c.Type) {
		out.Flags |= wire.Unsigned
	}
	switch {
	case types.IsDecimal(c.Type):
		out.Decimals = byte(c.Type.(sql.DecimalType).Scale())
	case types.IsFloat(c.Type):
		out.Decimals = wire.NotFixed
	case strings.EqualFold(c.Type.String(), "tinyint(1)"):
		// A length of one makes it a boolean for drivers, in a table. What an
		// expression such as a = b gives is an integer in MySQL.
		out.Length = 1
		if c.Source == "" {
			out.Type = wire.TypeLongLong
		}
	}
}
