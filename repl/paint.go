package repl

import "strings"

// colours of the line being edited, by kind of token.
var tokenColors = map[tokenKind]string{
	tokString:  "\x1b[32m",
	tokNumber:  "\x1b[35m",
	tokName:    "\x1b[36m",
	tokParam:   "\x1b[33m",
	tokComment: "\x1b[2m",
}

const keywordColor = "\x1b[1;34m"

// paint colours a line of SQL in the light of the lines before it: a string that
// began above goes on.
func (sh *Shell) paint(line string) string {
	pending := sh.split.Pending()
	if strings.HasPrefix(line, `\`) && !sh.split.Started() {
		return keywordColor + line + "\x1b[0m"
	}
	text := pending + line
	var b strings.Builder
	for _, t := range tokens(text) {
		if t.end <= len(pending) {
			continue
		}
		piece := text[max(t.start, len(pending)):t.end]
		color := tokenColors[t.kind]
		if t.kind == tokWord && isKeyword[strings.ToUpper(piece)] {
			color = keywordColor
		}
		if color == "" {
			b.WriteString(piece)
			continue
		}
		b.WriteString(color + piece + "\x1b[0m")
	}
	return b.String()
}
