package repl

import (
	"fmt"
	"strings"

	"github.com/mattn/go-runewidth"
)

// maxListed is how many candidates of a completion are listed.
const maxListed = 200

// columnsOf lays out candidates in columns that fit the width.
func columnsOf(candidates []string, width int) string {
	more := 0
	if len(candidates) > maxListed {
		more = len(candidates) - maxListed
		candidates = candidates[:maxListed]
	}
	widest := 0
	for _, c := range candidates {
		widest = max(widest, runewidth.StringWidth(c))
	}
	perLine := max(1, (width-1)/(widest+2))
	lines := (len(candidates) + perLine - 1) / perLine
	var b strings.Builder
	for row := 0; row < lines; row++ {
		for i := row; i < len(candidates); i += lines {
			b.WriteString(candidates[i])
			if i+lines < len(candidates) {
				b.WriteString(strings.Repeat(" ", widest+2-runewidth.StringWidth(candidates[i])))
			}
		}
		b.WriteByte('\n')
	}
	if more > 0 {
		fmt.Fprintf(&b, "and %d more\n", more)
	}
	return b.String()
}

// commonPrefix is the longest text that all candidates begin with; letters may
// differ in case, then those of the first candidate count. A back quote that
// only some of them need does not count.
func commonPrefix(candidates []string) string {
	quoted := 0
	for _, c := range candidates {
		quoted += len(c) - len(strings.TrimPrefix(c, "`"))
	}
	trim := ""
	if quoted < len(candidates) {
		trim = "`"
	}
	if len(candidates) == 1 {
		return candidates[0]
	}
	prefix := []rune(strings.TrimPrefix(candidates[0], trim))
	for _, c := range candidates[1:] {
		c = strings.TrimPrefix(c, trim)
		n := 0
		for _, r := range c {
			if n == len(prefix) || !strings.EqualFold(string(r), string(prefix[n])) {
				break
			}
			n++
		}
		prefix = prefix[:n]
	}
	return string(prefix)
}
