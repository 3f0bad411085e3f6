package engine

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer/analyzererrors"
	"github.com/dolthub/go-mysql-server/sql/planbuilder"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/dynasql/dynasql/internal/ddb"
)

// Error is a failed statement as the user sees it.
type Error struct {
	Number  int    // MySQL's error number
	State   string // SQLSTATE
	Message string
	Advice  string // what to do next; may be empty
	Offset  int    // byte position in the statement, or -1
	Err     error  // the cause
}

func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Hint says what to do next; it may be empty.
func (e *Error) Hint() string { return e.Advice }

// Position is the byte position of the fault in the statement, or -1.
func (e *Error) Position() int { return e.Offset }

// Error numbers of MySQL that the library does not use itself.
const (
	erBadField       = 1054
	erParse          = 1064
	erNoSuchTable    = 1146
	erNotSupported   = 1235
	erReadOnly       = 1290
	erInterrupted    = 1317
	erDenied         = 1142
	erUnknown        = 1105
	erTruncated      = 1366
	erWrongPrecision = 1426
	erWrongValue     = 1525
	erOutOfRange     = 1690
	erWrongPath      = 3143
	erMissingJSON    = 3665
	erUnfitJSON      = 3669
)

// Explain puts an error of a statement into the user's words and gives it
// MySQL's number and state.
func (e *Engine) Explain(ctx *sql.Context, query string, err error) error {
	var known *Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	ctx, done := lookingUp(ctx)
	defer done()
	out := &Error{Number: erUnknown, State: "HY000", Message: plainMessage(err), Offset: -1, Err: err}
	var hinted interface{ Hint() string }
	if errors.As(err, &hinted) {
		out.Advice = hinted.Hint()
	}
	var call *ddb.Error
	switch {
	case errors.Is(err, context.Canceled):
		out.Number, out.State, out.Message = erInterrupted, "70100", "the statement was cancelled"
	case errors.As(err, &call) && call.Class == ddb.Denied:
		out.Number, out.State = erDenied, "42000"
	case errors.As(err, &call):
	case sql.ErrSyntaxError.Is(err), syntaxPlace.MatchString(out.Message):
		e.syntax(out, query)
	case sql.ErrTableNotFound.Is(err):
		e.noTable(ctx, out, query)
	case sql.ErrColumnNotFound.Is(err), sql.ErrTableColumnNotFound.Is(err), sql.ErrUnknownColumn.Is(err):
		e.noColumn(ctx, out, query)
	case sql.ErrReadOnly.Is(err), analyzererrors.ErrReadOnlyDatabase.Is(err):
		out.Number = erReadOnly
		out.Message = "dynasql only reads: " + firstWord(query) + " is refused"
	default:
		out.Number, out.State = numberOf(err)
		e.reword(out, query)
	}
	return out
}

// patience is how long looking up the names near a mistyped one may take.
const patience = 2 * time.Second

// lookingUp is a context in which tables can be described although the
// statement has ended.
func lookingUp(ctx *sql.Context) (*sql.Context, context.CancelFunc) {
	alive, done := context.WithTimeout(context.WithoutCancel(ctx.Context), patience)
	return ctx.WithContext(alive), done
}

// reword puts the library's words for names that do not exist, or not clearly,
// into those of the other errors.
func (e *Engine) reword(out *Error, query string) {
	switch err := out.Err; {
	case sql.ErrFunctionNotFound.Is(err):
		e.noFunction(out, query)
	case sql.ErrAmbiguousColumnName.Is(err), sql.ErrAmbiguousColumnOrAliasName.Is(err):
		ambiguous(out, query)
	case sql.ErrDatabaseNotFound.Is(err):
		e.noDatabase(out, query)
	case sql.ErrUnknownSystemVariable.Is(err):
		noVariable(out, query)
	case sql.ErrInvalidArgumentNumber.Is(err):
		wrongArguments(out, query)
	case sql.ErrInvalidSystemVariableValue.Is(err):
		wrongValue(out, query)
	case planbuilder.ErrUnionSchemasDifferentLength.Is(err):
		counts := columnCounts("")
		out.Number, out.State, out.Message, out.Advice = counts.Number, counts.State, counts.Message, counts.Advice
	case sql.ErrNonAggregatedColumnWithoutGroupBy.Is(err), analyzererrors.ErrValidationGroupBy.Is(err):
		out.Advice = "GROUP BY that column too, or take ANY_VALUE(...), MIN(...) or MAX(...) of it"
	}
}

