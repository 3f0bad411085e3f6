set autocommit=1
SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ
SHOW SESSION VARIABLES LIKE 'lower_case_table_names'
SHOW SESSION VARIABLES LIKE 'sql_mode' => sql_mode
SHOW SESSION VARIABLES LIKE 'version' => version
SHOW SESSION VARIABLES LIKE 'version_comment' => version_comment
SHOW SESSION VARIABLES LIKE 'version_compile_os' => version_compile_os
SHOW SESSION VARIABLES LIKE 'offline_mode'
SHOW SESSION VARIABLES LIKE 'wait_timeout' => wait_timeout
SHOW SESSION VARIABLES LIKE 'interactive_timeout' => interactive_timeout
SELECT current_user()
SET CHARACTER SET utf8
SET NAMES utf8
SET NAMES 'utf8'
SET SQL_SAFE_UPDATES=1
SELECT CONNECTION_ID()
SHOW SESSION STATUS LIKE 'Ssl_cipher' => Ssl_cipher
SHOW DATABASES
SHOW ENGINES
SHOW CHARSET
SHOW COLLATION
SHOW VARIABLES
SHOW GLOBAL VARIABLES
SHOW GLOBAL STATUS
SHOW STATUS
SHOW PLUGINS
SHOW FULL TABLES FROM `dynamodb`
SHOW FULL TABLES FROM `dynamodb` WHERE Table_type = 'BASE TABLE'
SHOW COLUMNS FROM `dynamodb`.`orders` => customer
SHOW INDEXES FROM `dynamodb`.`orders`
SHOW FULL COLUMNS FROM `dynamodb`.`orders`
SHOW TRIGGERS FROM `dynamodb` LIKE 'orders'
SHOW PROCEDURE STATUS WHERE Db='dynamodb'
SHOW FUNCTION STATUS WHERE Db='dynamodb'
SHOW TABLE STATUS FROM `dynamodb` LIKE 'orders' => orders
SHOW CREATE TABLE `dynamodb`.`orders`
SHOW GRANTS
SELECT QUOTE(SCHEMA_NAME), DEFAULT_CHARACTER_SET_NAME, DEFAULT_COLLATION_NAME FROM information_schema.SCHEMATA
SELECT TABLE_NAME, ENGINE, TABLE_ROWS, AVG_ROW_LENGTH, DATA_LENGTH, INDEX_LENGTH FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'dynamodb'
SELECT * FROM information_schema.FILES
SELECT name, type FROM mysql.func ORDER BY name
SELECT st.* FROM performance_schema.events_statements_current st JOIN performance_schema.threads thr ON thr.thread_id = st.thread_id WHERE thr.processlist_id = 1
SELECT st.* FROM performance_schema.events_stages_history_long st WHERE st.nesting_event_id = 1
SELECT * FROM performance_schema.session_variables WHERE variable_name = 'wait_timeout' => wait_timeout
SELECT * FROM sys.version => 2.1.2
SELECT COUNT(*) FROM performance_schema.setup_consumers WHERE enabled='NO' => 0
SELECT `t`.PROCESSLIST_ID, IF (NAME = 'thread/sql/event_scheduler','event_scheduler', `t`.PROCESSLIST_USER) PROCESSLIST_USER, `t`.PROCESSLIST_HOST, `t`.PROCESSLIST_DB, `t`.PROCESSLIST_COMMAND, `t`.PROCESSLIST_TIME, `t`.PROCESSLIST_STATE, `t`.THREAD_ID, `t`.TYPE, `t`.NAME, `t`.PARENT_THREAD_ID, `t`.INSTRUMENTED, `t`.PROCESSLIST_INFO, a.ATTR_VALUE FROM performance_schema.threads `t` LEFT OUTER JOIN performance_schema.session_connect_attrs a ON `t`.processlist_id = a.processlist_id AND (a.attr_name IS NULL OR a.attr_name = 'program_name') WHERE `t`.TYPE <> 'BACKGROUND'
EXPLAIN FORMAT=JSON SELECT * FROM orders WHERE customer = 'c1'
EXPLAIN FORMAT=TRADITIONAL SELECT * FROM orders
EXPLAIN FOR CONNECTION 1 => error 3012
