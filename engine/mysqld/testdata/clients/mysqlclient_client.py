import json, os, sys
import MySQLdb, MySQLdb.cursors

c = MySQLdb.connect(host=os.environ["DB_HOST"], port=int(os.environ["DB_PORT"]), user=os.environ["DB_USER"],
                    passwd=os.environ["DB_PASSWORD"], db=os.environ["DB_NAME"], charset="utf8mb4")

def text(v):
    if v is None:
        return None
    if isinstance(v, bytes):
        return v.decode()
    return str(v)

for line in sys.stdin:
    q = json.loads(line)
    cur = c.cursor()
    cur.execute(q["sql"].replace("%", "%%").replace("?", "%s") if q["args"] else q["sql"], q["args"] or None)
    print(json.dumps([[text(v) for v in row] for row in cur.fetchall()]))
cur = c.cursor(MySQLdb.cursors.SSCursor)
cur.execute("SELECT number FROM orders")
assert len(cur.fetchall()) == 15
cur.close()
c.ping()
assert "Uptime" in c.stat()
c.change_user(user="somebody", passwd="", db="information_schema") if hasattr(c, "change_user") else None
c.close()
