package engine

import (
	"regexp"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/vt/sqlparser"
)

// refuseFiles refuses statements that read or write files where the engine
// runs, which is not where its user is.
func refuseFiles(stmt sqlparser.Statement) error {
	if isPlain(stmt) {
		return nil
	}
	var refused error
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		switch n := node.(type) {
		case *sqlparser.Into:
			if n != nil && (n.Outfile != "" || n.Dumpfile != "") {
				refused = onlyReads("INTO OUTFILE")
			}
		case *sqlparser.FuncExpr:
			if n.Name.EqualString("load_file") {
				refused = onlyReads("LOAD_FILE")
			}
		}
		return refused == nil, nil
	}, stmt)
	return refused
}

func onlyReads(what string) error {
	return &Error{Number: erReadOnly, State: "HY000", Offset: -1, Message: "dynasql only reads tables: " + what + " is refused"}
}

// original is the statement as the user wrote it: what stands before the rest.
func original(query, one, rest string) string {
	if !strings.HasSuffix(query, rest) {
		return one
	}
	return sql.RemoveSpaceAndDelimiter(query[:len(query)-len(rest)], ';')
}

// A rewriting replaces the beginning of a statement, after spaces.
type rewriting struct {
	pattern *regexp.Regexp
	by      string
}

func rewritings(pairs ...string) []rewriting {
	var all []rewriting
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, rewriting{regexp.MustCompile(`(?is)^` + pairs[i]), pairs[i+1]})
	}
	return all
}

// nothingOf is a result without rows; its columns are those that MySQL gives.
func nothingOf(columns ...string) string {
	return "SELECT NULL AS `" + strings.Join(columns, "`, NULL AS `") + "` FROM DUAL WHERE FALSE"
}

// name is a table's name, maybe with its database's.
const name = "((?:`(?:[^`]|``)+`|[\\w$]+)(?:\\s*\\.\\s*(?:`(?:[^`]|``)+`|[\\w$]+))?)"

// end is where a statement ends.
const end = `\s*(?:;|$)`

// rewritten are the statements that the grammar lacks. Each begins with a word
// of its own, by which they are looked up.
var rewritten = map[string][]rewriting{
	"show": rewritings(
		`show\s+extended\s+`, "SHOW ",
		`show\s+full\s+triggers\b`, "SHOW TRIGGERS",
		`show\s+storage\s+engines\b`, "SHOW ENGINES",
		`show\s+(?:slave\s+hosts|replicas)\b[^;]*`, nothingOf("Server_Id", "Host", "Port", "Source_Id", "Replica_UUID"),
		`show\s+open\s+tables\b[^;]*`, nothingOf("Database", "Table", "In_use", "Name_locked"),
		`show\s+profiles\b`, nothingOf("Query_ID", "Duration", "Query"),
		`show\s+profile\b[^;]*`, nothingOf("Status", "Duration"),
		`show\s+errors\b[^;]*`, nothingOf("Level", "Code", "Message"),
		`show\s+warnings\s+limit\b[^;]*`, "SHOW WARNINGS",
		`show\s+engine\s+\w+\s+status\b`, nothingOf("Type", "Name", "Status"),
		`show\s+engine\s+\w+\s+(?:mutex|logs)\b`, nothingOf("Type", "Name", "Status"),
		`show\s+(?:master|binary)\s+logs\b`, nothingOf("Log_name", "File_size", "Encrypted"),
		`show\s+(?:master|binary\s+log)\s+status\b`, nothingOf("File", "Position", "Binlog_Do_DB", "Binlog_Ignore_DB", "Executed_Gtid_Set"),
		`show\s+(?:binlog|relaylog)\s+events\b[^;]*`, nothingOf("Log_name", "Pos", "Event_type", "Server_id", "End_log_pos", "Info"),
		`show\s+function\s+code\b[^;]*|show\s+procedure\s+code\b[^;]*`, nothingOf("Pos", "Instruction"),
	),
	"help":     rewritings(`help\b[^;]*`, nothingOf("name", "is_it_category")),
	"checksum": rewritings(`checksum\s+tables?\s+`+name+`[^;]*`, "SELECT CONCAT(DATABASE(), '.$1') AS `Table`, NULL AS `Checksum`"),
	"check":    maintain("check"),
	"analyze":  maintain("analyze"),
	"describe": describeColumns,
	"desc":     describeColumns,
	"explain":  describeColumns,
	"flush":    rewritings(`flush\s+[^;]*`, nothingToDo),
	"lock":     rewritings(`lock\s+tables?\s+(?:`+name+`\s+(?:as\s+\w+\s+)?read(?:\s+local)?\s*,?\s*)+`+end, nothingToDo),
	"do":       rewritings(`do\s+([^;]+)`, "SET @`ddb do` = JSON_ARRAY($1)"),
}

