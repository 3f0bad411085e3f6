package ddb

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"math/rand/v2"
	"syscall"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/smithy-go"
)

// MaxAttempts bounds how often one call is sent.
const MaxAttempts = 10

const (
	firstDelay = 25 * time.Millisecond // DynamoDB answers within milliseconds
	lastDelay  = 2 * time.Second
)

// Retryable reports whether sending the same call again can succeed. Refusals
// (invalid request, missing right, table or index, expired credentials) never
// can, and neither does a call that the caller gave up.
func Retryable(err error) bool {
	switch Classify(err) {
	case Throttled:
		return true
	case Canceled:
		return false
	case Denied, NoTable, NoIndex, NoCredentials, Expired, Invalid:
		return skewed(err)
	}
	if misdirected(err) {
		return false
	}
	return errors.Is(err, io.ErrUnexpectedEOF) || serverFault(err) || transient.IsErrorRetryable(err) == aws.TrueTernary
}

// misdirected reports that there is no DynamoDB at the endpoint, or none that can
// be trusted: nobody listens, or the certificate is not good. The user had
// better hear that at once.
func misdirected(err error) bool {
	var certificate *tls.CertificateVerificationError
	return errors.Is(err, syscall.ECONNREFUSED) || errors.As(err, &certificate)
}

// serverFault reports an error that DynamoDB blames on itself, whether or not
// it came with an HTTP status.
func serverFault(err error) bool {
	var api smithy.APIError
	return errors.As(err, &api) && api.ErrorFault() == smithy.FaultServer
}

// transient is the SDK's judgement of connection errors, time limits and
// answers with status 5xx.
var transient = retry.IsErrorRetryables(retry.DefaultRetryables)

// skewed reports a refusal which the SDK ascribes to this machine's clock, and
// has already corrected for.
func skewed(err error) bool {
	var r interface{ RetryableError() bool }
	return errors.As(err, &r) && r.RetryableError()
}

// Delay is how long to wait before sending a call again that has failed attempt
// times (1 is the first): 25 ms doubling to 2 s, of which a part between a half
// and the whole is taken, as jitter in [0, 1) says.
func Delay(attempt int, jitter float64) time.Duration {
	d := lastDelay
	if shift := attempt - 1; shift < 8 {
		d = min(d, firstDelay<<max(0, shift))
	}
	return d/2 + time.Duration(jitter*float64(d/2))
}

// Once makes a call be sent once only: for callers that repeat it themselves,
// since they count, pace and stop.
func Once(o *Options) { o.Retryer = once{} }

// retryer is the policy above in the SDK's terms. It keeps no quota of retries
// across calls, which parallel segments would use up together, and never the
// SDK's adaptive mode, which slows every table when one is throttled.
type retryer struct{}

func (retryer) IsErrorRetryable(err error) bool { return Retryable(err) }
func (retryer) MaxAttempts() int                { return MaxAttempts }
func (retryer) RetryDelay(attempt int, _ error) (time.Duration, error) {
	return Delay(attempt, rand.Float64()), nil
}
func (retryer) GetRetryToken(context.Context, error) (func(error) error, error) { return noToken, nil }
func (retryer) GetInitialToken() func(error) error                              { return noToken }
func (retryer) GetAttemptToken(context.Context) (func(error) error, error)      { return noToken, nil }

func noToken(error) error { return nil }

type once struct{ retryer }

func (once) MaxAttempts() int            { return 1 }
func (once) IsErrorRetryable(error) bool { return false }
