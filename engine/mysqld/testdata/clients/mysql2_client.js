// Text protocol for statements without parameters, prepared statements for the others.
const mysql = require('mysql2/promise');
const lines = require('fs').readFileSync(0, 'utf8').split('\n').filter(Boolean).map(JSON.parse);
const env = process.env;
const text = v => v === null ? null : v instanceof Date ? v.toISOString() : Buffer.isBuffer(v) ? v.toString() : typeof v === 'object' ? JSON.stringify(v) : String(v);
(async () => {
  const c = await mysql.createConnection({
    host: env.DB_HOST, port: +env.DB_PORT, user: env.DB_USER, password: env.DB_PASSWORD, database: env.DB_NAME,
    dateStrings: true, supportBigNumbers: true, bigNumberStrings: true, decimalNumbers: false, rowsAsArray: true,
    typeCast: (field, next) => field.type === 'JSON' ? field.string() : next(),
  });
  for (const q of lines) {
    const [rows] = q.args.length ? await c.execute(q.sql, q.args) : await c.query(q.sql);
    console.log(JSON.stringify(rows.map(r => r.map(text))));
  }
  await c.changeUser({ user: 'somebody', database: 'information_schema' });
  const [[[db]]] = await c.query('SELECT DATABASE()');
  if (db !== 'information_schema') throw new Error('changeUser: ' + db);
  await c.end();
  const packed = await mysql.createConnection({ host: env.DB_HOST, port: +env.DB_PORT, user: env.DB_USER, database: env.DB_NAME, compress: true, multipleStatements: true });
  const [[one, two]] = await packed.query('SELECT 1 AS a; SELECT 2 AS a');
  if (one[0].a !== 1 || two[0].a !== 2) throw new Error('multiple statements');
  await packed.end();
})().catch(e => { console.error(e); process.exit(1); });
