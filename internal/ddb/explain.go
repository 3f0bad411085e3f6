package ddb

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"regexp"
	"strings"

	"github.com/aws/smithy-go"
)

// Target is what a call was about. Empty fields are unknown.
type Target struct {
	Action  string // such as "Query"
	Table   string
	Index   string
	Region  string
	Host    string // host or host:port that the request went to
	Profile string
}

// Error is a failed call in the user's words: Error says what failed, Hint what
// to do next. Unwrap leads to the SDK's error.
type Error struct {
	Class Class
	Target
	Err error
}

// Unwrap returns the error as the client gave it.
func (e *Error) Unwrap() error { return e.Err }

// Explain puts an error of a call into the user's words. What an enclosed Error
// already knows about its target wins over at. A nil error stays nil, and so does
// a *ConfigError.
func Explain(err error, at Target) error {
	if err == nil {
		return nil
	}
	var config *ConfigError
	if errors.As(err, &config) { // no call was made
		return err
	}
	var known *Error
	if errors.As(err, &known) {
		e := *known
		e.Target = merge(known.Target, at)
		return &e
	}
	return &Error{Class: Classify(err), Target: at, Err: err}
}

func merge(a, b Target) Target {
	or := func(a, b string) string {
		if a != "" {
			return a
		}
		return b
	}
	return Target{
		Action: or(a.Action, b.Action), Table: or(a.Table, b.Table), Index: or(a.Index, b.Index),
		Region: or(a.Region, b.Region), Host: or(a.Host, b.Host), Profile: or(a.Profile, b.Profile),
	}
}

// Error is one sentence without request ids or names of Go.
func (e *Error) Error() string {
	switch e.Class {
	case Throttled:
		return fmt.Sprintf("DynamoDB keeps throttling %s", e.call())
	case NoTable:
		return fmt.Sprintf("table %q does not exist%s", e.Table, e.where())
	case NoIndex:
		return fmt.Sprintf("index %q of table %q cannot be read%s: %s", e.Index, e.Table, e.where(), e.message())
	case Denied:
		return fmt.Sprintf("access denied: %s", e.call())
	case NoCredentials:
		if e.code() != "" {
			return fmt.Sprintf("AWS does not accept the credentials%s: %s", e.where(), e.message())
		}
		return "no AWS credentials were found"
	case Expired:
		return "the AWS credentials have expired"
	case Invalid:
		return fmt.Sprintf("DynamoDB refused %s: %s", e.call(), e.message())
	case Unreachable:
		return fmt.Sprintf("DynamoDB cannot be reached at %s: %s", e.host(), e.message())
	case Canceled:
		return fmt.Sprintf("%s was stopped", e.call())
	}
	return fmt.Sprintf("%s failed: %s", e.call(), e.message())
}

// Hint says what the user can do, or is empty.
func (e *Error) Hint() string {
	switch e.Class {
	case Throttled:
		return "try again later, read more slowly (SET ddb_rcu_per_second), or raise the table's capacity"
	case NoTable:
		return "SHOW TABLES lists the tables; another region is chosen with --region, another account with --profile"
	case NoIndex:
		return fmt.Sprintf("SHOW INDEX FROM `%s` lists the indexes; one that is being created can be read when it is ACTIVE", e.Table)
	case Denied:
		return e.missingRight()
	case NoCredentials:
		return e.findCredentials()
	case Expired:
		return "sign in again (" + e.login() + "), or renew AWS_SESSION_TOKEN, and repeat the statement"
	case Unreachable:
		return "check the network, the region (--region), the endpoint (--endpoint-url) and the proxy settings"
	}
	return ""
}

// call is the action and its object: `Query on index "i" of table "t" in eu-west-1`.
func (e *Error) call() string {
	s := e.Action
	if s == "" {
		s = "the request"
	}
	switch {
	case e.Index != "":
		s += fmt.Sprintf(" on index %q of table %q", e.Index, e.Table)
	case e.Table != "":
		s += fmt.Sprintf(" on table %q", e.Table)
	}
	return s + e.where()
}

func (e *Error) where() string {
	if e.Region == "" || e.Region == "local" {
		return ""
	}
	return " in region " + e.Region
}

func (e *Error) host() string {
	var op *net.OpError
	if e.Host == "" && errors.As(e.Err, &op) && op.Addr != nil {
		return op.Addr.String()
	}
	if e.Host == "" {
		return "its endpoint"
	}
	return e.Host
}

func (e *Error) missingRight() string {
	if e.Action == "" {
		return "the policy of the credentials in use lacks a DynamoDB action"
	}
	on := "*"
	if e.Table != "" {
		on = "table/" + e.Table
	}
	if e.Index != "" {
		on += "/index/" + e.Index
	}
	hint := fmt.Sprintf("the IAM policy of the credentials in use must allow dynamodb:%s on %s", e.Action, on)
	if strings.Contains(e.text(), "explicit deny") {
		hint = fmt.Sprintf("a policy denies dynamodb:%s on %s explicitly; it must be changed, another permission does not help", e.Action, on)
	}
	return hint
}

func (e *Error) findCredentials() string {
	if e.code() != "" {
		return "check the access key and the region (--region); temporary credentials also need AWS_SESSION_TOKEN"
	}
	return "set AWS_PROFILE or --profile, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or run `aws configure` or `" + e.login() +
		"`; `dynasql demo` needs no AWS"
}

func (e *Error) login() string {
	if e.Profile == "" {
		return "aws sso login"
	}
	return "aws sso login --profile " + e.Profile
}

func (e *Error) code() string {
	var api smithy.APIError
	if errors.As(e.Err, &api) {
		return api.ErrorCode()
	}
	return ""
}

func (e *Error) text() string {
	var api smithy.APIError
	if errors.As(e.Err, &api) {
		return api.ErrorMessage()
	}
	return e.Err.Error()
}

// message is DynamoDB's own sentence, or the last cause of an error of ours.
func (e *Error) message() string {
	var api smithy.APIError
	if errors.As(e.Err, &api) {
		if m := strings.TrimSpace(api.ErrorMessage()); m != "" {
			return plain(errors.New(m))
		}
		return api.ErrorCode()
	}
	return plain(e.Err)
}

var noise = regexp.MustCompile(`(?i)(,? ?(StatusCode|RequestID|HostID|Service|Request ID|Status Code): ?[^,;)]*[,;]?)|operation error [^:]*: |https response error ?|exceeded maximum number of attempts, \d+, `)

// plain is the innermost cause of an error without what the SDK puts around it.
func plain(err error) string {
	var op *net.OpError
	var dns *net.DNSError
	var broken *BrokenBodyError
	var strange *smithy.DeserializationError
	var sent *url.Error
	switch {
	case errors.As(err, &dns):
		return "no such host " + dns.Name
	case errors.As(err, &op):
		return op.Err.Error()
	case errors.As(err, &broken), errors.Is(err, io.ErrUnexpectedEOF):
		return "the answer did not arrive whole"
	case errors.As(err, &strange):
		return "the answer is not DynamoDB's: is the endpoint right?"
	case errors.As(err, &sent):
		return plain(sent.Err)
	}
	return strings.TrimSpace(noise.ReplaceAllString(err.Error(), ""))
}
