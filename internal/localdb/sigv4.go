package localdb

import (
	"crypto/hmac"
	"net/http"
	"strings"
	"time"

	"github.com/dynasql/dynasql/internal/ddb"
)

// verify checks the SigV4 signature of a request against the store's
// credentials, as AWS documents it for headers.
func (s *Store) verify(r *http.Request, body []byte) error {
	header := r.Header.Get("Authorization")
	if header == "" {
		return fail(missingToken, "Request is missing Authentication Token")
	}
	fields := map[string]string{}
	for field := range strings.SplitSeq(strings.TrimPrefix(header, "AWS4-HMAC-SHA256"), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(field), "=")
		fields[name] = value
	}
	scope := strings.Split(fields["Credential"], "/")
	at, err := time.Parse("20060102T150405Z", r.Header.Get("X-Amz-Date"))
	if err != nil || len(scope) != 5 || fields["SignedHeaders"] == "" {
		return fail(incompleteSign, "Authorization header requires 'Credential', 'SignedHeaders' and 'Signature' parameters and an 'X-Amz-Date' header. Authorization=%s", header)
	}
	secret, known := s.opts.Credentials[scope[0]]
	if !known {
		return fail(unknownClient, "The security token included in the request is invalid.")
	}
	if age := s.now().Sub(at); age > 15*time.Minute || age < -15*time.Minute {
		return fail(invalidSign, "Signature expired: %s is more than 15 min away from %s", at.UTC().Format(time.RFC3339), s.now().UTC().Format(time.RFC3339))
	}
	signer := ddb.Signer{AccessKey: scope[0], Secret: secret, Region: scope[2], Service: scope[3], At: at}
	want, err := signer.Authorization(r, body, strings.Split(fields["SignedHeaders"], ";"))
	if err != nil || !hmac.Equal([]byte(want), []byte(header)) {
		return fail(invalidSign, "The request signature we calculated does not match the signature you provided. "+
			"Check your AWS Secret Access Key and signing method. Consult the service documentation for details.")
	}
	return nil
}
