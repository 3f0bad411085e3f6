package mysqld

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/dolthub/vitess/go/vt/sqlparser"
)

// An auditor writes who ran what: a line of JSON for each statement. Constants
// are left out of statements, since they may be secrets or personal.
type auditor struct {
	mu sync.Mutex // guards w
	w  io.Writer
}

func newAuditor(w io.Writer) *auditor {
	if w == nil {
		return nil
	}
	return &auditor{w: w}
}

// auditLine is one statement. Digest is the same for statements that differ in
// their constants only.
type auditLine struct {
	Time       time.Time      `json:"time"`
	Connection uint32         `json:"connection"`
	User       string         `json:"user"`
	Host       string         `json:"host"`
	Database   string         `json:"database"`
	Digest     string         `json:"digest"`
	Statement  string         `json:"statement"`
	Seconds    float64        `json:"seconds"`
	Rows       int64          `json:"rows"`
	Items      int64          `json:"items_read"`
	ReadUnits  float64        `json:"read_units"`
	Requests   map[string]int `json:"requests,omitempty"`
	Error      uint16         `json:"error,omitempty"`
}

func (a *auditor) write(line auditLine) {
	text, err := json.Marshal(line)
	if err != nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	_, _ = a.w.Write(append(text, '\n'))
}

// normalize writes a statement with ? for its constants. What the parser does
// not know is reduced to its first word.
func normalize(text string) (statement, digest string) {
	tokens := sqlparser.NewStringTokenizer(text)
	var words []string
	for {
		kind, value := tokens.Scan()
		switch kind {
		case 0:
			return joinWords(words)
		case sqlparser.LEX_ERROR:
			first, _, _ := strings.Cut(strings.TrimSpace(text), " ")
			return joinWords([]string{first, "..."})
		case sqlparser.COMMENT:
			continue
		case sqlparser.STRING, sqlparser.INTEGRAL, sqlparser.FLOAT, sqlparser.HEXNUM, sqlparser.HEX, sqlparser.BIT_LITERAL, sqlparser.VALUE_ARG:
			words = append(words, "?")
		default:
			words = append(words, tokenText(kind, value))
		}
	}
}

func joinWords(words []string) (statement, digest string) {
	statement = strings.Join(words, " ")
	sum := sha256.Sum256([]byte(strings.ToLower(statement)))
	return statement, hex.EncodeToString(sum[:8])
}

// symbols are tokens of more than one character that carry no text.
var symbols = map[int]string{
	sqlparser.LE: "<=", sqlparser.GE: ">=", sqlparser.NE: "<>", sqlparser.NULL_SAFE_EQUAL: "<=>",
	sqlparser.SHIFT_LEFT: "<<", sqlparser.SHIFT_RIGHT: ">>", sqlparser.JSON_EXTRACT_OP: "->", sqlparser.JSON_UNQUOTE_EXTRACT_OP: "->>",
}

func tokenText(kind int, value []byte) string {
	switch {
	case len(value) > 0:
		return string(value)
	case symbols[kind] != "":
		return symbols[kind]
	case kind < 256:
		return string(rune(kind))
	}
	return strings.ToUpper(sqlparser.KeywordString(kind))
}
