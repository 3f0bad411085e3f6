package repl

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/dynasql/dynasql/repl/format"
)

var update = flag.Bool("update", false, "rewrite the .out files")

func writeText(path, text string) error { return os.WriteFile(path, []byte(text), 0o600) }

// golden compares got with the .out file beside an .in file.
func golden(t *testing.T, in, got string) {
	t.Helper()
	out := strings.TrimSuffix(in, ".in") + ".out"
	if *update {
		if err := writeText(out, got); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s\n got:\n%s\nwant:\n%s", in, got, want)
	}
}

// inFile is an .in file: a first line "## name=value ..." gives options.
func inFile(t *testing.T, path string) (options map[string]string, text string) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	options, text = map[string]string{}, string(raw)
	if head, rest, ok := strings.Cut(text, "\n"); ok && strings.HasPrefix(head, "## ") {
		text = rest
		for _, word := range strings.Fields(head[3:]) {
			name, value, _ := strings.Cut(word, "=")
			options[name] = value
		}
	}
	return options, text
}

func (o goldenOptions) shell() Options {
	opt := Options{
		Format: format.Format(o["format"]),
		Title:  o["title"],
		Now:    func() time.Time { return time.Unix(0, 0) },
		Sleep:  func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
		Vars:   map[string]string{},
		Home:   o["home"],
	}
	_, opt.Force = o["force"]
	_, opt.Quiet = o["quiet"]
	_, opt.OutTerminal = o["terminal"]
	_, opt.Color = o["color"]
	opt.Width, _ = strconv.Atoi(o["width"])
	for name, value := range o {
		if v, ok := strings.CutPrefix(name, "var:"); ok {
			opt.Vars[v] = value
		}
	}
	return opt
}

type goldenOptions map[string]string

func TestScriptGolden(t *testing.T) {
	files, _ := filepath.Glob("testdata/script/*.in")
	if len(files) == 0 {
		t.Fatal("no scripts")
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".in"), func(t *testing.T) {
			options, text := inFile(t, path)
			options["home"] = t.TempDir()
			text = strings.ReplaceAll(text, "{tmp}", options["home"])
			var out, errOut bytes.Buffer
			opt := goldenOptions(options).shell()
			opt.Out, opt.ErrOut = &out, &errOut
			session := newFakeSession()
			sh := New(session, opt)
			err := sh.Script(context.Background(), options["name"], strings.NewReader(text))
			if err != nil && !errors.Is(err, ErrFailed) {
				t.Fatal(err)
			}
			if err := sh.Close(); err != nil {
				t.Fatal(err)
			}
			status := 0
			if err != nil {
				status = 1
			}
			got := fmt.Sprintf("%s--- stderr\n%s--- status %d\n", out.String(), errOut.String(), status)
			golden(t, path, strings.ReplaceAll(got, options["home"], "{tmp}"))
		})
	}
}

func TestShellGolden(t *testing.T) {
	files, _ := filepath.Glob("testdata/shell/*.in")
	if len(files) == 0 {
		t.Fatal("no sessions")
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".in"), func(t *testing.T) {
			options, text := inFile(t, path)
			options["home"] = t.TempDir()
			text = strings.ReplaceAll(text, "{tmp}", options["home"])
			terminal := &fakeTerminal{lines: strings.Split(strings.TrimSuffix(text, "\n"), "\n"), width: 80, height: 24, edited: "SELECT 2;\n"}
			opt := goldenOptions(options).shell()
			opt.Editor, opt.Banner = []string{"vi"}, options["banner"]
			if pager := options["pager"]; pager != "" {
				opt.Pager = []string{pager}
			}
			session := newFakeSession()
			if err := New(session, opt).Interact(context.Background(), terminal); err != nil {
				t.Fatal(err)
			}
			got := terminal.transcript.String() + "--- history\n" + strings.Join(terminal.history, "\n") + "\n--- asked\n" + strings.Join(session.asked, "\n") + "\n"
			golden(t, path, strings.ReplaceAll(got, options["home"], "{tmp}"))
		})
	}
}
