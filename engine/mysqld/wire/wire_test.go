package wire

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"
)

// pipe is two ends of a conversation.
func pipe(t *testing.T) (a, b *Conn) {
	t.Helper()
	x, y := net.Pipe()
	t.Cleanup(func() { x.Close(); y.Close() })
	return NewConn(x), NewConn(y)
}

func TestMessages(t *testing.T) {
	for _, tt := range []struct {
		name  string
		size  int
		parts byte
	}{
		{"empty", 0, 1},
		{"one byte", 1, 1},
		{"one less than a packet", maxPart - 1, 1},
		{"a packet", maxPart, 2},
		{"one more than a packet", maxPart + 1, 2},
		{"two packets", 2 * maxPart, 3},
	} {
		for _, packed := range []bool{false, true} {
			if packed && (tt.parts > 2 || tt.size == maxPart-1) {
				continue // long, and nothing new
			}
			t.Run(tt.name, func(t *testing.T) {
				a, b := pipe(t)
				if packed {
					a.Compress()
					b.Compress()
				}
				payload := bytes.Repeat([]byte("abcdefg"), tt.size/7+1)[:tt.size]
				sent := make(chan error, 1)
				go func() { sent <- errors.Join(a.Write(payload), a.Flush()) }()
				m, err := b.Read(3 * maxPart)
				if err != nil {
					t.Fatal(err)
				}
				if err := <-sent; err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(m.Payload, payload) || m.Sequence != 0 || m.Next != tt.parts {
					t.Errorf("%d bytes, packets %d to %d; want %d bytes, 0 to %d", len(m.Payload), m.Sequence, m.Next, tt.size, tt.parts)
				}
			})
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for _, tt := range []struct {
		name, bytes string
		packed      bool
		want        error
	}{
		{"nothing", "", false, io.EOF},
		{"half a header", "\x01\x00", false, io.ErrUnexpectedEOF},
		{"half a payload", "\x05\x00\x00\x00ab", false, io.ErrUnexpectedEOF},
		{"more than allowed", "\xff\xff\x00\x00", false, ErrTooLarge},
		{"a compressed packet cut off", "\x10\x00\x00\x00\x20\x00\x00\x78\x9cabc", true, io.ErrUnexpectedEOF},
		{"a compressed packet that is none", "\x04\x00\x00\x00\x20\x00\x00abcd", true, nil},
		{"an empty compressed packet, then nothing", "\x00\x00\x00\x00\x00\x00\x00", true, io.EOF},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, b := pipe(t)
			go func() {
				_, _ = io.WriteString(a.Net(), tt.bytes)
				a.Net().Close()
			}()
			if tt.packed {
				b.Compress()
			}
			_, err := b.Read(1000)
			if err == nil || tt.want != nil && !errors.Is(err, tt.want) {
				t.Errorf("Read = %v, want %v", err, tt.want)
			}
		})
	}
}

// TestReadTakesMemoryAsItComes claims a great length and sends little.
func TestReadTakesMemoryAsItComes(t *testing.T) {
	a, b := pipe(t)
	go func() {
		_, _ = io.WriteString(a.Net(), "\xfe\xff\xff\x00little")
		a.Net().Close()
	}()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := b.Read(1 << 24)
	runtime.ReadMemStats(&after)
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("Read = %v", err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
		t.Errorf("%d bytes of memory for 6 received", took)
	}
}

// TestPasswords compares with what MySQL 8 computes for the password "secret"
// and a known challenge.
func TestPasswords(t *testing.T) {
	salt := []byte("0123456789abcdefghij")
	if got := strings.ToUpper(hex.EncodeToString(NativeHash("secret"))); got != "14E65567ABDB5135D0CFD9A70B3032C179A49EE7" {
		t.Errorf("NativeHash = %s", got)
	}
	if !CheckNative(NativeHash("secret"), salt, NativeResponse("secret", salt)) {
		t.Error("the right native password is refused")
	}
	if CheckNative(NativeHash("secret"), salt, NativeResponse("Secret", salt)) {
		t.Error("a wrong native password is taken")
	}
	for _, response := range [][]byte{nil, {0}, make([]byte, 20), make([]byte, 32)} {
		if CheckNative(NativeHash("secret"), salt, response) || CheckSHA2(SHA2Hash("secret"), salt, response) {
			t.Errorf("response %x is taken", response)
		}
	}
}

