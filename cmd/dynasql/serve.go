package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/dynasql/dynasql/engine"
	"github.com/dynasql/dynasql/engine/mysqld"
)

const serveHelp = `Serves the tables in the MySQL protocol, for the mysql client, drivers and BI
tools. Without users any name is accepted with any password, and so it listens on
this machine only. With users (--users or --password-file) it listens anywhere,
but not without TLS unless --allow-plaintext is given.

SIGHUP reads the file of users again. SIGTERM and Ctrl-C let the statements that
run finish, for 10 seconds. A password is never given on the command line;
dynasql hash-password makes what a file of users holds.`

const serveExamples = `  dynasql serve --profile prod
  mysql --host 127.0.0.1 --port 3306 --user me dynamodb
  dynasql serve --listen :3306 --users users.yaml --tls-cert cert.pem --tls-key key.pem`

func (p *program) serveCommand() *cobra.Command {
	var c connection
	var f serveFlags
	cmd := &cobra.Command{
		Use:     "serve",
		Short:   "A server for MySQL clients",
		Long:    serveHelp,
		Example: serveExamples,
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return p.serve(cmd.Context(), c, f) },
	}
	cmd.Flags().SortFlags = false
	f.register(cmd.Flags())
	cmd.Flags().BoolVar(&c.demo, "demo", false, "serve the sample tables of dynasql demo")
	c.register(cmd.Flags())
	return cmd
}

// serve runs until it is interrupted or told to end.
func (p *program) serve(ctx context.Context, c connection, f serveFlags) error {
	ctx, stop := untilInterrupt(ctx)
	defer stop()
	options, err := f.options()
	if err != nil {
		return err
	}
	if err := checkAddress(f.listen, options); err != nil {
		return err
	}
	options.Logger = slog.New(slog.NewTextHandler(p.err, &slog.HandlerOptions{Level: slog.LevelWarn}))
	c.say = p.say
	e, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer e.Close()
	if err := e.Ping(ctx, ""); err != nil {
		return err
	}
	for _, warning := range e.SchemaWarnings() {
		p.say("warning: %s", warning)
	}
	closeAudit, err := f.openAudit(&options)
	if err != nil {
		return err
	}
	return errors.Join(p.serveMySQL(ctx, e, f, options), closeAudit())
}

// serveMySQL listens and serves, with all that runs beside the server.
func (p *program) serveMySQL(ctx context.Context, e *engine.Engine, f serveFlags, options mysqld.Options) error {
	listener, err := listenOn(f.listen)
	if err != nil {
		return err
	}
	defer listener.Close()
	var metrics net.Listener
	if f.metricsListen != "" {
		if metrics, err = listenAt("--metrics-listen", f.metricsListen); err != nil {
			return err
		}
		options.Metrics = &mysqld.Metrics{}
	}
	var beside sync.WaitGroup
	defer beside.Wait()
	// What runs beside the server ends after it: /healthz tells that it is ending.
	aside, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	if metrics != nil {
		beside.Go(func() {
			if err := serveHTTP(aside, metrics, options.Metrics.Handler()); err != nil {
				options.Logger.Error("the metrics ended", "error", err)
			}
		})
	}
	if f.users != "" {
		hangUp := make(chan os.Signal, 1)
		signal.Notify(hangUp, syscall.SIGHUP)
		defer signal.Stop(hangUp)
		beside.Go(func() { p.reloadUsers(aside, hangUp, f.users, options.Users) })
	}
	if f.pidFile != "" {
		if err := os.WriteFile(f.pidFile, fmt.Appendln(nil, os.Getpid()), 0o644); err != nil {
			return fmt.Errorf("--pid-file %s: %w", f.pidFile, cause(err))
		}
		defer os.Remove(f.pidFile)
	}
	p.say("MySQL server: %s, %s, database dynamodb (Ctrl-C ends it)", listener.Addr(), f.access())
	if metrics != nil {
		p.say("Metrics: %s, /metrics and /healthz", metrics.Addr())
	}
	return mysqld.Serve(ctx, e, listener, options)
}

// reloadUsers reads the file of users again at each signal. A wrong file changes
// nothing.
func (p *program) reloadUsers(ctx context.Context, hangUp <-chan os.Signal, path string, users *mysqld.Users) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-hangUp:
		}
		if err := reload(path, users); err != nil {
			p.say("--users %s: not read again, the users stay as they were: %s", path, cause(err))
			continue
		}
		p.say("--users %s: read again", path)
	}
}

func reload(path string, users *mysqld.Users) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return users.Reload(file)
}

// checkAddress refuses an address before anything listens there. One that
// cannot be resolved is left to listening.
func checkAddress(address string, options mysqld.Options) error {
	if strings.Contains(address, "/") {
		return nil
	}
	resolved, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		return nil
	}
	err = options.Check(resolved)
	var refused *mysqld.RefusedError
	if !errors.As(err, &refused) {
		return err
	}
	flags := "--tls-cert and --tls-key, --tls-self-made or --allow-plaintext"
	if options.Users == nil {
		flags = "--users or --password-file"
	}
	return &hintedError{what: refused.Error(), hint: refused.Hint() + " (" + flags + ")"}
}
