package ddb

import (
	"bytes"
	"context"
	"encoding/pem"
	"errors"
	"hash/crc32"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// answers is a transport that gives the n-th request (from 0) the n-th answer,
// and the last one to those after it.
type answers struct {
	n  atomic.Int32
	of []answer
}

type answer struct {
	status int
	body   string
	cut    int   // bytes that are missing at the end
	crc    int64 // added to the checksum
	err    error
}

func (a *answers) RoundTrip(q *http.Request) (*http.Response, error) {
	i := min(int(a.n.Add(1))-1, len(a.of)-1)
	one := a.of[i]
	if one.err != nil {
		return nil, one.err
	}
	status := one.status
	if status == 0 {
		status = 200
	}
	body := io.Reader(strings.NewReader(one.body))
	if one.cut > 0 {
		body = io.MultiReader(strings.NewReader(one.body[:len(one.body)-one.cut]), failing{})
	}
	h := http.Header{"Content-Type": {"application/x-amz-json-1.0"}, "X-Amzn-Requestid": {"REQUEST"}}
	h.Set("X-Amz-Crc32", strconv.FormatInt(int64(crc32.ChecksumIEEE([]byte(one.body)))+one.crc, 10))
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(body), ContentLength: int64(len(one.body)), Request: q}, nil
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

const onePage = `{"Count":1,"ScannedCount":1,"Items":[{"pk":{"S":"a"}}],"ConsumedCapacity":{"CapacityUnits":0.5,"TableName":"t"}}`

// An SDK that stopped asking the protocol to decode answers would decode them
// itself: right, and eight times slower.
func TestBodyKeepTakesTheAnswer(t *testing.T) {
	for name, call := range map[string]func(Client, func(*Options)) (int, error){
		"Scan": func(c Client, keep func(*Options)) (int, error) {
			out, err := c.Scan(context.Background(), &ScanInput{TableName: aws.String("t")}, keep)
			return len(out.Items), err
		},
		"Query": func(c Client, keep func(*Options)) (int, error) {
			out, err := c.Query(context.Background(), &QueryInput{TableName: aws.String("t")}, keep)
			return len(out.Items), err
		},
		"GetItem": func(c Client, keep func(*Options)) (int, error) {
			out, err := c.GetItem(context.Background(), &GetItemInput{TableName: aws.String("t"), Key: Item{}}, keep)
			return len(out.Item), err
		},
	} {
		t.Run(name, func(t *testing.T) {
			var body Body
			body.Reset(nil)
			items, err := call(OpenTransport(&answers{of: []answer{{body: onePage}}}), body.Keep)
			if err != nil || items != 0 || !body.Kept() || string(body.Bytes()) != onePage {
				t.Errorf("kept %v, body %q, %d decoded items, %v", body.Kept(), body.Bytes(), items, err)
			}
		})
	}
}

func TestBrokenBodiesAreSentAgain(t *testing.T) {
	for _, tt := range []struct {
		name   string
		broken answer
	}{
		{"wrong checksum", answer{body: onePage, crc: 1}},
		{"cut off", answer{body: onePage, cut: 40}},
		{"server fault", answer{status: 500, body: `{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","message":"x"}`}},
		{"throttled", answer{status: 400, body: `{"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException","message":"x"}`}},
		{"no answer", answer{err: errors.New("connection reset by peer")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := &answers{of: []answer{tt.broken, tt.broken, {body: onePage}}}
			var body Body
			body.Reset(nil)
			_, err := OpenTransport(a).Scan(t.Context(), &ScanInput{TableName: aws.String("t")}, body.Keep)
			if err != nil || string(body.Bytes()) != onePage || a.n.Load() != 3 {
				t.Errorf("%d requests, body %q, %v", a.n.Load(), body.Bytes(), err)
			}
		})
	}
}

func TestOnceIsSentOnce(t *testing.T) {
	a := &answers{of: []answer{{status: 500, body: "{}"}}}
	_, err := OpenTransport(a).Scan(t.Context(), &ScanInput{TableName: aws.String("t")}, Once)
	if err == nil || a.n.Load() != 1 {
		t.Errorf("%d requests, %v", a.n.Load(), err)
	}
	if !Retryable(err) {
		t.Errorf("not retryable: %v", err)
	}
}

func TestBodyBufferGrowsAndIsReused(t *testing.T) {
	var body Body
	body.Reset(nil)
	for _, size := range []int{10, 100_000, 20} {
		want := bytes.Repeat([]byte("x"), size)
		if err := body.fill(bytes.NewReader(want), -1); err != nil || !bytes.Equal(body.Bytes(), want) {
			t.Fatalf("%d bytes: got %d, %v", size, len(body.Bytes()), err)
		}
		if spare := body.buf[body.n:][:Spare]; !bytes.Equal(spare, make([]byte, Spare)) {
			t.Errorf("%d bytes: spare bytes %v", size, spare)
		}
	}
}

func TestExplain(t *testing.T) {
	refuse := func(code, message string) answer {
		return answer{status: 400, body: `{"__type":"com.amazonaws.dynamodb.v20120810#` + code + `","message":"` + message + `"}`}
	}
	for _, tt := range []struct {
		name   string
		answer answer
		class  Class
		want   string
		hint   string // contained
	}{
		{"no table", refuse("ResourceNotFoundException", "Requested resource not found"), NoTable,
			`table "orders" does not exist`, "SHOW TABLES"},
		{"no index", refuse("ValidationException", "The table does not have the specified index: x"), NoIndex,
			`index "x" of table "orders" cannot be read: The table does not have the specified index: x`, "SHOW INDEX"},
		{"denied", refuse("AccessDeniedException", "User: arn:aws:iam::1:user/u is not authorized to perform: dynamodb:Query"), Denied,
			`access denied: Query on index "x" of table "orders"`, "dynamodb:Query on table/orders/index/x"},
		{"explicit deny", refuse("AccessDeniedException", "with an explicit deny in an identity-based policy"), Denied,
			`access denied: Query on index "x" of table "orders"`, "denies dynamodb:Query"},
		{"expired", refuse("ExpiredTokenException", "The security token included in the request is expired"), Expired,
			"the AWS credentials have expired", "aws sso login"},
		{"unknown key", refuse("UnrecognizedClientException", "The security token included in the request is invalid."), NoCredentials,
			"AWS does not accept the credentials: The security token included in the request is invalid.", "AWS_SESSION_TOKEN"},
		{"invalid", refuse("ValidationException", "Query key condition not supported"), Invalid,
			`DynamoDB refused Query on index "x" of table "orders": Query key condition not supported`, ""},
		{"another service", answer{status: 404, body: "404 page not found"}, Other,
			`Query on index "x" of table "orders" failed: the answer is not DynamoDB's: is the endpoint right?`, ""},
		{"other", refuse("ItemCollectionSizeLimitExceededException", "too large"), Other,
			`Query on index "x" of table "orders" failed: too large`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := OpenTransport(&answers{of: []answer{tt.answer}}).Query(t.Context(),
				&QueryInput{TableName: aws.String("orders"), IndexName: aws.String("x")})
			if got := Classify(err); got != tt.class {
				t.Errorf("class %v, want %v", got, tt.class)
			}
			var e *Error
			if !errors.As(Explain(err, Target{}), &e) {
				t.Fatalf("%v is not explained", err)
			}
			if e.Error() != tt.want {
				t.Errorf("error %s\nwant  %s", e, tt.want)
			}
			if !strings.Contains(e.Hint(), tt.hint) || (tt.hint == "") != (e.Hint() == "") {
				t.Errorf("hint %q, want %q in it", e.Hint(), tt.hint)
			}
		})
	}
}

