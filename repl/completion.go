package repl

import (
	"sort"
	"strings"
)

// completion works out what could stand at one place of a statement.
type completion struct {
	sh     *Shell
	text   string // the statement so far, on all its lines, and what follows the cursor
	toks   []token
	start  int    // of the word at the cursor
	prefix string // that word, up to the cursor
	before []token
	tables []tableRef

	inComment bool // nothing is completed there
}

// tableRef is a table that the statement names, with its alias.
type tableRef struct {
	alias string
	table *Table
}

func newCompletion(sh *Shell, text string, pos int) *completion {
	c := &completion{sh: sh, text: text, start: pos}
	for _, t := range tokens(text) {
		if t.kind == tokComment && t.start < pos && pos <= t.end {
			c.inComment = true
		}
		if t.kind == tokSpace || t.kind == tokComment {
			continue
		}
		c.toks = append(c.toks, t)
		switch {
		case t.end < pos || t.end == pos && t.kind == tokSymbol:
			c.before = append(c.before, t)
		case t.start < pos:
			c.start, c.prefix = t.start, text[t.start:pos]
		}
	}
	c.widen()
	c.findTables()
	return c
}

// widen takes in what a name may hold beyond letters (order-lines, a.b#c) when
// a table or column begins with the longer word.
func (c *completion) widen() {
	start := c.start
	before := c.before
	for len(before) > 0 {
		last := before[len(before)-1]
		piece := c.text[last.start:last.end]
		if last.end != start || last.kind == tokName || last.kind == tokString || last.kind == tokSymbol && !strings.Contains("-#:", piece) {
			break
		}
		start, before = last.start, before[:len(before)-1]
	}
	if start == c.start {
		return
	}
	longer := c.text[start:c.start] + c.prefix
	for name := range c.sh.words.tables {
		if hasPrefixFold(name, longer) {
			c.start, c.prefix, c.before = start, longer, before
			return
		}
	}
	if len(c.sh.words.columnsFrom(longer)) > 0 {
		c.start, c.prefix, c.before = start, longer, before
	}
}

// word is the n-th token before the cursor's word, in upper case; "" when there
// is none. The last one is 1.
func (c *completion) word(n int) string {
	if n > len(c.before) {
		return ""
	}
	t := c.before[len(c.before)-n]
	return strings.ToUpper(c.text[t.start:t.end])
}

// name is the n-th token before, without back quotes.
func (c *completion) name(n int) string {
	if n > len(c.before) {
		return ""
	}
	t := c.before[len(c.before)-n]
	return unquoteName(c.text[t.start:t.end])
}

func unquoteName(s string) string {
	if len(s) >= 2 && s[0] == '`' {
		return strings.ReplaceAll(strings.Trim(s, "`"), "``", "`")
	}
	return s
}

// candidates chooses by what stands before.
func (c *completion) candidates() []string {
	if c.inComment {
		return nil
	}
	if strings.HasPrefix(c.prefix, "'") || strings.HasPrefix(c.prefix, `"`) {
		return c.values()
	}
	if strings.HasPrefix(c.prefix, ":") {
		return c.params()
	}
	switch last := c.word(1); {
	case len(c.before) == 0:
		return c.cased(statementWords)
	case last == ".":
		return c.qualified(c.name(2))
	case last == "USE" || (last == "DATABASE" || last == "SCHEMA") && c.word(2) != "":
		return c.names(c.sh.words.catalog.Databases)
	case c.inFrom():
		return c.names(append(c.tableNames(), c.sh.words.catalog.Databases...))
	case last == "SET" || strings.HasPrefix(c.prefix, "@@") || (last == "SESSION" || last == "GLOBAL") && c.word(2) == "SET":
		return c.variables()
	case last == "=" && c.settingValue() != nil:
		return matching(c.settingValue(), c.prefix)
	case last == "SHOW":
		return c.cased(strings.Fields("TABLES DATABASES COLUMNS INDEX CREATE VARIABLES STATUS WARNINGS PROCESSLIST"))
	}
	return c.expression()
}

