package access

import (
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/dynasql/dynasql/connector/schema"
)

// FuzzShellQuote has a shell read back what was quoted.
func FuzzShellQuote(f *testing.F) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		f.Skip("no shell")
	}
	for _, s := range []string{"", "plain", "it's", "a b", `"$HOME" $(ls) \ ` + "`ls`", "'", "''", "\n", "*", "~", "-x", "#n0 = :v0", "{\"a\":\"é\"}", "!x", "a;b&c|d<e>f", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, word string) {
		if strings.Contains(word, "\x00") {
			t.Skip()
		}
		out, err := exec.Command(shell, "-c", "printf '%s.' "+shellQuote(word)).Output()
		if err != nil || string(out) != word+"." {
			t.Errorf("shellQuote(%q) = %s: the shell reads %q, %v", word, shellQuote(word), out, err)
		}
	})
}

// FuzzAWSCLI has a shell take the commands apart that hold any name and value.
func FuzzAWSCLI(f *testing.F) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		f.Skip("no shell")
	}
	f.Add("pk", "it's", "\"\\\n")
	f.Add("a'b", "$(ls)", "`")
	f.Fuzz(func(t *testing.T, name, hash, other string) {
		if !utf8.ValidString(name) || !utf8.ValidString(hash) || !utf8.ValidString(other) || name == "" || hash == "" || len(hash) > 2048 {
			t.Skip()
		}
		table := &schema.Table{Name: "t", Key: schema.Key{Hash: schema.Attr{Name: name, Kind: schema.S}, Sort: schema.Attr{Name: name + "s", Kind: schema.S}}}
		p, err := Choose(Request{Table: table, All: true, Where: []Pred{
			leaf(Eq, Path{Attribute: name}, schema.Str(hash)), leaf(Ne, Path{Attribute: name + "x"}, schema.Str(other))}})
		if err != nil || p.Op != Query {
			t.Fatalf("%v %v", p.Op, err)
		}
		line := p.AWSCLI()[0]
		args, ok := strings.CutPrefix(line, "aws ")
		if !ok {
			t.Fatal(line)
		}
		out, err := exec.Command(shell, "-c", "printf '%s\\0' "+args).Output()
		if err != nil {
			t.Fatal(err, line)
		}
		words := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
		e := p.Expression(0)
		for option, want := range map[string]string{
			"--key-condition-expression":    e.KeyCondition,
			"--filter-expression":           e.Filter,
			"--expression-attribute-names":  jsonText(e.Names),
			"--expression-attribute-values": jsonText(wireValues(e.Values)),
		} {
			if got := after(words, option); got != want {
				t.Errorf("%s is %q, want %q", option, got, want)
			}
		}
	})
}

func after(words []string, option string) string {
	for i, w := range words[:len(words)-1] {
		if w == option {
			return words[i+1]
		}
	}
	return ""
}
