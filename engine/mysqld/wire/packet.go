package wire

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
)

// maxPart is the largest payload of one packet; a longer message is sent in
// several, the last of them shorter than this.
const maxPart = 1<<24 - 1

const bufferSize = 64 << 10

// ErrTooLarge reports a message above the limit given to Read.
var ErrTooLarge = errors.New("the packet is larger than allowed")

// A Message is what a client has sent: one or more packets, joined.
type Message struct {
	Payload []byte
	// Sequence is the number of its first packet.
	Sequence byte
	// Next is the number that the first packet of the answer must carry.
	Next byte
	// packed is that of the first compressed packet of the answer.
	packed byte
}

// A Conn carries messages over a network connection. One goroutine may read
// while another writes; each side belongs to one goroutine at a time.
type Conn struct {
	net      net.Conn
	r        *bufio.Reader
	w        *bufio.Writer
	sequence byte // of the next packet written
	unpack   *unpacker
	pack     *packer
}

// NewConn begins a conversation on a connection.
func NewConn(c net.Conn) *Conn {
	return &Conn{net: c, r: bufio.NewReaderSize(c, 4<<10), w: bufio.NewWriterSize(c, bufferSize)}
}

// Net is the connection below.
func (c *Conn) Net() net.Conn { return c.net }

// Answer makes what is written next the answer to a message. The zero Message
// stands for none: what follows begins an exchange.
func (c *Conn) Answer(m Message) {
	c.sequence = m.Next
	if c.pack != nil {
		c.pack.sequence = m.packed
	}
}

// Read reads one message of at most limit bytes. It returns io.EOF only if the
// connection was closed between messages.
func (c *Conn) Read(limit int) (Message, error) {
	var m Message
	for part := 0; ; part++ {
		length, sequence, err := c.readHeader()
		if err != nil {
			if part > 0 {
				err = unexpected(err)
			}
			return Message{}, err
		}
		if part == 0 {
			m.Sequence = sequence
		} else if sequence != m.Next {
			return Message{}, fmt.Errorf("packet %d came where %d was expected", sequence, m.Next)
		}
		m.Next = sequence + 1
		if len(m.Payload)+length > limit {
			return m, ErrTooLarge
		}
		if m.Payload, err = readInto(m.Payload, c.r, length); err != nil {
			return Message{}, unexpected(err)
		}
		if length < maxPart {
			if c.unpack != nil {
				m.packed = c.unpack.sequence + 1
			}
			return m, nil
		}
	}
}

func (c *Conn) readHeader() (length int, sequence byte, err error) {
	var h [4]byte
	if _, err := io.ReadFull(c.r, h[:]); err != nil {
		return 0, 0, err
	}
	return int(h[0]) | int(h[1])<<8 | int(h[2])<<16, h[3], nil
}

// readInto appends n bytes, growing as they come.
func readInto(to []byte, r io.Reader, n int) ([]byte, error) {
	for n > 0 {
		step := min(n, bufferSize)
		old := len(to)
		to = append(to, make([]byte, step)...)
		if _, err := io.ReadFull(r, to[old:]); err != nil {
			return nil, err
		}
		n -= step
	}
	return to, nil
}

func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Write queues one message. What is queued is sent when the buffer is full and
// by Flush; a client that does not read thus holds the writer up.
func (c *Conn) Write(payload []byte) error {
	for {
		part := payload[:min(len(payload), maxPart)]
		header := [4]byte{byte(len(part)), byte(len(part) >> 8), byte(len(part) >> 16), c.sequence}
		c.sequence++
		if _, err := c.w.Write(header[:]); err != nil {
			return err
		}
		if _, err := c.w.Write(part); err != nil {
			return err
		}
		payload = payload[len(part):]
		if len(part) < maxPart {
			return nil
		}
	}
}

// Flush sends what is queued.
func (c *Conn) Flush() error { return c.w.Flush() }

// Upgrade continues the conversation on a connection made from this one, such
// as TLS over it. Nothing may be queued.
func (c *Conn) Upgrade(make func(net.Conn) net.Conn) {
	c.net = make(&rest{Conn: c.net, r: c.r})
	c.r = bufio.NewReaderSize(c.net, 4<<10)
	c.w.Reset(c.net)
}

// rest is a connection of which some bytes have been read ahead.
type rest struct {
	net.Conn
	r *bufio.Reader
}

func (c *rest) Read(p []byte) (int, error) { return c.r.Read(p) }
