SELECT DISTINCT TABLE_SCHEMA from information_schema.TABLES where TABLE_TYPE != 'SYSTEM VIEW' ORDER BY TABLE_SCHEMA
SELECT table_name FROM information_schema.tables WHERE table_schema = 'dynamodb' ORDER BY table_name => customers
SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name IN (SELECT table_name FROM information_schema.columns WHERE table_schema = DATABASE() AND data_type IN ('timestamp','datetime')) ORDER BY table_name LIMIT 1
SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = 'dynamodb' AND table_name = 'orders' ORDER BY column_name
SELECT column_name FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = 'orders' AND data_type IN ('timestamp','datetime','int','bigint','decimal') ORDER BY column_name
SELECT UNIX_TIMESTAMP('2024-01-02 03:04:05') DIV 300 * 300 AS "time"
SELECT 1 FROM DUAL WHERE NOW() BETWEEN FROM_UNIXTIME(0) AND FROM_UNIXTIME(2147483647) => 1
SELECT @@version_comment limit 1
SELECT 1 => 1
SHOW STATUS
