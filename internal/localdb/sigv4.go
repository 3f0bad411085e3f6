package localdb

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

const signAlgorithm = "AWS4-HMAC-SHA256"

// signature is the Authorization header of a request: who signed what.
type signature struct {
	accessKey, date, region, service string
	headers                          []string
	sum                              string
}

// verify checks the SigV4 signature of a request against the store's
// credentials, as AWS documents it for headers.
func (s *Store) verify(r *http.Request, body []byte) error {
	header := r.Header.Get("Authorization")
	if header == "" {
		return fail(missingToken, "Request is missing Authentication Token")
	}
	sign, ok := parseSignature(header)
	stamp := r.Header.Get("X-Amz-Date")
	if !ok || stamp == "" {
		return fail(incompleteSign, "Authorization header requires 'Credential', 'SignedHeaders' and 'Signature' parameters and an 'X-Amz-Date' header. Authorization=%s", header)
	}
	secret, known := s.opts.Credentials[sign.accessKey]
	if !known {
		return fail(unknownClient, "The security token included in the request is invalid.")
	}
	at, err := time.Parse("20060102T150405Z", stamp)
	if err != nil || !strings.HasPrefix(stamp, sign.date) {
		return fail(invalidSign, "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '%s', from '%s'.", sign.date, stamp)
	}
	if age := s.now().Sub(at); age > 15*time.Minute || age < -15*time.Minute {
		return fail(invalidSign, "Signature expired: %s is more than 15 min away from %s", stamp, s.now().UTC().Format("20060102T150405Z"))
	}
	if want := sign.expected(r, body, stamp, secret); !hmac.Equal([]byte(want), []byte(sign.sum)) {
		return fail(invalidSign, "The request signature we calculated does not match the signature you provided. "+
			"Check your AWS Secret Access Key and signing method. Consult the service documentation for details.")
	}
	return nil
}

func parseSignature(header string) (signature, bool) {
	rest, ok := strings.CutPrefix(header, signAlgorithm)
	if !ok {
		return signature{}, false
	}
	fields := map[string]string{}
	for _, field := range strings.Split(rest, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(field), "=")
		fields[name] = value
	}
	scope := strings.Split(fields["Credential"], "/")
	if len(scope) != 5 || scope[4] != "aws4_request" || fields["SignedHeaders"] == "" {
		return signature{}, false
	}
	return signature{
		accessKey: scope[0], date: scope[1], region: scope[2], service: scope[3],
		headers: strings.Split(fields["SignedHeaders"], ";"), sum: fields["Signature"],
	}, true
}

// expected is the signature that the owner of secret would have made.
func (sign signature) expected(r *http.Request, body []byte, stamp, secret string) string {
	canonical := strings.Join([]string{
		r.Method, escapedPath(r.URL), canonicalQuery(r.URL.Query()),
		sign.canonicalHeaders(r), strings.Join(sign.headers, ";"), hexSum(body),
	}, "\n")
	scope := strings.Join([]string{sign.date, sign.region, sign.service, "aws4_request"}, "/")
	text := strings.Join([]string{signAlgorithm, stamp, scope, hexSum([]byte(canonical))}, "\n")
	key := []byte("AWS4" + secret)
	for _, part := range []string{sign.date, sign.region, sign.service, "aws4_request"} {
		key = mac(key, part)
	}
	return hex.EncodeToString(mac(key, text))
}

func (sign signature) canonicalHeaders(r *http.Request) string {
	var b strings.Builder
	for _, name := range sign.headers {
		value := strings.Join(r.Header.Values(name), ",")
		switch name {
		case "host":
			value = r.Host
			if value == "" {
				value = r.URL.Host
			}
		case "content-length":
			value = strconv.FormatInt(r.ContentLength, 10)
		}
		b.WriteString(name + ":" + strings.Join(strings.Fields(value), " ") + "\n")
	}
	return b.String()
}

func escapedPath(u *url.URL) string {
	if p := u.EscapedPath(); p != "" {
		return p
	}
	return "/"
}

func canonicalQuery(q url.Values) string {
	var pairs []string
	for name, values := range q {
		for _, value := range values {
			pairs = append(pairs, strings.ReplaceAll(url.QueryEscape(name)+"="+url.QueryEscape(value), "+", "%20"))
		}
	}
	slices.Sort(pairs)
	return strings.Join(pairs, "&")
}

func hexSum(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func mac(key []byte, text string) []byte {
	m := hmac.New(sha256.New, key)
	m.Write([]byte(text))
	return m.Sum(nil)
}