func TestUnreachableNamesHostAndPort(t *testing.T) {
	clearAWS(t)
	c, _, err := Open(t.Context(), Config{EndpointURL: "http://127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.ListTables(t.Context(), &ListTablesInput{})
	if Retryable(err) {
		t.Error("retryable, though nobody listens")
	}
	e := Explain(err, Target{}).(*Error)
	if e.Class != Unreachable || e.Error() != "DynamoDB cannot be reached at 127.0.0.1:1: connect: connection refused" {
		t.Errorf("%v: %s", e.Class, e)
	}
}

func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := OpenTransport(&answers{of: []answer{{body: onePage}}}).Scan(ctx, &ScanInput{TableName: aws.String("t")})
	if Classify(err) != Canceled || Retryable(err) || !errors.Is(err, context.Canceled) {
		t.Errorf("class %v, %v", Classify(err), err)
	}
}

// clearAWS hides the AWS configuration of whoever runs the test.
func clearAWS(t *testing.T) string {
	dir := t.TempDir()
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "AWS_") {
			t.Setenv(name, "")
			os.Unsetenv(name)
		}
	}
	t.Setenv("AWS_CONFIG_FILE", filepath.Join(dir, "config"))
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", filepath.Join(dir, "credentials"))
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	return dir
}

func TestOpenFindsRegionAndEndpoint(t *testing.T) {
	for _, tt := range []struct {
		name   string
		config Config
		env    map[string]string
		file   string
		want   Info
	}{
		{"flag", Config{Region: "eu-west-1"}, map[string]string{"AWS_REGION": "us-east-2"}, "", Info{Region: "eu-west-1"}},
		{"environment", Config{}, map[string]string{"AWS_REGION": "us-east-2"}, "", Info{Region: "us-east-2"}},
		{"profile", Config{Profile: "p"}, nil, "[profile p]\nregion = eu-north-1\n", Info{Region: "eu-north-1", Profile: "p"}},
		{"profile by environment", Config{}, map[string]string{"AWS_PROFILE": "p"}, "[profile p]\nregion = eu-north-1\n", Info{Region: "eu-north-1", Profile: "p"}},
		{"endpoint", Config{EndpointURL: "http://localhost:8000"}, nil, "", Info{Region: "us-east-1", Endpoint: "http://localhost:8000"}},
		{"endpoint by environment", Config{}, map[string]string{"AWS_ENDPOINT_URL": "http://127.0.0.1:8000"}, "", Info{Region: "us-east-1", Endpoint: "http://127.0.0.1:8000"}},
		{"endpoint of the service by environment", Config{},
			map[string]string{"AWS_ENDPOINT_URL": "http://127.0.0.1:1", "AWS_ENDPOINT_URL_DYNAMODB": "http://127.0.0.1:2"}, "",
			Info{Region: "us-east-1", Endpoint: "http://127.0.0.1:2"}},
		{"endpoint flag first", Config{EndpointURL: "http://127.0.0.1:3"}, map[string]string{"AWS_ENDPOINT_URL_DYNAMODB": "http://127.0.0.1:2"}, "",
			Info{Region: "us-east-1", Endpoint: "http://127.0.0.1:3"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := clearAWS(t)
			for k, v := range tt.env {
				t.Setenv(k, v)
			}
			if err := os.WriteFile(filepath.Join(dir, "config"), []byte(tt.file), 0o600); err != nil {
				t.Fatal(err)
			}
			_, got, err := Open(t.Context(), tt.config)
			if err != nil || got != tt.want {
				t.Errorf("got %+v, %v\nwant %+v", got, err, tt.want)
			}
		})
	}
}

