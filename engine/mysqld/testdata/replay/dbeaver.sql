/* ApplicationName=DBeaver 23.0.0 - Main */ SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ
/* ApplicationName=DBeaver 23.0.0 - Main */ SET SQL_SELECT_LIMIT=DEFAULT
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SELECT DATABASE() => dynamodb
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SHOW ENGINES
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SHOW CHARSET
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SHOW COLLATION
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SHOW PLUGINS
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SELECT * FROM information_schema.SCHEMATA
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SELECT @@GLOBAL.character_set_server,@@GLOBAL.collation_server
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SHOW VARIABLES LIKE 'lower_case_table_names'
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SHOW FULL TABLES FROM `dynamodb`
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SHOW FULL TABLES FROM `dynamodb` LIKE 'orders'
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SHOW TABLE STATUS FROM `dynamodb`
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SHOW TABLE STATUS FROM `dynamodb` WHERE Name = 'orders'
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SHOW FULL COLUMNS FROM `dynamodb`.`orders`
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SELECT * FROM information_schema.COLUMNS WHERE TABLE_SCHEMA='dynamodb' AND TABLE_NAME='orders' ORDER BY ORDINAL_POSITION
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SHOW INDEX FROM `dynamodb`.`orders`
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SELECT * FROM information_schema.STATISTICS WHERE TABLE_SCHEMA='dynamodb' AND TABLE_NAME='orders' ORDER BY TABLE_NAME,INDEX_NAME,SEQ_IN_INDEX
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SELECT kc.CONSTRAINT_NAME,kc.TABLE_NAME,kc.COLUMN_NAME,kc.ORDINAL_POSITION FROM information_schema.KEY_COLUMN_USAGE kc WHERE kc.TABLE_SCHEMA='dynamodb' AND kc.REFERENCED_TABLE_NAME IS NULL AND kc.TABLE_NAME='orders' ORDER BY kc.CONSTRAINT_NAME,kc.ORDINAL_POSITION => PRIMARY
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SELECT cc.CONSTRAINT_NAME, cc.CHECK_CLAUSE, tc.TABLE_NAME FROM (SELECT CONSTRAINT_NAME, CHECK_CLAUSE FROM information_schema.CHECK_CONSTRAINTS WHERE CONSTRAINT_SCHEMA = 'dynamodb' ORDER BY CONSTRAINT_NAME) cc, (SELECT TABLE_NAME, CONSTRAINT_NAME FROM information_schema.TABLE_CONSTRAINTS WHERE TABLE_SCHEMA = 'dynamodb' AND TABLE_NAME='orders') tc WHERE cc.CONSTRAINT_NAME = tc.CONSTRAINT_NAME
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SELECT * FROM information_schema.PARTITIONS WHERE TABLE_SCHEMA='dynamodb' AND TABLE_NAME='orders' AND PARTITION_NAME IS NOT NULL ORDER BY PARTITION_ORDINAL_POSITION,SUBPARTITION_ORDINAL_POSITION
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SELECT * FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA='dynamodb' ORDER BY TRIGGER_NAME
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SELECT * FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA='dynamodb' ORDER BY ROUTINE_NAME
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SHOW FULL TRIGGERS FROM `dynamodb`
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SELECT * FROM information_schema.EVENTS WHERE EVENT_SCHEMA='dynamodb' ORDER BY EVENT_NAME
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SHOW CREATE TABLE `dynamodb`.`orders` => orders
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SHOW CREATE SCHEMA `dynamodb` => dynamodb
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SHOW PRIVILEGES
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SHOW GRANTS FOR CURRENT_USER()
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SHOW STATUS
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SHOW GLOBAL STATUS
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SHOW VARIABLES
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SHOW GLOBAL VARIABLES
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SELECT * FROM mysql.user ORDER BY user
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SELECT * FROM mysql.db
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SELECT * FROM mysql.tables_priv
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SHOW PROCEDURE STATUS WHERE Db = 'dynamodb'
/* ApplicationName=DBeaver 23.0.0 - Metadata */ SHOW FULL PROCESSLIST
/* ApplicationName=DBeaver 23.0.0 - Main */ EXPLAIN SELECT * FROM orders WHERE customer = 'c1'
/* ApplicationName=DBeaver 23.0.0 - Main */ EXPLAIN FORMAT=JSON SELECT * FROM orders WHERE customer = 'c1'
/* ApplicationName=DBeaver 23.0.0 - Main */ EXPLAIN EXTENDED SELECT * FROM orders WHERE customer = 'c1'
SELECT x.* FROM dynamodb.orders x LIMIT 0
