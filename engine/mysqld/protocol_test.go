package mysqld_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/dynasql/dynasql/engine/mysqld"
	"github.com/dynasql/dynasql/engine/mysqld/wire"
)

func TestColumns(t *testing.T) {
	c := login(t, serve(t, newEngine(t, tables(t, "shop")), mysqld.Options{}), 0)
	for _, tt := range []struct {
		name, query string
		kind        wire.Type
		collation   uint16
		length      uint32 // 0 for any
		decimals    byte
	}{
		{"a double has no fixed decimals", "SELECT CAST(1.5 AS DOUBLE)", wire.TypeDouble, 63, 0, 31},
		{"a float has none either", "SELECT CAST(1.5 AS FLOAT)", wire.TypeFloat, 63, 0, 31},
		{"the square root is a double", "SELECT SQRT(2)", wire.TypeDouble, 63, 0, 31},
		{"a number", "SELECT credit FROM customers LIMIT 0", wire.TypeNewDecimal, 63, 0, 30},
		{"text", "SELECT name FROM customers LIMIT 0", wire.TypeVarString, 255, 0, 31},
		{"a boolean is one wide", "SELECT vip FROM customers LIMIT 0", wire.TypeTiny, 63, 1, 0},
		{"a comparison is an integer", "SELECT 1 = 1", wire.TypeLongLong, 63, 1, 0},
		{"binary", "SELECT bin FROM kinds LIMIT 0", wire.TypeVarString, 63, 0, 0},
		{"JSON", "SELECT m FROM kinds LIMIT 0", wire.TypeJSON, 255, 0, 0},
		{"a moment", "SELECT CAST('2024-01-01' AS DATETIME(3))", wire.TypeDatetime, 63, 0, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			columns, _ := c.query(tt.query)
			collation, length, kind, _, decimals := fixed(columns[0])
			if kind != tt.kind || collation != tt.collation || decimals != tt.decimals || tt.length != 0 && length != tt.length {
				t.Errorf("%s: type %d, collation %d, length %d, decimals %d; want %d, %d, %d, %d",
					tt.query, kind, collation, length, decimals, tt.kind, tt.collation, tt.length, tt.decimals)
			}
		})
	}
}

func TestCommands(t *testing.T) {
	address := serve(t, newEngine(t, tables(t, "shop")), mysqld.Options{})
	for _, tt := range []struct {
		name    string
		command wire.Command
		payload string
		check   func([]byte) error
	}{
		{"ping", wire.ComPing, "", isOK},
		{"another database", wire.ComInitDB, "information_schema", isOK},
		{"a database that there is not", wire.ComInitDB, "nowhere", func(b []byte) error { return isError(b, 1049) }},
		{"statistics", wire.ComStatistics, "", func(b []byte) error { return contains(b, "Uptime: ") }},
		{"debug", wire.ComDebug, "", func(b []byte) error { return contains(b, "\xfe") }},
		{"an option", wire.ComSetOption, "\x01\x00", func(b []byte) error { return contains(b, "\xfe") }},
		{"an option that there is not", wire.ComSetOption, "\x07\x00", func(b []byte) error { return isError(b, 1835) }},
		{"a new session", wire.ComResetConnection, "", isOK},
		{"an unknown command", 0x7f, "", func(b []byte) error { return isError(b, 1047) }},
		{"another user", wire.ComChangeUser, "other\x00\x00information_schema\x00\xff\x00mysql_native_password\x00", isOK},
		{"an unknown statement", wire.ComStmtExecute, "\x09\x00\x00\x00\x00\x01\x00\x00\x00", func(b []byte) error { return isError(b, 1243) }},
		{"an empty statement", wire.ComQuery, " ", func(b []byte) error { return isError(b, 1065) }},
		{"PREPARE", wire.ComQuery, "PREPARE s FROM 'SELECT ?'", func(b []byte) error {
			if len(b) != 7 {
				t.Errorf("the answer has %d bytes; behind the 7 of OK clients read a text", len(b))
			}
			return isOK(b)
		}},
		{"kill of nobody", wire.ComProcessKill, "\xff\xff\xff\xff", func(b []byte) error { return isError(b, 1094) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := login(t, address, 0)
			if err := tt.check(c.command(tt.command, tt.payload)); err != nil {
				t.Error(err)
			}
			if err := isOK(c.command(wire.ComPing, "")); err != nil {
				t.Errorf("afterwards: %v", err)
			}
		})
	}
}

