import { randomBytes } from 'node:crypto';
import { openDatabase } from '../../server/src/db/connect.ts';
import { migrate } from '../../server/src/db/migrate.ts';
import { makePartitions } from '../../server/src/db/partitions.ts';
import { minuteOf, sealBatches } from '../../server/src/domain/audit/seal.ts';
import { inTransaction } from '../../server/src/domain/audit/transaction.ts';
import { verifyPeriod } from '../../server/src/domain/audit/verify-period.ts';
import { type Message, storeMessages } from '../../server/src/field/store/store.ts';
import { systemClock } from '../../server/src/kit/clock.ts';
import { snOf } from './field/fleet.ts';
import { table } from './measure.ts';
import { openTestServer } from './test-server.ts';

const gateways = 50;
const rowsOfBatch = 1000;
const batches = 100;
const rounds = 3;

type Database = Awaited<ReturnType<typeof openDatabase>>;

const fill = async ({ pool }: Database, secretKey: Buffer, now: number) => {
  await makePartitions(pool, now);
  await pool.query(
    `insert into agent (path, agent_level, name, code, agent_mode, create_at, update_at) values ('/1/', 0, 'Bench', 'BENCH', 1, 1, 1)`,
  );
  const sns = Array.from({ length: gateways }, (_, i) => snOf(i));
  await pool.query(`insert into device (agent_id, name, sn, create_at) select 1, sn, sn, 1 from unnest($1::text[]) sn`, [sns]);
  const messageOf = (n: number): Message => {
    const rows = Array.from({ length: rowsOfBatch }, (_, i) => ({
      at: now - (i % 300),
      acc: `u${i % 40}`,
      ip: `10.0.${i % 250}.7`,
      mac: '02:00:00:00:00:01',
      h: `www${i % 900}.example.com`,
      u: `http://www${i % 900}.example.com/path/${n}/${i}`,
      t: `Title of page ${i}`,
      cat: 'news',
      sip: '198.51.100.4',
      sp: 443,
    }));
    const body = { b: 'bench001', seq: 1 + Math.floor(n / gateways), t0: now, dt: 60, rows };
    return { sn: snOf(n % gateways), conn: 'c', content: { kind: 'batch', stream: 'a_url', body } };
  };
  for (let n = 0; n < batches; n++) await storeMessages(pool, now, 'bench', [messageOf(n)], secretKey);
  await inTransaction(pool, 'begin', (query) => sealBatches(query, secretKey, now + 120));
  await pool.query('vacuum analyze audit_url');
};

const seconds = async (work: () => Promise<unknown>) => {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1000;
};

/** npm run bench -- audit-verify: rows verified per second as a ratio to reading the same rows by COPY. */
export const benchAuditVerify = async () => {
  const server = await openTestServer();
  const database = await openDatabase(await server.newDatabase('audit_verify'));
  const { pool } = database;
  await migrate(pool);
  const secretKey = randomBytes(32);
  const now = systemClock.now();
  await fill(database, secretKey, now);
  const period = { kind: 'url', from: minuteOf(now), to: minuteOf(now) + 60 } as const;
  let copied = 0;
  let verified = 0;
  let rows = 0;
  for (let round = 0; round < rounds; round++) {
    copied += await seconds(() =>
      pool.query(`copy (select * from audit_url where stored_at >= ${period.from} and stored_at < ${period.to}) to stdout`),
    );
    verified += await seconds(async () => {
      const result = await verifyPeriod(pool, secretKey, period);
      if (result.findings.length > 0) throw new Error('the measurement has incomplete rows');
      rows += result.rows;
    });
  }
  table('Verification of audit data, one process', [
    ['rows read by COPY per second', Math.round(rows / copied).toLocaleString('en')],
    ['rows verified per second', Math.round(rows / verified).toLocaleString('en')],
    ['ratio', (copied / verified).toFixed(2), 'target >= 0.20'],
  ]);
  await database.close();
  await server.close();
};