func TestOpenRefusals(t *testing.T) {
	for _, tt := range []struct {
		name   string
		config Config
		want   string
	}{
		{"no region", Config{}, "no AWS region is set"},
		{"no profile", Config{Profile: "nope"}, `profile "nope" is not in the AWS config files`},
		{"no URL", Config{Region: "eu-west-1", EndpointURL: "localhost:8000"}, `endpoint "localhost:8000" is not a URL`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			clearAWS(t)
			_, _, err := Open(t.Context(), tt.config)
			var c *ConfigError
			if !errors.As(err, &c) || c.Error() != tt.want || c.Hint() == "" {
				t.Errorf("error %v, want %s", err, tt.want)
			}
		})
	}
}

func TestNoCredentials(t *testing.T) {
	clearAWS(t)
	c, _, err := Open(t.Context(), Config{Region: "eu-west-1"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.DescribeTable(t.Context(), &DescribeTableInput{TableName: aws.String("orders")})
	e := Explain(err, Target{}).(*Error)
	if e.Class != NoCredentials || e.Error() != "no AWS credentials were found" || !strings.Contains(e.Hint(), "AWS_ACCESS_KEY_ID") {
		t.Errorf("%v: %s: %s\n%v", e.Class, e, e.Hint(), e.Err)
	}
}

func TestCertificatesAreTheConfiguredOnes(t *testing.T) {
	dir := clearAWS(t)
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"TableNames":["t"]}`) }))
	defer server.Close()
	list := func() error {
		c, _, err := Open(t.Context(), Config{EndpointURL: server.URL})
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.ListTables(t.Context(), &ListTablesInput{})
		return err
	}
	if err := list(); Classify(err) != Unreachable || Retryable(err) {
		t.Fatalf("a certificate nobody vouches for: %v", err)
	}
	bundle := filepath.Join(dir, "ca.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(bundle, text, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AWS_CA_BUNDLE", bundle)
	if err := list(); err != nil {
		t.Error(err)
	}
}

func TestDelay(t *testing.T) {
	for _, tt := range []struct {
		attempt  int
		low, top string
	}{
		{1, "12.5ms", "25ms"}, {2, "25ms", "50ms"}, {7, "800ms", "1.6s"}, {8, "1s", "2s"}, {500, "1s", "2s"},
	} {
		if low, top := Delay(tt.attempt, 0).String(), Delay(tt.attempt, 1).String(); low != tt.low || top != tt.top {
			t.Errorf("attempt %d: %s to %s, want %s to %s", tt.attempt, low, top, tt.low, tt.top)
		}
	}
}
