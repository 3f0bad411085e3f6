package engine

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// system are the databases that MySQL has itself, as far as clients ask for
// them: the accounts, and what they look up to show the state of a server.
type system struct {
	on       atomic.Bool // once there are accounts
	accounts *mysql_db.MySQLDb
	more     *fixedDatabase // of the accounts' database
	others   []*fixedDatabase
}

// systemNames cannot be names of connections.
var systemNames = []string{"information_schema", "mysql", "performance_schema", "sys"}

func newSystem() *system {
	return &system{accounts: mysql_db.CreateEmptyMySQLDb(), more: mysqlTables(), others: []*fixedDatabase{performanceSchema(), sysSchema()}}
}

func (s *system) databases() []sql.Database {
	if !s.on.Load() {
		return nil
	}
	all := []sql.Database{s.accounts}
	for _, db := range s.others {
		all = append(all, db)
	}
	return all
}

func (s *system) database(name string) sql.Database {
	for _, db := range s.databases() {
		if strings.EqualFold(db.Name(), name) {
			return db
		}
	}
	if s.on.Load() && strings.EqualFold(name, moreOfMySQL) {
		return s.more
	}
	return nil
}

// A fixedDatabase holds tables whose rows are made when they are read.
type fixedDatabase struct {
	name   string
	tables map[string]*fixedTable
}

var _ sql.ReadOnlyDatabase = (*fixedDatabase)(nil)

// Name implements sql.Database.
func (d *fixedDatabase) Name() string { return d.name }

// IsReadOnly implements sql.ReadOnlyDatabase.
func (d *fixedDatabase) IsReadOnly() bool { return true }

// GetTableInsensitive implements sql.Database.
func (d *fixedDatabase) GetTableInsensitive(_ *sql.Context, name string) (sql.Table, bool, error) {
	t, ok := d.tables[strings.ToLower(name)]
	return t, ok, nil
}

// GetTableNames implements sql.Database.
func (d *fixedDatabase) GetTableNames(*sql.Context) ([]string, error) {
	var names []string
	for name := range d.tables {
		names = append(names, name)
	}
	slices.Sort(names)
	return names, nil
}

// A fixedTable has columns and, if rows is set, rows.
type fixedTable struct {
	name   string
	schema sql.Schema
	rows   func(*sql.Context) []sql.Row
}

var _ sql.Table = (*fixedTable)(nil)

// Name implements sql.Table.
func (t *fixedTable) Name() string { return t.name }

// String implements sql.Table.
func (t *fixedTable) String() string { return t.name }

// Schema implements sql.Table.
func (t *fixedTable) Schema(*sql.Context) sql.Schema { return t.schema }

// Collation implements sql.Table.
func (t *fixedTable) Collation() sql.CollationID { return sql.Collation_Default }

// Partitions implements sql.Table.
func (t *fixedTable) Partitions(*sql.Context) (sql.PartitionIter, error) {
	return sql.PartitionsToPartitionIter(onlyPartition{}), nil
}

// PartitionRows implements sql.Table.
func (t *fixedTable) PartitionRows(ctx *sql.Context, _ sql.Partition) (sql.RowIter, error) {
	if t.rows == nil {
		return sql.RowsToRowIter(), nil
	}
	return sql.RowsToRowIter(t.rows(ctx)...), nil
}

type onlyPartition struct{}

func (onlyPartition) Key() []byte { return []byte("all") }

// fixed makes a table from a list of columns, such as "thread_id:int name".
// A column is text unless it says otherwise.
func (d *fixedDatabase) fixed(name, columns string, rows func(*sql.Context) []sql.Row) {
	t := &fixedTable{name: name, rows: rows}
	for _, c := range strings.Fields(columns) {
		column, kind, _ := strings.Cut(c, ":")
		var of sql.Type = types.LongText
		if kind == "int" {
			of = types.Uint64
		}
		t.schema = append(t.schema, &sql.Column{Name: column, Type: of, Nullable: true, Source: name, DatabaseSource: d.name})
	}
	d.tables[name] = t
}