// expression offers columns, aliases, values, functions and keywords.
func (c *completion) expression() []string {
	list := c.values()
	list = append(list, c.columns()...)
	for _, r := range c.tables {
		if r.alias != "" {
			list = append(list, c.names([]string{r.alias})...)
		}
	}
	if c.prefix == "" && len(list) > 0 {
		return list
	}
	functions := c.sh.words.catalog.Functions
	if len(functions) == 0 {
		functions = functionNames
	}
	if c.prefix != "" {
		for _, f := range c.cased(functions) {
			list = append(list, f+"(")
		}
	}
	return append(list, c.cased(keywords)...)
}

// cased keeps the words that begin as typed, in the case in which the typing
// began.
func (c *completion) cased(words []string) []string {
	list := matching(words, c.prefix)
	if c.prefix != "" && c.prefix[0] >= 'a' && c.prefix[0] <= 'z' {
		for i := range list {
			list[i] = strings.ToLower(list[i])
		}
	}
	return list
}

// names keeps the names that begin as typed, in back quotes where SQL needs
// them or the user began so.
func (c *completion) names(names []string) []string {
	typed := strings.TrimPrefix(c.prefix, "`")
	var list []string
	for _, n := range matching(names, typed) {
		if strings.HasPrefix(c.prefix, "`") || !isPlainName(n) {
			n = quoteName(n)
		}
		list = append(list, n)
	}
	return list
}

// isPlainName reports whether a name may stand without back quotes.
func isPlainName(s string) bool {
	return s != "" && run(s, isWord) == len(s) && (s[0] < '0' || s[0] > '9') && !isReserved(strings.ToUpper(s))
}

func (c *completion) params() []string {
	var list []string
	for _, name := range sortedKeys(c.sh.vars) {
		list = append(list, ":"+name)
	}
	return matching(list, c.prefix)
}

// inFrom reports whether a table is expected: after FROM and the like, or after
// a comma of the list that FROM begins.
func (c *completion) inFrom() bool {
	switch c.word(1) {
	case "FROM", "JOIN", "UPDATE", "INTO", "TABLE", "DESCRIBE", "DESC", "STRAIGHT_JOIN":
		return c.word(2) != "BY" && (c.word(1) != "DESC" || len(c.before) == 1)
	case ",":
		for n := 2; n <= len(c.before); n++ {
			switch w := c.word(n); {
			case w == "FROM":
				return true
			case w == "(" || w == ")" || isKeyword[w] && w != "AS":
				return false
			}
		}
	}
	return false
}

// tableNames are the tables of the current database.
func (c *completion) tableNames() []string {
	return tableNames(c.sh.currentTables(c.sh.words.catalog))
}

// findTables finds the tables that the whole statement names.
func (c *completion) findTables() {
	for i, t := range c.toks {
		switch strings.ToUpper(c.text[t.start:t.end]) {
		case "FROM", "JOIN", "UPDATE", "INTO":
			c.tableList(i + 1)
		}
	}
}

// tableList reads a list of tables with aliases that begins at token i.
func (c *completion) tableList(i int) {
	for i < len(c.toks) {
		name, next := c.nameAt(i)
		if name == "" {
			return
		}
		ref := tableRef{table: c.sh.findTable(name)}
		if c.upperAt(next) == "AS" {
			next++
		}
		if alias, after := c.nameAt(next); alias != "" && !isReserved(strings.ToUpper(alias)) {
			ref.alias, next = alias, after
		}
		if ref.table != nil {
			c.tables = append(c.tables, ref)
		}
		if c.upperAt(next) != "," {
			return
		}
		i = next + 1
	}
}

func (c *completion) upperAt(i int) string {
	if i >= len(c.toks) {
		return ""
	}
	return strings.ToUpper(c.text[c.toks[i].start:c.toks[i].end])
}

// nameAt reads a name, possibly database.table, at token i.
func (c *completion) nameAt(i int) (string, int) {
	if i >= len(c.toks) || c.toks[i].kind != tokWord && c.toks[i].kind != tokName {
		return "", i
	}
	name := unquoteName(c.text[c.toks[i].start:c.toks[i].end])
	if c.upperAt(i+1) == "." && i+2 < len(c.toks) {
		return name + "." + unquoteName(c.text[c.toks[i+2].start:c.toks[i+2].end]), i + 3
	}
	return name, i + 1
}