func firstWord(query string) string {
	words := strings.Fields(query)
	if len(words) == 0 {
		return "the statement"
	}
	return strings.ToUpper(words[0])
}

// plainMessage drops what the libraries put around a message.
func plainMessage(err error) string {
	var numbered *mysql.SQLError
	if errors.As(err, &numbered) { // whose text has the number and the state too
		return numbered.Message
	}
	message := err.Error()
	for _, noise := range []string{"unknown error: ", "rpc error: "} {
		message = strings.TrimPrefix(message, noise)
	}
	return message
}

// syntaxPlace has the place to which the parser has come, and the last word or
// value before it.
var syntaxPlace = regexp.MustCompile(`syntax error at position (\d+)(?: near '((?s:.*))')?`)

func (e *Engine) syntax(out *Error, query string) {
	out.Number, out.State = erParse, "42000"
	m := syntaxPlace.FindStringSubmatch(out.Message)
	if m == nil {
		return
	}
	end, err := strconv.Atoi(m[1])
	if err != nil {
		return
	}
	if quote := openQuote(query); quote >= 0 {
		out.Offset = quote
		out.Message = "the quote " + query[quote:quote+1] + " is not closed"
		return
	}
	rest := strings.TrimRight(query, "; \t\r\n")
	end = min(end, len(query))
	at := strings.LastIndex(query[:end], m[2])
	if m[2] == "" || at < 0 || endsTooSoon(rest) {
		out.Offset = len(rest)
		out.Message = "the statement ends too soon"
		return
	}
	out.Offset = at
	out.Message = "syntax error near '" + excerpt(query[at:]) + "'"
	if quoted := query[:at] + "`" + m[2] + "`" + query[at+len(m[2]):]; parses(quoted) {
		out.Advice = "'" + m[2] + "' is a word of SQL: as a name it stands in back quotes, `" + m[2] + "`"
		return
	}
	if from, to := around(query, at, nameBytes); parses(query[:from] + "`" + query[from:to] + "`" + query[to:]) {
		out.Advice = "a name with other characters than letters, digits, _ and $ stands in back quotes, `" + query[from:to] + "`"
	}
}

// nameBytes are those that a name of DynamoDB's tables can have.
var nameBytes = regexp.MustCompile(`[A-Za-z0-9_.-]`)

// around is the run of such bytes around a place.
func around(query string, at int, of *regexp.Regexp) (from, to int) {
	from, to = at, at
	for from > 0 && of.MatchString(query[from-1:from]) {
		from--
	}
	for to < len(query) && of.MatchString(query[to:to+1]) {
		to++
	}
	return from, to
}

func parses(query string) bool { return grammarError(query) == nil }

// grammarError is what the grammar has against a statement.
func grammarError(query string) error {
	if text, err := standard(query); err == nil {
		query = text
	}
	_, err := sqlparser.Parse(query)
	return err
}

// openQuote finds the quote that is not closed, or gives -1.
func openQuote(query string) int {
	text := bare(query)
	if strings.Count(text, "`")%2 == 1 {
		return strings.LastIndexByte(text, '`')
	}
	return strings.IndexAny(text, `'"`)
}

// endsTooSoon reports whether the parser could use all of a statement and wants
// more. Its message is the same for a last word that it cannot use, except that
// it then does not look at what follows.
func endsTooSoon(query string) bool {
	reached := func(text string) string {
		if err := grammarError(text); err != nil {
			if m := syntaxPlace.FindStringSubmatch(err.Error()); m != nil {
				return m[1]
			}
		}
		return ""
	}
	return reached(query+" ") != reached(query+"   ")
}

func excerpt(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s
}
