package pattern

import (
	"errors"
	"testing"
	"time"
)

func TestMatches(t *testing.T) {
	for _, tt := range []struct {
		name, pattern, text string
		opts                Options
		want                bool
	}{
		{"anywhere", "b", "abc", Options{}, true},
		{"anchors", "^b$", "abc", Options{}, false},
		{"look-ahead", "foo(?=bar)", "foobar", Options{}, true},
		{"negative look-ahead", "foo(?!bar)", "foobar", Options{}, false},
		{"look-behind", "(?<=€)100", "€100", Options{}, true},
		{"negative look-behind", "(?<!€)100", "€100", Options{}, false},
		{"back-reference", `^(\w+) \1$`, "hey hey", Options{}, true},
		{"back-reference and a digit", `^(a)\10$`, "aa0", Options{}, true},
		{"named back-reference", `^(?<x>a|b)\k<x>$`, "bb", Options{}, true},
		{"possessive", "^a++a", "aaa", Options{}, false},
		{"atomic", "^(?>a+)a", "aaa", Options{}, false},
		{"case counts", "ABC", "abc", Options{}, false},
		{"case does not count", "É", "é", Options{IgnoreCase: true}, true},
		{"case does not count from here", "a(?i)B", "ab", Options{}, true},
		{"case counts behind the group", "(?i:a)B", "Ab", Options{}, false},
		{"case counts again", "(?-i)B", "b", Options{IgnoreCase: true}, false},
		{"posix class of all letters", "^[[:alpha:]]+$", "éßж日", Options{}, true},
		{"posix class of digits", "^[[:digit:]]$", "५", Options{}, true},
		{"complement of a posix class", "^[[:^alpha:]]$", "1", Options{}, true},
		{"posix class among others", "^[x[:digit:]-]+$", "1-x", Options{}, true},
		{"graph", "^[[:graph:]]$", " ", Options{}, false},
		{"not graph", "^[^[:graph:]]$", " ", Options{}, true},
		{"word of letters", `^\w+$`, "naïve_日", Options{}, true},
		{"script", `^\p{Greek}+$`, "αβγ", Options{}, true},
		{"script by name", `^\p{Script=Greek}+$`, "αβγ", Options{}, true},
		{"category", `^\p{Lu}\P{Lu}$`, "Aa", Options{}, true},
		{"category by name", `^\p{Uppercase_Letter}$`, "A", Options{}, true},
		{"complement of a category in a set", `^[\P{L}]$`, "a", Options{}, false},
		{"intersection", "^[[a-z]&&[aeiou]]$", "b", Options{}, false},
		{"intersection, inside", "^[[a-z]&&[aeiou]]$", "e", Options{}, true},
		{"difference", "^[[a-z]--[aeiou]]$", "e", Options{}, false},
		{"difference, inside", "^[[a-z]--[aeiou]]$", "b", Options{}, true},
		{"a set in a set", "^[a[bc]]+$", "abc", Options{}, true},
		{"closing bracket first", "^[]a]+$", "]a", Options{}, true},
		{"a dash last", "^[a-]+$", "a-", Options{}, true},
		{"escapes in a set", `^[\d\]\-]+$`, "1]-", Options{}, true},
		{"dot and a line feed", "^a.b$", "a\nb", Options{}, false},
		{"dot and a carriage return", "^a.b$", "a\rb", Options{}, false},
		{"dot matches all", "^a.b$", "a\nb", Options{DotAll: true}, true},
		{"dot matches both as one", "^a.b$", "a\r\nb", Options{DotAll: true}, true},
		{"dot matches all from here", "^a(?s).b$", "a\nb", Options{}, true},
		{"dot and Unix lines", "^a.b$", "a\rb", Options{UnixLines: true}, true},
		{"dollar before the last line feed", "a$", "a\n", Options{}, true},
		{"dollar before a line feed", "a$", "a\nb", Options{}, false},
		{"dollar at lines", "a$", "a\r\nb", Options{Multiline: true}, true},
		{"caret at lines", "^b", "a\nb", Options{Multiline: true}, true},
		{"caret not behind the last line", "\n^$", "a\n", Options{Multiline: true}, false},
		{"caret at the text", "^b", "a\nb", Options{}, false},
		{"quoted", `^\Qa.b\E$`, "a.b", Options{}, true},
		{"quoted to the end", `\Q.*`, "x.*", Options{}, true},
		{"characters by number", `^\x41\x{1F600}\u00e9\U0001F600\0101$`, "A😀é😀A", Options{}, true},
		{"control", `\cA`, "\x01", Options{}, true},
		{"line end", `^a\Rb$`, "a\r\nb", Options{}, true},
		{"blank", `^\h\H$`, "\tx", Options{}, true},
		{"comment", "a(?#not this)b", "ab", Options{}, true},
		{"free spacing", "(?x) a b # c\n c", "abc", Options{}, true},
		{"interval", "^a{2,3}$", "aaaa", Options{}, false},
		{"word boundary", `\bcat\b`, "the cat sat", Options{}, true},
		{"a bracket that is none", "a]b}", "a]b}", Options{}, true},
		{"characters of four bytes", "^..$", "😀😀", Options{}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Compile(tt.pattern, tt.opts)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := p.Matches(tt.text); err != nil || got != tt.want {
				t.Errorf("%q in %q: %v, %v; want %v", tt.pattern, tt.text, got, err, tt.want)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	for pattern, want := range map[string]*Error{
		"": errEmpty, "(": errParen, "a)": errParen, "(?:a": errParen, "[a": errBracket, "[[:alpha:": errBracket, "[[:nothing:]]": errEmpty,
		"[z-a]": errRange, "a{": errInterval, "a{x}": errInterval, "a{3,2}": errMaxMin, `\1`: errBackRef, `(a)\2`: errBackRef,
		"*a": errSyntax, "(?q)a": errSyntax, "(?w)a": errUnsupported, `\N{LATIN SMALL LETTER A}`: errUnsupported, "(?<1>a)": errGroupName,
	} {
		_, err := Compile(pattern, Options{})
		var got *Error
		if !errors.As(err, &got) || got.Number != want.Number {
			t.Errorf("%q: %v, want %v", pattern, err, want)
		}
	}
	for _, pattern := range []string{`\`, `\x`, `\u12`, `\p{`} {
		if _, err := Compile(pattern, Options{}); err == nil {
			t.Errorf("%q compiles", pattern)
		}
	}
}

func TestFind(t *testing.T) {
	p, err := Compile("本|b", Options{})
	if err != nil {
		t.Fatal(err)
	}
	text := []rune("日本語 b 本")
	for _, tt := range []struct{ from, n, start, end int }{{0, 1, 1, 2}, {0, 2, 4, 5}, {2, 1, 4, 5}, {0, 3, 6, 7}, {0, 4, -1, -1}, {7, 1, -1, -1}} {
		start, end, found, err := p.Find(text, tt.from, tt.n)
		if err != nil || found != (tt.start >= 0) || found && (start != tt.start || end != tt.end) {
			t.Errorf("match %d from %d: %d to %d, %v, %v", tt.n, tt.from, start, end, found, err)
		}
	}
	for _, from := range []int{-1, 8} {
		if _, _, _, err := p.Find(text, from, 1); err != errBounds {
			t.Errorf("from %d: %v", from, err)
		}
	}
}

func TestLookBehindSeesWhatIsBeforeTheStart(t *testing.T) {
	p, err := Compile("(?<=a)b|^c", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if start, _, found, _ := p.Find([]rune("abc"), 1, 1); !found || start != 1 {
		t.Errorf("%d, %v", start, found)
	}
	if _, _, found, _ := p.Find([]rune("abc"), 2, 1); found {
		t.Error("^ matches in the middle")
	}
}

func TestReplace(t *testing.T) {
	for _, tt := range []struct {
		name, pattern, text, by string
		from, n                 int
		want                    string
	}{
		{"all", "b", "abcb", "X", 0, 0, "aXcX"},
		{"the second", "b", "abcb", "X", 0, 2, "abcX"},
		{"from a place", "b", "abcb", "X", 2, 0, "abcX"},
		{"groups", `(\w+) (\w+)`, "John Smith", "$2, $1", 0, 0, "Smith, John"},
		{"the whole", "b", "abc", "[$0]", 0, 0, "a[b]c"},
		{"a group and a digit", "(b)", "abc", "$10", 0, 0, "ab0c"},
		{"a named group", "(?<x>b)", "abc", "<${x}>", 0, 0, "a<b>c"},
		{"a dollar", "b", "abc", `\$1\\`, 0, 0, `a$1\c`},
		{"a group that takes no part", "(x)?b", "abc", "[$1]", 0, 0, "a[]c"},
		{"empty matches", "x*", "ab", "-", 0, 0, "-a-b-"},
		{"nothing", "x", "abc", "-", 0, 0, "abc"},
		{"characters", "本", "日本語", "ほん", 0, 0, "日ほん語"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Compile(tt.pattern, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got, err := p.Replace([]rune(tt.text), Replacement(tt.by), tt.from, tt.n, 1000); err != nil || got != tt.want {
				t.Errorf("%q, %v; want %q", got, err, tt.want)
			}
		})
	}
	p, _ := Compile("(b)", Options{})
	for by, want := range map[string]error{"$2": errBounds, "$x": errGroupName, "$": errGroupName, "${y}": errGroupName, "${1": errGroupName} {
		if _, err := p.Replace([]rune("abc"), Replacement(by), 0, 0, 1000); err != want {
			t.Errorf("%q: %v, want %v", by, err, want)
		}
	}
}

func TestCatastrophesEnd(t *testing.T) {
	text := make([]rune, 40)
	for i := range text {
		text[i] = 'a'
	}
	p, err := Compile("^(a|aa)+$", Options{})
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	_, _, _, err = p.Find(append(text, text...), 0, 1)
	if err != nil {
		t.Errorf("a text that matches: %v", err)
	}
	bad := append(append(append([]rune{}, text...), text...), '!')
	if _, _, _, err = p.Find(bad, 0, 1); err != errTimeout {
		t.Errorf("%v, want a timeout", err)
	}
	if spent := time.Since(began); spent > 30*time.Second {
		t.Errorf("it took %v", spent)
	}
}

// Whatever is translated must be understood by the engine or refused.
func FuzzCompile(f *testing.F) {
	for _, s := range []string{`a[b-c&&[^d]]\p{L}`, `(?i-s:x)\Q.\E{2}`, `[[:alpha:]--[x]]`, `(?<n>a)\k<n>\1`} {
		f.Add(s, "abc")
	}
	f.Fuzz(func(t *testing.T, source, text string) {
		p, err := Compile(source, Options{})
		var known *Error
		if err != nil {
			if !errors.As(err, &known) {
				t.Fatalf("%q: %v", source, err)
			}
			return
		}
		if len(text) > 100 || len(source) > 100 {
			return
		}
		if _, err := p.Matches(text); err != nil && !errors.As(err, &known) {
			t.Fatalf("%q: %v", source, err)
		}
	})
}
