package wire

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
)

// worthwhile is the size from which compressing a packet pays.
const worthwhile = 50

// Compress continues the conversation in compressed packets, as agreed in the
// handshake. Nothing may be queued.
func (c *Conn) Compress() {
	c.unpack = &unpacker{from: c.r}
	c.pack = &packer{to: c.net}
	c.r = bufio.NewReaderSize(c.unpack, 4<<10)
	c.w = bufio.NewWriterSize(c.pack, bufferSize)
}

// unpacker reads what is in compressed packets.
type unpacker struct {
	from     *bufio.Reader
	packet   io.LimitedReader // what is left of the packet
	plain    io.Reader        // of the packet; nil between packets
	left     int              // bytes that plain still owes
	z        io.ReadCloser
	sequence byte // of the packet read last
}

func (u *unpacker) Read(p []byte) (int, error) {
	for u.left == 0 {
		if err := u.next(); err != nil {
			return 0, err
		}
	}
	n, err := u.plain.Read(p[:min(len(p), u.left)])
	u.left -= n
	if u.left > 0 && err == io.EOF {
		return n, io.ErrUnexpectedEOF
	}
	if err == io.EOF {
		err = nil
	}
	return n, err
}

func (u *unpacker) next() error {
	if u.plain != nil { // skip the checksum
		if _, err := io.Copy(io.Discard, &u.packet); err != nil {
			return err
		}
		u.plain = nil
	}
	var h [7]byte
	if _, err := io.ReadFull(u.from, h[:]); err != nil {
		return err
	}
	size := int64(h[0]) | int64(h[1])<<8 | int64(h[2])<<16
	u.sequence = h[3]
	u.packet = io.LimitedReader{R: u.from, N: size}
	u.left = int(h[4]) | int(h[5])<<8 | int(h[6])<<16
	if u.left == 0 { // not compressed
		u.left, u.plain = int(size), &u.packet
		return nil
	}
	return u.inflate()
}

func (u *unpacker) inflate() error {
	var err error
	if u.z == nil {
		u.z, err = zlib.NewReader(&u.packet)
	} else {
		err = u.z.(zlib.Resetter).Reset(&u.packet, nil)
	}
	if err != nil {
		return fmt.Errorf("compressed packet: %w", unexpected(err))
	}
	u.plain = u.z
	return nil
}

// packer writes compressed packets, one for each Write.
type packer struct {
	to       io.Writer
	z        *zlib.Writer
	buf      bytes.Buffer
	sequence byte // of the next packet
}

func (w *packer) Write(p []byte) (int, error) {
	for done := 0; done < len(p); {
		part := p[done:min(len(p), done+maxPart)]
		if err := w.packet(part); err != nil {
			return done, err
		}
		done += len(part)
	}
	return len(p), nil
}

func (w *packer) packet(plain []byte) error {
	w.buf.Reset()
	w.buf.Write(make([]byte, 7))
	size := len(plain)
	if size < worthwhile {
		w.buf.Write(plain)
		size = 0
	} else if err := w.deflate(plain); err != nil {
		return err
	}
	b := w.buf.Bytes()
	n := len(b) - 7
	copy(b, []byte{byte(n), byte(n >> 8), byte(n >> 16), w.sequence, byte(size), byte(size >> 8), byte(size >> 16)})
	w.sequence++
	_, err := w.to.Write(b)
	return err
}

func (w *packer) deflate(plain []byte) error {
	if w.z == nil {
		z, err := zlib.NewWriterLevel(&w.buf, zlib.BestSpeed)
		if err != nil {
			return err
		}
		w.z = z
	} else {
		w.z.Reset(&w.buf)
	}
	if _, err := w.z.Write(plain); err != nil {
		return err
	}
	return w.z.Close()
}
