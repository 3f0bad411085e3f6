// Package engine assembles the SQL engine over DynamoDB connections: its
// sessions, variables, rules and operators, and the running of a statement.
// The engine library is used as it is; what has to differ is put in from
// outside, through the hooks that this package collects.
package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	sqle "github.com/dolthub/go-mysql-server"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/information_schema"
	"github.com/dolthub/go-mysql-server/sql/memo"
	"github.com/dolthub/go-mysql-server/sql/planbuilder"
	"github.com/dolthub/go-mysql-server/sql/variables"
	"github.com/sirupsen/logrus"

	"github.com/dynasql/dynasql/connector"
	"github.com/dynasql/dynasql/connector/catalog"
	"github.com/dynasql/dynasql/connector/read"
	"github.com/dynasql/dynasql/engine/exact"
	"github.com/dynasql/dynasql/engine/exec"
	"github.com/dynasql/dynasql/engine/spill"
	"github.com/dynasql/dynasql/internal/ddb"
)

// DefaultDatabase is the name of the default connection's database.
const DefaultDatabase = "dynamodb"

// ServerVersion is the MySQL version whose dialect is spoken, as clients see it.
const ServerVersion = "8.0.36"

// A Connection is one place where DynamoDB tables are: an account and region,
// or an embedded store. It is one SQL database.
type Connection struct {
	Name   string // of the database; "" means DefaultDatabase
	Client ddb.Reader
	// Region is for messages; it may be empty.
	Region string
	// Schema is the path of the schema file that pins columns of the tables; it
	// may be empty, and the file need not exist before it is saved.
	Schema string
	// FreeSample is how many items a sample holds whatever it takes to read them,
	// for tables that are not in AWS; 0 means as Config.Catalog says.
	FreeSample int
}

// Config says what an Engine works on.
type Config struct {
	// Connections has at least one entry; the first is the default database.
	Connections []Connection
	Catalog     catalog.Options
	Read        read.Options
	// MaxReadUnits is the default of ddb_max_rcu, the read units one statement
	// may consume; 0 means 100,000.
	MaxReadUnits float64
}

func (c Config) validate() error {
	var problems []error
	if len(c.Connections) == 0 {
		problems = append(problems, errors.New("no connection"))
	}
	seen := map[string]bool{}
	for _, conn := range c.Connections {
		name := strings.ToLower(conn.Name)
		if seen[name] {
			problems = append(problems, fmt.Errorf("two connections are named '%s'", conn.Name))
		}
		if slices.Contains(systemNames, name) {
			problems = append(problems, fmt.Errorf("a connection cannot be named '%s': SQL has a database of that name", conn.Name))
		}
		if conn.Client == nil {
			problems = append(problems, fmt.Errorf("connection '%s' has no client", conn.Name))
		}
		seen[name] = true
	}
	return errors.Join(problems...)
}

// An Engine answers SQL over its connections. It is safe for concurrent use by
// any number of sessions.
type Engine struct {
	sql       *sqle.Engine
	databases []*connector.Database
	system    *system
	cfg       Config
	memory    *spill.Memory // of all statements together

	sessions    sync.Map // by id: *Session
	lastSession atomic.Uint32
	lastPid     atomic.Uint64
	// accountChanges counts the calls of SetAccounts.
	accountChanges atomic.Uint64
}

