// Package pattern matches texts with regular expressions as MySQL 8 does, which
// leaves them to the ICU library: it puts ICU's syntax into that of
// [github.com/dlclark/regexp2/v2], a pure Go engine with look-around,
// back-references and possessive quantifiers, which Go's own lacks and which has
// a bound in time and memory. It knows no SQL.
//
// The syntax is that of "Regular Expressions", ICU User Guide; numbers and texts
// of errors are MySQL's.
package pattern

import (
	"errors"
	"strings"
	"time"

	"github.com/dlclark/regexp2/v2"
)

// mostTime bounds one search; a pattern that backtracks without end stops there.
// The clock that says so ticks every 100 ms.
const mostTime = time.Second

// mostStack bounds the places that one search may come back to.
const mostStack = 2_000_000

// Options are the ways in which a pattern matches (match_type).
type Options struct {
	IgnoreCase bool
	Multiline  bool // ^ and $ match at line terminators
	DotAll     bool // . matches line terminators
	UnixLines  bool // only a line feed is a line terminator
}

// An Error is a pattern that is wrong or a search that was given up.
type Error struct {
	Number  int // MySQL's
	Message string
}

func (e *Error) Error() string { return e.Message }

// Hint says what to do about it; it may be empty.
func (e *Error) Hint() string {
	if e.Number == errTimeout.Number || e.Number == errStack.Number {
		return "a repetition inside a repetition, as in (a+)+, tries every way to divide the text: write it so that there is one way"
	}
	return ""
}

var (
	errEmpty       = &Error{3685, "Illegal argument to a regular expression."}
	errBounds      = &Error{3686, "Index out of bounds in regular expression search."}
	errInternal    = &Error{3687, "Internal error in the regular expression library."}
	errSyntax      = &Error{3688, "Syntax error in regular expression on line 1, character 1."}
	errUnsupported = &Error{3690, "The regular expression contains a feature that is not implemented in this library version."}
	errParen       = &Error{3691, "Mismatched parenthesis in regular expression."}
	errInterval    = &Error{3692, "Incorrect description of a {min,max} interval."}
	errMaxMin      = &Error{3693, "The maximum is less than the minumum in a {min,max} interval."}
	errBackRef     = &Error{3694, "Invalid back-reference in regular expression."}
	errBracket     = &Error{3696, "The regular expression contains an unclosed bracket expression."}
	errRange       = &Error{3697, "The regular expression contains an [x-y] character range where x comes after y."}
	errStack       = &Error{3698, "Overflow in the regular expression backtrack stack."}
	errTimeout     = &Error{3699, "Timeout exceeded in regular expression match."}
	errGroupName   = &Error{3887, "A capture group has an invalid name."}
)

// A Pattern is a compiled regular expression, safe for concurrent use.
type Pattern struct{ re *regexp2.Regexp }

// Compile compiles a pattern. The error is an *Error.
func Compile(source string, opts Options) (*Pattern, error) {
	if source == "" {
		return nil, errEmpty
	}
	text, err := translate(source, opts)
	if err != nil {
		return nil, err
	}
	flags := []regexp2.CompileOption{regexp2.OptionMaintainCaptureOrder(), regexp2.OptionMaxBacktrackingStackSize(mostStack)}
	if opts.IgnoreCase {
		flags = append(flags, regexp2.IgnoreCase)
	}
	re, err := regexp2.Compile(text, flags...)
	if err != nil {
		return nil, compileError(err)
	}
	re.MatchTimeout = mostTime
	return &Pattern{re}, nil
}

// compileError is what the engine finds wrong after translation.
func compileError(err error) error {
	switch text := err.Error(); {
	case strings.Contains(text, "reference to undefined group"):
		return errBackRef
	case strings.Contains(text, "not enough )"), strings.Contains(text, "too many )"):
		return errParen
	}
	return errSyntax
}

func matchError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, regexp2.ErrBacktrackingStackLimit):
		return errStack
	case strings.Contains(err.Error(), "timeout"):
		return errTimeout
	}
	return errInternal
}

// Matches reports whether the pattern is found anywhere in a text.
func (p *Pattern) Matches(text string) (bool, error) {
	ok, err := p.re.MatchString(text)
	return ok, matchError(err)
}

// Find returns where the nth match from a place on begins and ends, both counted
// in characters from 0; without one, found is false. The place may be the end of
// the text, and is out of bounds behind it.
func (p *Pattern) Find(text []rune, from, n int) (start, end int, found bool, err error) {
	if from < 0 || from > len(text) {
		return 0, 0, false, errBounds
	}
	m, err := p.re.FindRunesMatchStartingAt(text, from)
	for ; err == nil && m != nil; m, err = p.re.FindNextMatch(m) {
		if n--; n <= 0 {
			return m.RuneIndex, m.RuneIndex + m.RuneLength, true, nil
		}
	}
	return 0, 0, false, matchError(err)
}

// ErrTooLong is the error of a result that is longer than it may be.
var ErrTooLong = errors.New("the result is too long")

// Replace replaces the nth match from a place on, or all for 0. The result has at
// most so many bytes.
func (p *Pattern) Replace(text []rune, by Replacement, from, n, most int) (string, error) {
	if from < 0 || from > len(text) {
		return "", errBounds
	}
	var out strings.Builder
	done, count := 0, 0
	m, err := p.re.FindRunesMatchStartingAt(text, from)
	for ; err == nil && m != nil; m, err = p.re.FindNextMatch(m) {
		if count++; n > 0 && count < n {
			continue
		}
		out.WriteString(string(text[done:m.RuneIndex]))
		if err := by.expand(&out, m); err != nil {
			return "", err
		}
		done = m.RuneIndex + m.RuneLength
		if out.Len() > most {
			return "", ErrTooLong
		}
		if n > 0 {
			break
		}
	}
	out.WriteString(string(text[done:]))
	return out.String(), matchError(err)
}
