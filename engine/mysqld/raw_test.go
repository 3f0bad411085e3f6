package mysqld_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/dynasql/dynasql/engine/mysqld/wire"
)

// A rawClient speaks the protocol packet by packet.
type rawClient struct {
	t    testing.TB
	net  net.Conn
	wire *wire.Conn
	caps wire.Capability
}

const usual = wire.Protocol41 | wire.SecureConnection | wire.PluginAuth | wire.MultiStatements | wire.MultiResults

// dial connects without logging in, and reads the greeting.
func dial(t testing.TB, address string) (*rawClient, []byte) {
	t.Helper()
	nc, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { nc.Close() })
	_ = nc.SetDeadline(time.Now().Add(5 * time.Minute))
	c := &rawClient{t: t, net: nc, wire: wire.NewConn(nc), caps: usual}
	return c, c.read()
}

// login connects as a user without a password.
func login(t testing.TB, address string, caps wire.Capability) *rawClient {
	t.Helper()
	c, _ := dial(t, address)
	c.caps |= caps
	b := binary.LittleEndian.AppendUint32(nil, uint32(c.caps))
	b = binary.LittleEndian.AppendUint32(b, 1<<24)
	b = append(b, 255)
	b = append(b, make([]byte, 23)...)
	b = append(b, "raw\x00\x00mysql_native_password\x00"...)
	c.wire.Answer(wire.Message{Next: 1})
	c.send(b)
	if answer := c.read(); answer[0] != 0 {
		t.Fatalf("login: %q", answer)
	}
	if caps&wire.Compress != 0 {
		c.wire.Compress()
	}
	return c
}

func (c *rawClient) send(payload []byte) {
	c.t.Helper()
	if err := errors.Join(c.wire.Write(payload), c.wire.Flush()); err != nil {
		c.t.Fatal(err)
	}
}

func (c *rawClient) read() []byte {
	c.t.Helper()
	m, err := c.wire.Read(1 << 30)
	if err != nil {
		c.t.Fatal(err)
	}
	return m.Payload
}

// command sends a command and reads the first packet of the answer.
func (c *rawClient) command(command wire.Command, payload string) []byte {
	c.t.Helper()
	c.wire.Answer(wire.Message{})
	c.send(append([]byte{byte(command)}, payload...))
	return c.read()
}

// query returns the column definitions and the rows of a result.
func (c *rawClient) query(text string) (columns, rows [][]byte) {
	c.t.Helper()
	first := c.command(wire.ComQuery, text)
	if first[0] == 0xff || first[0] == 0 {
		c.t.Fatalf("%s: %q", text, first)
	}
	for range int(first[0]) {
		columns = append(columns, c.read())
	}
	if c.caps&wire.DeprecateEOF == 0 {
		c.read()
	}
	return columns, c.rows()
}

// rows reads the rows of a result, after its columns.
func (c *rawClient) rows() (rows [][]byte) {
	c.t.Helper()
	for {
		row := c.read()
		if row[0] == 0xfe && len(row) < 9 {
			return rows
		}
		if row[0] == 0xff {
			c.t.Fatalf("%q", row)
		}
		rows = append(rows, row)
	}
}

// fixed are the fields behind the names of a column definition: collation,
// length, type, flags, decimals.
func fixed(column []byte) (collation uint16, length uint32, kind wire.Type, flags uint16, decimals byte) {
	b := column[len(column)-12:]
	return binary.LittleEndian.Uint16(b), binary.LittleEndian.Uint32(b[2:]), wire.Type(b[6]), binary.LittleEndian.Uint16(b[7:]), b[9]
}

func isError(payload []byte, number uint16) error {
	if payload[0] != 0xff || binary.LittleEndian.Uint16(payload[1:]) != number {
		return fmt.Errorf("got %q, want error %d", payload, number)
	}
	return nil
}

func isOK(payload []byte) error {
	if payload[0] != 0 {
		return fmt.Errorf("got %q, want OK", payload)
	}
	return nil
}

func contains(payload []byte, text string) error {
	if !bytes.Contains(payload, []byte(text)) {
		return fmt.Errorf("got %q, want %q in it", payload, text)
	}
	return nil
}