// New assembles an engine.
func New(cfg Config) (*Engine, error) {
	for i := range cfg.Connections {
		if cfg.Connections[i].Name == "" {
			cfg.Connections[i].Name = DefaultDatabase
		}
	}
	if cfg.MaxReadUnits == 0 {
		cfg.MaxReadUnits = defaultMaxReadUnits
	}
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	prepareLibrary()
	e := &Engine{cfg: cfg, system: newSystem(), memory: spill.NewMemory(2*spill.DefaultLimit(), nil)}
	for _, conn := range cfg.Connections {
		opts := cfg.Catalog
		if conn.FreeSample > 0 {
			opts.SampleItems, opts.SampleUnits = conn.FreeSample, 1e9
		}
		if conn.Schema != "" {
			var err error
			if opts.Pins, err = readPins(conn.Schema); err != nil {
				return nil, err
			}
		}
		e.databases = append(e.databases, connector.NewDatabase(conn.Name,
			catalog.New(conn.Client, opts), read.New(conn.Client, cfg.Read)))
	}
	procedures := e.procedures()
	b := analyzer.NewBuilder(provider{e.databases, e.system, &procedures})
	b.AddPreAnalyzeRule(ruleBegin, connector.BeginRule)
	b.AddPreAnalyzeRule(ruleSelectLimit, selectLimit)
	b.AddPreAnalyzeRule(ruleEnumsAsText, enumsAsText)
	b.AddPreAnalyzeRule(ruleTypesInSets, typesInSets)
	b.AddPreAnalyzeRule(ruleRecursiveDates, recursiveDates)
	b.AddPreAnalyzeRule(ruleMixedTypes, mixedTypes)
	b.AddPreAnalyzeRule(ruleArithmetic, exact.ArithmeticRule)
	b.AddPreAnalyzeRule(ruleNumbersAsTimes, numbersAsTimes)
	b.AddPreAnalyzeRule(ruleKeepLateralRows, keepLateralRows)
	// also for the texts inside of statements, as those of PREPARE
	b.AddOverrides(sql.EngineOverrides{Builder: sql.BuilderOverrides{Parser: parser{sql.NewMysqlParser(), &pointTexts{}}}})
	a := b.Build()
	replaceRule(a, "optimizeJoins", keepInlinedColumns)
	replaceRule(a, "validateGroupBy", allowCallsBesideGroups)
	a.Batches = append(a.Batches, &analyzer.Batch{Desc: "dynasql", Iterations: 1, Rules: []analyzer.Rule{
		{Id: ruleKeepPolling, Apply: keepPolling},
		{Id: ruleShowOuterRows, Apply: whole(showOuterRows)},
		{Id: ruleReuse, Apply: whole(reuseSubqueries)},
		{Id: ruleRead, Apply: whole(connector.Rule)},
		{Id: ruleExact, Apply: exact.Rule},
	}})
	a.Coster = coster{memo.NewDefaultCoster()}
	a.ExecBuilder.PriorityBuilder = builder{engine: e, library: a.ExecBuilder, exec: exec.NewBuilder(a.ExecBuilder)}
	e.sql = sqle.New(a, &sqle.Config{IsReadOnly: true})
	return e, nil
}

// Close ends the engine. Sessions must be closed before.
func (e *Engine) Close() error { return e.sql.Close() }

// Library returns the engine library's own engine, for serving it.
func (e *Engine) Library() *sqle.Engine { return e.sql }

// Databases are the connections in the order of the configuration.
func (e *Engine) Databases() []*connector.Database { return e.databases }

// Sampling is what describing tables has read on all connections.
func (e *Engine) Sampling() catalog.Sampling {
	var sum catalog.Sampling
	for _, d := range e.databases {
		one := d.Catalog().Sampling()
		sum.Requests += one.Requests
		sum.Items += one.Items
		sum.ReadUnits += one.ReadUnits
	}
	return sum
}

// Ping reaches the connection of a database, "" meaning the default one, so that
// missing credentials or an unreachable endpoint are told before the first
// statement.
func (e *Engine) Ping(ctx context.Context, database string) error {
	for i, d := range e.databases {
		if database == "" || strings.EqualFold(d.Name(), database) {
			_, err := d.Catalog().Names(ctx)
			return ddb.Explain(err, ddb.Target{Action: "ListTables", Region: e.cfg.Connections[i].Region})
		}
	}
	return fmt.Errorf("there is no connection '%s'", database)
}

var library sync.Once

// prepareLibrary sets what the library keeps in globals: the system variables,
// the names of aggregates and of functions over windows, and a rule that does nothing, whose presence turns off a fast path of the
// analyzer that would skip our rules for simple statements.
func prepareLibrary() {
	library.Do(func() {
		logrus.SetOutput(io.Discard) // the library's own log, beside what it returns
		analyzer.AlwaysBeforeDefault = append(analyzer.AlwaysBeforeDefault, analyzer.Rule{Id: ruleNothing, Apply: nothing})
		sql.SystemVariables.AddSystemVariables(systemVariables())
		sql.SystemVariables.AddSystemVariables(clientVariables())
		variables.InitStatusVariables()
		sql.StatusVariables = upStatus{sql.StatusVariables, time.Now()}
		information_schema.NewColumnsTable = newColumnsTable(information_schema.NewColumnsTable)
		exact.Prepare()
		planbuilder.IsWindowFunc = func(name string) bool { return name == exec.OverFunction || planbuilder.IsMySQLWindowFuncName(name) }
		planbuilder.IsAggregateFunc = func(name string) bool { return exact.IsAggregate(name) || planbuilder.IsMySQLAggregateFuncName(name) }
	})
}