func TestBinaryValues(t *testing.T) {
	for _, tt := range []struct {
		name string
		kind Type
		text string
		want string // "" if it does not fit
	}{
		{"a small integer", TypeTiny, "-1", "\xff"},
		{"a year", TypeYear, "2024", "\xe8\x07"},
		{"an integer", TypeLong, "-2", "\xfe\xff\xff\xff"},
		{"a large integer", TypeLongLong, "9223372036854775807", "\xff\xff\xff\xff\xff\xff\xff\x7f"},
		{"a number", TypeNewDecimal, "1.50", "\x041.50"},
		{"a float", TypeFloat, "1.5", "\x00\x00\xc0\x3f"},
		{"a double", TypeDouble, "1.5", "\x00\x00\x00\x00\x00\x00\xf8\x3f"},
		{"a date", TypeDate, "2024-02-29", "\x04\xe8\x07\x02\x1d"},
		{"the zero date", TypeDate, "0000-00-00", "\x00"},
		{"midnight", TypeDatetime, "2024-02-29 00:00:00", "\x04\xe8\x07\x02\x1d"},
		{"a moment", TypeDatetime, "2024-02-29 01:02:03", "\x07\xe8\x07\x02\x1d\x01\x02\x03"},
		{"a moment with microseconds", TypeTimestamp, "2024-02-29 01:02:03.5", "\x0b\xe8\x07\x02\x1d\x01\x02\x03\x20\xa1\x07\x00"},
		{"a duration", TypeTime, "-25:00:01", "\x08\x01\x01\x00\x00\x00\x01\x00\x01"},
		{"a duration with microseconds", TypeTime, "00:00:00.000001", "\x0c\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00"},
		{"no duration", TypeTime, "00:00:00", "\x00"},
		{"text", TypeVarString, "x", "\x01x"},
		{"text that is no integer", TypeLong, "x", ""},
		{"text that is no date", TypeDate, "soon", ""},
		{"text that is no duration", TypeTime, "1:2", ""},
		{"text that is no double", TypeDouble, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := appendBinary(nil, &Column{Type: tt.kind}, []byte(tt.text))
			if tt.want == "" {
				if err == nil {
					t.Errorf("%q = %q, want an error", tt.text, got)
				}
				return
			}
			if err != nil || string(got) != tt.want {
				t.Errorf("%q = %q, %v; want %q", tt.text, got, err, tt.want)
			}
		})
	}
}

func TestRowNulls(t *testing.T) {
	var r Row
	r.Begin(9)
	for range 8 {
		r.Null()
	}
	if err := r.Text(&Column{Type: TypeTiny}, []byte("7")); err != nil {
		t.Fatal(err)
	}
	if want := "\x00\xfc\x03\x07"; string(r.Payload()) != want {
		t.Errorf("row %q, want %q", r.Payload(), want)
	}
}

