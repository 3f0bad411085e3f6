#!/usr/bin/env bash
# The mariadb shell: results, errors and their numbers, streaming, PREPARE, status.
set -euo pipefail
m=(mariadb --skip-ssl --default-character-set=utf8mb4 -h "$DB_HOST" -P "$DB_PORT" -u "$DB_USER")
check() { [[ "$1" == "$2" ]] || { echo "got '$1', want '$2'" >&2; exit 1; }; }
check "$("${m[@]}" -N -e "SELECT name FROM customers WHERE id = 'c5'" "$DB_NAME")" "Eve 🍋"
check "$("${m[@]}" -N -q -e "SELECT COUNT(*) FROM orders" "$DB_NAME")" "15"
check "$("${m[@]}" -N -e "PREPARE s FROM 'SELECT ? + 1'; SET @a = 41; EXECUTE s USING @a; DEALLOCATE PREPARE s")" "42"
check "$("${m[@]}" -N -e "SHOW TABLES" "$DB_NAME" | tr '\n' ' ')" "customers kinds orders "
check "$("${m[@]}" -N -e "DESCRIBE orders 'tot%'" "$DB_NAME" | cut -f1)" "total"
check "$("${m[@]}" -e "SELECT nam FROM customers" "$DB_NAME" 2>&1 | grep -o 'ERROR 1054 (42S22)')" "ERROR 1054 (42S22)"
check "$("${m[@]}" -e "SELEC 1" 2>&1 | grep -o 'ERROR 1064 (42000)')" "ERROR 1064 (42000)"
check "$("${m[@]}" nowhere -e "SELECT 1" 2>&1 | grep -o 'ERROR 1049 (42000)')" "ERROR 1049 (42000)"
check "$("${m[@]}" --compress -N -e "SELECT REPEAT('x', 3)")" "xxx"
"${m[@]}" -e "status" "$DB_NAME" | grep -q "Server version:.*dynasql"
"${m[@]}" -t -e "EXPLAIN SELECT * FROM orders WHERE customer = 'c1'" "$DB_NAME" | grep -q Query
