import json, os, sys, warnings
import pandas, pymysql
warnings.simplefilter("ignore")
c = pymysql.connect(host=os.environ["DB_HOST"], port=int(os.environ["DB_PORT"]), user=os.environ["DB_USER"],
                    password=os.environ["DB_PASSWORD"], database=os.environ["DB_NAME"], charset="utf8mb4")

def text(v):
    if v is None or v is pandas.NaT or v != v:
        return None
    if isinstance(v, bytes):
        return v.decode()
    return str(v)

for line in sys.stdin:
    q = json.loads(line)
    frame = pandas.read_sql(q["sql"].replace("%", "%%").replace("?", "%s") if q["args"] else q["sql"], c, params=q["args"] or None, coerce_float=False)
    print(json.dumps([[text(v) for v in row] for row in frame.astype(object).values.tolist()]))
