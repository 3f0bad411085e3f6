package main

import (
	"crypto/tls"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/dynasql/dynasql/engine/mysqld"
)

// serveFlags are the flags of dynasql serve beside those of the connection.
type serveFlags struct {
	listen         string
	users          string // file
	user           string // of the password file
	passwordFile   string
	tlsCert        string
	tlsKey         string
	tlsSelfMade    bool
	allowPlaintext bool
	maxConnections int
	idleTimeout    time.Duration
	audit          string // file
	metricsListen  string
	pidFile        string
}

const defaultUser = "dynasql"

func (f *serveFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.listen, "listen", "127.0.0.1:3306", "`ADDRESS` to listen on: HOST:PORT, where port 0 takes a free one, or the path of a unix socket")
	flags.StringVar(&f.users, "users", "", "`FILE` of the users who may connect, in YAML")
	flags.StringVar(&f.passwordFile, "password-file", "", "one user may connect, with the password in the first line of `FILE`")
	flags.StringVar(&f.user, "user", defaultUser, "`NAME` of the one user, with --password-file")
	flags.StringVar(&f.tlsCert, "tls-cert", "", "certificate for TLS, a PEM `FILE`")
	flags.StringVar(&f.tlsKey, "tls-key", "", "key of the certificate, a PEM `FILE`")
	flags.BoolVar(&f.tlsSelfMade, "tls-self-made", false, "TLS with a certificate made at the start, which clients cannot verify")
	flags.BoolVar(&f.allowPlaintext, "allow-plaintext", false, "listen without TLS where others can reach the address")
	flags.IntVar(&f.maxConnections, "max-connections", 151, "refuse more than `N` connections at one time")
	flags.DurationVar(&f.idleTimeout, "idle-timeout", 8*time.Hour, "end a connection that is idle for this `TIME`, such as 30m")
	flags.StringVar(&f.audit, "audit", "", "append a line of JSON for each statement to `FILE`")
	flags.StringVar(&f.metricsListen, "metrics-listen", "", "serve /metrics and /healthz by HTTP on `ADDRESS`, to anybody who reaches it")
	flags.StringVar(&f.pidFile, "pid-file", "", "write the process id to `FILE`, which is removed at the end")
}

// check refuses flags that contradict each other.
func (f *serveFlags) check() error {
	const either = "leave out one or the other"
	switch {
	case f.users != "" && f.passwordFile != "":
		return usagef(either, "--users and --password-file were both given")
	case f.user != defaultUser && f.passwordFile == "":
		return usagef("give the user's password with --password-file, or users with --users", "--user %s was given without --password-file", f.user)
	case f.tlsSelfMade && (f.tlsCert != "" || f.tlsKey != ""):
		return usagef(either, "--tls-self-made and a certificate were both given")
	case (f.tlsCert == "") != (f.tlsKey == ""):
		return usagef("give both", "--tls-cert and --tls-key belong together, but only one was given")
	case f.maxConnections <= 0:
		return usagef("give how many may connect at one time", "--max-connections %d is not a positive number", f.maxConnections)
	case f.idleTimeout <= 0:
		return usagef("give a time such as 30m or 8h", "--idle-timeout %s is not a positive time", f.idleTimeout)
	}
	return nil
}

// options are the server's, but for what needs an open file or port.
func (f *serveFlags) options() (mysqld.Options, error) {
	o := mysqld.Options{AllowPlaintext: f.allowPlaintext, MaxConnections: f.maxConnections, IdleTimeout: f.idleTimeout}
	err := f.check()
	if err != nil {
		return o, err
	}
	if o.Users, err = f.readUsers(); err != nil {
		return o, err
	}
	o.TLS, err = f.tls()
	return o, err
}

// readUsers returns nil if anybody may connect.
func (f *serveFlags) readUsers() (*mysqld.Users, error) {
	switch {
	case f.users != "":
		file, err := os.Open(f.users)
		if err != nil {
			return nil, fmt.Errorf("--users %s: %w", f.users, cause(err))
		}
		defer file.Close()
		users, err := mysqld.ReadUsers(file)
		if err != nil {
			return nil, &hintedError{what: fmt.Sprintf("--users %s: %s", f.users, err), hint: "docs/SERVER.md describes the file; dynasql hash-password makes the hash of a password"}
		}
		return users, nil
	case f.passwordFile != "":
		text, err := os.ReadFile(f.passwordFile)
		if err != nil {
			return nil, fmt.Errorf("--password-file %s: %w", f.passwordFile, cause(err))
		}
		password, _, _ := strings.Cut(string(text), "\n")
		users, err := mysqld.OneUser(f.user, strings.TrimRight(password, "\r"))
		if err != nil {
			return nil, &hintedError{what: fmt.Sprintf("--password-file %s: %s", f.passwordFile, err), hint: "write the password in the first line of the file"}
		}
		return users, nil
	}
	return nil, nil
}

// tls returns nil if there is none.
func (f *serveFlags) tls() (*tls.Config, error) {
	switch {
	case f.tlsSelfMade:
		return mysqld.TLSSelfMade(time.Now(), f.names()...)
	case f.tlsCert != "":
		c, err := mysqld.TLSFiles(f.tlsCert, f.tlsKey)
		if err != nil {
			return nil, fmt.Errorf("--tls-cert %s, --tls-key %s: %w", f.tlsCert, f.tlsKey, err)
		}
		return c, nil
	}
	return nil, nil
}

// names are what clients may call this server by.
func (f *serveFlags) names() []string {
	names := []string{"localhost", "127.0.0.1", "::1"}
	if host, _, err := net.SplitHostPort(f.listen); err == nil {
		names = append(names, host)
	}
	if host, err := os.Hostname(); err == nil {
		names = append(names, host)
	}
	return names
}

// openAudit returns what closes the audit log.
func (f *serveFlags) openAudit(o *mysqld.Options) (func() error, error) {
	if f.audit == "" {
		return func() error { return nil }, nil
	}
	file, err := os.OpenFile(f.audit, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("--audit %s: %w", f.audit, cause(err))
	}
	o.Audit = file
	return file.Close, nil
}

// access says who may connect.
func (f *serveFlags) access() string {
	who := "any user, any password"
	switch {
	case f.users != "":
		who = "users of " + f.users
	case f.passwordFile != "":
		who = "user " + f.user
	}
	if f.tlsSelfMade || f.tlsCert != "" {
		who += ", TLS"
	}
	return who
}
