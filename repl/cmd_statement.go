package repl

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/dynasql/dynasql/repl/format"
)

func statementCommands() []command {
	const group = "The last statement"
	return []command{
		{[]string{`\p`}, "", "print it", group, noArg, cmdPrint},
		{[]string{`\e`, `\edit`}, "", "edit it, or the one being typed, in your editor", group, noArg, cmdEdit},
		{[]string{`\explain`}, "[analyze]", "what it sends, why, and what that costs", group, noArg, cmdExplain},
		{[]string{`\requests`}, "", "what it sent to DynamoDB", group, noArg, cmdRequests},
		{[]string{`\cost`}, "", "what this session has read, by table", group, noArg, cmdCost},
		{[]string{`\watch`}, "[SECONDS [TIMES]]", "run it again and again", group, noArg, cmdWatch},
		{[]string{`\export`}, "FILE", "write its rows to a .csv, .tsv, .json, .jsonl, .md, .html or .ddb.json file", group, fileArg, cmdExport},
		{[]string{`\chart`}, "bar|line|hist [X [Y]] [> FILE]", "draw its rows; into an .svg or .png file", group, chartArg, cmdChart},
	}
}

// last is the last statement, or an error that says there is none.
func (sh *Shell) last() (string, error) {
	if sh.statement == "" {
		return "", usagef("run a statement first", "there is no statement yet")
	}
	return sh.statement, nil
}

func cmdPrint(sh *Shell, _ context.Context, _ []string) error {
	if sh.split.Started() {
		return sh.text(strings.TrimSpace(sh.split.Pending()) + "\n")
	}
	sql, err := sh.last()
	if err != nil {
		return err
	}
	return sh.text(sql + "\n")
}

func cmdExplain(sh *Shell, ctx context.Context, args []string) error {
	sql, err := sh.last()
	if err != nil {
		return err
	}
	verb := "EXPLAIN "
	if len(args) > 0 && strings.EqualFold(args[0], "analyze") {
		verb = "EXPLAIN ANALYZE "
	}
	defer sh.restore(sql, sh.result, sh.stats)
	return sh.runStatement(ctx, verb+sql, false)
}

// restore makes a statement the last one again, after the shell ran another one
// on its behalf.
func (sh *Shell) restore(sql string, r *result, s Stats) {
	sh.statement, sh.result, sh.stats = sql, r, s
}

func cmdRequests(sh *Shell, ctx context.Context, _ []string) error {
	if _, err := sh.last(); err != nil {
		return err
	}
	if len(sh.stats.Reads) == 0 {
		sh.note("the last statement sent no request")
		return nil
	}
	columns := []format.Column{{Name: "table"}, {Name: "operation"}, {Name: "index"}, {Name: "key condition"}, {Name: "filter"},
		{Name: "requests", Kind: format.Number}, {Name: "items", Kind: format.Number}, {Name: "returned", Kind: format.Number}, {Name: "units", Kind: format.Number}}
	var rows [][]string
	for _, r := range sh.stats.Reads {
		rows = append(rows, []string{r.Table, r.Operation, r.Index, r.KeyCondition, r.Filter, fmt.Sprint(r.Requests),
			fmt.Sprint(r.ItemsRead), fmt.Sprint(r.ItemsReturned), plainNumber(r.ReadUnits)})
	}
	columns, rows = dropEmpty(columns, rows)
	return sh.list(ctx, columns, rows)
}

// plainNumber writes a figure that a program may read.
func plainNumber(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

func cmdCost(sh *Shell, ctx context.Context, _ []string) error {
	total := spending{table: "total"}
	var rows [][]string
	for _, s := range sh.spendings() {
		rows = append(rows, spendingRow(s))
		total.add(*s)
	}
	if s := sh.sampling(); s.Requests > 0 {
		sampled := spending{"samples for columns", s.Requests, s.Items, s.ReadUnits, s.CostUSD}
		rows = append(rows, spendingRow(&sampled))
		total.add(sampled)
	}
	if len(rows) == 0 {
		sh.note("nothing was read in this session")
		return nil
	}
	rows = append(rows, spendingRow(&total))
	return sh.list(ctx, []format.Column{{Name: "table"}, {Name: "requests", Kind: format.Number}, {Name: "items read", Kind: format.Number},
		{Name: "read units", Kind: format.Number}, {Name: "USD", Kind: format.Number}}, rows)
}

func spendingRow(s *spending) []string {
	return []string{s.table, fmt.Sprint(s.requests), fmt.Sprint(s.items), plainNumber(s.readUnits), strings.TrimPrefix(money(s.costUSD), "$")}
}

// cmdWatch repeats the last statement until Ctrl-C, or TIMES times.
func cmdWatch(sh *Shell, ctx context.Context, args []string) error {
	sql, err := sh.last()
	if err != nil {
		return err
	}
	every, times, err := watchArgs(args)
	if err != nil {
		return err
	}
	if times == 0 && sh.terminal == nil {
		return usagef(`\watch 2 10 runs it ten times`, `\watch in a script needs a number of times`)
	}
	watching, stop := sh.interruptible(ctx)
	defer stop()
	for n := 1; ; n++ {
		if err := sh.runStatement(watching, sql, false); err != nil {
			if watching.Err() != nil && ctx.Err() == nil {
				return nil
			}
			return err
		}
		if n == times || sh.opt.Sleep(watching, every) != nil {
			return nil
		}
	}
}

func watchArgs(args []string) (every time.Duration, times int, err error) {
	every = 2 * time.Second
	if len(args) > 0 {
		seconds, bad := strconv.ParseFloat(args[0], 64)
		if bad != nil || seconds < 0.1 || seconds > 86400 {
			return 0, 0, usagef("at least 0.1", "%q is not a number of seconds", args[0])
		}
		every = time.Duration(seconds * float64(time.Second))
	}
	if len(args) > 1 {
		if times, err = strconv.Atoi(args[1]); err != nil || times < 1 {
			return 0, 0, usagef("a whole number", "%q is not a number of times", args[1])
		}
	}
	return every, times, nil
}

// sleep waits, unless the context ends first.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// savedPath is the file of a kept statement.
func (sh *Shell) savedPath(name string) (string, error) {
	if sh.opt.Home == "" {
		return "", usagef("", "there is no directory for kept statements")
	}
	if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" {
		return "", usagef("letters, digits, - and _ make a name", "%q cannot be the name of a kept statement", name)
	}
	return filepath.Join(sh.opt.Home, name+".sql"), nil
}

