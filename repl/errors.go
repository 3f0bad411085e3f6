package repl

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/dynasql/dynasql/repl/format"
	"github.com/mattn/go-runewidth"
)

// printError reports why a statement or command failed: the message, the place
// under the statement, and the hint. where is the start of the message.
func (sh *Shell) printError(where, sql string, err error) {
	head := "ERROR: "
	if sh.colored() {
		head = "\x1b[1;31mERROR:\x1b[0m "
	}
	sh.note("%s%s%s", head, where, message(err))
	var failed *statementError
	if errors.As(err, &failed) {
		sql = failed.sql
	}
	var placed interface{ Position() int }
	if errors.As(err, &placed) {
		for _, line := range mark(sql, placed.Position()) {
			sh.note("%s", line)
		}
	}
	var hinted interface{ Hint() string }
	if errors.As(err, &hinted) && hinted.Hint() != "" {
		sh.note(" hint: %s", hinted.Hint())
	}
}

// statementError is the error of a statement, which may be another one than the
// user typed (\explain adds a word).
type statementError struct {
	sql string
	err error
}

func (e *statementError) Error() string { return e.err.Error() }
func (e *statementError) Unwrap() error { return e.err }

func message(err error) string {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "the statement took longer than its time limit"
	case errors.Is(err, context.Canceled):
		return errCancelled.Error()
	}
	return strings.TrimSpace(err.Error())
}

// sentence makes a message the start of a paragraph.
func sentence(s string) string {
	if s == "" {
		return s
	}
	r, n := utf8.DecodeRuneInString(s)
	s = strings.ToUpper(string(r)) + s[n:]
	return strings.TrimRight(s, ".") + "."
}

// markWidth is how much of a long line is shown around the place.
const markWidth = 100

// mark returns the line of sql that holds the byte at offset, and a line with a
// caret under that byte. It returns nothing when the offset is outside.
func mark(sql string, offset int) []string {
	if offset < 0 || offset > len(sql) || sql == "" {
		return nil
	}
	start := strings.LastIndexByte(sql[:offset], '\n') + 1
	end := len(sql)
	if n := strings.IndexByte(sql[offset:], '\n'); n >= 0 {
		end = offset + n
	}
	lead := ""
	if offset-start > markWidth/2 && end-start > markWidth {
		start = boundary(sql, offset-markWidth/2)
		lead = "…"
	}
	tail := ""
	if end-start > markWidth {
		end = boundary(sql, start+markWidth)
		tail = "…"
	}
	before := lead + format.Visible(sql[start:offset])
	return []string{
		"  " + before + format.Visible(sql[offset:end]) + tail,
		"  " + strings.Repeat(" ", runewidth.StringWidth(before)) + "^",
	}
}

// boundary moves i back to the start of a character.
func boundary(s string, i int) int {
	for i > 0 && i < len(s) && !utf8.RuneStart(s[i]) {
		i--
	}
	return i
}

// usageError is a backslash command used wrongly.
type usageError struct{ text, hint string }

func (e *usageError) Error() string { return e.text }
func (e *usageError) Hint() string  { return e.hint }

func usagef(hint, text string, args ...any) error {
	return &usageError{text: fmt.Sprintf(text, args...), hint: hint}
}