func TestFieldList(t *testing.T) {
	c := login(t, serve(t, newEngine(t, tables(t, "shop")), mysqld.Options{}), 0)
	first := c.command(wire.ComFieldList, "customers\x00%")
	if err := contains(first, "\x02id"); err != nil {
		t.Error(err)
	}
	for b := first; b[0] != 0xfe; {
		b = c.read()
	}
}

func TestResetConnection(t *testing.T) {
	c := login(t, serve(t, newEngine(t, tables(t, "shop")), mysqld.Options{}), 0)
	if err := isOK(c.command(wire.ComQuery, "SET @a = 1, sql_select_limit = 1")); err != nil {
		t.Fatal(err)
	}
	if err := isOK(c.command(wire.ComResetConnection, "")); err != nil {
		t.Fatal(err)
	}
	_, rows := c.query("SELECT @a IS NULL, DATABASE(), (SELECT COUNT(*) FROM customers)")
	if err := contains(rows[0], "\x011\x08dynamodb\x015"); err != nil {
		t.Error(err)
	}
}

// TestMultipleStatements asks several at once, with and without permission.
func TestMultipleStatements(t *testing.T) {
	address := serve(t, newEngine(t, tables(t, "shop")), mysqld.Options{})
	c := login(t, address, 0)
	var got []string
	c.wire.Answer(wire.Message{})
	c.send([]byte("\x03SELECT 'a;b' ; SELECT 2;SET @x = 3; SELECT @x; ; -- end"))
	for more := true; more; {
		first := c.read()
		if first[0] == 0 {
			more = binary.LittleEndian.Uint16(first[3:])&uint16(wire.MoreResults) != 0
			got = append(got, "ok")
			continue
		}
		c.read()
		c.read()
		got = append(got, string(c.read()[1:]))
		end := c.read()
		more = binary.LittleEndian.Uint16(end[3:])&uint16(wire.MoreResults) != 0
	}
	if want := "a;b 2 ok 3"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
	c = login(t, address, 0)
	c.command(wire.ComSetOption, "\x01\x00")
	if err := isError(c.command(wire.ComQuery, "SELECT 1; SELECT 2"), 1064); err != nil {
		t.Errorf("without permission: %v", err)
	}
}

