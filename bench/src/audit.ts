import { randomBytes } from 'node:crypto';
import { Random } from '@farlink/contract/kit/random.ts';
import { type SampleRow, sampleActivity, sampleAuth } from '@farlink/gateway/kit/sample-audit.ts';
import type { AuditStream } from '@farlink/gateway/protocol/audit.ts';
import { openDatabase } from '../../server/src/db/connect.ts';
import { migrate } from '../../server/src/db/migrate.ts';
import { makePartitions } from '../../server/src/db/partitions.ts';
import type { AuditBatch, AuditItem, AuditTx } from '../../server/src/domain/audit/store/audit-row.ts';
import { insertBatches } from '../../server/src/domain/audit/store/insert.ts';
import {
  bindBatch,
  commitBatch,
  insertSealed,
  readBatches,
  type SealedBatch,
  storeAudit,
} from '../../server/src/domain/audit/store/store-audit.ts';
import { storeBatches } from '../../server/src/field/store/batches.ts';
import { inStore } from '../../server/src/field/store/store.ts';
import type { BatchItem } from '../../server/src/field/store/tx.ts';
import { systemClock } from '../../server/src/kit/clock.ts';
import { seal } from '../../server/src/kit/session/secret.ts';
import { table } from './measure.ts';
import { postgresOf, stopwatch } from './processor.ts';
import { openTestServer } from './test-server.ts';

/** Seconds of each variant. The complete measurement takes BENCH_SECONDS=600. */
const seconds = Number(process.env.BENCH_SECONDS ?? 20);
const rowsPerSecond = 5000;
const gateways = 400;
const users = 5;
const rowsOfBatch = 25;
const batchesOfCommit = 10;
const commitsPerSecond = rowsPerSecond / (rowsOfBatch * batchesOfCommit);
const secretKey = randomBytes(32);

/** The sealed values are stored as they are, so that all variants write the same amount. */
const readable = (batch: AuditBatch): SealedBatch => ({
  ...batch,
  sealed: batch.rows.map((row) => {
    const sealed = row.content ? Buffer.from(JSON.stringify(row.content.values)) : null;
    return { row, keyId: null, sealed, indexes: undefined };
  }),
});

type Database = Awaited<ReturnType<typeof openDatabase>>;
type Store = (tx: AuditTx, items: readonly AuditItem[]) => Promise<void>;

const storePlain: Store = async (tx, items) => {
  await insertSealed(tx, (await readBatches(tx, items)).map(readable));
};
const storeBound: Store = async (tx, items) => {
  const batches = (await readBatches(tx, items)).map((batch) => commitBatch(batch, tx.secretKey));
  await insertSealed(tx, batches.map(readable));
  await insertBatches(tx, batches.map(bindBatch));
};

interface Variant {
  readonly name: string;
  readonly store: Store;
  rows: number;
  nodeMs: number;
  databaseMs: number;
  ms: number;
  longest: number;
}
const variantOf = (name: string, store: Store): Variant => ({ name, store, rows: 0, nodeMs: 0, databaseMs: 0, ms: 0, longest: 0 });

const fill = async ({ pool }: Database) => {
  await pool.query(
    `insert into agent (name, code, path, agent_level, agent_mode, create_at, update_at) values ('p', 'p', '/1/', 0, 1, 1, 1)`,
  );
  await pool.query(
    `insert into device (agent_id, name, sn, create_at) select (select min(id) from agent), 'AU' || g, 'AU' || g, 1 from generate_series(1, $1::int) g`,
    [gateways],
  );
  await pool.query(
    `insert into subscriber (agent_id, account, password, account_type, account_source, name, phone, id_number, device_id, expire_at, create_at, update_at)
     select d.agent_id, 'u' || d.id || 'x' || g, '-', 'personal', 'batch', '某人' || g, '138' || g, $2, d.id, 4000000000, 1, 1
     from device d, generate_series(1, $1::int) g`,
    [users, seal(secretKey, '110101199003077758')],
  );
  await pool.query('vacuum analyze subscriber');
  const { rows } = await pool.query<{ id: number; sn: string }>('select id, sn from device order by id');
  return rows;
};

/** Rows of one gateway by stream: mostly visits, as the simulator makes them. */
const sampleBatches = (random: Random, device: number, sn: string, at: number): [AuditStream, SampleRow[]][] => {
  const rows = new Map<AuditStream, SampleRow[]>();
  const add = (stream: AuditStream, row: SampleRow) => rows.set(stream, [...(rows.get(stream) ?? []), row]);
  const salt = () => randomBytes(16).toString('hex');
  for (let i = 0; i < rowsOfBatch * 10; i++) {
    const n = random.int(1, users);
    const session = { sid: `boot-${i}`, acc: `u${device}x${n}`, mac: `02:00:00:00:00:0${n}`, ip: `192.168.10.${n}` };
    if (i % 20 === 0) add('a_auth', sampleAuth(sn, session, at));
    else add(...sampleActivity(random, session, at, salt));
  }
  return [...rows];
};

