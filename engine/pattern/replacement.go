package pattern

import (
	"strings"

	"github.com/dlclark/regexp2/v2"
)

// A Replacement is what a match is replaced by: text with $1 or ${name} for what
// a group has matched, and a backslash before what stands for itself.
type Replacement string

// expand writes the replacement of a match. A group that has not taken part is
// empty.
func (r Replacement) expand(out *strings.Builder, m *regexp2.Match) error {
	text := []rune(string(r))
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text):
			i++
			out.WriteRune(text[i])
		case text[i] == '$':
			group, next, err := groupAt(text, i+1, m)
			if err != nil {
				return err
			}
			out.WriteString(group.String())
			i = next - 1
		default:
			out.WriteRune(text[i])
		}
	}
	return nil
}

// groupAt reads the number or the name of a group and returns what is behind it.
// Of a number, as many digits count as there are groups for.
func groupAt(text []rune, i int, m *regexp2.Match) (*regexp2.Group, int, error) {
	if i < len(text) && text[i] == '{' {
		name, _, ok := strings.Cut(string(text[i+1:]), "}")
		g := m.GroupByName(name)
		if !ok || name == "" || isDigit(rune(name[0])) || g == nil {
			return nil, 0, errGroupName
		}
		return g, i + 2 + len([]rune(name)), nil
	}
	if i == len(text) || !isDigit(text[i]) {
		return nil, 0, errGroupName
	}
	n := int(text[i] - '0')
	for i++; i < len(text) && isDigit(text[i]) && n*10+int(text[i]-'0') < m.GroupCount(); i++ {
		n = n*10 + int(text[i]-'0')
	}
	if n >= m.GroupCount() {
		return nil, 0, errBounds
	}
	return m.GroupByNumber(n), i, nil
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }
