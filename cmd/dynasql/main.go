// Command dynasql asks SQL questions of Amazon DynamoDB: as a shell, as a
// program in a script, or as a server for MySQL clients.
//
// Only flags, configuration, signals and wiring are here. What a statement does
// is decided in engine and below, what a shell does in repl.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	status := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// Exit statuses.
const (
	statusFine   = 0
	statusFailed = 1 // a statement, or what was asked instead, failed
	statusUsage  = 2 // the command line makes no sense
)

// run is the whole program but for the process: it returns the exit status.
// Cancelling ctx ends it in good order. Results go to stdout, everything else
// to stderr.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := &program{in: stdin, out: stdout, err: stderr}
	root := p.rootCommand()
	root.SetArgs(args)
	return p.report(root.ExecuteContext(ctx))
}

// untilInterrupt returns a context that the first Ctrl-C cancels; the second
// ends the process at once.
func untilInterrupt(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