/** Endless batches of the fleet: each has `rowsOfBatch` rows of one stream, in the proportions of the streams. */
function* batchesOf(devices: readonly { id: number; sn: string }[]): Generator<BatchItem & AuditItem, never> {
  const random = new Random(7);
  const at = systemClock.now();
  const batchTemplates = devices.flatMap(({ id: device, sn }) =>
    sampleBatches(random, device, sn, at).flatMap(([stream, rows]) =>
      Array.from({ length: Math.floor(rows.length / rowsOfBatch) || 1 }, (_, i) => {
        const templateRows = rows.slice(i * rowsOfBatch, (i + 1) * rowsOfBatch);
        return { device, sn, stream, rows: Array.from({ length: rowsOfBatch }, (_, n) => templateRows[n % templateRows.length] ?? {}) };
      }),
    ),
  );
  for (let seq = 1; ; seq++)
    for (const { device, sn, stream, rows } of batchTemplates)
      yield { device, sn, conn: 'bench', stream, body: { b: 'bench001', seq, t0: at, dt: 0, rows } };
}

/** One second of paced commits of a variant. */
const storeForSecond = async (
  { pool }: Database,
  variant: Variant,
  items: Generator<BatchItem & AuditItem, never>,
  databaseTime: () => () => number,
) => {
  const start = performance.now();
  const ofNode = process.cpuUsage();
  const ofDatabase = databaseTime();
  for (let n = 0; n < commitsPerSecond; n++) {
    const wait = start + (n * 1000) / commitsPerSecond - performance.now();
    if (wait > 0) await new Promise((done) => setTimeout(done, wait));
    const batch = Array.from({ length: batchesOfCommit }, () => items.next().value);
    const begun = performance.now();
    await inStore(pool, systemClock.now(), 'bench', (tx) => storeBatches(tx, batch, variant.store), secretKey);
    variant.longest = Math.max(variant.longest, performance.now() - begun);
    variant.rows += batch.length * rowsOfBatch;
  }
  const { user, system } = process.cpuUsage(ofNode);
  variant.nodeMs += (user + system) / 1000;
  variant.databaseMs += ofDatabase();
  variant.ms += Math.max(1000, performance.now() - start);
};

const perRow = (ms: number, { rows }: Variant) => (ms * 1000) / rows;
const more = (a: number, b: number) => `${((a / b - 1) * 100).toFixed(1)} %`;

/** 5,000 audit rows a second: plain, with batch roots, and with roots and sealing, in turns of one second. */
export const benchAudit = async () => {
  const testServer = await openTestServer();
  const database = await openDatabase(testServer.url, { max: 4 });
  try {
    await migrate(database.pool);
    await makePartitions(database.pool, systemClock.now());
    const items = batchesOf(await fill(database));
    const variants = [variantOf('plain', storePlain), variantOf('roots', storeBound), variantOf('roots and sealing', storeAudit)] as const;
    const postgres = await postgresOf(database.pool);
    const databaseTime = () => stopwatch(postgres);
    // One unmeasured second each: prepared statements, keys and compiled code.
    for (const { store, name } of variants) await storeForSecond(database, variantOf(name, store), items, databaseTime);
    for (let second = 0; second < seconds; second++)
      for (const variant of variants) await storeForSecond(database, variant, items, databaseTime);
    const [plain, roots, full] = variants;
    table(
      `audit: ${rowsPerSecond} rows/s for ${seconds} s each, ${batchesOfCommit} batches of ${rowsOfBatch} rows per commit`,
      variants.flatMap((variant) => [
        [`rows/s reached, ${variant.name}`, ((variant.rows * 1000) / variant.ms).toFixed(0)] as const,
        [
          'processor per row: node, database',
          `${perRow(variant.nodeMs, variant).toFixed(1)} / ${perRow(variant.databaseMs, variant).toFixed(1)} us`,
        ] as const,
        ['longest commit', `${variant.longest.toFixed(0)} ms`] as const,
      ]),
    );
    const both = (variant: Variant) => perRow(variant.nodeMs + variant.databaseMs, variant);
    table('audit: cost of evidence', [
      ['node, roots compared with plain', more(perRow(roots.nodeMs, roots), perRow(plain.nodeMs, plain)), 'target <= 25 %'],
      ['node and database, roots compared with plain', more(both(roots), both(plain)), 'target <= 25 %'],
      ['node, roots and sealing compared with plain', more(perRow(full.nodeMs, full), perRow(plain.nodeMs, plain))],
      ['node and database, roots and sealing compared with plain', more(both(full), both(plain))],
    ]);
  } finally {
    await database.close();
    await testServer.close();
  }
};
