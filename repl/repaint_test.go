package repl

import (
	"bytes"
	"strings"
	"testing"
)

func TestRepainterPlace(t *testing.T) {
	for _, tt := range []struct {
		name     string
		prompt   string
		line     string
		pos      int
		row, col int
	}{
		{"start", "> ", "abc", 0, 0, 2},
		{"end", "> ", "abc", 3, 0, 5},
		{"wide characters", "> ", "日本x", 2, 0, 6},
		{"a full row ends on the next", "> ", "abcdefgh", 8, 1, 0},
		{"second row", "> ", "abcdefghij", 9, 1, 1},
		{"a wide character does not straddle", "> ", "abcdefg日", 7, 1, 0},
		{"after it", "> ", "abcdefg日", 8, 1, 2},
		{"combining marks take no column", "> ", "e\u0301x", 2, 0, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &repainter{prompt: tt.prompt, line: []rune(tt.line)}
			if row, col := p.place(tt.pos, 10); row != tt.row || col != tt.col {
				t.Errorf("place = %d, %d, want %d, %d", row, col, tt.row, tt.col)
			}
		})
	}
}

func TestRepainterReplacesTheEditorsMovement(t *testing.T) {
	var out bytes.Buffer
	p := &repainter{w: &out, width: func() int { return 10 }}
	p.begin("> ")
	write := func(s string) string {
		out.Reset()
		if n, err := p.Write([]byte(s)); n != len(s) || err != nil {
			t.Fatalf("Write(%q) = %d, %v", s, n, err)
		}
		return out.String()
	}
	p.painted([]rune("abcdefghij"), 1)
	if got, want := write("> abcdefghij"+paintMark+" \b\b\b\b"), "> abcdefghij\x1b[J\x1b[1A\r\x1b[3C"; got != want {
		t.Errorf("drawing\n got %q\nwant %q", got, want)
	}
	p.painted([]rune("abcdefghij"), 10)
	if got := write(eraseLine + "x"); got != "" {
		t.Errorf("erasing wrote %q at once", got)
	}
	if got, want := write("> abcdefghij"+paintMark), "\r> abcdefghij\x1b[J\r\x1b[2C"; got != want {
		t.Errorf("drawing again\n got %q\nwant %q", got, want)
	}
	write(eraseLine)
	if got, want := write("a list\n"), "\x1b[1A\r\x1b[Ja list\n"; got != want {
		t.Errorf("writing between\n got %q\nwant %q", got, want)
	}
	p.painted([]rune("a\n"), 2)
	if got, want := write("> a\n"+paintMark+"\b"), "> a\n\x1b[J"; got != want {
		t.Errorf("ending the line\n got %q\nwant %q", got, want)
	}
	if got := write("plain"); got != "plain" {
		t.Errorf("other text became %q", got)
	}
}

func TestColumnsOnly(t *testing.T) {
	if got := columnsOnly("\x1b[1mdynasql\x1b[0m> "); got != "dynasql> " || strings.Contains(got, "\x1b") {
		t.Errorf("columnsOnly = %q", got)
	}
}
