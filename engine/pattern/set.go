package pattern

import (
	"strconv"
	"strings"
	"unicode"
)

// posix are the classes of POSIX as ICU has them: of all of Unicode, not of
// ASCII. Those that begin with ^ are complements.
var posix = map[string]string{
	"alpha": letters, "alnum": letters + `\p{Nd}`, "blank": blanks, "cntrl": `\p{Cc}`, "digit": `\p{Nd}`,
	"graph": `^\p{Z}\t-\r\x85\p{Cc}\p{Cs}`, "lower": `\p{Ll}\p{Other_Lowercase}`, "print": `^\p{Cc}\p{Cs}\u2028\u2029`, "punct": `\p{P}`,
	"space": `\p{Z}\t-\r\x85`, "upper": `\p{Lu}\p{Other_Uppercase}`, "word": words, "xdigit": `\p{Nd}A-Fa-f\uff21-\uff26\uff41-\uff46`,
}

// derived are properties that Unicode defines by others, and properties those of
// which regexp2 knows the values alone.
var (
	derived    = map[string]string{"alphabetic": letters, "lowercase": posix["lower"], "uppercase": posix["upper"], "any": `\s\S`, "ascii": `\x00-\x7f`}
	properties = map[string]bool{"script": true, "sc": true, "scx": true, "script_extensions": true, "general_category": true, "gc": true}
)

// A set is what stands between brackets: atoms are characters, ranges and
// classes as regexp2 has them, others are whole expressions for one character.
type set struct {
	atoms  strings.Builder
	others []string
}

func (s *set) add(class string) {
	if strings.HasPrefix(class, "^") {
		s.others = append(s.others, "["+class+"]")
		return
	}
	s.atoms.WriteString(class)
}

// text is an expression for one character of the set.
func (s *set) text() string {
	all := s.others
	if s.atoms.Len() > 0 {
		all = append([]string{"[" + s.atoms.String() + "]"}, all...)
	}
	switch len(all) {
	case 0:
		return `(?!)`
	case 1:
		return all[0]
	}
	return "(?:" + strings.Join(all, "|") + ")"
}

// not is an expression for one character outside of the set.
func (s *set) not() string {
	if len(s.others) == 0 && s.atoms.Len() > 0 {
		return "[^" + s.atoms.String() + "]"
	}
	return "(?:(?!" + s.text() + ")" + anything + ")"
}

// set reads [..], with sets inside it, && and --.
func (t *translator) set() (string, error) {
	t.at++
	negative := t.peek(0) == '^'
	if negative {
		t.at++
	}
	s, err := t.union(true)
	if err != nil {
		return "", err
	}
	for t.peek(0) != ']' { // an operator
		operator := t.operator()
		right, err := t.union(false)
		if err != nil {
			return "", err
		}
		look := "(?!"
		if operator == '&' {
			look = "(?="
		}
		s = &set{others: []string{"(?:" + look + right.text() + ")" + s.text() + ")"}}
	}
	t.at++
	if negative {
		return s.not(), nil
	}
	return s.text(), nil
}

// operator reads && or --, or one of them before a set, and tells which it is.
func (t *translator) operator() rune {
	r := t.peek(0)
	t.at++
	if t.peek(0) == r {
		t.at++
	}
	return r
}

func (t *translator) atOperator() bool {
	r := t.peek(0)
	return (r == '&' || r == '-') && (t.peek(1) == r || t.peek(1) == '[')
}

// union reads the members of a set up to its end or an operator. A closing
// bracket that comes first is a member.
func (t *translator) union(first bool) (*set, error) {
	s := &set{}
	for start := t.at; ; {
		switch r := t.peek(0); {
		case t.at >= len(t.in):
			return nil, errBracket
		case r == ']' && (t.at > start || !first), t.at > start && t.atOperator():
			return s, nil
		case r == '[' && t.peek(1) == ':':
			if err := t.posixClass(s); err != nil {
				return nil, err
			}
		case r == '[':
			inner, err := t.set()
			if err != nil {
				return nil, err
			}
			s.others = append(s.others, inner)
		default:
			if err := t.member(s); err != nil {
				return nil, err
			}
		}
	}
}

// posixClass reads [:alpha:] or [:^alpha:].
func (t *translator) posixClass(s *set) error {
	name, _, ok := strings.Cut(string(t.in[t.at+2:]), ":]")
	if !ok {
		return errBracket
	}
	plain, negative := strings.CutPrefix(name, "^")
	class, ok := posix[strings.ToLower(plain)]
	if !ok {
		return errEmpty
	}
	if negative {
		class = complement(class)
	}
	s.add(class)
	t.at += len([]rune(name)) + 4
	return nil
}

