import { openDatabase } from '../../server/src/db/connect.ts';
import { migrate } from '../../server/src/db/migrate.ts';
import { makePartitions } from '../../server/src/db/partitions.ts';
import { rollTraffic } from '../../server/src/domain/traffic/roll-traffic.ts';
import { type Message, storeMessages } from '../../server/src/field/store/store.ts';
import { systemClock } from '../../server/src/kit/clock.ts';
import { createLog } from '../../server/src/kit/log/log.ts';
import { snOf } from './field/fleet.ts';
import { table } from './measure.ts';
import { type ProcessSource, postgresOf, stopwatch } from './processor.ts';
import { openTestServer } from './test-server.ts';

const gateways = 200;
const users = 20;
const appsOfUser = 5;
/** Batches of a commit: 2,000 rows. */
const batchesAtOnce = 20;
const rounds = 12;
const commitsOfTurn = 20;

type Database = Awaited<ReturnType<typeof openDatabase>>;

const fill = async ({ pool }: Database) => {
  await pool.query(
    `insert into agent (path, agent_level, name, code, agent_mode, create_at, update_at) values ('/1/', 0, 'Bench', 'BENCH', 1, 1, 1)`,
  );
  await pool.query(`insert into device (agent_id, name, sn, create_at) select 1, sn, sn, 1 from unnest($1::text[]) sn`, [
    Array.from({ length: gateways }, (_, i) => snOf(i)),
  ]);
};

let seq = 0;
let next = 0;

/** Applications of the next gateways, five minutes each. A round of the fleet begins five minutes after the last one. */
const messages = (start: number): Message[] =>
  Array.from({ length: batchesAtOnce }, () => {
    const i = next++ % gateways;
    if (i === 0) seq++;
    const rows = Array.from({ length: users * appsOfUser }, (_, n) => ({
      app: `91.${100 + (n % 23)}`,
      acc: `u${i}x${n % users}`,
      u: 1000 + n,
      d: 90_000 + n,
      n: 2,
    }));
    return {
      sn: snOf(i),
      conn: 'c',
      content: { kind: 'batch', stream: 'dpi', body: { b: 'bench001', seq, t0: start + seq * 300, dt: 300, rows } },
    };
  });

interface Cost {
  readonly ms: number;
  readonly databaseMs: number;
}
const none: Cost = { ms: 0, databaseMs: 0 };
const plus = (a: Cost, b: Cost): Cost => ({ ms: a.ms + b.ms, databaseMs: a.databaseMs + b.databaseMs });

/** Time of the commits of a turn, and processor time of the database. */
const turn = async ({ pool }: Database, database: ProcessSource, start: number): Promise<Cost> => {
  const made = Array.from({ length: commitsOfTurn }, () => messages(start));
  const begun = performance.now();
  const ofDatabase = stopwatch(database);
  for (const batch of made) await storeMessages(pool, systemClock.now(), 'bench', batch);
  return { ms: performance.now() - begun, databaseMs: ofDatabase() };
};

/** Discards each mark, so that ingest runs without them. */
const withoutMarks = `create trigger bench_none before insert on traffic_dirty for each row execute function bench_none()`;

const measureIngest = async (database: Database, start: number) => {
  const { pool } = database;
  const processes = await postgresOf(pool);
  await pool.query(`create function bench_none() returns trigger language plpgsql as 'begin return null; end'`);
  let plain = none;
  let marked = none;
  await turn(database, processes, start);
  for (let round = 0; round < rounds; round++) {
    await pool.query(withoutMarks);
    plain = plus(plain, await turn(database, processes, start));
    await pool.query('drop trigger bench_none on traffic_dirty');
    marked = plus(marked, await turn(database, processes, start));
  }
  return { plain, marked };
};

/** Rates of ingest with and without marks on a new database. */
export const ingestLoss = async (url: string) => {
  const database = await openDatabase(url, { max: 4 });
  await migrate(database.pool);
  await fill(database);
  await makePartitions(database.pool, systemClock.now());
  const { plain, marked } = await measureIngest(database, systemClock.now() - 20 * 86_400);
  await database.close();
  const rows = rounds * commitsOfTurn * batchesAtOnce * users * appsOfUser;
  return { plainRate: (rows * 1000) / plain.ms, markedRate: (rows * 1000) / marked.ms, loss: 1 - plain.ms / marked.ms };
};

/** Ingest with and without marks of traffic in turns, then the job over all hours. */
export const benchTraffic = async () => {
  const testServer = await openTestServer();
  const database = await openDatabase(testServer.url, { max: 4 });
  const { db, pool } = database;
  try {
    await migrate(pool);
    await fill(database);
    await makePartitions(pool, systemClock.now());
    const start = systemClock.now() - 20 * 86_400;
    const { plain, marked } = await measureIngest(database, start);
    const rows = rounds * commitsOfTurn * batchesAtOnce * users * appsOfUser;
    await pool.query(`insert into traffic_dirty (kind, device_id, hour, marked_at, touched_at)
      select distinct 'dpi_usr', device_id, at / 3600 * 3600, 0, 0 from app_flow on conflict do nothing`);
    await pool.query('vacuum analyze app_flow');
    const counts = async () => {
      const { rows: found } = await pool.query<{ raw: string; hours: string; days: string }>(
        'select (select count(*) from app_flow) as raw, (select count(*) from business_dpi_hour) as hours, (select count(*) from business_dpi_day) as days',
      );
      return found[0];
    };
    const ofDatabase = stopwatch(await postgresOf(pool));
    const begun = performance.now();
    await rollTraffic({ db, pool, clock: systemClock, log: createLog('silent') }, { all: true });
    const ms = performance.now() - begun;
    const cpuMs = ofDatabase();
    const { raw = 0, hours = 0, days = 0 } = (await counts()) ?? {};
    table(`traffic: ${gateways} gateways with ${users} users and ${appsOfUser} applications each`, [
      ['rows/s stored without marks', ((rows * 1000) / plain.ms).toFixed(0)],
      ['rows/s stored with marks', ((rows * 1000) / marked.ms).toFixed(0)],
      ['loss', `${((1 - plain.ms / marked.ms) * 100).toFixed(1)} %`, 'target < 10 %'],
      [
        'processor of the database per row, without and with',
        `${((plain.databaseMs * 1000) / rows).toFixed(1)} / ${((marked.databaseMs * 1000) / rows).toFixed(1)} us`,
      ],
      ['reported rows, hours, days', `${raw} / ${hours} / ${days}`],
      ['job per reported row', `${((ms * 1000) / Number(raw)).toFixed(1)} us`],
      ['processor of the database per reported row', `${((cpuMs * 1000) / Number(raw)).toFixed(1)} us`],
    ]);
  } finally {
    await database.close();
    await testServer.close();
  }
};
