import json, os, sys
import sqlalchemy
from sqlalchemy import text as sql

url = sqlalchemy.engine.URL.create("mysql+pymysql", username=os.environ["DB_USER"], password=os.environ["DB_PASSWORD"],
                                   host=os.environ["DB_HOST"], port=int(os.environ["DB_PORT"]), database=os.environ["DB_NAME"],
                                   query={"charset": "utf8mb4"})
engine = sqlalchemy.create_engine(url)

def text(v):
    if v is None:
        return None
    if isinstance(v, bytes):
        return v.decode()
    return str(v)

with engine.connect() as c:
    for line in sys.stdin:
        q = json.loads(line)
        stmt = q["sql"].replace(":", "\\:")
        for i in range(len(q["args"])):
            stmt = stmt.replace("?", ":p%d" % i, 1)
        rows = c.execute(sql(stmt), {"p%d" % i: v for i, v in enumerate(q["args"])})
        print(json.dumps([[text(v) for v in row] for row in rows]))

inspector = sqlalchemy.inspect(engine)
assert "dynamodb" in inspector.get_schema_names()
assert inspector.get_table_names() == ["customers", "kinds", "orders"], inspector.get_table_names()
assert inspector.get_view_names() == []
assert inspector.get_pk_constraint("orders")["constrained_columns"] == ["customer", "number"]
assert [i["name"] for i in inspector.get_indexes("orders")] == ["status-number"]
assert inspector.get_foreign_keys("orders") == []
inspector.get_table_comment("orders")
columns = {c["name"]: str(c["type"]) for c in inspector.get_columns("customers")}
assert columns["vip"].startswith("TINYINT") and columns["credit"].startswith("DECIMAL"), columns
meta = sqlalchemy.MetaData()
meta.reflect(bind=engine)
assert sorted(meta.tables) == ["customers", "kinds", "orders"]
with engine.connect() as c:
    t = meta.tables["orders"]
    assert len(c.execute(sqlalchemy.select(t.c.number).where(t.c.customer == "c3").limit(2)).fetchall()) == 2
