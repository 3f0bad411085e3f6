SELECT 'ok' => ok
SELECT @@GLOBAL.time_zone AS global_tz, @@system_time_zone AS system_tz, time_format(timediff(now(), convert_tz(now(), @@GLOBAL.time_zone, '+00:00')), '%H:%i') AS offset
SELECT @@session.time_zone
SET @@session.time_zone = '+00:00'
SHOW GRANTS FOR CURRENT_USER
SHOW GRANTS FOR CURRENT_USER()
SELECT `c`.`column_name` AS `name`, `c`.`ordinal_position` - 1 AS `database-position`, NULL AS `table-schema`, `c`.`table_name` AS `table-name`, IF(`c`.`column_type` = 'tinyint(1)', 'BIT', UPPER(`c`.`data_type`)) AS `database-type`, `c`.`extra` = 'auto_increment' AS `database-is-auto-increment`, (`c`.`column_default` IS NULL) AND (`c`.`is_nullable` = 'NO') AS `database-required`, `c`.`column_key` = 'PRI' AS `pk?`, NULLIF(`c`.`column_comment`, '') AS `field-comment` FROM `information_schema`.`columns` AS `c` WHERE (`c`.`table_schema` NOT IN ('information_schema', 'performance_schema', 'sys', 'mysql')) AND (`c`.`table_name` IN ('orders')) ORDER BY `table-name` ASC, `database-position` ASC => customer
SELECT `a`.`constraint_name`, `a`.`table_name` AS `fk-table-name`, `a`.`column_name` AS `fk-column-name`, `a`.`referenced_table_name` AS `pk-table-name`, `a`.`referenced_column_name` AS `pk-column-name` FROM `information_schema`.`key_column_usage` AS `a` INNER JOIN `information_schema`.`table_constraints` AS `b` ON `a`.`constraint_schema` = `b`.`constraint_schema` AND `a`.`table_name` = `b`.`table_name` AND `a`.`constraint_name` = `b`.`constraint_name` WHERE `b`.`constraint_type` = 'FOREIGN KEY' AND `a`.`table_schema` = 'dynamodb'
SELECT table_name, index_name, column_name FROM information_schema.statistics WHERE table_schema = 'dynamodb' AND seq_in_index = 1
SHOW VARIABLES LIKE 'aurora_version'
SELECT COUNT(*) FROM mysql.time_zone_name
SELECT TRUE AS `_` FROM `dynamodb`.`orders` WHERE 1 <> 1 LIMIT 0
