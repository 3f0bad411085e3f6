package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/dynasql/dynasql/internal/dataset"
	"github.com/dynasql/dynasql/internal/ddb"
	"github.com/dynasql/dynasql/internal/localdb"
)

// exportFlags are the exports to S3 that are read instead of tables in AWS.
type exportFlags struct {
	folders []string // [NAME=]DIR
	keys    []string // [NAME=]HASH[,RANGE]
}

func (x *exportFlags) register(flags *pflag.FlagSet) {
	flags.StringArrayVar(&x.folders, "export", nil, "an export of a table to S3, in a folder, as `[TABLE=]DIR`, instead of AWS; takes no read units; may be repeated")
	flags.StringArrayVar(&x.keys, "key", nil, "the key of an exported table as `[TABLE=]HASH[,RANGE]`; without it the table in AWS (--profile, --region, --endpoint-url) is asked for it")
}

// check refuses flags that contradict each other. live says that there is a
// place in AWS that knows the tables.
func (x *exportFlags) check(live bool) error {
	exports := x.list()
	for i, e := range exports {
		if e.table != "" && slices.ContainsFunc(exports[:i], func(o export) bool { return o.table == e.table }) {
			return usagef("give another name to one of them", "two exports are to be the table %q", e.table)
		}
		if len(e.key) == 0 && !live {
			return usagef("add --key HASH or --key HASH,RANGE, or --region and --profile of the table in AWS, whose description is read",
				"an export does not tell the key of its table, and --export %s has no --key", x.folders[i])
		}
		if len(e.key) > 2 || slices.Contains(e.key, "") {
			return usagef("write --key HASH or --key HASH,RANGE, with the names of attributes", "--key %s is no key of one or two attributes", strings.Join(e.key, ","))
		}
	}
	for _, k := range x.keys {
		if table, _, ok := strings.Cut(k, "="); len(exports) == 0 || len(exports) > 1 && (!ok || !slices.ContainsFunc(exports, func(e export) bool { return e.table == table })) {
			return usagef("write --export TABLE=DIR --key TABLE=HASH,RANGE", "--key %s is of no table of an --export", k)
		}
	}
	return nil
}

// export is one exported table.
type export struct {
	table  string // "" for that of the manifest
	folder string
	key    []string // hash key first; none if it was not given
}

// list are the exports with their keys.
func (x *exportFlags) list() []export {
	var list []export
	for _, text := range x.folders {
		e := export{folder: text}
		if name, folder, ok := strings.Cut(text, "="); ok && !strings.ContainsAny(name, `/\`) {
			e.table, e.folder = name, folder
		}
		for _, key := range x.keys {
			if own, ok := strings.CutPrefix(key, e.table+"="); ok && e.table != "" {
				e.key = strings.Split(own, ",")
			} else if len(x.folders) == 1 {
				e.key = strings.Split(key, ",")
			}
		}
		list = append(list, e)
	}
	return list
}

// openExports reads exports into memory. A table whose key is not given is
// described in AWS. say, if not nil, is told what is being read.
func openExports(ctx context.Context, exports []export, aws ddb.Config, say func(string, ...any)) (ddb.Reader, error) {
	if say == nil {
		say = func(string, ...any) {}
	}
	store := localdb.Open(localdb.Options{FreeReads: true})
	c := exported{reading(store), map[string]string{}}
	for _, e := range exports {
		found, err := dataset.OpenExport(e.folder)
		if err != nil {
			return nil, err
		}
		if e.table == "" {
			e.table = found.Table
		}
		if e.table == "" {
			return nil, usagef("write --export TABLE="+e.folder, "the folder %s has no manifest that says of which table it is", e.folder)
		}
		if err := e.load(ctx, found, aws, store.Client(), say); err != nil {
			return nil, err
		}
		c.sources[e.table] = sourceOf(found)
	}
	return c, nil
}

// progressItems is after how many items of an export something is said.
const progressItems = 500_000

func (e *export) load(ctx context.Context, found *dataset.Export, aws ddb.Config, to ddb.Client, say func(string, ...any)) error {
	definition, err := e.definition(ctx, found, aws)
	if err != nil {
		return err
	}
	var items int64
	err = found.Load(ctx, to, definition, func(n int64) {
		if items = n; n%progressItems == 0 {
			say("%s: %s read", e.table, share(n, found.Items))
		}
	})
	if err == nil {
		say("%s: %s, %s in %s", e.table, sourceOf(found), plural(items, "item"), plural(int64(found.Files()), "file"))
	}
	return err
}

// definition is the table that the items of an export go into.
func (e *export) definition(ctx context.Context, found *dataset.Export, aws ddb.Config) (*ddb.CreateTableInput, error) {
	if len(e.key) > 0 {
		return found.ByKey(ctx, e.table, e.key)
	}
	name := found.Table
	if name == "" {
		name = e.table
	}
	client, info, err := ddb.Open(ctx, aws)
	if err != nil {
		return nil, err
	}
	live, err := client.DescribeTable(ctx, &ddb.DescribeTableInput{TableName: &name})
	if err != nil {
		return nil, fmt.Errorf("the key of the exported table %q: %w (or give it with --key)", name,
			ddb.Explain(err, ddb.Target{Action: "DescribeTable", Table: name, Region: info.Region}))
	}
	return dataset.Like(e.table, live), nil
}

func share(n, of int64) string {
	if of < 0 {
		return plural(n, "item")
	}
	return fmt.Sprintf("%d of %s", n, plural(of, "item"))
}

func plural(n int64, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// sourceOf says what an export is.
func sourceOf(e *dataset.Export) string {
	if e.Taken.IsZero() {
		return "an export"
	}
	return "an export taken " + e.Taken.Format("2006-01-02 15:04:05") + " UTC"
}

// exported is a store of exports.
type exported struct {
	ddb.Reader
	sources map[string]string // by table
}

// Source implements catalog.Sourcer.
func (c exported) Source(table string) string { return c.sources[table] }