// findTable finds a table by name or database.name among those known.
func (sh *Shell) findTable(name string) *Table {
	db := sh.session.Database()
	if t := sh.words.find(db, name); t != nil {
		return t
	}
	if qualifier, rest, ok := strings.Cut(name, "."); ok {
		return sh.words.find(qualifier, rest)
	}
	return nil
}

func (w *wordIndex) find(database, name string) *Table {
	for _, t := range w.tables[strings.ToLower(name)] {
		if t.Database == "" || strings.EqualFold(t.Database, database) {
			return t
		}
	}
	return nil
}

// qualified completes after "owner.": columns of a table or alias, tables of a
// database.
func (c *completion) qualified(owner string) []string {
	var names []string
	for _, r := range c.tables {
		if strings.EqualFold(r.alias, owner) || strings.EqualFold(r.table.Name, owner) {
			names = append(names, namesOf(r.table.Columns)...)
		}
	}
	for i := range c.sh.words.catalog.Tables {
		if t := &c.sh.words.catalog.Tables[i]; strings.EqualFold(t.Database, owner) {
			names = append(names, t.Name)
		}
	}
	return c.names(names)
}

func namesOf(columns []Column) []string {
	var names []string
	for _, col := range columns {
		names = append(names, col.Name)
	}
	return names
}

// columns are those of the statement's tables, or of all while it names none.
func (c *completion) columns() []string {
	var names []string
	for _, r := range c.tables {
		names = append(names, namesOf(r.table.Columns)...)
	}
	if len(c.tables) == 0 && c.prefix != "" {
		names = c.sh.words.columnsFrom(strings.TrimPrefix(c.prefix, "`"))
	}
	return c.names(names)
}

// values are the values of the column that the cursor's place is compared with.
func (c *completion) values() []string {
	column := c.comparedColumn()
	if column == "" {
		return nil
	}
	for _, r := range c.tables {
		for _, col := range r.table.Columns {
			if strings.EqualFold(col.Name, column) {
				return matching(col.Values, c.prefix)
			}
		}
	}
	return nil
}

// comparedColumn is the column before an operator or an IN list.
func (c *completion) comparedColumn() string {
	n := 1
	for n <= len(c.before) && (c.word(n) == "," || c.before[len(c.before)-n].kind == tokString || c.before[len(c.before)-n].kind == tokNumber) {
		n++
	}
	switch {
	case c.word(n) == "(" && c.word(n+1) == "IN":
		n += 2
	case n == 1 && strings.Contains("= < > <> != <= >= LIKE", c.word(1)) && c.word(1) != "":
		for n++; n <= len(c.before) && strings.Contains("<>!=", c.word(n)); n++ {
		}
	default:
		return ""
	}
	if c.word(n) == "NOT" {
		n++
	}
	return c.name(n)
}

// variables are the session variables, as SET or @@ wants them.
func (c *completion) variables() []string {
	var names []string
	lead := ""
	if strings.HasPrefix(c.prefix, "@@") {
		lead = "@@"
	}
	for _, v := range c.sh.session.Variables() {
		names = append(names, lead+v.Name)
	}
	return matching(names, c.prefix)
}

// settingValue are the values of the variable in "SET name =", as SQL writes
// them; nil when this is no SET or the values are not a list.
func (c *completion) settingValue() []string {
	if c.word(3) != "SET" && c.word(3) != "SESSION" && c.word(3) != "," || strings.ToUpper(c.text[c.toks[0].start:c.toks[0].end]) != "SET" {
		return nil
	}
	name := strings.TrimLeft(c.name(2), "@")
	for _, v := range c.sh.session.Variables() {
		if strings.EqualFold(v.Name, name) {
			var list []string
			for _, value := range v.Values {
				if !isNumber(value) {
					value = "'" + value + "'"
				}
				list = append(list, value)
			}
			sort.Strings(list)
			return list
		}
	}
	return nil
}
