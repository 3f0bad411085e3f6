package ddb

import (
	"context"
	"errors"
	"net"
	"strings"
	"syscall"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"
)

// Class says what went wrong with a call, as far as a caller can act on it.
type Class uint8

// The classes.
const (
	Other         Class = iota
	Throttled           // too many requests or read units a second
	NoTable             // no such table (ResourceNotFoundException)
	NoIndex             // no such index on the table, or it cannot be read yet
	Denied              // the credentials lack a right
	NoCredentials       // none found, or unknown to AWS
	Expired             // credentials that were good once
	Invalid             // the request itself is refused (ValidationException)
	Unreachable         // no answer from the endpoint
	Canceled            // the caller gave up, or its time ran out
)

var classNames = [...]string{"other", "throttled", "no table", "no index", "denied", "no credentials", "expired", "invalid", "unreachable", "canceled"}

func (c Class) String() string { return classNames[c] }

// classOf are the error codes of DynamoDB and of the signature check in front
// of it, from "Error handling with DynamoDB" and "Common errors".
var classOf = map[string]Class{
	"ProvisionedThroughputExceededException": Throttled,
	"ThrottlingException":                    Throttled,
	"Throttling":                             Throttled,
	"ThrottledException":                     Throttled,
	"RequestLimitExceeded":                   Throttled,
	"RequestThrottled":                       Throttled,
	"RequestThrottledException":              Throttled,
	"TooManyRequestsException":               Throttled,
	"LimitExceededException":                 Throttled, // control operations: too many at once

	"ResourceNotFoundException": NoTable,
	"TableNotFoundException":    NoTable,
	"IndexNotFoundException":    NoIndex,

	"AccessDeniedException":               Denied,
	"AccessDenied":                        Denied,
	"UnauthorizedOperation":               Denied,
	"NotAuthorized":                       Denied,
	"OptInRequired":                       Denied,
	"KMSAccessDeniedException":            Denied,
	"InaccessibleEncryptionKey":           Denied,
	"InvalidSignatureException":           NoCredentials,
	"SignatureDoesNotMatch":               NoCredentials,
	"IncompleteSignature":                 NoCredentials,
	"MissingAuthenticationToken":          NoCredentials,
	"MissingAuthenticationTokenException": NoCredentials,
	"UnrecognizedClientException":         NoCredentials,
	"InvalidClientTokenId":                NoCredentials,

	"ExpiredTokenException": Expired,
	"ExpiredToken":          Expired,
	"RequestExpired":        Expired,

	"ValidationException":       Invalid,
	"SerializationException":    Invalid,
	"ValidationError":           Invalid,
	"UnknownOperationException": Invalid,
}

// Classify finds the class of an error of a Client's call, however wrapped. It
// is Other for nil.
func Classify(err error) Class {
	if err == nil {
		return Other
	}
	var known *Error
	if errors.As(err, &known) {
		return known.Class
	}
	if canceled(err) {
		return Canceled
	}
	var api smithy.APIError
	if errors.As(err, &api) {
		if c := classifyCode(api); c == Expired || !signingIn(err) {
			return c
		}
		return NoCredentials
	}
	if c, ok := credentialFailure(err); ok {
		return c
	}
	if noAnswer(err) {
		return Unreachable
	}
	return Other
}

func canceled(err error) bool {
	var c interface{ CanceledError() bool }
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) ||
		errors.As(err, &c) && c.CanceledError()
}

func classifyCode(api smithy.APIError) Class {
	code, message := api.ErrorCode(), api.ErrorMessage()
	switch {
	case code == "ValidationException" && mentionsIndex(message):
		return NoIndex
	case code == "ValidationException" && strings.Contains(message, "non-existent table"):
		return NoTable
	}
	return classOf[code]
}

// mentionsIndex recognises the two refusals of an index name: the index does not
// exist, or it is still being built or already being deleted.
func mentionsIndex(message string) bool {
	return strings.Contains(message, "does not have the specified index") ||
		strings.Contains(message, "Cannot read from backfilling") ||
		strings.Contains(message, "index") && strings.Contains(message, "backfilling")
}

// credentialFailure tells errors of finding credentials from errors of sending:
// the SDK has no type for them that covers every provider.
func credentialFailure(err error) (Class, bool) {
	text := err.Error()
	switch {
	case !strings.Contains(text, "credentials") && !strings.Contains(text, "SSO") && !strings.Contains(text, "AssumeRole"):
		return Other, false
	case strings.Contains(text, "expired"), strings.Contains(text, "SSO token"), strings.Contains(text, "SSO session"):
		return Expired, true
	}
	return NoCredentials, true
}

// signingIn reports whether the error came from another service, which was
// asked for credentials: STS for a role, SSO.
func signingIn(err error) bool {
	for op := (*smithy.OperationError)(nil); errors.As(err, &op); err = op.Err {
		if op.Service() != dynamodb.ServiceID {
			return true
		}
	}
	return false
}

func noAnswer(err error) bool {
	var op *net.OpError
	var dns *net.DNSError
	var timeout net.Error
	return errors.As(err, &op) || errors.As(err, &dns) || errors.As(err, &timeout) ||
		errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.ECONNRESET)
}
