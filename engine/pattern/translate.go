package pattern

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dlclark/regexp2/v2"
)

// Classes of characters as regexp2 has them between brackets.
const (
	newlines = `\n\x0b\f\r\x85\u2028\u2029`
	spaces   = `\t\n\f\r\p{Z}`
	letters  = `\p{L}\p{Nl}\p{Other_Alphabetic}`
	words    = letters + `\p{M}\p{Nd}\p{Pc}\u200c\u200d`
	blanks   = `\t\p{Zs}`
	anything = `[\s\S]`
)

// A translator puts a pattern of ICU into one of regexp2. What differs between
// the two is written out: line terminators, classes, sets; the flags m, s and x
// are done with here.
type translator struct {
	in     []rune
	at     int
	out    strings.Builder
	flags  Options
	x      bool // white space and comments are left out
	groups []state
	count  int // of capturing groups so far
}

// state is what a group gives back when it ends.
type state struct {
	flags Options
	x     bool
}

func translate(source string, opts Options) (string, error) {
	t := &translator{in: []rune(source), flags: opts}
	for t.at < len(t.in) {
		if err := t.next(); err != nil {
			return "", err
		}
	}
	if len(t.groups) > 0 {
		return "", errParen
	}
	return t.out.String(), nil
}

// peek is the character so many places on, or 0.
func (t *translator) peek(n int) rune {
	if t.at+n < len(t.in) {
		return t.in[t.at+n]
	}
	return 0
}

func (t *translator) literal(r rune) { t.out.WriteString(escaped(r)) }

