package repl

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/dynasql/dynasql/repl/format"
)

// command is one backslash command.
type command struct {
	names []string // the first is shown in help, with its backslash
	args  string   // as help shows them
	help  string
	group string
	kind  argKind // what completion offers for its argument
	run   func(sh *Shell, ctx context.Context, args []string) error
}

type argKind uint8

const (
	noArg argKind = iota
	tableArg
	databaseArg
	connectionArg
	formatArg
	switchArg
	settingArg
	queryArg
	paramArg
	chartArg
	fileArg
)

// allCommands is the table behind \?, completion and running.
func allCommands() []command {
	var list []command
	list = append(list, generalCommands()...)
	list = append(list, describeCommands()...)
	list = append(list, outputCommands()...)
	list = append(list, statementCommands()...)
	return list
}

func generalCommands() []command {
	const group = "General"
	return []command{
		{[]string{`\q`, `\quit`, `\exit`}, "", "leave", group, noArg, cmdQuit},
		{[]string{`\?`, `\h`, `\help`}, "", "this help", group, noArg, cmdHelp},
		{[]string{`\i`, `\.`, `\source`}, "FILE", "run a file", group, fileArg, cmdInclude},
		{[]string{`\use`, `\u`}, "DATABASE", "change the database", group, databaseArg, cmdUse},
		{[]string{`\connect`}, "[NAME]", "change the connection; list them", group, connectionArg, cmdConnect},
		{[]string{`\set`}, "[NAME VALUE]", "set the parameter :NAME; list them", group, paramArg, cmdSet},
		{[]string{`\unset`}, "NAME", "forget a parameter", group, paramArg, cmdUnset},
		{[]string{`\save`}, "NAME", "keep the last statement under a name", group, queryArg, cmdSave},
		{[]string{`\run`}, "[NAME [P=VALUE ...]]", "run a kept statement; list them", group, queryArg, cmdRun},
	}
}

// runCommand runs the command in a line that begins with a backslash.
func (sh *Shell) runCommand(ctx context.Context, line string) error {
	name, rest := line, ""
	if i := strings.IndexAny(line, " \t"); i >= 0 {
		name, rest = line[:i], strings.TrimSpace(line[i:])
	}
	name, rest = strings.TrimRight(name, ";"), strings.TrimRight(rest, "; \t")
	if name == `\c` || name == `\r` {
		sh.split.Reset()
		return nil
	}
	c := sh.findCommand(name)
	if c == nil {
		return sh.unknownCommand(name)
	}
	args, err := words(rest)
	if err != nil {
		return err
	}
	return c.run(sh, ctx, args)
}

func (sh *Shell) findCommand(name string) *command {
	for i, c := range sh.commands {
		for _, n := range c.names {
			if n == name {
				return &sh.commands[i]
			}
		}
	}
	return nil
}

func (sh *Shell) unknownCommand(name string) error {
	var names []string
	for _, c := range sh.commands {
		names = append(names, c.names...)
	}
	hint := `\? lists the commands`
	if near := nearest(name, names); near != "" {
		hint = "did you mean " + near + "? " + hint
	}
	return usagef(hint, "there is no command %s", name)
}

// words splits the arguments of a command at spaces. Quotes keep spaces in an
// argument; single quotes stay part of it when they surround all of it, since
// \set n '42' means a string.
func words(s string) ([]string, error) {
	var list []string
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		end := strings.IndexAny(s, " \t")
		if q := s[0]; q == '"' || q == '\'' || q == '`' {
			closing := strings.IndexByte(s[1:], q)
			if closing < 0 {
				return nil, usagef("", "the quote %c is not closed", q)
			}
			word := s[1 : closing+1]
			if q == '\'' {
				word = s[:closing+2]
			}
			list = append(list, word)
			s = s[closing+2:]
			continue
		}
		if end < 0 {
			end = len(s)
		}
		list = append(list, s[:end])
		s = s[end:]
	}
	return list, nil
}

// bare takes the single quotes off an argument.
func bare(s string) string {
	if len(s) >= 2 && s[0] == '\'' && s[len(s)-1] == '\'' {
		return s[1 : len(s)-1]
	}
	return s
}

func cmdQuit(sh *Shell, _ context.Context, _ []string) error {
	sh.quit = true
	return nil
}

