package ddb

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

// Signer is who signs a request, where and when.
type Signer struct {
	AccessKey, Secret, Region, Service string
	At                                 time.Time
}

// Authorization is the header by which the signer would have signed the headers
// of a request with that body (AWS Signature Version 4).
func (s Signer) Authorization(r *http.Request, body []byte, headers []string) (string, error) {
	own, err := http.NewRequest(r.Method, "http://"+r.Host+r.URL.RequestURI(), nil)
	if err != nil {
		return "", err
	}
	for _, name := range headers {
		switch name {
		case "host":
		case "content-length":
			own.ContentLength = r.ContentLength
		default:
			own.Header[http.CanonicalHeaderKey(name)] = r.Header.Values(name)
		}
	}
	sum := sha256.Sum256(body)
	credentials := aws.Credentials{AccessKeyID: s.AccessKey, SecretAccessKey: s.Secret}
	err = v4.NewSigner().SignHTTP(context.Background(), credentials, own, hex.EncodeToString(sum[:]), s.Service, s.Region, s.At)
	return own.Header.Get("Authorization"), err
}