func complement(class string) string {
	if rest, ok := strings.CutPrefix(class, "^"); ok {
		return rest
	}
	return "^" + class
}

// member reads a character, a range of them, or a class.
func (t *translator) member(s *set) error {
	class, from, err := t.character()
	if err != nil {
		return err
	}
	if class != "" {
		s.add(class)
		return nil
	}
	if t.peek(0) != '-' || t.peek(1) == ']' || t.peek(1) == '-' || t.peek(1) == '[' || t.at+1 >= len(t.in) {
		s.atoms.WriteString(escaped(from))
		return nil
	}
	t.at++
	class, to, err := t.character()
	switch {
	case err != nil:
		return err
	case class != "" || to < from:
		return errRange
	}
	s.atoms.WriteString(escaped(from) + "-" + escaped(to))
	return nil
}

// character reads one character of a set, or an escaped class.
func (t *translator) character() (class string, r rune, err error) {
	if r = t.peek(0); r == '\\' {
		return t.class()
	}
	t.at++
	return "", r, nil
}

// class reads a backslash and what it makes of what follows: a class, for use
// between brackets, or a character.
func (t *translator) class() (class string, r rune, err error) {
	if t.at+1 >= len(t.in) {
		return "", 0, errBracket
	}
	r = t.peek(1)
	t.at += 2
	switch r {
	case 'd':
		return `\p{Nd}`, 0, nil
	case 'D':
		return `^\p{Nd}`, 0, nil
	case 'w':
		return words, 0, nil
	case 'W':
		return "^" + words, 0, nil
	case 's':
		return spaces, 0, nil
	case 'S':
		return "^" + spaces, 0, nil
	case 'h':
		return blanks, 0, nil
	case 'H':
		return "^" + blanks, 0, nil
	case 'v':
		return newlines, 0, nil
	case 'V':
		return "^" + newlines, 0, nil
	case 'p', 'P':
		return t.property(r == 'P')
	case 'N':
		return "", 0, errUnsupported
	case 'a':
		return "", '\a', nil
	case 'e':
		return "", 0x1b, nil
	case 'f':
		return "", '\f', nil
	case 'n':
		return "", '\n', nil
	case 'r':
		return "", '\r', nil
	case 't':
		return "", '\t', nil
	case 'c':
		t.at++
		return "", t.peek(-1) & 0x1f, nil
	case 'x', 'u', 'U', '0':
		r, err := t.coded(r)
		return "", r, err
	}
	return "", r, nil
}

// property reads {name} or {name=value} of \p.
func (t *translator) property(negative bool) (string, rune, error) {
	name, _, ok := strings.Cut(string(t.in[t.at:]), "}")
	if !ok || !strings.HasPrefix(name, "{") {
		return "", 0, &Error{3689, "Unrecognized escape sequence in regular expression."}
	}
	t.at += len([]rune(name)) + 1
	name = name[1:]
	if rest, ok := strings.CutPrefix(name, "^"); ok {
		name, negative = rest, !negative
	}
	key, value, some := strings.Cut(name, "=")
	if some && properties[strings.ToLower(strings.TrimSpace(key))] {
		name = strings.TrimSpace(value)
	}
	class, ok := posix[strings.ToLower(name)]
	if !ok {
		class, ok = derived[strings.ToLower(name)]
	}
	if !ok {
		class = `\p{` + name + `}`
	}
	if negative {
		class = complement(class)
	}
	return class, 0, nil
}

// coded reads the number of a character: \x41, \x{1F600}, \u00e9, \U0001F600 or
// \0101.
func (t *translator) coded(kind rune) (rune, error) {
	digits, base := map[rune]int{'x': 2, 'u': 4, 'U': 8, '0': 3}[kind], 16
	if kind == '0' {
		base = 8
	}
	text := ""
	if kind == 'x' && t.peek(0) == '{' {
		inside, _, ok := strings.Cut(string(t.in[t.at+1:]), "}")
		if !ok {
			return 0, errSyntax
		}
		text = inside
		t.at += len([]rune(inside)) + 2
	} else {
		for len(text) < digits && t.at < len(t.in) && strings.ContainsRune("0123456789abcdefABCDEF"[:map[int]int{8: 8, 16: 22}[base]], t.in[t.at]) {
			text += string(t.in[t.at])
			t.at++
		}
		if kind != '0' && kind != 'x' && len(text) < digits {
			text = ""
		}
	}
	n, err := strconv.ParseUint(text, base, 32)
	if err != nil || n > unicode.MaxRune {
		return 0, &Error{3689, "Unrecognized escape sequence in regular expression."}
	}
	return rune(n), nil
}