// mysqlTables are tables of the database mysql for which clients ask, beside
// those of the accounts; all are empty.
func mysqlTables() *fixedDatabase {
	d := &fixedDatabase{name: moreOfMySQL, tables: map[string]*fixedTable{}}
	d.fixed("func", "name ret:int dl type", nil)
	d.fixed("plugin", "name dl", nil)
	d.fixed("help_topic", "help_topic_id:int name help_category_id:int description example url", nil)
	d.fixed("help_category", "help_category_id:int name parent_category_id:int url", nil)
	d.fixed("help_keyword", "help_keyword_id:int name", nil)
	d.fixed("help_relation", "help_topic_id:int help_keyword_id:int", nil)
	d.fixed("component", "component_id:int component_group_id:int component_urn", nil)
	d.fixed("servers", "Server_name Host Db Username Password Port:int Socket Wrapper Owner", nil)
	d.fixed("general_log", "event_time user_host thread_id:int server_id:int command_type argument", nil)
	d.fixed("slow_log", "start_time user_host query_time lock_time rows_sent:int rows_examined:int db last_insert_id:int insert_id:int server_id:int sql_text thread_id:int", nil)
	d.fixed("time_zone", "Time_zone_id:int Use_leap_seconds", nil)
	d.fixed("time_zone_name", "Name Time_zone_id:int", nil)
	d.fixed("columns_priv", "Host Db User Table_name Column_name Timestamp Column_priv", nil)
	d.fixed("default_roles", "HOST USER DEFAULT_ROLE_HOST DEFAULT_ROLE_USER", nil)
	d.fixed("innodb_index_stats", "database_name table_name index_name last_update stat_name stat_value:int sample_size:int stat_description", nil)
	d.fixed("innodb_table_stats", "database_name table_name last_update n_rows:int clustered_index_size:int sum_of_other_index_sizes:int", nil)
	return d
}

// isMoreOfMySQL reports whether a table is one of mysqlTables.
func isMoreOfMySQL(name string) bool {
	_, ok := mysqlTables().tables[strings.ToLower(name)]
	return ok
}

