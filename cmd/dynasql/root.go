package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dynasql/dynasql/repl"
	"github.com/dynasql/dynasql/repl/format"
)

// program is one run of the command: where it reads and writes.
type program struct {
	in       io.Reader
	out, err io.Writer
}

const rootHelp = `dynasql asks SQL questions of Amazon DynamoDB: joins, GROUP BY, window functions,
in the dialect of MySQL 8. Predicates on keys become GetItem and Query, the rest
is a Scan; joining, grouping and sorting happen here.

Without a command it is a shell on AWS, found like every AWS tool finds it:
AWS_* variables, ~/.aws/config and ~/.aws/credentials. Statements that are piped
in run as a script.

Results go to standard output, everything else to standard error. The exit status
is 0, 1 when a statement failed (which ends a script, unless --force is given), or
2 for a command line that makes no sense. PAGER, EDITOR and NO_COLOR are obeyed.`

const rootExamples = `  dynasql demo                             a shell on sample tables, without AWS
  dynasql --profile prod --region eu-west-1
  dynasql -e "SELECT status, COUNT(*) FROM orders GROUP BY status" --format csv
  dynasql -f report.sql -o report.html --var since=2026-01-01
  dynasql --local ./data < script.sql      tables from files, in memory
  dynasql --export orders=./export --key customer,placed   an export to S3, without read units`

func (p *program) rootCommand() *cobra.Command {
	var c connection
	var s statements
	root := &cobra.Command{
		Use:     "dynasql",
		Short:   "SQL over Amazon DynamoDB",
		Long:    rootHelp,
		Example: rootExamples,
		Args:    p.noSQLArgument,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.shell(cmd.Context(), c, s)
		},
		SilenceErrors:     true,
		SilenceUsage:      true,
		Version:           version(),
		CompletionOptions: cobra.CompletionOptions{DisableNoDescFlag: true},
	}
	root.SetVersionTemplate("dynasql {{.Version}}\n")
	root.SetIn(p.in)
	root.SetOut(p.out)
	root.SetErr(p.err)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return flagError(err) })
	c.register(root.Flags())
	c.registerDatabase(root.Flags())
	s.register(root.Flags())
	root.AddCommand(p.demoCommand(), p.serveCommand(), p.storeCommand(), p.loadCommand(), p.hashPasswordCommand())
	completeFlags(root)
	_ = root.RegisterFlagCompletionFunc("database", func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		config, err := readConfig(c.config)
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		return slices.Sorted(maps.Keys(config.Connections)), cobra.ShellCompDirectiveNoFileComp
	})
	return root
}

// version is that of the module, or the revision it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(unknown version)"
	}
	return info.Main.Version
}

// completeFlags tells the shells what the values of flags may be.
func completeFlags(root *cobra.Command) {
	var shapes []cobra.Completion
	for _, f := range format.All() {
		shapes = append(shapes, cobra.Completion(f))
	}
	for _, cmd := range append(root.Commands(), root) {
		flags := cmd.Flags()
		for _, name := range []string{"profile", "region", "endpoint-url", "max-rcu", "execute", "var", "title", "key", "listen",
			"metrics-listen", "user", "max-connections", "idle-timeout"} {
			if flags.Lookup(name) != nil {
				_ = cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions) // fails for an unknown flag only
			}
		}
		if flags.Lookup("format") != nil {
			_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(shapes, cobra.ShellCompDirectiveNoFileComp))
		}
		for _, name := range []string{"local", "export"} {
			if flags.Lookup(name) != nil {
				_ = cmd.MarkFlagDirname(name)
			}
		}
	}
}

// noSQLArgument refuses arguments of the root command: a misspelt command, or a
// statement without -e.
func (p *program) noSQLArgument(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case strings.ContainsAny(args[0], " ;"):
		return usagef("give a statement with -e", "an argument that is no command: %s", args[0])
	}
	hint := "dynasql --help lists the commands; a statement is given with -e"
	cmd.SuggestionsMinimumDistance = 2
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return usagef(hint, "no command %q", args[0])
}

// noArguments refuses arguments of a command that takes none.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usagef(cmd.CommandPath()+" --help shows what it takes", "%s takes no argument, but %q was given", cmd.CommandPath(), args[0])
}

// usageError is a command line that makes no sense.
type usageError struct{ what, hint string }

func (e *usageError) Error() string { return e.what }

// Hint says what to write instead.
func (e *usageError) Hint() string { return e.hint }

func usagef(hint, format string, args ...any) error {
	return &usageError{what: fmt.Sprintf(format, args...), hint: hint}
}

func flagError(err error) error {
	return usagef("dynasql --help lists the options", "%s", err)
}

// report prints an error that was not reported yet and returns the exit status.
func (p *program) report(err error) int {
	if err == nil {
		return statusFine
	}
	if !errors.Is(err, repl.ErrFailed) {
		fmt.Fprintf(p.err, "ERROR: %s\n", err)
		var hinted interface{ Hint() string }
		if errors.As(err, &hinted) && hinted.Hint() != "" {
			fmt.Fprintf(p.err, " hint: %s\n", hinted.Hint())
		}
	}
	var usage *usageError
	if errors.As(err, &usage) {
		return statusUsage
	}
	return statusFailed
}

// say prints a line beside the results.
func (p *program) say(format string, args ...any) {
	fmt.Fprintf(p.err, format+"\n", args...)
}
