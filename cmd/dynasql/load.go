package main

import (
	"context"
	"net"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dynasql/dynasql/internal/ddb"
)

func (p *program) loadCommand() *cobra.Command {
	var c connection
	var yes bool
	cmd := &cobra.Command{
		Use:   "load DIR...",
		Short: "Create tables and put items from files",
		Long: `Creates the tables of DIR/tables.json (CreateTable shapes) and puts the items of
DIR/items.json (BatchWriteItem shapes). When something fails, the tables that were
created are deleted again. A table that exists is an error, and is not touched.`,
		Example: `  dynasql load ./data --endpoint-url http://127.0.0.1:8000`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("dynasql load DIR, where DIR has tables.json and items.json", "no folder to load from")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return p.load(cmd.Context(), c, args, yes) },
	}
	cmd.Flags().SortFlags = false
	c.registerAWS(cmd.Flags())
	cmd.Flags().BoolVar(&yes, "yes", false, "really create tables in AWS, which costs money")
	return cmd
}

func (p *program) load(ctx context.Context, c connection, folders []string, yes bool) error {
	ctx, stop := untilInterrupt(ctx)
	defer stop()
	client, info, err := ddb.Open(ctx, c.aws())
	if err != nil {
		return err
	}
	if !yes && !onThisMachine(info.Endpoint) {
		return usagef("add --yes to create the tables there, or name a local endpoint with --endpoint-url",
			"load would create tables in AWS, at %s, and write items to them", info.Host())
	}
	for _, dir := range folders {
		done, err := fillFolder(ctx, client, dir)
		if err != nil {
			return err
		}
		p.say("%s: created %s; %d items written", dir, strings.Join(done.Tables, ", "), done.Items)
	}
	return nil
}

// onThisMachine reports whether an endpoint is a loopback address.
func onThisMachine(endpoint string) bool {
	u, err := url.Parse(endpoint)
	if err != nil {
		return false
	}
	host := u.Hostname()
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}