func TestParameters(t *testing.T) {
	for _, tt := range []struct {
		name     string
		kind     Type
		unsigned bool
		bytes    string
		want     Parameter
		bad      bool
	}{
		{"an integer", TypeLongLong, false, "\xff\xff\xff\xff\xff\xff\xff\xff", Parameter{KindInteger, []byte("-1")}, false},
		{"an unsigned integer", TypeLongLong, true, "\xff\xff\xff\xff\xff\xff\xff\xff", Parameter{KindInteger, []byte("18446744073709551615")}, false},
		{"a small integer", TypeTiny, false, "\x80", Parameter{KindInteger, []byte("-128")}, false},
		{"a double", TypeDouble, false, "\x00\x00\x00\x00\x00\x00\xf8\x3f", Parameter{KindFloat, []byte("1.5e+00")}, false},
		{"not a number", TypeDouble, false, "\x00\x00\x00\x00\x00\x00\xf8\x7f", Parameter{}, true},
		{"text", TypeVarString, false, "\x03abc", Parameter{KindText, []byte("abc")}, false},
		{"bytes", TypeBlob, false, "\x01\xff", Parameter{KindBytes, []byte("\xff")}, false},
		{"a number", TypeNewDecimal, false, "\x031.5", Parameter{KindDecimal, []byte("1.5")}, false},
		{"a number that is none", TypeNewDecimal, false, "\x041;--", Parameter{}, true},
		{"a date", TypeDate, false, "\x04\xe8\x07\x02\x1d", Parameter{KindText, []byte("2024-02-29")}, false},
		{"a moment", TypeDatetime, false, "\x0b\xe8\x07\x02\x1d\x01\x02\x03\x20\xa1\x07\x00", Parameter{KindText, []byte("2024-02-29 01:02:03.500000")}, false},
		{"a duration", TypeTime, false, "\x08\x01\x01\x00\x00\x00\x01\x00\x01", Parameter{KindText, []byte("-25:00:01")}, false},
		{"text cut off", TypeVarString, false, "\x05abc", Parameter{}, true},
		{"a date cut off", TypeDate, false, "\x04\xe8", Parameter{}, true},
		{"a length out of range", TypeVarString, false, "\xfe\xff\xff\xff\xff\xff\xff\xff\xff", Parameter{}, true},
		{"an unknown type", 100, false, "", Parameter{}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			flag := byte(0)
			if tt.unsigned {
				flag = 0x80
			}
			payload := append([]byte{0, 1, 0, 0, 0, 0, 1, byte(tt.kind), flag}, tt.bytes...)
			x, err := ParseExecute(1, payload, 1, nil, nil)
			if tt.bad {
				if err == nil {
					t.Errorf("%+v, want an error", x.Parameters)
				}
				return
			}
			if err != nil || x.Parameters[0].Kind != tt.want.Kind || !bytes.Equal(x.Parameters[0].Text, tt.want.Text) {
				t.Errorf("%+v, %v; want %+v", x.Parameters, err, tt.want)
			}
		})
	}
}

// FuzzParse reads whatever a client may send; nothing may panic.
func FuzzParse(f *testing.F) {
	f.Add([]byte("\x85\xa6\xff\x01\x00\x00\x00\x01\x2d\x00user\x00\x14aaaaaaaaaaaaaaaaaaaadb\x00mysql_native_password\x00"), 3)
	f.Add([]byte("\x00\x01\x00\x00\x00\x00\x01\x08\x00\x01\x00\x00\x00\x00\x00\x00\x00"), 1)
	f.Fuzz(func(t *testing.T, payload []byte, count int) {
		_, _, _ = ParseLogin(payload)
		_, _ = ParseChangeUser(payload, offered)
		if x, err := ParseExecute(1, payload, count&0xffff, nil, nil); err == nil && len(x.Parameters) != count&0xffff {
			t.Errorf("%d parameters of %d", len(x.Parameters), count&0xffff)
		}
		_, _, _ = StatementID(payload)
		_, _ = ParseLongData(payload)
		_, _ = ParseFetch(payload)
		_, _ = ParseFieldList(payload)
		_, _ = ParseKill(payload)
		_, _ = ParseSetOption(payload)
		for _, kind := range []Type{TypeDate, TypeDatetime, TypeTime, TypeLong, TypeDouble} {
			_, _ = appendBinary(nil, &Column{Type: kind}, payload)
		}
	})
}

// FuzzRead reads whatever comes over a connection.
func FuzzRead(f *testing.F) {
	f.Add([]byte("\x01\x00\x00\x00\x0e"), false)
	f.Add([]byte("\x0c\x00\x00\x00\x20\x00\x00\x78\x9c\x4b"), true)
	f.Fuzz(func(t *testing.T, sent []byte, packed bool) {
		c := NewConn(&fixedConn{Reader: bytes.NewReader(sent)})
		if packed {
			c.Compress()
		}
		for range 100 {
			m, err := c.Read(1 << 16)
			if err != nil {
				return
			}
			if len(m.Payload) > 1<<16 {
				t.Fatalf("%d bytes", len(m.Payload))
			}
		}
	})
}

type fixedConn struct{ io.Reader }

func (*fixedConn) Write(p []byte) (int, error)      { return len(p), nil }
func (*fixedConn) Close() error                     { return nil }
func (*fixedConn) LocalAddr() net.Addr              { return nil }
func (*fixedConn) RemoteAddr() net.Addr             { return nil }
func (*fixedConn) SetDeadline(time.Time) error      { return nil }
func (*fixedConn) SetReadDeadline(time.Time) error  { return nil }
func (*fixedConn) SetWriteDeadline(time.Time) error { return nil }
