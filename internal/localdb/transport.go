package localdb

import (
	"bytes"
	"io"
	"net/http"
)

// transport serves requests with a handler in memory.
type transport struct{ handler http.Handler }

// Transport lets an SDK client use the store in process through its own HTTP
// stack but without a socket: set it as the client's HTTP transport, with any
// endpoint.
func (s *Store) Transport() http.RoundTripper { return transport{s.Handler()} }

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	if r.Body == nil {
		r.Body = http.NoBody
	}
	defer r.Body.Close()
	w := &recorder{header: http.Header{}}
	w.serve(t.handler, r)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	var body io.Reader = bytes.NewReader(w.body.Bytes())
	if w.cut {
		body = io.MultiReader(body, brokenReader{})
	}
	return &http.Response{
		Status: http.StatusText(w.status), StatusCode: w.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.header, Body: io.NopCloser(body), ContentLength: int64(w.body.Len()), Request: r,
	}, nil
}

// brokenReader is the end of a body that was cut.
type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// recorder keeps a response in memory.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
	cut    bool // the handler aborted in the middle of the body
}

func (w *recorder) Header() http.Header { return w.header }

func (w *recorder) WriteHeader(status int) { w.status = status }

func (w *recorder) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return w.body.Write(p)
}

func (w *recorder) serve(h http.Handler, r *http.Request) {
	defer func() {
		switch p := recover(); p {
		case nil:
		case http.ErrAbortHandler:
			w.cut = true
		default:
			panic(p)
		}
	}()
	h.ServeHTTP(w, r)
}