// performanceSchema has the tables that MySQL Workbench and drivers ask for.
// Nothing is recorded, so most of them are empty.
func performanceSchema() *fixedDatabase {
	d := &fixedDatabase{name: "performance_schema", tables: map[string]*fixedTable{}}
	const variable = "VARIABLE_NAME VARIABLE_VALUE"
	d.fixed("global_variables", variable, func(ctx *sql.Context) []sql.Row {
		return pairs(sql.SystemVariables.GetAllGlobalVariables())
	})
	d.fixed("session_variables", variable, func(ctx *sql.Context) []sql.Row {
		return pairs(ctx.Session.GetAllSessionVariables())
	})
	d.fixed("global_status", variable, globalStatus)
	d.fixed("session_status", variable, sessionStatus)
	d.fixed("threads", "THREAD_ID:int NAME TYPE PROCESSLIST_ID:int PROCESSLIST_USER PROCESSLIST_HOST PROCESSLIST_DB PROCESSLIST_COMMAND PROCESSLIST_TIME:int PROCESSLIST_STATE PROCESSLIST_INFO PARENT_THREAD_ID:int ROLE INSTRUMENTED HISTORY CONNECTION_TYPE THREAD_OS_ID:int RESOURCE_GROUP", threads)
	d.fixed("processlist", "ID:int USER HOST DB COMMAND TIME:int STATE INFO EXECUTION_ENGINE", processes)
	const event = "THREAD_ID:int EVENT_ID:int END_EVENT_ID:int EVENT_NAME SOURCE TIMER_START:int TIMER_END:int TIMER_WAIT:int "
	const statement = event + "LOCK_TIME:int SQL_TEXT DIGEST DIGEST_TEXT CURRENT_SCHEMA OBJECT_TYPE OBJECT_SCHEMA OBJECT_NAME OBJECT_INSTANCE_BEGIN:int MYSQL_ERRNO:int RETURNED_SQLSTATE MESSAGE_TEXT ERRORS:int WARNINGS:int ROWS_AFFECTED:int ROWS_SENT:int ROWS_EXAMINED:int CREATED_TMP_DISK_TABLES:int CREATED_TMP_TABLES:int SELECT_FULL_JOIN:int SELECT_FULL_RANGE_JOIN:int SELECT_RANGE:int SELECT_RANGE_CHECK:int SELECT_SCAN:int SORT_MERGE_PASSES:int SORT_RANGE:int SORT_ROWS:int SORT_SCAN:int NO_INDEX_USED:int NO_GOOD_INDEX_USED:int NESTING_EVENT_ID:int NESTING_EVENT_TYPE NESTING_EVENT_LEVEL:int STATEMENT_ID:int"
	for _, suffix := range []string{"current", "history", "history_long"} {
		d.fixed("events_statements_"+suffix, statement, nil)
		d.fixed("events_stages_"+suffix, event+"WORK_COMPLETED:int WORK_ESTIMATED:int NESTING_EVENT_ID:int NESTING_EVENT_TYPE", nil)
		d.fixed("events_waits_"+suffix, event+"SPINS:int OBJECT_SCHEMA OBJECT_NAME INDEX_NAME OBJECT_TYPE OBJECT_INSTANCE_BEGIN:int NESTING_EVENT_ID:int NESTING_EVENT_TYPE OPERATION NUMBER_OF_BYTES:int FLAGS:int", nil)
	}
	d.fixed("events_statements_summary_by_digest", "SCHEMA_NAME DIGEST DIGEST_TEXT COUNT_STAR:int SUM_TIMER_WAIT:int MIN_TIMER_WAIT:int AVG_TIMER_WAIT:int MAX_TIMER_WAIT:int SUM_ROWS_SENT:int SUM_ROWS_EXAMINED:int FIRST_SEEN LAST_SEEN", nil)
	d.fixed("setup_instruments", "NAME ENABLED TIMED PROPERTIES FLAGS VOLATILITY:int DOCUMENTATION", nil)
	d.fixed("setup_consumers", "NAME ENABLED", nil)
	d.fixed("setup_actors", "HOST USER ROLE ENABLED HISTORY", nil)
	d.fixed("session_account_connect_attrs", "PROCESSLIST_ID:int ATTR_NAME ATTR_VALUE ORDINAL_POSITION:int", nil)
	d.fixed("session_connect_attrs", "PROCESSLIST_ID:int ATTR_NAME ATTR_VALUE ORDINAL_POSITION:int", nil)
	d.fixed("metadata_locks", "OBJECT_TYPE OBJECT_SCHEMA OBJECT_NAME COLUMN_NAME OBJECT_INSTANCE_BEGIN:int LOCK_TYPE LOCK_DURATION LOCK_STATUS SOURCE OWNER_THREAD_ID:int OWNER_EVENT_ID:int", nil)
	d.fixed("replication_group_members", "CHANNEL_NAME MEMBER_ID MEMBER_HOST MEMBER_PORT:int MEMBER_STATE MEMBER_ROLE MEMBER_VERSION", nil)
	d.fixed("keyring_keys", "KEY_ID KEY_OWNER BACKEND_KEY_ID", nil)
	return d
}

// sysSchema is what clients look for to know that there is a sys schema.
func sysSchema() *fixedDatabase {
	d := &fixedDatabase{name: "sys", tables: map[string]*fixedTable{}}
	d.fixed("version", "sys_version mysql_version", func(*sql.Context) []sql.Row {
		return []sql.Row{{"2.1.2", ServerVersion}}
	})
	d.fixed("sys_config", "variable value set_time set_by", nil)
	const session = "thd_id:int conn_id:int user db command state time:int current_statement"
	rows := func(ctx *sql.Context) []sql.Row {
		var out []sql.Row
		for _, p := range ctx.ProcessList.Processes() {
			id := uint64(p.Connection)
			out = append(out, sql.Row{id, id, p.User + "@" + p.Host, p.Database, string(p.Command), nil, p.Seconds(), p.Query})
		}
		return out
	}
	d.fixed("session", session, rows)
	d.fixed("processlist", session, rows)
	return d
}
