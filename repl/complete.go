package repl

import (
	"context"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"github.com/dynasql/dynasql/repl/format"
)

// complete offers what could stand at pos of a line: line[start:pos] is what the
// candidates replace. It reads nothing but what the session already knows.
func (sh *Shell) complete(line string, pos int) (start int, candidates []string) {
	if strings.HasPrefix(strings.TrimLeft(line, " \t"), `\`) && sh.split.Open() == "" {
		return sh.completeCommand(line[:pos])
	}
	catalog := sh.objects()
	sh.words.load(catalog)
	pending := sh.split.Pending()
	c := newCompletion(sh, pending+line, len(pending)+pos)
	candidates = c.candidates()
	if c.start < len(pending) {
		return pos, nil
	}
	return c.start - len(pending), candidates
}

// completionPatience is how long Tab waits for a session that does not answer
// from memory.
const completionPatience = 2 * time.Second

// objects is what the session knows; nothing if it does not know it soon.
func (sh *Shell) objects() *Catalog {
	ctx, cancel := context.WithTimeout(context.Background(), completionPatience)
	defer cancel()
	catalog, err := sh.session.Objects(ctx)
	if err != nil || catalog == nil {
		return &Catalog{}
	}
	return catalog
}

// completeCommand completes a backslash command or its argument.
func (sh *Shell) completeCommand(typed string) (int, []string) {
	space := strings.LastIndexAny(typed, " \t") + 1
	word := typed[space:]
	fields := strings.Fields(typed[:space])
	if len(fields) == 0 {
		var names []string
		for _, c := range sh.commands {
			names = append(names, c.names[0])
		}
		return space, matching(names, word)
	}
	c := sh.findCommand(fields[0])
	if c == nil {
		return len(typed), nil
	}
	return space, matching(sh.argumentWords(c, fields[1:], word), word)
}

// argumentWords are the words that a command's argument could be.
func (sh *Shell) argumentWords(c *command, before []string, word string) []string {
	catalog := sh.objects()
	switch c.kind {
	case tableArg:
		return tableNames(sh.currentTables(catalog))
	case databaseArg:
		return catalog.Databases
	case connectionArg:
		if s, ok := sh.session.(Connector); ok {
			return s.Connections()
		}
	case formatArg:
		var names []string
		for _, f := range format.All() {
			names = append(names, string(f))
		}
		return names
	case switchArg:
		return []string{"on", "off", "auto"}
	case settingArg:
		return settingNames
	case queryArg:
		return sh.saved()
	case paramArg:
		return sortedKeys(sh.vars)
	case fileArg:
		return files(word)
	case chartArg:
		if len(before) == 0 {
			return chartKinds
		}
		if sh.result != nil {
			return columnNames(sh.result.columns)
		}
	}
	return nil
}

func tableNames(tables []Table) []string {
	var names []string
	for _, t := range tables {
		names = append(names, t.Name)
	}
	return names
}

func columnNames(columns []format.Column) []string {
	var names []string
	for _, c := range columns {
		names = append(names, c.Name)
	}
	return names
}

// files lists the files and directories that begin with the given path.
func files(prefix string) []string {
	dir, base := filepath.Split(prefix)
	look := dir
	if look == "" {
		look = "."
	}
	entries, err := os.ReadDir(look)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") && !strings.HasPrefix(base, ".") {
			continue
		}
		name := dir + e.Name()
		if e.IsDir() {
			name += "/"
		}
		names = append(names, name)
	}
	return names
}

// matching keeps the words that begin with prefix, case aside, sorted and each
// once.
func matching(words []string, prefix string) []string {
	var list []string
	for _, w := range words {
		if hasPrefixFold(w, prefix) {
			list = append(list, w)
		}
	}
	sort.Strings(list)
	return compact(list)
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// compact drops repeated neighbours.
func compact(sorted []string) []string {
	n := 0
	for i, s := range sorted {
		if i == 0 || s != sorted[n-1] {
			sorted[n] = s
			n++
		}
	}
	return sorted[:n]
}

// wordIndex is a catalog prepared for completion.
type wordIndex struct {
	catalog *Catalog
	tables  map[string][]*Table // by lower-case name
}

// load prepares a catalog, unless it is the one already prepared.
func (w *wordIndex) load(c *Catalog) {
	if w.catalog == c {
		return
	}
	*w = wordIndex{catalog: c, tables: make(map[string][]*Table, len(c.Tables))}
	for i := range c.Tables {
		t := &c.Tables[i]
		lower := strings.ToLower(t.Name)
		w.tables[lower] = append(w.tables[lower], t)
	}
}

// columnsFrom are the columns of any table that begin with prefix.
func (w *wordIndex) columnsFrom(prefix string) []string {
	var list []string
	for i := range w.catalog.Tables {
		columns := w.catalog.Tables[i].Columns
		for j := range columns {
			if hasPrefixFold(columns[j].Name, prefix) {
				list = append(list, columns[j].Name)
			}
		}
	}
	return list
}