func cmdHelp(sh *Shell, _ context.Context, _ []string) error {
	var b strings.Builder
	group := ""
	for _, c := range sh.commands {
		if c.group != group {
			if group = c.group; b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(group + "\n")
		}
		usage := strings.TrimSpace(c.names[0] + " " + c.args)
		if len(usage) > helpColumn {
			usage += "\n  " + strings.Repeat(" ", helpColumn)
		}
		fmt.Fprintf(&b, "  %-*s %s\n", helpColumn, usage, c.help)
	}
	b.WriteString(helpEnd)
	return sh.text(b.String())
}

// helpColumn is where the explanations of help begin.
const helpColumn = 30

const helpEnd = `
Statements
  ; or \g                        run the statement
  \G or \gx                      run it, rows shown vertically
  \c                             give up the statement being typed
  DELIMITER x                    end statements with x
  EXPLAIN SELECT ...             what it would send and cost, without reading
  Tab completes, Ctrl-R searches the history, Ctrl-C stops a statement, Ctrl-D leaves.
`

// text writes a text to where results go.
func (sh *Shell) text(s string) error {
	w, _ := sh.out.target()
	_, err := w.Write([]byte(s))
	return err
}

// maxNesting is how deep \i may go: a file that includes itself ends there.
const maxNesting = 16

func cmdInclude(sh *Shell, ctx context.Context, args []string) error {
	if len(args) != 1 {
		return usagef(`\i FILE`, `\i needs the name of one file`)
	}
	if sh.nesting >= maxNesting {
		return fmt.Errorf("%s: files include each other more than %d deep", args[0], maxNesting)
	}
	path := bare(args[0])
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("run %s: %w", path, cause(err))
	}
	defer f.Close()
	sh.nesting++
	defer func() { sh.nesting-- }()
	return sh.Script(ctx, path, f)
}

func cmdUse(sh *Shell, ctx context.Context, args []string) error {
	if len(args) != 1 {
		return usagef(`\l lists the databases`, `\use needs the name of a database`)
	}
	return sh.silently(ctx, "USE "+quoteName(bare(args[0])))
}

// silently runs a statement of the shell's own and shows neither rows nor
// footer.
func (sh *Shell) silently(ctx context.Context, sql string) error {
	rows, err := sh.session.Query(ctx, sql, nil)
	if err != nil {
		return err
	}
	defer rows.Close()
	for err == nil {
		_, err = rows.Next(ctx)
	}
	return ignoreEOF(err)
}

func cmdConnect(sh *Shell, ctx context.Context, args []string) error {
	c, ok := sh.session.(Connector)
	if !ok {
		return usagef("name further connections in the config file", "this session has only one connection")
	}
	if len(args) == 0 {
		var rows [][]string
		for _, name := range c.Connections() {
			rows = append(rows, []string{name})
		}
		return sh.list(ctx, []format.Column{{Name: "connection"}}, rows)
	}
	if err := c.Connect(ctx, bare(args[0])); err != nil {
		return err
	}
	sh.note("connected to %s", bare(args[0]))
	return nil
}

func cmdSet(sh *Shell, ctx context.Context, args []string) error {
	switch {
	case len(args) == 0:
		var rows [][]string
		for _, name := range sortedKeys(sh.vars) {
			rows = append(rows, []string{name, sh.vars[name]})
		}
		return sh.list(ctx, []format.Column{{Name: "parameter"}, {Name: "value"}}, rows)
	case len(args) == 1:
		return usagef(`\set NAME VALUE; \pset changes how results look; SET @@name = value changes a session variable`, `\set %s lacks a value`, args[0])
	case !isParamName(args[0]):
		return usagef("letters, digits and _ make a name", "%q cannot be the name of a parameter", args[0])
	}
	sh.vars[args[0]] = strings.Join(args[1:], " ")
	return nil
}

func isParamName(s string) bool {
	return s != "" && isNameStart(s[0]) && run(s, isWord) == len(s)
}

func cmdUnset(sh *Shell, _ context.Context, args []string) error {
	if len(args) != 1 {
		return usagef(`\set lists them`, `\unset needs the name of a parameter`)
	}
	delete(sh.vars, args[0])
	return nil
}
