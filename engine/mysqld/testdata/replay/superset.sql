SELECT 1 => 1
ROLLBACK
SELECT CAST('test plain returns' AS CHAR(60)) AS anon_1 => test plain returns
SELECT CAST('test unicode returns' AS CHAR(60)) AS anon_1 => test unicode returns
SELECT CAST('test collated returns' AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin AS anon_1 => test collated returns
SELECT @@transaction_isolation => REPEATABLE-READ
show collation where `Charset` = 'utf8mb4' and `Collation` = 'utf8mb4_bin' => utf8mb4_bin
SELECT schema_name FROM information_schema.schemata
SHOW schemas
SHOW FULL TABLES FROM `dynamodb`
SHOW CREATE TABLE `dynamodb`.`orders` => orders
DESCRIBE `dynamodb`.`orders` => customer
SELECT TABLE_NAME FROM information_schema.views WHERE TABLE_SCHEMA='dynamodb'
SHOW VARIABLES LIKE 'sql_mode' => sql_mode
SHOW VARIABLES LIKE 'lower_case_table_names'
SELECT DATE(DATE_SUB('2024-05-06', INTERVAL DAYOFMONTH('2024-05-06') - 1 DAY)) => 2024-05-01
SELECT MAKEDATE(YEAR('2024-05-06'), 1) + INTERVAL QUARTER('2024-05-06') QUARTER - INTERVAL 1 QUARTER
SELECT DATE_ADD(DATE('2024-05-06 07:08:09'), INTERVAL HOUR('2024-05-06 07:08:09') HOUR)
KILL CONNECTION 4294967295 => error 1094
SELECT CONNECTION_ID()