func cmdSave(sh *Shell, _ context.Context, args []string) error {
	sql, err := sh.last()
	if err != nil {
		return err
	}
	if len(args) != 1 {
		return usagef(`\save NAME`, `\save needs a name`)
	}
	path, err := sh.savedPath(bare(args[0]))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(sh.opt.Home, 0o700); err != nil {
		return fmt.Errorf("save %s: %w", path, cause(err))
	}
	if err := os.WriteFile(path, []byte(sql+";\n"), 0o600); err != nil {
		return fmt.Errorf("save %s: %w", path, cause(err))
	}
	sh.note(`saved; \run %s runs it`, args[0])
	return nil
}

func cmdRun(sh *Shell, ctx context.Context, args []string) error {
	if len(args) == 0 {
		return sh.listSaved(ctx)
	}
	path, err := sh.savedPath(bare(args[0]))
	if err != nil {
		return err
	}
	f, err := os.Open(path)
	if os.IsNotExist(err) {
		return usagef(`\run lists them`, "no statement was saved as %q", args[0])
	}
	if err != nil {
		return fmt.Errorf("run %s: %w", path, cause(err))
	}
	defer f.Close()
	before := sh.vars
	defer func() { sh.vars = before }()
	if sh.vars, err = withVars(before, args[1:]); err != nil {
		return err
	}
	return sh.Script(ctx, args[0], f)
}

// withVars returns the parameters with further NAME=VALUE ones.
func withVars(vars map[string]string, args []string) (map[string]string, error) {
	merged := make(map[string]string, len(vars)+len(args))
	for k, v := range vars {
		merged[k] = v
	}
	for _, a := range args {
		name, value, ok := strings.Cut(a, "=")
		if !ok || !isParamName(name) {
			return nil, usagef(`\run NAME PARAMETER=VALUE`, "%q does not set a parameter", a)
		}
		merged[name] = value
	}
	return merged, nil
}

// saved lists the names of the kept statements.
func (sh *Shell) saved() []string {
	if sh.opt.Home == "" {
		return nil
	}
	paths, _ := filepath.Glob(filepath.Join(sh.opt.Home, "*.sql"))
	var names []string
	for _, p := range paths {
		names = append(names, strings.TrimSuffix(filepath.Base(p), ".sql"))
	}
	sort.Strings(names)
	return names
}

func (sh *Shell) listSaved(ctx context.Context) error {
	names := sh.saved()
	if len(names) == 0 {
		sh.note(`no statement was saved yet; \save NAME keeps the last one`)
		return nil
	}
	var rows [][]string
	for _, name := range names {
		sql, err := os.ReadFile(filepath.Join(sh.opt.Home, name+".sql"))
		if err != nil {
			return fmt.Errorf("read %s: %w", name, cause(err))
		}
		rows = append(rows, []string{name, strings.TrimRight(strings.TrimSpace(string(sql)), ";")})
	}
	return sh.list(ctx, []format.Column{{Name: "name"}, {Name: "statement"}}, rows)
}

// cmdEdit opens the statement in the editor and takes back what was saved.
func cmdEdit(sh *Shell, ctx context.Context, _ []string) error {
	if sh.terminal == nil {
		return usagef("", `\e needs a terminal`)
	}
	if len(sh.opt.Editor) == 0 {
		return usagef("set EDITOR or VISUAL", "there is no editor")
	}
	sql := strings.TrimSpace(sh.split.Pending())
	if !sh.split.Started() {
		sql = sh.statement
	}
	edited, err := sh.edit(ctx, sql)
	if err != nil {
		return err
	}
	sh.split.Reset()
	for _, line := range strings.Split(strings.TrimRight(edited, "\n"), "\n") {
		sh.note("%s", sh.dim(format.Visible(line)))
		sh.split.Feed(line)
	}
	return nil
}

func (sh *Shell) edit(ctx context.Context, sql string) (string, error) {
	f, err := os.CreateTemp("", "dynasql-*.sql")
	if err != nil {
		return "", fmt.Errorf("edit: %w", cause(err))
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(strings.TrimRight(sql, "\n") + "\n")
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return "", fmt.Errorf("edit: %w", cause(err))
	}
	program := append(append([]string(nil), sh.opt.Editor...), f.Name())
	if err := sh.terminal.Run(ctx, program, nil); err != nil {
		return "", fmt.Errorf("edit with %s: %w", sh.opt.Editor[0], err)
	}
	text, err := os.ReadFile(f.Name())
	if err != nil {
		return "", fmt.Errorf("edit: %w", cause(err))
	}
	return string(text), nil
}
