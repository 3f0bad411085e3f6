const mysql = require('mysql');
const lines = require('fs').readFileSync(0, 'utf8').split('\n').filter(Boolean).map(JSON.parse);
const env = process.env;
const text = v => v === null ? null : Buffer.isBuffer(v) ? v.toString() : String(v);
const c = mysql.createConnection({
  host: env.DB_HOST, port: +env.DB_PORT, user: env.DB_USER, password: env.DB_PASSWORD, database: env.DB_NAME,
  dateStrings: true, supportBigNumbers: true, bigNumberStrings: true, charset: 'utf8mb4',
});
const run = q => new Promise((ok, bad) => c.query(q.sql, q.args, (e, rows) => e ? bad(e) : ok(rows)));
(async () => {
  for (const q of lines) console.log(JSON.stringify((await run(q)).map(r => Object.values(r).map(text))));
  await new Promise((ok, bad) => c.changeUser({ user: 'somebody' }, e => e ? bad(e) : ok()));
  await new Promise((ok, bad) => c.ping(e => e ? bad(e) : ok()));
  await new Promise((ok, bad) => c.statistics(e => e ? bad(e) : ok()));
  c.end();
})().catch(e => { console.error(e); process.exit(1); });
