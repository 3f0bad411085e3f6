package repl

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/dynasql/dynasql/repl/format"
)

func describeCommands() []command {
	const group = "Tables"
	return []command{
		{[]string{`\d`, `\dt`, `\d+`}, "[TABLE]", "tables with items, size and keys; or one table", group, tableArg, cmdDescribe},
		{[]string{`\di`}, "[TABLE]", "indexes with keys, projection and status", group, tableArg, cmdIndexes},
		{[]string{`\dv`}, "", "views", group, noArg, cmdViews},
		{[]string{`\l`}, "", "databases", group, noArg, cmdDatabases},
		{[]string{`\schema`}, "TABLE", "a table's CREATE TABLE statement", group, tableArg, cmdSchema},
		{[]string{`\vars`}, "[PATTERN]", "session variables", group, noArg, cmdVariables},
	}
}

// list writes rows of the shell's own in the format of the moment.
func (sh *Shell) list(ctx context.Context, columns []format.Column, rows [][]string) error {
	d := &display{own: true}
	if err := sh.openDisplay(ctx, d, columns, &progressLine{over: true}, false); err != nil {
		return err
	}
	for _, r := range rows {
		cells := make([]format.Cell, len(r))
		for i, s := range r {
			cells[i] = format.Cell{Text: s}
		}
		if err := d.writer.Row(cells); err != nil {
			return ignoreLeft(err)
		}
	}
	return d.finish("", nil)
}

// dropEmpty leaves out the columns that are empty in every row: a terminal is
// narrow.
func dropEmpty(columns []format.Column, rows [][]string) ([]format.Column, [][]string) {
	var keep []int
	for i := range columns {
		for _, r := range rows {
			if r[i] != "" {
				keep = append(keep, i)
				break
			}
		}
	}
	kept := make([]format.Column, len(keep))
	short := make([][]string, len(rows))
	for j, i := range keep {
		kept[j] = columns[i]
		for n, r := range rows {
			short[n] = append(short[n], r[i])
		}
	}
	return kept, short
}

func cmdDescribe(sh *Shell, ctx context.Context, args []string) error {
	if len(args) > 0 {
		return sh.describeTable(ctx, bare(args[0]))
	}
	return sh.listTables(ctx, false)
}

func cmdViews(sh *Shell, ctx context.Context, _ []string) error { return sh.listTables(ctx, true) }

func (sh *Shell) listTables(ctx context.Context, views bool) error {
	tables, err := sh.describedTables(ctx)
	if err != nil {
		return err
	}
	var rows [][]string
	for _, t := range tables {
		if t.View == views {
			rows = append(rows, tableRow(t))
		}
	}
	if len(rows) == 0 {
		what := map[bool]string{false: "tables", true: "views"}[views]
		sh.note("there are no %s in %s", what, sh.session.Database())
		return nil
	}
	if views {
		for i := range rows {
			rows[i] = rows[i][:1]
		}
		return sh.list(ctx, []format.Column{{Name: "view"}}, rows)
	}
	return sh.list(ctx, []format.Column{{Name: "table"}, {Name: "key"}, {Name: "items", Kind: format.Number},
		{Name: "size"}, {Name: "indexes"}, {Name: "billing"}}, rows)
}

// describedTables are the tables of the current database, with what can be said
// of them.
func (sh *Shell) describedTables(ctx context.Context) ([]Table, error) {
	if l, ok := sh.session.(Lister); ok {
		running, stop := sh.interruptible(ctx)
		defer stop()
		tables, err := l.List(running)
		return tables, sh.cancelled(ctx, running, err)
	}
	catalog, err := sh.session.Objects(ctx)
	if err != nil {
		return nil, err
	}
	return sh.currentTables(catalog), nil
}

// currentTables are the tables of the current database.
func (sh *Shell) currentTables(c *Catalog) []Table {
	db := sh.session.Database()
	var list []Table
	for _, t := range c.Tables {
		if t.Database == db || t.Database == "" {
			list = append(list, t)
		}
	}
	return list
}

func tableRow(t Table) []string {
	if !t.Described {
		return []string{t.Name, "", "", "", "", ""}
	}
	var indexes []string
	for _, x := range t.Indexes {
		indexes = append(indexes, x.Name)
	}
	return []string{t.Name, keyText(t.HashKey, t.SortKey), fmt.Sprint(t.Items), bytesText(t.Bytes), strings.Join(indexes, ", "), t.Billing}
}

func keyText(hash, sort string) string {
	if sort == "" {
		return hash
	}
	return hash + ", " + sort
}

// describeTable shows one table: what DescribeTable says, then its columns, then
// its indexes.
func (sh *Shell) describeTable(ctx context.Context, name string) error {
	t, err := sh.find(ctx, name)
	if err != nil {
		return err
	}
	defer sh.tellSampling()
	prose := sh.settings.format == format.Table || sh.settings.format == format.Vertical
	if prose {
		if err := sh.text(tableHead(t)); err != nil {
			return err
		}
	}
	if err := sh.listColumns(ctx, t); err != nil || !prose {
		return err
	}
	return sh.text(indexText(t))
}

// find describes a table that is written as name or database.name.
func (sh *Shell) find(ctx context.Context, name string) (*Table, error) {
	name = strings.ReplaceAll(name, "`", "")
	t, err := sh.session.Describe(ctx, "", name)
	if err == nil {
		return t, nil
	}
	if db, table, ok := strings.Cut(name, "."); ok {
		if t, qualified := sh.session.Describe(ctx, db, table); qualified == nil {
			return t, nil
		}
	}
	return nil, sh.noTable(ctx, name, err)
}

