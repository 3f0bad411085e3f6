#!/usr/bin/env bash
set -euo pipefail
export HOME=$(mktemp -d)
trap 'rm -rf "$HOME"' EXIT
out=$(mycli --no-warn -h "$DB_HOST" -P "$DB_PORT" -u "$DB_USER" -D "$DB_NAME" --csv -e "SELECT id, name FROM customers ORDER BY id LIMIT 1" </dev/null)
grep -q "c1.*Ada" <<<"$out" || { echo "$out" >&2; exit 1; }
