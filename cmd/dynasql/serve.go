package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/dynasql/dynasql/engine/mysqld"
)

func (p *program) serveCommand() *cobra.Command {
	var c connection
	var listen string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "A server for MySQL clients",
		Long: `Serves the tables in the MySQL protocol, for the mysql client, drivers and BI
tools. Any user name is accepted with any password, and so it listens on this
machine only.`,
		Example: `  dynasql serve --profile prod
  mysql --host 127.0.0.1 --port 3306 --user me dynamodb`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.serve(cmd.Context(), c, listen) },
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:3306", "`ADDRESS` to listen on: HOST:PORT, where port 0 takes a free one, or the path of a unix socket")
	cmd.Flags().BoolVar(&c.demo, "demo", false, "serve the sample tables of dynasql demo")
	c.register(cmd.Flags())
	return cmd
}

// serve runs until it is interrupted or told to end.
func (p *program) serve(ctx context.Context, c connection, listen string) error {
	ctx, stop := untilInterrupt(ctx)
	defer stop()
	e, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer e.Close()
	if err := e.Ping(ctx, ""); err != nil {
		return err
	}
	listener, err := listenOn(listen)
	if err != nil {
		return err
	}
	var options mysqld.Options
	if err := options.Check(listener.Addr()); err != nil {
		listener.Close()
		return err
	}
	p.say("MySQL server: %s, any user, any password, database dynamodb (Ctrl-C ends it)", listener.Addr())
	return mysqld.Serve(ctx, e, listener, options)
}
