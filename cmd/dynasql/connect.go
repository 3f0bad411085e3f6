package main

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/dynasql/dynasql/cmd/dynasql/demo"
	"github.com/dynasql/dynasql/engine"
	"github.com/dynasql/dynasql/internal/dataset"
	"github.com/dynasql/dynasql/internal/ddb"
	"github.com/dynasql/dynasql/internal/localdb"
)

// open makes the engine over everything that the flags and the configuration
// name. The sample tables stand alone.
func (c *connection) open(ctx context.Context) (*engine.Engine, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	first, err := c.first(ctx)
	if err != nil {
		return nil, err
	}
	cfg := engine.Config{Connections: []engine.Connection{first}, MaxReadUnits: c.maxRCU}
	if !c.demo {
		named, err := c.named()
		if err != nil {
			return nil, err
		}
		cfg.Connections = append(cfg.Connections, named...)
	}
	return engine.New(cfg)
}

// How many items are sampled where reading costs nothing: of tables in memory,
// which are small, all of them, of exports as many as take no time.
const (
	sampleOfLocal  = 1_000_000
	sampleOfExport = 100_000
)

// first is the default connection.
func (c *connection) first(ctx context.Context) (engine.Connection, error) {
	if c.inMemory() {
		client, err := c.store(ctx)
		return engine.Connection{Client: client, Schema: c.schema, FreeSample: sampleOfLocal}, err
	}
	if len(c.exports.folders) > 0 {
		client, err := openExports(ctx, c.exports.list(), c.aws(), c.say)
		return engine.Connection{Client: client, Schema: c.schema, FreeSample: sampleOfExport}, err
	}
	client, info, err := ddb.Open(ctx, c.aws())
	return engine.Connection{Client: client, Region: info.Region, Schema: c.schema}, err
}

// store is an embedded store with the sample tables or those of --local.
func (c *connection) store(ctx context.Context) (ddb.Client, error) {
	store := localdb.Open(localdb.Options{})
	if c.demo {
		return reading(store), fillSample(ctx, store.Client())
	}
	return reading(store), fillFolders(ctx, store.Client(), c.local)
}

// reading is the client through which an embedded store is read: the way over
// the page decoder, as on AWS, which is also the faster one.
func reading(store *localdb.Store) ddb.Client { return ddb.OpenTransport(store.Transport()) }

func fillFolders(ctx context.Context, client ddb.Client, folders []string) error {
	for _, dir := range folders {
		if _, err := fillFolder(ctx, client, dir); err != nil {
			return err
		}
	}
	return nil
}

func fillFolder(ctx context.Context, client ddb.Client, dir string) (dataset.Summary, error) {
	set, err := dataset.Read(dir)
	if err != nil {
		return dataset.Summary{}, err
	}
	done, err := set.Load(ctx, client)
	if err != nil {
		return done, fmt.Errorf("load %s: %w", dir, err)
	}
	return done, nil
}

func fillSample(ctx context.Context, client ddb.Client) error {
	set, err := dataset.ReadFS(demo.Files())
	if err == nil {
		_, err = set.Load(ctx, client)
	}
	if err != nil {
		return fmt.Errorf("the sample tables: %w", err)
	}
	return nil
}

// named are the further connections of the configuration, by name. They are
// opened by their first use: one that is broken, or slow, is nobody's business
// before.
func (c *connection) named() ([]engine.Connection, error) {
	config, err := readConfig(c.config)
	if err != nil {
		return nil, err
	}
	var list []engine.Connection
	for _, name := range slices.Sorted(maps.Keys(config.Connections)) {
		n := config.Connections[name]
		conn := engine.Connection{Name: name, Client: &lateClient{name: name, open: n.open}, Region: n.Region, Schema: n.Schema}
		if len(n.Local) > 0 {
			conn.FreeSample = sampleOfLocal
		}
		if len(n.Exports) > 0 {
			conn.FreeSample = sampleOfExport
		}
		list = append(list, conn)
	}
	return list, nil
}

func (n namedConnection) open(ctx context.Context) (ddb.Reader, error) {
	if len(n.Local) > 0 {
		store := localdb.Open(localdb.Options{})
		return reading(store), fillFolders(ctx, store.Client(), n.Local)
	}
	if len(n.Exports) > 0 {
		var exports []export
		for _, table := range slices.Sorted(maps.Keys(n.Exports)) {
			exports = append(exports, export{table, n.Exports[table].Folder, n.Exports[table].Key})
		}
		return openExports(ctx, exports, n.aws(), nil)
	}
	client, _, err := ddb.Open(ctx, n.aws())
	return client, err
}
