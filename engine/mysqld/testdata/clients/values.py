# PyMySQL: reads statements, a JSON string a line; writes for each row a list of
# its values, as hexadecimal digits of their bytes or null, and an empty line
# behind each result.
import json, os, sys
import pymysql

c = pymysql.connect(host=os.environ["DB_HOST"], port=int(os.environ["DB_PORT"]), user=os.environ["DB_USER"],
                    password=os.environ["DB_PASSWORD"], database=os.environ["DB_NAME"], charset="utf8mb4")


def digits(v):
    if v is None:
        return None
    if isinstance(v, bytes):
        return v.hex()
    return (format(v, "f") if hasattr(v, "as_tuple") else str(v)).encode().hex()


for line in sys.stdin:
    with c.cursor() as cur:
        cur.execute(json.loads(line))
        for row in cur.fetchall():
            print(json.dumps([digits(v) for v in row]))
    print()
