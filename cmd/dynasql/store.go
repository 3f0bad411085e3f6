package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/dynasql/dynasql/internal/localdb"
)

func (p *program) storeCommand() *cobra.Command {
	var c connection
	var listen string
	cmd := &cobra.Command{
		Use:   "store",
		Short: "The embedded store as a DynamoDB endpoint",
		Long: `A DynamoDB-compatible store in memory, for any AWS SDK or the AWS CLI. It
accepts every credential and forgets everything when it ends.`,
		Example: `  dynasql store --local ./data
  aws dynamodb list-tables --endpoint-url http://127.0.0.1:8000 --region local`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.store(cmd.Context(), c, listen) },
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:8000", "`ADDRESS` to listen on; port 0 takes a free one")
	c.registerLocal(cmd.Flags())
	cmd.Flags().BoolVar(&c.demo, "demo", false, "begin with the sample tables of dynasql demo")
	return cmd
}

// store serves until it is interrupted or told to end.
func (p *program) store(ctx context.Context, c connection, listen string) error {
	ctx, stop := untilInterrupt(ctx)
	defer stop()
	store := localdb.Open(localdb.Options{})
	if c.demo {
		if err := fillSample(ctx, store.Client()); err != nil {
			return err
		}
	}
	if err := fillFolders(ctx, store.Client(), c.local); err != nil {
		return err
	}
	listener, err := listenOn(listen)
	if err != nil {
		return err
	}
	p.say("DynamoDB endpoint: http://%s (in memory; Ctrl-C ends it)", listener.Addr())
	return serveHTTP(ctx, listener, store.Handler())
}
