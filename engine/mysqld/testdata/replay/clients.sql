select @@version_comment limit 1
select USER()
select DATABASE() => dynamodb
show databases
show tables => customers
help 'show'
SELECT @@character_set_database
SHOW FULL TABLES
SELECT CONNECTION_ID()
SELECT TABLE_NAME, COLUMN_NAME FROM information_schema.columns WHERE table_schema = 'dynamodb' ORDER BY table_name, ordinal_position => customers
SELECT CONCAT("'", user, "'@'",host,"'") FROM mysql.user
SELECT name from mysql.help_topic WHERE name like "SHOW %"
SELECT ROUTINE_NAME FROM INFORMATION_SCHEMA.ROUTINES WHERE ROUTINE_TYPE="FUNCTION" AND ROUTINE_SCHEMA = "dynamodb"
SHOW VARIABLES LIKE 'version' => version
SHOW VARIABLES LIKE 'skip_networking'
SHOW /*!50002 GLOBAL */ STATUS
SHOW /*!50002 GLOBAL */ VARIABLES
SELECT NOW()
SHOW EVENTS FROM `dynamodb`
SELECT *, EVENT_SCHEMA AS `Db`, EVENT_NAME AS `Name` FROM information_schema.`EVENTS` WHERE `EVENT_SCHEMA`='dynamodb'
SELECT `DEFAULT_COLLATION_NAME` FROM `information_schema`.`SCHEMATA` WHERE `SCHEMA_NAME`='dynamodb'
SHOW EXTENDED COLUMNS FROM orders
SHOW EXTENDED FULL COLUMNS FROM orders
SHOW EXTENDED INDEX FROM orders
SHOW EXTENDED TABLES
SHOW ERRORS
SHOW WARNINGS LIMIT 5
DESCRIBE orders 'cust%' => customer
DESCRIBE orders customer => customer
DESC `orders` '%'
EXPLAIN orders => customer
EXPLAIN orders customer => customer
SHOW FIELDS FROM orders LIKE 'cust%' => customer
CHECKSUM TABLE orders
ANALYZE TABLE orders
CHECK TABLE orders
SELECT BENCHMARK(10, 1+1) => 0
SELECT SLEEP(0) => 0
SELECT GET_LOCK('x', 0) => 1
SELECT RELEASE_LOCK('x') => 1
DO 1
FLUSH PRIVILEGES
FLUSH TABLES
FLUSH STATUS
SHOW STORAGE ENGINES
SHOW CREATE DATABASE dynamodb => dynamodb
SHOW CREATE DATABASE IF NOT EXISTS dynamodb => dynamodb
SHOW ENGINE INNODB STATUS
SHOW PROCESSLIST
SHOW MASTER LOGS
SET @a = 5
SELECT @a => 5
SELECT @b := 7 => 7
SELECT @b => 7
SET GLOBAL max_connections = 100
SET TRANSACTION ISOLATION LEVEL REPEATABLE READ
START TRANSACTION
START TRANSACTION READ ONLY
START TRANSACTION WITH CONSISTENT SNAPSHOT
BEGIN
COMMIT
SAVEPOINT a
ROLLBACK TO SAVEPOINT a
RELEASE SAVEPOINT a
LOCK TABLES orders READ
UNLOCK TABLES
USE dynamodb
LOAD DATA LOCAL INFILE 'x' INTO TABLE orders => error 1290
SELECT * FROM orders INTO OUTFILE '/tmp/dynasql-must-not-exist' => error 1290
INSERT INTO orders (customer, number) VALUES ('x', 1) => error 1290
UPDATE orders SET total = 1 => error 1290
DELETE FROM orders => error 1290
CREATE TABLE x (a INT) => error 1290
DROP TABLE orders => error 1290
SELECT LOAD_FILE('/etc/passwd') => error 1290
PREPARE x FROM 'SELECT LOAD_FILE(''/etc/passwd'')' => error 1290
SELECT 1 INTO DUMPFILE '/tmp/dynasql-must-not-exist' => error 1290
OPTIMIZE TABLE orders => error 1290
REPAIR TABLE orders => error 1290
PREPARE s FROM 'SELECT ? + 1'
SET @n = 41
EXECUTE s USING @n => 42
DEALLOCATE PREPARE s
DEALLOCATE PREPARE s => error 1243
SELECT @@no_such_variable => error 1193
SELECT nosuchcolumn FROM orders => error 1054
SELECT * FROM nosuchtable => error 1146
SELECT * FROM nosuchdb.t => error 1049
USE nosuchdb => error 1049
SELECT nosuchfunction(1) => error 1305
SELEC 1 => error 1064
SELECT customer FROM orders o, orders p => error 1052
SELECT 1 FROM orders o, customers o => error 1066
SELECT ABS(1, 2) => error 1582
SELECT (SELECT 1 UNION SELECT 2) => error 1242
SELECT (SELECT 1, 2) => error 1241
SET max_connections = 5 => error 1229
SET version = 'x' => error 1238
