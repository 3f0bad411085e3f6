package repl

import (
	"os"
	"path/filepath"
	"strings"
)

// historyEntry is a statement or command as one line of history: comments that
// end with their line become block comments, line breaks become spaces, and a
// line break inside a string becomes \n. What might hold a secret is left out.
func historyEntry(item Item) string {
	if secret(item.Text) {
		return ""
	}
	if item.Command {
		return item.Text
	}
	text := item.Text
	var b strings.Builder
	for _, t := range tokens(text) {
		b.WriteString(oneLine(t.kind, text[t.start:t.end]))
	}
	end := ";"
	if item.Vertical {
		end = `\G`
	}
	return strings.TrimSpace(b.String()) + end
}

func oneLine(kind tokenKind, s string) string {
	switch {
	case kind == tokSpace && strings.ContainsAny(s, "\n\r\t\v\f"):
		return " "
	case kind == tokComment && !strings.HasPrefix(s, "/*"):
		return "/* " + strings.ReplaceAll(strings.TrimSpace(strings.TrimLeft(s, "-#")), "*/", "* /") + " */"
	case kind == tokString:
		return strings.NewReplacer("\n", `\n`, "\r", `\r`).Replace(s)
	}
	return strings.NewReplacer("\n", " ", "\r", " ").Replace(s)
}

// secret reports whether a text may hold a password or a key of AWS.
func secret(text string) bool {
	lower := strings.ToLower(text)
	for _, word := range []string{"password", "identified by", "secret_access_key", "secretaccesskey", "session_token", "aws_secret"} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return false
}

// history is the list of entries behind the line editor, and its file.
type history struct {
	entries []string
	limit   int
	file    *os.File // nil: not kept
}

// openHistory reads the entries of a file and keeps it open for new ones. The
// file is readable by its owner only. A file that cannot be used means a history
// that ends with the process: no reason not to start.
func openHistory(path string, limit int) *history {
	h := &history{limit: limit}
	if path == "" {
		return h
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return h
	}
	if text, err := os.ReadFile(path); err == nil {
		for _, line := range strings.Split(string(text), "\n") {
			h.push(line)
		}
		if strings.Count(string(text), "\n") > 2*limit {
			h.rewrite(path)
		}
	}
	if f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
		f.Chmod(0o600)
		h.file = f
	}
	return h
}

// rewrite shortens the file to the entries kept.
func (h *history) rewrite(path string) {
	text := strings.Join(h.entries, "\n") + "\n"
	if os.WriteFile(path+".new", []byte(text), 0o600) == nil {
		os.Rename(path+".new", path)
	}
}

// push takes an entry unless it repeats the last one.
func (h *history) push(entry string) bool {
	entry = strings.TrimSpace(strings.ReplaceAll(entry, "\n", " "))
	if entry == "" || len(h.entries) > 0 && h.entries[len(h.entries)-1] == entry {
		return false
	}
	h.entries = append(h.entries, entry)
	if over := len(h.entries) - h.limit; over > 0 {
		h.entries = h.entries[over:]
	}
	return true
}

func (h *history) add(entry string) {
	if h.push(entry) && h.file != nil {
		h.file.WriteString(h.entries[len(h.entries)-1] + "\n")
	}
}

func (h *history) close() error {
	if h.file == nil {
		return nil
	}
	return h.file.Close()
}