// nothingToDo is a statement that succeeds.
const nothingToDo = "SET @`ddb do` = NULL"

// maintain answers statements that look after files, of which there are none.
func maintain(what string) []rewriting {
	return rewritings(what+`\s+(?:no_write_to_binlog\s+|local\s+)?tables?\s+`+name+`[^;]*`,
		"SELECT CONCAT(DATABASE(), '.$1') AS `Table`, '"+what+"' AS `Op`, 'status' AS `Msg_type`, 'OK' AS `Msg_text`")
}

// describeColumns are DESCRIBE with a column or a pattern, where what follows
// is not to be explained.
var describeColumns = rewritings(
	`(?:describe|desc|explain)\s+`+name+`\s+'((?:[^'\\]|\\.|'')*)'`+end, "SHOW COLUMNS FROM $1 LIKE '$2'",
	`(?:describe|desc|explain)\s+`+name+`\s+"((?:[^"\\]|\\.|"")*)"`+end, `SHOW COLUMNS FROM $1 LIKE "$2"`,
	`(?:describe|desc|explain)\s+`+name+"\\s+`((?:[^`]|``)+)`"+end, "SHOW COLUMNS FROM $1 LIKE '$2'",
	`(?:describe|desc|explain)\s+`+name+`\s+([\w$]+)`+end, "SHOW COLUMNS FROM $1 LIKE '$2'",
)

var (
	forConnection = regexp.MustCompile(`(?is)^(?:describe|desc|explain)\s+(?:format\s*=\s*\w+\s+)?for\s+connection\b`)
	maintenance   = regexp.MustCompile(`(?is)^(optimize|repair)\s+(?:no_write_to_binlog\s+|local\s+)?tables?\b`)
	explained     = regexp.MustCompile(`(?i)^(?:describe|desc|explain)\s+(?:analyze|delete|extended|format|insert|partitions|plan|replace|select|table|update|values|with)\b`)
)

// rewrite puts one statement at the beginning of the text into the grammar.
func rewrite(query string) (string, error) {
	body := leadingComments(query)
	text := strings.TrimLeft(body, " \t\r\n")
	lead := body[:len(body)-len(text)]
	word, _, _ := strings.Cut(strings.ToLower(firstLetters(text)), " ")
	if m := maintenance.FindStringSubmatch(text); m != nil {
		return "", onlyReads(strings.ToUpper(m[1]) + " TABLE")
	}
	if forConnection.MatchString(text) {
		return "", &Error{Number: 3012, State: "HY000", Offset: -1,
			Message: "EXPLAIN FOR CONNECTION is refused: plans of other sessions are not kept",
			Advice:  "explain the statement itself"}
	}
	for _, r := range rewritten[word] {
		if at := r.pattern.FindStringSubmatchIndex(text); at != nil && !explained.MatchString(text) {
			replaced := r.pattern.ExpandString(nil, r.by, text, at)
			tail := text[at[1]:]
			if strings.HasSuffix(text[:at[1]], ";") {
				tail = ";" + tail
			}
			return lead + string(replaced) + tail, nil
		}
	}
	if strings.Contains(text, ":=") && word != "set" {
		text = assignments(text)
	}
	return lead + text, nil
}

func firstLetters(text string) string {
	for i := range len(text) {
		if c := text[i] | 0x20; c < 'a' || c > 'z' {
			return text[:i]
		}
	}
	return text
}

// leadingComments blanks the comments before a statement, with which tools sign
// what they send. Those that hold hints or code for a version stay.
func leadingComments(query string) string {
	blank := 0
	for {
		rest := strings.TrimLeft(query[blank:], " \t\r\n")
		start := len(query) - len(rest)
		length := commentLength(rest)
		if length == 0 {
			if blank == 0 {
				return query
			}
			return strings.Repeat(" ", start) + rest
		}
		blank = start + length
	}
}

// moreOfMySQL are tables of the database mysql that clients ask for and the
// library's lacks. They lie in a database of ours that is not listed.
const moreOfMySQL = "mysql more"

// redirect sends names of such tables there.
func redirect(stmt sqlparser.Statement) sqlparser.Statement {
	if isPlain(stmt) {
		return stmt
	}
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		if from, ok := node.(*sqlparser.AliasedTableExpr); ok {
			if t, ok := from.Expr.(sqlparser.TableName); ok && strings.EqualFold(t.DbQualifier.String(), "mysql") && isMoreOfMySQL(t.Name.String()) {
				t.DbQualifier = sqlparser.NewTableIdent(moreOfMySQL)
				if from.As.IsEmpty() {
					from.As = t.Name
				}
				from.Expr = t
				from.Auth.TargetNames = []string{moreOfMySQL, t.Name.String()}
			}
		}
		return true, nil
	}, stmt)
	return stmt
}
