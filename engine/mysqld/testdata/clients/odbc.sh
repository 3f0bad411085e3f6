#!/usr/bin/env bash
# MariaDB Connector/ODBC through isql: rows, doubles in full, lists of columns.
set -euo pipefail
driver=$(ls /usr/lib/*/odbc/libmaodbc.so | head -1)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cat >"$scratch/odbc.ini" <<INI
[dynasql]
Driver = $driver
SERVER = $DB_HOST
PORT = $DB_PORT
DATABASE = $DB_NAME
CHARSET = utf8mb4
INI
export ODBCINI=$scratch/odbc.ini ODBCSYSINI=$scratch
touch "$scratch/odbcinst.ini"
ask() { printf '%s\n' "$1" | isql -b -v -x'|' dynasql "$DB_USER" "$DB_PASSWORD"; }
check() { grep -q -- "$2" <<<"$1" || { echo "got '$1', want '$2' in it" >&2; exit 1; }; }
check "$(ask "SELECT name FROM customers WHERE id = 'c1'")" "Ada"
check "$(ask "SELECT CAST(1.5 AS DOUBLE)")" "1.5"
check "$(ask "SELECT credit FROM customers WHERE id = 'c3'")" "-3.25"
check "$(ask "help")" "dynamodb *| *| *orders *| *TABLE "
check "$(ask "help orders")" "orders *| *customer *| *-9 *| *VARCHAR "
