import json, os, sys
import pymysql

c = pymysql.connect(host=os.environ["DB_HOST"], port=int(os.environ["DB_PORT"]), user=os.environ["DB_USER"],
                    password=os.environ["DB_PASSWORD"], database=os.environ["DB_NAME"], charset="utf8mb4")

def text(v):
    if v is None:
        return None
    if isinstance(v, bytes):
        return v.decode()
    return str(v)

for line in sys.stdin:
    q = json.loads(line)
    with c.cursor() as cur:
        cur.execute(q["sql"].replace("%", "%%").replace("?", "%s") if q["args"] else q["sql"], q["args"] or None)
        print(json.dumps([[text(v) for v in row] for row in cur.fetchall()]))
with c.cursor(pymysql.cursors.SSCursor) as cur:  # rows as they come
    cur.execute("SELECT number FROM orders")
    assert len(cur.fetchall()) == 15
c.ping(reconnect=False)
c.select_db("information_schema")
c.close()