// TestCursor fetches rows in pieces while the connection runs other statements.
func TestCursor(t *testing.T) {
	for name, caps := range map[string]wire.Capability{"with EOF": 0, "without EOF": wire.DeprecateEOF} {
		t.Run(name, func(t *testing.T) {
			c := login(t, serve(t, newEngine(t, tables(t, "shop")), mysqld.Options{}), caps)
			prepared := c.command(wire.ComStmtPrepare, "SELECT number FROM orders WHERE customer = 'c5' ORDER BY number")
			id := string(prepared[1:5])
			c.read()
			if caps == 0 {
				c.read()
			}
			if first := c.command(wire.ComStmtExecute, id+"\x01\x01\x00\x00\x00"); first[0] != 1 {
				t.Fatalf("execute: %q", first)
			}
			c.read()
			c.read()
			rows := 0
			for last := false; !last; {
				b := c.command(wire.ComStmtFetch, id+"\x02\x00\x00\x00")
				for ; b[0] != 0xfe; b = c.read() {
					rows++
				}
				status := binary.LittleEndian.Uint16(b[3:])
				last = status&uint16(wire.LastRowSent) != 0
				if _, other := c.query("SELECT COUNT(*) FROM customers"); string(other[0]) != "\x015" {
					t.Errorf("between fetches: %q", other)
				}
			}
			if rows != 5 {
				t.Errorf("%d rows, want 5", rows)
			}
			if err := isError(c.command(wire.ComStmtFetch, id+"\x02\x00\x00\x00"), 1421); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestLongData(t *testing.T) {
	c := login(t, serve(t, newEngine(t, tables(t, "shop")), mysqld.Options{}), 0)
	prepared := c.command(wire.ComStmtPrepare, "SELECT LENGTH(?), ?")
	id := string(prepared[1:5])
	for range 6 {
		c.read()
	}
	for range 3 {
		c.wire.Answer(wire.Message{})
		c.send([]byte("\x18" + id + "\x00\x00" + strings.Repeat("x", 1000)))
	}
	c.command(wire.ComStmtExecute, id+"\x00\x01\x00\x00\x00"+"\x00\x01\xfc\x00\x08\x00"+"\x07\x00\x00\x00\x00\x00\x00\x00")
	for range 3 {
		c.read()
	}
	row := c.read()
	if want := "\x00\x00\xb8\x0b\x00\x00"; !strings.HasPrefix(string(row), want) {
		t.Errorf("row %q, want it to begin with %q", row, want)
	}
}

func TestCompression(t *testing.T) {
	address := serve(t, newEngine(t, tables(t, "shop")), mysqld.Options{})
	c := login(t, address, wire.Compress)
	_, rows := c.query("SELECT REPEAT('abc', 100000)")
	if len(rows) != 1 || len(rows[0]) != 300004 {
		t.Errorf("%d rows, the first of %d bytes", len(rows), len(rows[0]))
	}
	db := connect(t, address, "/dynamodb?compress=true")
	var n int
	if err := db.QueryRow("SELECT COUNT(*) FROM orders WHERE customer = ?", "c4").Scan(&n); err != nil || n != 4 {
		t.Errorf("%d orders, %v", n, err)
	}
}

// TestLargeMessages sends and receives more than one packet holds.
func TestLargeMessages(t *testing.T) {
	db := connect(t, serve(t, newEngine(t, tables(t, "shop")), mysqld.Options{}), "/dynamodb?maxAllowedPacket=0")
	var length, back int
	var text string
	long := strings.Repeat("0123456789", 2_000_000)
	if err := db.QueryRow("SELECT LENGTH('" + long + "')").Scan(&length); err != nil || length != len(long) {
		t.Errorf("length %d, %v", length, err)
	}
	if err := db.QueryRow("SELECT LENGTH(?), ?", long, long).Scan(&back, &text); err != nil || back != len(long) || text != long {
		t.Errorf("as a parameter: length %d and %d, %v", back, len(text), err)
	}
}

func TestTooLargeStatement(t *testing.T) {
	c := login(t, serve(t, newEngine(t, tables(t, "shop")), mysqld.Options{MaxStatementBytes: 1000}), 0)
	if err := isError(c.command(wire.ComQuery, "SELECT '"+strings.Repeat("x", 2000)+"'"), 1153); err != nil {
		t.Error(err)
	}
}

// TestCharacterSets has clients that do not speak UTF-8.
func TestCharacterSets(t *testing.T) {
	address := serve(t, newEngine(t, tables(t, "shop")), mysqld.Options{})
	c, _ := dial(t, address)
	c.wire.Answer(wire.Message{Next: 1})
	latin1 := handshake("x")
	latin1[8] = 8 // latin1_swedish_ci
	c.send(latin1)
	if err := isOK(c.read()); err != nil {
		t.Fatal(err)
	}
	columns, rows := c.query("SELECT id, name FROM customers WHERE name IN ('Chlo\xe9', 'Bruno') ORDER BY id")
	if want := "\x02c3\x05Chlo\xe9"; len(rows) != 2 || string(rows[1]) != want {
		t.Errorf("rows %q, want the second %q", rows, want)
	}
	if collation, _, _, _, _ := fixed(columns[1]); collation != 8 {
		t.Errorf("the collation of the result is %d, want 8", collation)
	}
	if _, rows := c.query("SELECT name FROM customers WHERE id = 'c5'"); string(rows[0]) != "\x05Eve ?" {
		t.Errorf("a character that latin1 lacks: %q", rows[0])
	}
	if err := isOK(c.command(wire.ComQuery, "SET NAMES utf8mb4")); err != nil {
		t.Fatal(err)
	}
	if _, rows := c.query("SELECT name FROM customers WHERE name = 'Chlo\u00e9'"); len(rows) != 1 || string(rows[0]) != "\x06Chlo\u00e9" {
		t.Errorf("after SET NAMES: %q", rows)
	}
}
