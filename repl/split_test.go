package repl

import (
	"reflect"
	"strings"
	"testing"
)

// splitAll feeds a text line by line and returns all items.
func splitAll(text string) (items []Item, open string) {
	s := NewSplitter()
	for _, line := range strings.SplitAfter(text, "\n") {
		if line != "" {
			s.Feed(line)
		}
	}
	open = s.Finish()
	for {
		item, ok := s.Next()
		if !ok {
			return items, open
		}
		items = append(items, item)
	}
}

func TestSplitter(t *testing.T) {
	for _, tt := range []struct {
		name string
		text string
		want []string // commands with their backslash, vertical ones with " (vertical)"
		open string
	}{
		{name: "one a line", text: "SELECT 1;\nSELECT 2;\n", want: []string{"SELECT 1", "SELECT 2"}},
		{name: "several on a line", text: "SELECT 1; SELECT 2;SELECT 3", want: []string{"SELECT 1", "SELECT 2", "SELECT 3"}},
		{name: "one on several lines", text: "SELECT\n 1\n;", want: []string{"SELECT\n 1"}},
		{name: "windows line ends", text: "SELECT\r\n1;\r\n", want: []string{"SELECT\n1"}},
		{name: "empty ones are none", text: ";;  ;\n-- only a comment\n;", want: nil},
		{name: "terminators of the mysql client", text: `SELECT 1\g SELECT 2\G SELECT 3\gx`, want: []string{"SELECT 1", "SELECT 2 (vertical)", "SELECT 3 (vertical)"}},
		{name: "vertical on a line of its own", text: "SELECT 1\n\\G\n", want: []string{"SELECT 1 (vertical)"}},
		{name: "a backslash that is no terminator", text: `SELECT \gone;`, want: []string{`SELECT \gone`}},
		{name: "semicolon in single quotes", text: `SELECT 'a;b';`, want: []string{`SELECT 'a;b'`}},
		{name: "semicolon in double quotes", text: `SELECT "a;b";`, want: []string{`SELECT "a;b"`}},
		{name: "semicolon in back quotes", text: "SELECT `a;b`;", want: []string{"SELECT `a;b`"}},
		{name: "doubled quotes", text: `SELECT 'it''s; x', "a"";b";`, want: []string{`SELECT 'it''s; x', "a"";b"`}},
		{name: "escaped quotes", text: `SELECT 'it\'s; x', "a\";b";`, want: []string{`SELECT 'it\'s; x', "a\";b"`}},
		{name: "escaped backslash before a quote", text: `SELECT 'a\\'; SELECT 2;`, want: []string{`SELECT 'a\\'`, "SELECT 2"}},
		{name: "no escapes in back quotes", text: "SELECT `a\\`; SELECT 2;", want: []string{"SELECT `a\\`", "SELECT 2"}},
		{name: "string over lines with a command in it", text: "SELECT 'a\n\\q\n;';", want: []string{"SELECT 'a\n\\q\n;'"}},
		{name: "escape at the end of a line", text: "SELECT 'a\\\nb;';", want: []string{"SELECT 'a\\\nb;'"}},
		{name: "dash comment", text: "SELECT 1 -- a;b\n+ 2;", want: []string{"SELECT 1 -- a;b\n+ 2"}},
		{name: "two dashes are no comment without a space", text: "SELECT 5--1; SELECT 2", want: []string{"SELECT 5--1", "SELECT 2"}},
		{name: "dash comment at the end of a line", text: "SELECT 1 --\n;", want: []string{"SELECT 1 --"}},
		{name: "hash comment", text: "SELECT 1 # it's;\n;", want: []string{"SELECT 1 # it's;"}},
		{name: "block comment", text: "SELECT /* a;b\n'; */ 1;", want: []string{"SELECT /* a;b\n'; */ 1"}},
		{name: "block comment that looks closed", text: "SELECT /*/ ; */ 1;", want: []string{"SELECT /*/ ; */ 1"}},
		{name: "comment before a statement belongs to it", text: "-- chart: bar\nSELECT 1;", want: []string{"-- chart: bar\nSELECT 1"}},
		{name: "commands", text: "\\d Orders\nSELECT 1;\n  \\timing off\n", want: []string{`\d Orders`, "SELECT 1", `\timing off`}},
		{name: "command within a statement", text: "SELECT\n\\p\n1;", want: []string{`\p`, "SELECT\n1"}},
		{name: "cancelled at the end of a line", text: "SELECT wrong \\c\nSELECT 1;", want: []string{"SELECT 1"}},
		{name: "cancel in a string is text", text: "SELECT '\\c\n';", want: []string{"SELECT '\\c\n'"}},
		{name: "delimiter", text: "DELIMITER //\nSELECT 1; SELECT 2//\ndelimiter ;\nSELECT 3;", want: []string{"SELECT 1; SELECT 2", "SELECT 3"}},
		{name: "delimiter of letters", text: "DELIMITER go\nSELECT 1 GO\n", want: []string{"SELECT 1"}},
		{name: "delimiter within a statement is text", text: "SELECT\nDELIMITER x\n;", want: []string{"SELECT\nDELIMITER x"}},
		{name: "open single quote", text: "SELECT 'a;", want: []string{"SELECT 'a;"}, open: "'"},
		{name: "open block comment", text: "SELECT 1 /* a;", want: []string{"SELECT 1 /* a;"}, open: "/*"},
		{name: "carriage returns", text: "SELECT\r\r\n\r\r1\r\n;", want: []string{"SELECT\n\r\r1"}},
		{name: "nul bytes in comments", text: "SELECT /*\x00;*/ 1 -- \x00;\n;", want: []string{"SELECT /*\x00;*/ 1 -- \x00;"}},
		{name: "not UTF-8", text: "SELECT '\xff;\xfe';", want: []string{"SELECT '\xff;\xfe'"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			items, open := splitAll(tt.text)
			var got []string
			for _, it := range items {
				text := it.Text
				if it.Vertical {
					text += " (vertical)"
				}
				if it.Command != strings.HasPrefix(text, `\`) {
					t.Errorf("item %q: Command is %v", text, it.Command)
				}
				got = append(got, text)
			}
			if !reflect.DeepEqual(got, tt.want) || open != tt.open {
				t.Errorf("splitting %q\n got %q, open %q\nwant %q, open %q", tt.text, got, open, tt.want, tt.open)
			}
		})
	}
}

func TestSplitterLines(t *testing.T) {
	items, _ := splitAll("SELECT 1;\n\n-- two\nSELECT\n2; SELECT 3;\n\\d\n")
	var got []int
	for _, it := range items {
		got = append(got, it.Line)
	}
	if want := []int{1, 4, 5, 6}; !reflect.DeepEqual(got, want) {
		t.Errorf("lines %v, want %v", got, want)
	}
}

// FuzzSplitter checks what must hold of any text: no byte of a statement is
// changed, items come in order, and a statement whose text is fed again with a
// delimiter comes back whole, so no string was split.
func FuzzSplitter(f *testing.F) {
	for _, seed := range []string{"SELECT 1; SELECT 2", "a 'b;\\' c' ; d", "-- x;\n`;`;", "/* ; */ x\\G y\\g", "DELIMITER $$\na;b$$", "\\d x\nselect \"\\\\\";", "#\n;'"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(strings.ToLower(text), "delimiter") {
			t.Skip("the delimiter would not be the same")
		}
		items, _ := splitAll(text)
		normal := strings.ReplaceAll(text, "\r\n", "\n")
		rest := normal
		for i, it := range items {
			if it.Command {
				continue
			}
			again, open := splitAll(it.Text + ";") // a last comment needs the line's end before the delimiter
			if len(again) != 1 || again[0].Text != it.Text {
				again, open = splitAll(it.Text + "\n;")
			}
			if open == "" && (len(again) != 1 || again[0].Text != it.Text) && !strings.Contains(it.Text, "\\") {
				t.Fatalf("item %d of %q: %q splits again into %+v", i, text, it.Text, again)
			}
			if strings.Contains(normal, "\r") || strings.Contains(normal, "\\") {
				continue
			}
			at := strings.Index(rest, it.Text)
			if at < 0 {
				t.Fatalf("item %d of %q: %q is not a part of it", i, text, it.Text)
			}
			rest = rest[at+len(it.Text):]
		}
	})
}

func FuzzTokens(f *testing.F) {
	f.Add("select 'a\\'b' -- c\n, `d`` e`, :p, 12.5 /* x")
	f.Fuzz(func(t *testing.T, text string) {
		at := 0
		for _, tok := range tokens(text) {
			if tok.start != at || tok.end <= tok.start {
				t.Fatalf("token %+v of %q begins not at %d", tok, text, at)
			}
			at = tok.end
		}
		if at != len(text) {
			t.Fatalf("the tokens of %q end at %d", text, at)
		}
	})
}

func BenchmarkSplitter(b *testing.B) {
	text := strings.Repeat("INSERT INTO Orders VALUES ('a;b', \"c\\\"d\", `e`, 12.5); -- comment\n", 1000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if items, _ := splitAll(text); len(items) != 1000 {
			b.Fatal(len(items))
		}
	}
}
