package main

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/term"
)

// isTerminal reports whether a reader or writer is a terminal.
func isTerminal(v any) bool {
	f, ok := v.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// width is the number of columns of the terminal behind v; 0 if it has none.
func width(v any) int {
	if !isTerminal(v) {
		return 0
	}
	columns, _, err := term.GetSize(int(v.(*os.File).Fd()))
	if err != nil {
		return 0
	}
	return columns
}

// colorWelcome follows no-color.org: colours unless NO_COLOR is set or the
// terminal is too simple.
func colorWelcome() bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// cause strips the operation and path that errors of files repeat.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
