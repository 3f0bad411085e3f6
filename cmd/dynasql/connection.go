package main

import (
	"github.com/spf13/pflag"

	"github.com/dynasql/dynasql/internal/ddb"
)

// connection are the flags that say which tables are asked, and within what
// bounds. They are common to the shell, the demo and the server.
type connection struct {
	demo        bool // the sample tables instead of any others
	local       []string
	exports     exportFlags
	say         func(format string, args ...any) // tells what is being loaded; nil for nobody
	endpointURL string
	region      string
	profile     string
	config      string
	schema      string // path of the schema file; empty for none
	database    string // to begin in; empty is the default connection
	maxRCU      float64
}

func (c *connection) register(flags *pflag.FlagSet) {
	c.registerAWS(flags)
	c.registerLocal(flags)
	c.exports.register(flags)
	flags.StringVar(&c.config, "config", "", "`FILE` with further connections (default "+defaultConfigHelp+")")
	c.registerBounds(flags)
}

func (c *connection) registerDatabase(flags *pflag.FlagSet) {
	flags.StringVarP(&c.database, "database", "D", "", "begin in the database `NAME`: a connection of the configuration")
}

const defaultConfigHelp = "dynasql/config.yaml in the user's configuration folder"

func (c *connection) registerAWS(flags *pflag.FlagSet) {
	flags.StringVar(&c.profile, "profile", "", "profile `NAME` of the AWS configuration files")
	flags.StringVar(&c.region, "region", "", "AWS region `NAME`, such as eu-west-1")
	flags.StringVar(&c.endpointURL, "endpoint-url", "", "send requests to this `URL` instead of AWS")
}

func (c *connection) registerLocal(flags *pflag.FlagSet) {
	flags.StringArrayVar(&c.local, "local", nil, "tables in memory from tables.json and items.json in `DIR`, instead of AWS; may be repeated")
}

func (c *connection) registerBounds(flags *pflag.FlagSet) {
	flags.StringVar(&c.schema, "schema", "", "YAML `FILE` that pins columns to types and names; CALL ddb_save_schema() writes it")
	flags.Float64Var(&c.maxRCU, "max-rcu", 100_000, "refuse a statement that would read more than `N` read units")
}

// check refuses flags that contradict each other.
func (c *connection) check() error {
	if c.inMemory() && c.aws() != (ddb.Config{}) {
		return usagef("leave out one or the other", "tables in memory (--local, --demo) and a place in AWS (--profile, --region, --endpoint-url) were both given")
	}
	if c.demo && len(c.local) > 0 {
		return usagef("leave out one or the other", "--demo and --local were both given")
	}
	if c.inMemory() && len(c.exports.folders) > 0 {
		return usagef("leave out one or the other", "tables in memory (--local, --demo) and exports (--export) were both given")
	}
	if err := c.exports.check(c.aws() != ddb.Config{}); err != nil {
		return err
	}
	if c.maxRCU <= 0 {
		return usagef("give the read units that one statement may consume; SET ddb_max_rcu = 0 lifts the bound in a session", "--max-rcu %g is not a positive number", c.maxRCU)
	}
	return nil
}

func (c *connection) inMemory() bool { return c.demo || len(c.local) > 0 }

func (c *connection) aws() ddb.Config {
	return ddb.Config{Profile: c.profile, Region: c.region, EndpointURL: c.endpointURL}
}
