package ddb

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// newTransport sets the time limits and the pool of connections, which the SDK
// sets only on HTTP clients of its own. Its default keeps ten idle connections a
// host and redials for every further parallel request.
func newTransport(maxIdle int) *http.Transport {
	if maxIdle <= 0 {
		maxIdle = 128
	}
	dialer := &net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           dialer.DialContext,
		TLSHandshakeTimeout:   5 * time.Second,
		ResponseHeaderTimeout: 30 * time.Second,
		ExpectContinueTimeout: time.Second,
		IdleConnTimeout:       90 * time.Second,
		MaxIdleConns:          maxIdle,
		MaxIdleConnsPerHost:   maxIdle,
		DisableCompression:    true, // decompressing costs twice the decoding of a page
	}
}

// oneWrite hands requests over with their body in memory. With the SDK's own
// body type, net/http is still probing for the end of the body when the SDK
// closes it after a fast answer, and drops the connection while the answer is
// being read: aws-sdk-go-v2 issues 1825 and 2737.
type oneWrite struct{ client aws.HTTPClient }

func (o oneWrite) Do(q *http.Request) (*http.Response, error) {
	if q.Body != nil {
		b, err := io.ReadAll(q.Body) // requests are small
		if err != nil {
			return nil, err
		}
		q.Body = io.NopCloser(bytes.NewReader(b))
	}
	return o.client.Do(q)
}
