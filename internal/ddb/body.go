package ddb

import (
	"context"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"

	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// Spare is the number of zero bytes that follow the body in its buffer, for
// decoders that read eight or sixteen bytes at a time.
const Spare = 16

// Body takes the bytes of an answer in place of the SDK's decoding, which costs
// several times more than reading them. It belongs to one call at a time; its
// buffer is reused from call to call.
type Body struct {
	buf  []byte
	n    int
	kept bool
}

// Reset forgets the bytes of the call before and sets the buffer to use, which
// may be nil.
func (b *Body) Reset(buf []byte) { b.buf, b.n, b.kept = buf[:cap(buf)], 0, false }

// Kept reports whether the call went through Keep: clients that are not the
// SDK's ignore call options and return decoded items.
func (b *Body) Kept() bool { return b.kept }

// Bytes is the body; the buffer goes on for at least Spare zero bytes.
func (b *Body) Bytes() []byte { return b.buf[:b.n] }

// Keep is the call option. The output of the call stays empty; its errors are
// as ever. A body that is cut off or does not have the checksum that DynamoDB
// sent is an error that Retryable accepts: the SDK would return a page with a
// wrong checksum as good.
func (b *Body) Keep(o *Options) {
	o.Protocol = bodyProtocol{o.Protocol, b}
	o.DisableValidateResponseChecksum = true // checked in take, where a mismatch is an error
}

type bodyProtocol struct {
	smithyhttp.ClientProtocol
	body *Body
}

func (p bodyProtocol) DeserializeResponse(ctx context.Context, op *smithy.OperationSchema, tr *smithy.TypeRegistry,
	resp *smithyhttp.Response, out smithy.Deserializable) error {
	if resp.StatusCode/100 != 2 {
		return p.ClientProtocol.DeserializeResponse(ctx, op, tr, resp, out)
	}
	p.body.kept = true
	if err := p.body.fill(resp.Body, resp.ContentLength); err != nil {
		return &BrokenBodyError{Err: err}
	}
	return p.body.check(resp.Header.Get("X-Amz-Crc32"))
}

func (b *Body) fill(r io.Reader, length int64) error {
	b.n = 0
	if need := int(max(length, 0)) + Spare + 1; len(b.buf) < need {
		b.buf = make([]byte, need+need/8)
	}
	for {
		if b.n+Spare >= len(b.buf) {
			b.buf = append(b.buf, make([]byte, len(b.buf)+1024)...)
		}
		k, err := r.Read(b.buf[b.n : len(b.buf)-Spare])
		b.n += k
		if err == io.EOF {
			clear(b.buf[b.n : b.n+Spare])
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// check compares the CRC-32 of the header X-Amz-Crc32, which DynamoDB sends with
// every answer and some other stores never do.
func (b *Body) check(header string) error {
	if header == "" {
		return nil
	}
	want, err := strconv.ParseUint(header, 10, 32)
	if got := crc32.ChecksumIEEE(b.Bytes()); err != nil || got != uint32(want) {
		return &BrokenBodyError{Err: fmt.Errorf("checksum %d, want %s", got, header)}
	}
	return nil
}

// BrokenBodyError reports an answer that did not arrive whole.
type BrokenBodyError struct{ Err error }

func (e *BrokenBodyError) Error() string { return "the answer did not arrive whole: " + e.Err.Error() }

// Unwrap returns the cause, such as a canceled context.
func (e *BrokenBodyError) Unwrap() error { return e.Err }

// RetryableError tells the SDK, and Retryable, that the call may be sent again.
func (*BrokenBodyError) RetryableError() bool { return true }
