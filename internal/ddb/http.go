package ddb

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
)

// newTransport is the transport of an SDK's HTTP client, which knows the
// configured certificates and proxies, with time limits of our own and a larger
// pool: by default the SDK keeps ten idle connections a host and redials for
// every further parallel request.
func newTransport(from aws.HTTPClient, maxIdle int) *http.Transport {
	if maxIdle <= 0 {
		maxIdle = 128
	}
	t := awshttp.NewBuildableClient().GetTransport()
	if b, ok := from.(*awshttp.BuildableClient); ok {
		t = b.GetTransport()
	}
	dialer := &net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}
	t.DialContext = dialer.DialContext
	t.TLSHandshakeTimeout = 5 * time.Second
	t.ResponseHeaderTimeout = 30 * time.Second
	t.IdleConnTimeout = 90 * time.Second
	t.MaxIdleConns, t.MaxIdleConnsPerHost = maxIdle, maxIdle
	t.DisableCompression = true // decompressing costs twice the decoding of a page
	return t
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