// escaped is a character that stands for itself, between brackets or not.
func escaped(r rune) string {
	if strings.ContainsRune(`-]^[&`, r) {
		return `\` + string(r)
	}
	return regexp2.Escape(string(r))
}

func (t *translator) next() error {
	r := t.in[t.at]
	if t.x && (r == ' ' || r >= '\t' && r <= '\r') {
		t.at++
		return nil
	}
	switch r {
	case '#':
		if t.x {
			for t.at < len(t.in) && t.in[t.at] != '\n' {
				t.at++
			}
			return nil
		}
	case '\\':
		return t.escape()
	case '[':
		set, err := t.set()
		t.out.WriteString(set)
		return err
	case '(':
		return t.open()
	case ')':
		if len(t.groups) == 0 {
			return errParen
		}
		last := t.groups[len(t.groups)-1]
		t.groups, t.flags, t.x = t.groups[:len(t.groups)-1], last.flags, last.x
		t.write(")", 1)
		return nil
	case '{':
		return t.interval()
	case '*', '+', '?', '|':
		t.write(string(r), 1)
		return nil
	case '.':
		t.write(t.dot(), 1)
		return nil
	case '^':
		t.write(t.lineStart(), 1)
		return nil
	case '$':
		t.write(t.lineEnd(t.flags.Multiline), 1)
		return nil
	}
	t.literal(r)
	t.at++
	return nil
}

// write writes what stands for the next so many characters.
func (t *translator) write(s string, length int) {
	t.out.WriteString(s)
	t.at += length
}

func (t *translator) dot() string {
	switch {
	case t.flags.DotAll: // a line terminator of two characters is one
		return `(?>\r\n|` + anything + `)`
	case t.flags.UnixLines:
		return `[^\n]`
	}
	return `[^` + newlines + `]`
}

// lineStart is ^: not behind the last line terminator of a text.
func (t *translator) lineStart() string {
	switch {
	case !t.flags.Multiline:
		return `\A`
	case t.flags.UnixLines:
		return `(?:\A|(?<=\n)(?!\z))`
	}
	return `(?:\A|(?<=[\n\x0b\f\x85\u2028\u2029]|\r(?!\n))(?!\z))`
}

// lineEnd is $, and \Z where only the end of the text counts, before a line
// terminator or not.
func (t *translator) lineEnd(multiline bool) string {
	switch {
	case t.flags.UnixLines && multiline:
		return `(?=\n|\z)`
	case t.flags.UnixLines:
		return `(?=\n?\z)`
	case multiline:
		return `(?=[` + newlines + `]|\z)(?<!\r(?=\n))`
	}
	return `(?=(?:\r\n|[` + newlines + `])?\z)(?<!\r(?=\n))`
}

// interval is {n}, {n,} or {n,m}.
func (t *translator) interval() error {
	inside, _, ok := strings.Cut(string(t.in[t.at+1:]), "}")
	low, high, both := strings.Cut(inside, ",")
	n, err := strconv.Atoi(low)
	if !ok || err != nil || n < 0 {
		return errInterval
	}
	if both && high != "" {
		m, err := strconv.Atoi(high)
		if err != nil || m < 0 {
			return errInterval
		}
		if m < n {
			return errMaxMin
		}
	}
	t.write("{"+inside+"}", len([]rune(inside))+2)
	return nil
}

// open is an opening bracket, with what says what kind of group it is.
func (t *translator) open() error {
	was := state{t.flags, t.x}
	rest := string(t.in[t.at:])
	if strings.HasPrefix(rest, "(?#") {
		end := strings.IndexRune(rest, ')')
		if end < 0 {
			return errParen
		}
		t.at += len([]rune(rest[:end+1]))
		return nil
	}
	for _, kind := range []string{"(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>"} {
		if strings.HasPrefix(rest, kind) {
			t.groups = append(t.groups, was)
			t.write(kind, len(kind))
			return nil
		}
	}
	switch {
	case strings.HasPrefix(rest, "(?<"):
		name, _, ok := strings.Cut(rest[3:], ">")
		if !ok || name == "" || !isName(name) {
			return errGroupName
		}
		t.count++
		t.groups = append(t.groups, was)
		t.write("(?<"+name+">", len(name)+4)
	case strings.HasPrefix(rest, "(?"):
		return t.setFlags(was)
	default:
		t.count++
		t.groups = append(t.groups, was)
		t.write("(", 1)
	}
	return nil
}

func isName(s string) bool {
	for i, r := range s {
		if letter := r|0x20 >= 'a' && r|0x20 <= 'z'; !letter && (i == 0 || !isDigit(r)) {
			return false
		}
	}
	return true
}

// setFlags is (?i-m) or (?i-m:..).
func (t *translator) setFlags(was state) error {
	on, ignore := true, ""
	for t.at += 2; ; t.at++ {
		switch t.peek(0) {
		case 'i':
			t.flags.IgnoreCase = on
			ignore = map[bool]string{true: "i", false: "-i"}[on]
		case 'm':
			t.flags.Multiline = on
		case 's':
			t.flags.DotAll = on
		case 'd':
			t.flags.UnixLines = on
		case 'x':
			t.x = on
		case '-':
			on = false
		case ':':
			t.groups = append(t.groups, was)
			t.write("(?"+ignore+":", 1)
			return nil
		case ')':
			t.at++
			if ignore != "" {
				t.out.WriteString("(?" + ignore + ")")
			}
			return nil
		case 'w':
			return errUnsupported
		default:
			return errSyntax
		}
	}
}

// escape is a backslash and what follows it, outside of a set.
func (t *translator) escape() error {
	r := t.peek(1)
	switch {
	case t.at+1 == len(t.in):
		return &Error{3689, "Unrecognized escape sequence in regular expression."}
	case r >= '1' && r <= '9':
		return t.backReference()
	case r == 'Q':
		quoted, _, _ := strings.Cut(string(t.in[t.at+2:]), `\E`)
		for _, q := range quoted {
			t.literal(q)
		}
		t.at = min(len(t.in), t.at+len([]rune(quoted))+4)
		return nil
	}
	switch r {
	case 'b', 'B', 'A', 'G', 'z', 'X':
		t.write(`\`+string(r), 2)
	case 'Z':
		t.write(t.lineEnd(false), 2)
	case 'R':
		t.write(`(?>\r\n|[`+newlines+`])`, 2)
	case 'k':
		name, _, ok := strings.Cut(string(t.in[t.at+2:]), ">")
		if !ok || !strings.HasPrefix(name, "<") || !isName(name[1:]) {
			return errGroupName
		}
		t.write(`\k`+name+">", len(name)+3)
	default:
		class, single, err := t.class()
		switch {
		case err != nil:
			return err
		case class != "":
			t.out.WriteString("[" + class + "]")
		default:
			t.literal(single)
		}
	}
	return nil
}

// backReference is \1: as many digits count as there are groups for.
func (t *translator) backReference() error {
	n, length := 0, 1
	total := t.total()
	for ; isDigit(t.peek(length)); length++ {
		more := n*10 + int(t.peek(length)-'0')
		if more > total && n > 0 {
			break
		}
		n = more
	}
	if n > total {
		return errBackRef
	}
	t.write(fmt.Sprintf(`(?:\%d)`, n), length)
	return nil
}

// total is how many capturing groups the whole pattern has.
func (t *translator) total() int {
	n := t.count
	for i := t.at; i < len(t.in); i++ {
		switch {
		case t.in[i] == '\\':
			i++
		case t.in[i] == '(':
			rest := string(t.in[i:min(i+4, len(t.in))])
			named := strings.HasPrefix(rest, "(?<") && !strings.HasPrefix(rest, "(?<=") && !strings.HasPrefix(rest, "(?<!")
			if named || !strings.HasPrefix(rest, "(?") {
				n++
			}
		}
	}
	return n
}
