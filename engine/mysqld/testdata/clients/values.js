// npm mysql2: like values.py, by the text protocol and, with the argument
// "execute", by prepared statements.
const mysql = require('mysql2/promise');
const env = process.env;
const digits = v => v === null ? null : (Buffer.isBuffer(v) ? v : Buffer.from(String(v))).toString('hex');
(async () => {
  const c = await mysql.createConnection({
    host: env.DB_HOST, port: +env.DB_PORT, user: env.DB_USER, password: env.DB_PASSWORD, database: env.DB_NAME,
    dateStrings: true, supportBigNumbers: true, bigNumberStrings: true, rowsAsArray: true,
    typeCast: (field, next) => field.type === 'JSON' ? field.string() : next(), // JSON.parse loses digits
  });
  for (const line of require('fs').readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
    const sql = JSON.parse(line);
    const [rows] = process.argv[2] === 'execute' ? await c.execute(sql) : await c.query(sql);
    console.log(rows.map(r => JSON.stringify(r.map(digits)) + '\n').join(''));
  }
  await c.end();
})().catch(e => { console.error(e); process.exit(1); });
