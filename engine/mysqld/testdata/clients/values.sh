#!/usr/bin/env bash
# The mariadb shell: reads statements like values.py, and writes the results as XML.
set -euo pipefail
while IFS= read -r line; do
  printf '%s;\n' "$(/usr/bin/python3 -c 'import json, sys; print(json.loads(sys.argv[1]))' "$line")"
done | mariadb --skip-ssl --default-character-set=utf8mb4 -h "$DB_HOST" -P "$DB_PORT" -u "$DB_USER" --xml "$DB_NAME"
