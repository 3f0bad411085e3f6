package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dynasql/dynasql/cmd/dynasql/demo"
	"github.com/dynasql/dynasql/repl"
)

func (p *program) demoCommand() *cobra.Command {
	c := connection{demo: true}
	var s statements
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "A shell on sample tables in memory, without AWS",
		Long: `The shell on an embedded store with the tables of a shop that does not exist:
customers, products, shop and stock. Nothing is sent anywhere.`,
		Example: `  dynasql demo
  dynasql demo -e "SELECT name, price FROM products ORDER BY price DESC LIMIT 5"`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.shell(cmd.Context(), c, s) },
	}
	s.register(cmd.Flags())
	c.registerBounds(cmd.Flags())
	return cmd
}

// shell runs scripts, or talks to a person when neither -e nor -f is given and
// standard input is a terminal.
func (p *program) shell(ctx context.Context, c connection, s statements) error {
	if err := errors.Join(c.check(), s.check()); err != nil {
		return err
	}
	scripts, closeScripts, err := s.scripts(p.in)
	if err != nil {
		return err
	}
	defer closeScripts()
	interactive := len(s.execute) == 0 && len(s.file) == 0 && isTerminal(p.in)
	if interactive && s.output != "" {
		return usagef(`name the statements with -e or -f; in the shell, \o FILE does this`, "-o %s has no statements whose results to write", s.output)
	}
	if !interactive {
		var stop context.CancelFunc
		ctx, stop = untilInterrupt(ctx)
		defer stop()
	}
	if !s.quiet && !s.stats {
		c.say = p.say
	}
	e, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer e.Close()
	session := newSession(e)
	defer session.close()
	session.cheap = c.inMemory()
	if err := session.use(c.database); err != nil {
		return err
	}
	if s.stats {
		session.stats = p.err
	}
	sh := repl.New(session, p.shellOptions(c, s))
	if interactive {
		if err := e.Ping(ctx, session.Database()); err != nil {
			return err
		}
		return p.interact(ctx, sh)
	}
	if s.output != "" {
		if err := sh.Redirect(s.output); err != nil {
			return err
		}
	}
	return errors.Join(runScripts(ctx, sh, scripts, s.force), sh.Close())
}

// runScripts runs one script after the other, until one fails.
func runScripts(ctx context.Context, sh *repl.Shell, scripts []script, force bool) error {
	var failed error
	for _, script := range scripts {
		err := sh.Script(ctx, script.name, script.text)
		if err != nil && (!force || ctx.Err() != nil) {
			return err
		}
		failed = errors.Join(failed, err)
	}
	return failed
}

// interact talks to the person at the terminal.
func (p *program) interact(ctx context.Context, sh *repl.Shell) error {
	terminal, err := repl.OpenTerminal(repl.TerminalOptions{HistoryFile: historyFile()})
	if err != nil {
		return err
	}
	defer terminal.Close()
	stop := context.AfterFunc(ctx, func() { terminal.Close() }) // ReadLine then ends
	defer stop()
	return errors.Join(sh.Interact(ctx, terminal), sh.Close())
}

// shellOptions are what the flags and the environment say about the shell.
// With --stats the footers are left out, so that standard error has JSON lines.
func (p *program) shellOptions(c connection, s statements) repl.Options {
	values, _ := s.parameters() // was checked
	program := pager()
	return repl.Options{
		Banner: banner(c.demo), Prompt: "{database}> ",
		Out: p.out, ErrOut: p.err,
		Format: s.shape(), Title: s.title,
		OutTerminal: isTerminal(p.out) && s.output == "", ErrTerminal: isTerminal(p.err),
		Width: width(p.out), Color: colorWelcome(), ASCII: s.ascii,
		Force: s.force, Quiet: s.quiet || s.stats, Vars: values,
		Pager: program, PagerScrolls: scrolls(program), Editor: editor(), Home: homeFolder(),
	}
}

func banner(sample bool) string {
	if sample {
		return demo.Greeting() + "\n" + help
	}
	return "dynasql: SQL over DynamoDB. " + help
}

const help = `\? lists the commands, \q leaves.`

// pager is the program of $PAGER, else less: chopping long lines, keeping colours
// and the screen, and leaving at once when everything fits.
func pager() []string {
	if words := strings.Fields(os.Getenv("PAGER")); len(words) > 0 {
		return words
	}
	if path, err := exec.LookPath("less"); err == nil {
		return []string{path, "-SRFX"}
	}
	return nil
}

// scrolls reports whether a pager can show lines wider than the screen.
func scrolls(program []string) bool {
	if len(program) == 0 {
		return false
	}
	switch filepath.Base(program[0]) {
	case "pspg", "moar", "moor":
		return true
	case "less":
		options := strings.Join(append(program[1:], os.Getenv("LESS")), " ")
		return strings.Contains(options, "S") || strings.Contains(options, "--chop-long-lines")
	}
	return false
}

func editor() []string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if words := strings.Fields(os.Getenv(name)); len(words) > 0 {
			return words
		}
	}
	return []string{"vi"}
}

// homeFolder is where the shell keeps saved queries; empty without a home.
func homeFolder() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "dynasql")
}

func historyFile() string {
	dir, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, ".dynasql_history")
}
