package main

import (
	"strings"
	"testing"
)

// The scripts name our commands themselves; what they offer, they ask the
// program for.
func TestCompletionScripts(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		got := runProgram(t, "", "completion", shell)
		if got.status != statusFine || !strings.Contains(got.stdout, "dynasql") || !strings.Contains(got.stdout, "__complete") {
			t.Errorf("%s: %s", shell, got)
		}
	}
}

func TestCompletion(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
		want []string // among the lines before the directive
	}{
		{"commands", []string{"s"}, []string{"serve", "store"}},
		{"flags", []string{"demo", "--fo"}, []string{"--force", "--format"}},
		{"formats", []string{"demo", "--format", ""}, []string{"table", "csv", "html"}},
		{"databases", []string{"--config", "testdata/second.yaml", "-D", ""}, []string{"other"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := runProgram(t, "", append([]string{"__complete"}, tt.args...)...)
			offered := map[string]bool{}
			for _, line := range strings.Split(got.stdout, "\n") {
				word, _, _ := strings.Cut(line, "\t")
				offered[word] = true
			}
			for _, w := range tt.want {
				if !offered[w] {
					t.Errorf("%q is not offered:\n%s", w, got.stdout)
				}
			}
		})
	}
}
