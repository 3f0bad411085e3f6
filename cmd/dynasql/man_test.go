package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

//go:generate go test -tags gms_pure_go -run TestManPages -update .

const manFolder = "../../docs/man"

// The manual pages say what --help says: they are made from the same commands.
func TestManPages(t *testing.T) {
	p := &program{in: strings.NewReader(""), out: io.Discard, err: io.Discard}
	root := p.rootCommand()
	for _, cmd := range append(root.Commands(), root) {
		name := strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".1"
		t.Run(name, func(t *testing.T) { compareManPage(t, cmd, filepath.Join(manFolder, name)) })
	}
}

func compareManPage(t *testing.T, cmd *cobra.Command, path string) {
	got := manPage(t, cmd)
	if *update {
		if err := os.MkdirAll(manFolder, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is out of date: run go generate ./cmd/dynasql\n%s", path, got)
	}
}

// manPage renders a page. The library dates it; a page that is the same every
// day has no date.
func manPage(t *testing.T, cmd *cobra.Command) []byte {
	t.Helper()
	date := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	cmd.DisableAutoGenTag = true
	var b bytes.Buffer
	header := &doc.GenManHeader{Section: "1", Source: "dynasql", Manual: "dynasql", Date: &date}
	if err := doc.GenMan(cmd, header, &b); err != nil {
		t.Fatal(err)
	}
	return bytes.ReplaceAll(b.Bytes(), []byte(`"Jan 2000"`), []byte(`""`))
}
