package wire

import (
	"crypto/rand"
	"fmt"
)

// Capability is what client and server may agree on in the handshake.
type Capability uint32

// Capabilities that this server knows.
const (
	LongPassword     Capability = 1 << 0
	FoundRows        Capability = 1 << 1
	LongFlag         Capability = 1 << 2
	ConnectWithDB    Capability = 1 << 3
	Compress         Capability = 1 << 5
	LocalFiles       Capability = 1 << 7
	IgnoreSpace      Capability = 1 << 8
	Protocol41       Capability = 1 << 9
	Interactive      Capability = 1 << 10
	TLS              Capability = 1 << 11
	Transactions     Capability = 1 << 13
	SecureConnection Capability = 1 << 15
	MultiStatements  Capability = 1 << 16
	MultiResults     Capability = 1 << 17
	PSMultiResults   Capability = 1 << 18
	PluginAuth       Capability = 1 << 19
	ConnectAttrs     Capability = 1 << 20
	PluginAuthLenenc Capability = 1 << 21
	DeprecateEOF     Capability = 1 << 24
)

// offered is what the server tells that it can do; TLS is added where there is
// a certificate.
const offered = LongPassword | FoundRows | LongFlag | ConnectWithDB | Compress | LocalFiles | IgnoreSpace |
	Protocol41 | Interactive | Transactions | SecureConnection | MultiStatements | MultiResults | PSMultiResults |
	PluginAuth | ConnectAttrs | PluginAuthLenenc | DeprecateEOF

// Greeting is the first message of a server.
type Greeting struct {
	Version    string // of the server
	Connection uint32
	Method     string // of authentication, by default
	Salt       []byte // 20 bytes, from NewSalt
	Status     Status
	TLS        bool // is offered
}

// NewSalt returns a random challenge of 20 bytes, none of them zero or '$',
// which end strings in some clients.
func NewSalt() []byte {
	salt := make([]byte, 20)
	_, _ = rand.Read(salt) // never fails
	for i := range salt {
		if salt[i] &= 0x7f; salt[i] == 0 || salt[i] == '$' {
			salt[i]++
		}
	}
	return salt
}

// Encode returns the message's payload (protocol version 10).
func (g Greeting) Encode() []byte {
	can := offered
	if g.TLS {
		can |= TLS
	}
	b := append([]byte{10}, g.Version...)
	b = append(b, 0)
	b = appendUint32(b, g.Connection)
	b = append(b, g.Salt[:8]...)
	b = append(b, 0)
	b = appendUint16(b, uint16(can))
	b = append(b, byte(defaultCollation))
	b = appendUint16(b, uint16(g.Status))
	b = appendUint16(b, uint16(can>>16))
	b = append(b, 21)
	b = append(b, make([]byte, 10)...)
	b = append(b, g.Salt[8:]...)
	b = append(b, 0)
	return append(append(b, g.Method...), 0)
}

// defaultCollation is utf8mb4_0900_ai_ci, MySQL 8's.
const defaultCollation = 255

// Login is a client's answer to the greeting, or its COM_CHANGE_USER.
type Login struct {
	Capabilities Capability
	Collation    uint16
	User         string
	Response     []byte // to the challenge
	Database     string
	Method       string // of authentication; empty if the client does not say
	Attributes   map[string]string
}

// ParseLogin reads a handshake response. If it is a request for TLS, which is
// shorter, tls is true and only the capabilities are set.
func ParseLogin(payload []byte) (l Login, tls bool, err error) {
	r := reader{rest: payload}
	l.Capabilities = Capability(r.uint32())
	if l.Capabilities&Protocol41 == 0 {
		return l, false, fmt.Errorf("the client speaks a protocol from before MySQL 4.1")
	}
	r.uint32() // the client's own limit of packets
	l.Collation = uint16(r.uint8())
	r.take(23)
	if r.bad {
		return l, false, errMalformed
	}
	if len(r.rest) == 0 && l.Capabilities&TLS != 0 {
		return l, true, nil
	}
	l.Capabilities &= offered | TLS
	l.User = r.zero()
	switch {
	case l.Capabilities&PluginAuthLenenc != 0:
		l.Response = r.bytes()
	case l.Capabilities&SecureConnection != 0:
		l.Response = r.take(int(r.uint8()))
	default:
		l.Response = []byte(r.zero())
	}
	if l.Capabilities&ConnectWithDB != 0 && len(r.rest) > 0 {
		l.Database = r.zeroOrEnd()
	}
	l.methodAndAttributes(&r)
	return l, false, r.err()
}

// ParseChangeUser reads the payload of COM_CHANGE_USER behind the command byte.
// The capabilities stay those of the connection.
func ParseChangeUser(payload []byte, c Capability) (Login, error) {
	r := reader{rest: payload}
	l := Login{Capabilities: c}
	l.User = r.zero()
	if c&SecureConnection != 0 {
		l.Response = r.take(int(r.uint8()))
	} else {
		l.Response = []byte(r.zero())
	}
	l.Database = r.zeroOrEnd()
	if len(r.rest) >= 2 {
		l.Collation = r.uint16()
	}
	l.methodAndAttributes(&r)
	return l, r.err()
}

func (l *Login) methodAndAttributes(r *reader) {
	if l.Capabilities&PluginAuth != 0 && len(r.rest) > 0 {
		l.Method = r.zeroOrEnd()
	}
	if l.Capabilities&ConnectAttrs != 0 && len(r.rest) > 0 {
		l.Attributes = map[string]string{}
		for all := (reader{rest: r.bytes()}); len(all.rest) > 0 && !all.bad; {
			name := string(all.bytes())
			l.Attributes[name] = string(all.bytes())
		}
	}
}

// SwitchMethod is the request to authenticate in another way.
func SwitchMethod(method string, salt []byte) []byte {
	b := append([]byte{0xfe}, method...)
	b = append(append(b, 0), salt...)
	return append(b, 0)
}

// MoreData carries further data of an authentication method.
func MoreData(data []byte) []byte { return append([]byte{1}, data...) }