// noTable adds the name that was probably meant to the error of one that is not
// there.
func (sh *Shell) noTable(ctx context.Context, name string, err error) error {
	var hinted interface{ Hint() string }
	if errors.As(err, &hinted) && hinted.Hint() != "" {
		return err
	}
	catalog, failed := sh.session.Objects(ctx)
	if failed != nil {
		return err
	}
	if near := nearest(name, tableNames(sh.currentTables(catalog))); near != "" {
		return usagef("did you mean "+near+"?", "%s", err)
	}
	return usagef(`\d lists the tables`, "%s", err)
}

func tableHead(t *Table) string {
	parts := []string{fmt.Sprintf("Table %s: %s, %s", t.Name, count(t.Items, "item"), bytesText(t.Bytes))}
	if t.Billing != "" {
		parts = append(parts, t.Billing)
	}
	if t.Status != "" {
		parts = append(parts, t.Status)
	}
	head := strings.Join(parts, ", ") + "\nHash key " + t.HashKey
	if t.SortKey != "" {
		head += ", sort key " + t.SortKey
	}
	switch {
	case t.Sampled > 0:
		head += fmt.Sprintf("; columns as %s show them", count(t.Sampled, "sampled item"))
	default:
		head += "; no item was sampled yet"
	}
	return head + "\n"
}

func (sh *Shell) listColumns(ctx context.Context, t *Table) error {
	var rows [][]string
	for _, c := range t.Columns {
		seen := ""
		if t.Sampled > 0 {
			seen = fmt.Sprint(c.Seen)
		}
		rows = append(rows, []string{c.Name, c.Type, c.Kinds, seen, c.Key, c.Comment})
	}
	columns, rows := dropEmpty([]format.Column{{Name: "column"}, {Name: "type"}, {Name: "DynamoDB"}, {Name: "seen", Kind: format.Number}, {Name: "key"}, {Name: "comment"}}, rows)
	return sh.list(ctx, columns, rows)
}

func indexText(t *Table) string {
	if len(t.Indexes) == 0 {
		return "No secondary indexes.\n"
	}
	var b strings.Builder
	b.WriteString("Indexes:\n")
	for _, x := range t.Indexes {
		scope := "global"
		if x.Local {
			scope = "local"
		}
		fmt.Fprintf(&b, "  %s: %s, key %s, projects %s", x.Name, scope, keyText(x.HashKey, x.SortKey), x.Projection)
		if x.Status != "" {
			b.WriteString(", " + strings.ToLower(x.Status))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func cmdIndexes(sh *Shell, ctx context.Context, args []string) error {
	tables, err := sh.indexedTables(ctx, args)
	if err != nil {
		return err
	}
	var rows [][]string
	for _, t := range tables {
		for _, x := range t.Indexes {
			scope := "global"
			if x.Local {
				scope = "local"
			}
			rows = append(rows, []string{t.Name, x.Name, scope, keyText(x.HashKey, x.SortKey), x.Projection, x.Status, fmt.Sprint(x.Items), bytesText(x.Bytes)})
		}
	}
	if len(rows) == 0 {
		sh.note("there are no secondary indexes")
		return nil
	}
	return sh.list(ctx, []format.Column{{Name: "table"}, {Name: "index"}, {Name: "scope"}, {Name: "key"},
		{Name: "projection"}, {Name: "status"}, {Name: "items", Kind: format.Number}, {Name: "size"}}, rows)
}

func (sh *Shell) indexedTables(ctx context.Context, args []string) ([]Table, error) {
	if len(args) > 0 {
		t, err := sh.find(ctx, bare(args[0]))
		if err != nil {
			return nil, err
		}
		return []Table{*t}, nil
	}
	return sh.describedTables(ctx)
}

func cmdDatabases(sh *Shell, ctx context.Context, _ []string) error {
	catalog, err := sh.session.Objects(ctx)
	if err != nil {
		return err
	}
	var rows [][]string
	for _, db := range catalog.Databases {
		mark := ""
		if db == sh.session.Database() {
			mark = "current"
		}
		rows = append(rows, []string{db, mark})
	}
	return sh.list(ctx, []format.Column{{Name: "database"}, {Name: ""}}, rows)
}

func cmdSchema(sh *Shell, ctx context.Context, args []string) error {
	if len(args) != 1 {
		return usagef(`\d lists the tables; CALL ddb_save_schema() writes the schema file`, `\schema needs the name of a table`)
	}
	rows, err := sh.session.Query(ctx, "SHOW CREATE TABLE "+quoteName(bare(args[0])), nil)
	if err != nil {
		return err
	}
	defer rows.Close()
	cells, err := rows.Next(ctx)
	if err != nil || len(cells) == 0 {
		return ignoreEOF(err)
	}
	return sh.text(cells[len(cells)-1].Text + "\n")
}

func cmdVariables(sh *Shell, ctx context.Context, args []string) error {
	pattern := ""
	if len(args) > 0 {
		pattern = strings.ToLower(strings.Trim(bare(args[0]), "%*"))
	}
	var rows [][]string
	for _, v := range sh.session.Variables() {
		if strings.Contains(strings.ToLower(v.Name), pattern) {
			rows = append(rows, []string{v.Name, v.Value, v.Comment})
		}
	}
	return sh.list(ctx, []format.Column{{Name: "variable"}, {Name: "value"}, {Name: "meaning"}}, rows)
}
