package wire

// Status is the state of a session that goes with most answers.
type Status uint16

// Status flags.
const (
	InTransaction Status = 0x0001
	Autocommit    Status = 0x0002
	MoreResults   Status = 0x0008
	CursorExists  Status = 0x0040
	LastRowSent   Status = 0x0080
)

// Done is how a statement or a result ends.
type Done struct {
	Affected uint64
	InsertID uint64
	Status   Status
	Warnings uint16
	Info     string
}

// OK is the answer to a statement without a result.
func OK(d Done) []byte { return d.encode(0x00) }

// End ends the columns or the rows of a result. Clients that deprecate EOF
// packets get an OK packet with another first byte.
func End(d Done, c Capability) []byte {
	if c&DeprecateEOF != 0 {
		return d.encode(0xfe)
	}
	b := appendUint16([]byte{0xfe}, d.Warnings)
	return appendUint16(b, uint16(d.Status))
}

func (d Done) encode(first byte) []byte {
	b := appendLength([]byte{first}, d.Affected)
	b = appendLength(b, d.InsertID)
	b = appendUint16(b, uint16(d.Status))
	b = appendUint16(b, d.Warnings)
	if d.Info != "" {
		b = AppendString(b, d.Info)
	}
	return b
}

// Err is a failed command: MySQL's error number, the SQLSTATE of five
// characters, and the message.
func Err(number uint16, state, message string) []byte {
	if len(state) != 5 {
		state = "HY000"
	}
	b := appendUint16([]byte{0xff}, number)
	b = append(append(b, '#'), state...)
	return append(b, message...)
}

// Type is the type of a column or parameter.
type Type byte

// Types of the protocol.
const (
	TypeTiny       Type = 1
	TypeShort      Type = 2
	TypeLong       Type = 3
	TypeFloat      Type = 4
	TypeDouble     Type = 5
	TypeNull       Type = 6
	TypeTimestamp  Type = 7
	TypeLongLong   Type = 8
	TypeInt24      Type = 9
	TypeDate       Type = 10
	TypeTime       Type = 11
	TypeDatetime   Type = 12
	TypeYear       Type = 13
	TypeVarchar    Type = 15
	TypeBit        Type = 16
	TypeJSON       Type = 245
	TypeNewDecimal Type = 246
	TypeEnum       Type = 247
	TypeSet        Type = 248
	TypeTinyBlob   Type = 249
	TypeMediumBlob Type = 250
	TypeLongBlob   Type = 251
	TypeBlob       Type = 252
	TypeVarString  Type = 253
	TypeString     Type = 254
	TypeGeometry   Type = 255
)

// Column flags.
const (
	NotNull       = 1
	PrimaryKey    = 2
	BlobFlag      = 16
	Unsigned      = 32
	Binary        = 128
	EnumFlag      = 256
	AutoIncrement = 512
	SetFlag       = 2048
	NoDefault     = 4096
	NumFlag       = 32768
)

// NotFixed is Column.Decimals of a floating-point number whose digits behind
// the point are not fixed.
const NotFixed = 31

// BinaryCollation is the collation of what is not text.
const BinaryCollation = 63

// Column describes a column of a result, or a parameter.
type Column struct {
	Database  string
	Table     string // or its alias
	OrgTable  string
	Name      string // or its alias
	OrgName   string
	Collation uint16
	Length    uint32 // in bytes, at most
	Type      Type
	Flags     uint16
	Decimals  byte
}

// Encode returns the payload that defines the column.
func (c Column) Encode() []byte {
	b := AppendString(make([]byte, 0, 64), "def")
	for _, s := range []string{c.Database, c.Table, c.OrgTable, c.Name, c.OrgName} {
		b = AppendString(b, s)
	}
	b = append(b, 0x0c)
	b = appendUint16(b, c.Collation)
	b = appendUint32(b, c.Length)
	b = append(b, byte(c.Type))
	b = appendUint16(b, c.Flags)
	return append(b, c.Decimals, 0, 0)
}

// EncodeListed is Encode for COM_FIELD_LIST, where a default value follows.
func (c Column) EncodeListed() []byte { return append(c.Encode(), 0xfb) }

// Count begins a result of n columns.
func Count(n int) []byte { return appendLength(nil, uint64(n)) }

// Prepared is the answer to a statement that was prepared.
func Prepared(id uint32, columns, parameters int, warnings uint16) []byte {
	b := appendUint32([]byte{0}, id)
	b = appendUint16(b, uint16(columns))
	b = appendUint16(b, uint16(parameters))
	return appendUint16(append(b, 0), warnings)
}

// AppendNull appends a NULL to a row in text form.
func AppendNull(b []byte) []byte { return append(b, 0xfb) }
