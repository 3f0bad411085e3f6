package ddb

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/credentials/stscreds"
	"github.com/aws/aws-sdk-go-v2/feature/ec2/imds"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/sts"
	"github.com/aws/smithy-go/logging"
)

// Config says which DynamoDB to talk to. The zero value is the default chain of
// every AWS tool: environment, shared config and credentials files, single
// sign-on, container and instance roles.
type Config struct {
	Profile     string // of the shared config files; "" follows AWS_PROFILE
	Region      string // "" follows AWS_REGION and the profile
	EndpointURL string // "" follows AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL and the profile
	RoleARN     string // role to assume with the credentials found; "" assumes none
	ExternalID  string // handed over when assuming RoleARN
	MaxConns    int    // idle connections kept; 0 is 128
}

// Info is what Open found out: where the client's requests go.
type Info struct {
	Region   string
	Endpoint string // URL, or "" for the region's own endpoint
	Profile  string // as configured, or AWS_PROFILE, or ""
}

// Host is the host, with a port if the endpoint has one, that requests go to.
func (i Info) Host() string {
	if u, err := url.Parse(i.Endpoint); err == nil && u.Host != "" {
		return u.Host
	}
	return "dynamodb." + i.Region + ".amazonaws.com"
}

// Open builds a client. It reads the shared config files and the environment;
// credentials are looked for at the first request, which is where their absence
// shows. On an endpoint of this machine, credentials are optional.
func Open(ctx context.Context, c Config) (Client, Info, error) {
	profile := c.Profile
	if profile == "" {
		profile = os.Getenv("AWS_PROFILE")
	}
	info := Info{Region: c.Region, Profile: profile}
	cfg, err := config.LoadDefaultConfig(ctx, c.loadOptions()...)
	if err != nil {
		return nil, info, explainConfig(err, info)
	}
	if c.RoleARN != "" {
		cfg.Credentials = aws.NewCredentialsCache(c.assumeRole(cfg))
	}
	transport := newTransport(cfg.HTTPClient, c.MaxConns)
	client := dynamodb.NewFromConfig(cfg, func(o *Options) {
		if c.EndpointURL != "" {
			o.BaseEndpoint = aws.String(c.EndpointURL)
		}
		info.Endpoint = aws.ToString(o.BaseEndpoint)
		if loopback(info.Endpoint) {
			o.Credentials = optionalCredentials{o.Credentials}
			if o.Region == "" {
				o.Region = "us-east-1"
			}
		}
		info.Region = o.Region
		configure(o, info, transport)
	})
	if err := checkEndpoint(info.Endpoint); err != nil {
		return nil, info, err
	}
	if info.Region == "" {
		return nil, info, &ConfigError{
			What: "no AWS region is set",
			Do:   "name one with --region, AWS_REGION or in the profile, or name an endpoint with --endpoint-url; `dynasql demo` needs no AWS",
		}
	}
	return client, info, nil
}

// OpenTransport builds a client whose requests end in t, such as an embedded
// store's. It reads neither environment nor files.
func OpenTransport(t http.RoundTripper) Client {
	info := Info{Region: "local", Endpoint: "http://localhost"}
	o := Options{
		Region:       info.Region,
		BaseEndpoint: aws.String(info.Endpoint),
		Credentials:  optionalCredentials{},
	}
	configure(&o, info, t)
	return dynamodb.New(o)
}

func configure(o *Options, info Info, t http.RoundTripper) {
	o.HTTPClient = oneWrite{&http.Client{Transport: t}}
	o.Retryer = retryer{}
	o.AppID = "dynasql"
	o.Logger = logging.Nop{} // warnings would land between the rows on a terminal
	o.APIOptions = append(o.APIOptions, annotate(info))
}

func (c Config) loadOptions() []func(*config.LoadOptions) error {
	var opts []func(*config.LoadOptions) error
	if c.Profile != "" {
		opts = append(opts, config.WithSharedConfigProfile(c.Profile))
	}
	if c.Region != "" {
		opts = append(opts, config.WithRegion(c.Region))
	}
	for _, e := range []string{c.EndpointURL, os.Getenv("AWS_ENDPOINT_URL_DYNAMODB"), os.Getenv("AWS_ENDPOINT_URL")} {
		if loopback(e) { // the instance metadata service is slow where there is none
			return append(opts, config.WithEC2IMDSClientEnableState(imds.ClientDisabled))
		}
	}
	return opts
}

func (c Config) assumeRole(cfg aws.Config) aws.CredentialsProvider {
	return stscreds.NewAssumeRoleProvider(sts.NewFromConfig(cfg), c.RoleARN, func(o *stscreds.AssumeRoleOptions) {
		o.RoleSessionName = "dynasql"
		if c.ExternalID != "" {
			o.ExternalID = aws.String(c.ExternalID)
		}
		o.TokenProvider = nil
	})
}

// optionalCredentials falls back to made-up credentials, which every local
// DynamoDB accepts.
type optionalCredentials struct{ found aws.CredentialsProvider }

func (o optionalCredentials) Retrieve(ctx context.Context) (aws.Credentials, error) {
	if o.found != nil {
		if c, err := o.found.Retrieve(ctx); err == nil {
			return c, nil
		}
	}
	return credentials.NewStaticCredentialsProvider("local", "local", "").Retrieve(ctx)
}

// loopback reports whether the URL names this machine.
func loopback(endpoint string) bool {
	u, err := url.Parse(endpoint)
	if err != nil || u.Hostname() == "" {
		return false
	}
	host := u.Hostname()
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || net.ParseIP(host).IsLoopback()
}

func checkEndpoint(endpoint string) error {
	if endpoint == "" {
		return nil
	}
	u, err := url.Parse(endpoint)
	if err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https") {
		return nil
	}
	return &ConfigError{
		What: fmt.Sprintf("endpoint %q is not a URL", endpoint),
		Do:   "write it as http://HOST:PORT or https://HOST",
	}
}

// ConfigError reports a configuration with which no client can be built.
type ConfigError struct {
	What string // what is wrong
	Do   string // how to mend it
}

func (e *ConfigError) Error() string { return e.What }

// Hint says what the user can change.
func (e *ConfigError) Hint() string { return e.Do }

func explainConfig(err error, info Info) error {
	var missing config.SharedConfigProfileNotExistError
	if errors.As(err, &missing) {
		return &ConfigError{
			What: fmt.Sprintf("profile %q is not in the AWS config files", info.Profile),
			Do:   "`aws configure list-profiles` lists the profiles; choose one with --profile or AWS_PROFILE",
		}
	}
	return &ConfigError{What: "the AWS configuration cannot be read: " + plain(err), Do: "check ~/.aws/config, ~/.aws/credentials and the AWS_* variables"}
}
