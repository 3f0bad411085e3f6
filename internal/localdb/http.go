package localdb

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/dynasql/dynasql/internal/localdb/attr"
)

// maxRequestBytes is the service's limit on the body of a request.
const maxRequestBytes = 16 << 20

// gzipFrom is the size from which a body is compressed for a client that accepts it.
const gzipFrom = 1024

const (
	contentType  = "application/x-amz-json-1.0"
	targetPrefix = "DynamoDB_20120810."
)

// handler is the HTTP face: the JSON 1.0 protocol.
type handler struct {
	s        *Store
	requests atomic.Uint64 // for request ids
	buffers  sync.Pool     // of *[]byte, for bodies
}

// Handler gives the store as an endpoint for AWS SDKs and CLIs. It accepts
// requests with any credentials, or none, unless Options.Credentials is set.
func (s *Store) Handler() http.Handler {
	return &handler{s: s, buffers: sync.Pool{New: func() any { return new([]byte) }}}
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Amzn-Requestid", fmt.Sprintf("%052X", h.requests.Add(1)))
	if r.Method == http.MethodGet {
		io.WriteString(w, "healthy: dynamodb.local.amazonaws.com ")
		return
	}
	body, err := readBody(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	buffer := h.buffers.Get().(*[]byte)
	defer h.buffers.Put(buffer)
	answer, fault, err := h.answer(r, (*buffer)[:0], body)
	*buffer = answer
	status := http.StatusOK
	if err != nil {
		if r.Context().Err() != nil {
			return // the client has gone
		}
		api := asAPIError(err)
		status, answer = api.status(), api.appendJSON(nil)
	}
	h.respond(w, r, status, answer, fault)
}

func readBody(r *http.Request) ([]byte, error) {
	var from io.Reader = r.Body
	if r.Header.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(from)
		if err != nil {
			return nil, err
		}
		from = z
	}
	var body bytes.Buffer
	if r.ContentLength > 0 && r.ContentLength <= maxRequestBytes {
		body.Grow(int(r.ContentLength) + bytes.MinRead)
	}
	if _, err := body.ReadFrom(io.LimitReader(from, maxRequestBytes+1)); err != nil {
		return nil, err
	}
	if body.Len() > maxRequestBytes {
		return nil, fmt.Errorf("the request is larger than %d bytes", maxRequestBytes)
	}
	return body.Bytes(), nil
}

// answer serves a request and appends the body of the response.
func (h *handler) answer(r *http.Request, dst, body []byte) ([]byte, Fault, error) {
	name, ours := strings.CutPrefix(r.Header.Get("X-Amz-Target"), targetPrefix)
	op, known := operations[name]
	if r.Method != http.MethodPost || !ours || !known {
		return dst, NoFault, fail(unknownOperation, "%s", unknownText(name))
	}
	if h.s.opts.Credentials != nil {
		if err := h.s.verify(r, body); err != nil {
			return dst, NoFault, err
		}
	}
	return op(r.Context(), h.s, name, dst, body)
}

func unknownText(name string) string {
	if name == "" {
		return ""
	}
	return "the operation " + name + " is not served by this store"
}

// appendJSON is the body of an error.
func (e *apiError) appendJSON(dst []byte) []byte {
	key := "message"
	if e.code == serialization || e.code == accessDenied {
		key = "Message"
	}
	dst = append(dst, `{"__type":`...)
	dst = attr.AppendString(dst, e.typeName())
	if e.message != "" {
		dst = append(dst, `,"`+key+`":`...)
		dst = attr.AppendString(dst, e.message)
	}
	if e.item != "" {
		dst = append(dst, `,"Item":`...)
		dst = e.item.AppendJSON(dst)
	}
	return append(dst, '}')
}

func (h *handler) respond(w http.ResponseWriter, r *http.Request, status int, body []byte, fault Fault) {
	header := w.Header()
	header.Set("Content-Type", contentType)
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") && len(body) >= gzipFrom {
		body = compress(body)
		header.Set("Content-Encoding", "gzip")
	}
	sum := crc32.ChecksumIEEE(body)
	if fault == WrongChecksum {
		sum++
	}
	header.Set("X-Amz-Crc32", strconv.FormatUint(uint64(sum), 10))
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if fault == CutBody {
		w.Write(body[:len(body)/2])
		panic(http.ErrAbortHandler) // how net/http wants a connection to be cut
	}
	w.Write(body)
}

func compress(body []byte) []byte {
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestSpeed) // a level that exists
	z.Write(body)                                     // into memory: cannot fail
	z.Close()
	return out.Bytes()
}
