import { openCheckpoint } from '@farlink/gateway/protocol/checkpoint.ts';
import { isConsistent, rootOf } from '@farlink/gateway/protocol/merkle.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAuditDevice, mailRows, storeAuditRows, urlRows } from '../../../test/audit.ts';
import { type ServiceDeps, serviceDeps } from '../../../test/setup/service-deps.ts';
import { type BatchFacts, batchLeaf } from './leaves.ts';
import { appendLeaves, type LogLeaf, logLeafHash, readLog, readNodes } from './log.ts';
import { logConsistency } from './log-tree.ts';
import { batchColumns, inSealOrder, minuteOf, sealAll, sealBatches } from './seal.ts';
import { inTransaction, type Query } from './transaction.ts';

let service: ServiceDeps;
let device: number;
beforeAll(async () => {
  service = await serviceDeps();
  device = await addAuditDevice(service.deps, service.me.agent_id, 'GW1');
});
afterAll(() => service?.close());

const query: Query = async (text, values = []) => (await service.deps.pool.query(text, [...values])).rows;
const leavesOf = () => query<LogLeaf & { hash: Buffer }>('select * from audit_leaf order by index');
const logOf = async () => {
  const log = await readLog(query);
  if (!log) throw new Error('no log');
  return log;
};
const store = async (count = 3) => {
  await storeAuditRows(service.deps, device, 'a_url', urlRows(count, service.clock.now()));
  await storeAuditRows(service.deps, device, 'a_mail', mailRows(count, service.clock.now()));
};

/** Each batch is below exactly one seal, each leaf and root is correct, and the checkpoint is signed. */
const expectWhole = async () => {
  const leaves = await leavesOf();
  const log = await logOf();
  expect(leaves.map(({ index }) => index)).toEqual(leaves.map((_, i) => i));
  for (const leaf of leaves) expect(logLeafHash(leaf)).toEqual(leaf.hash);
  expect(log.size).toBe(leaves.length);
  expect(log.root).toEqual(rootOf(leaves.map(({ hash }) => hash)));
  expect(openCheckpoint(log.checkpoint, log.public_key)).toEqual({ origin: log.origin, size: log.size, root: log.root });
  const batches = await query<BatchFacts & { seal: number | null }>(`select ${batchColumns}, seal from audit_batch`);
  for (const leaf of leaves.filter(({ type }) => type === 'seal')) {
    const below = inSealOrder(batches.filter(({ seal }) => seal === leaf.index));
    expect(below.length).toBe(leaf.batches);
    expect(below.every((b) => b.kind === leaf.kind && minuteOf(b.stored_at) === leaf.from_at)).toBe(true);
    expect(rootOf(below.map(batchLeaf))).toEqual(leaf.root);
  }
  return { leaves, log, open: batches.filter(({ seal }) => seal === null).length };
};

test('each kind gets one seal per completed minute, covered by a signed checkpoint', async () => {
  await store();
  await sealAll(service.deps);
  expect((await expectWhole()).open).toBe(2);
  service.clock.advance(60);
  await store();
  await sealAll(service.deps);
  const { leaves, open } = await expectWhole();
  expect(leaves.map(({ type, kind, batches, rows }) => [type, kind, batches, rows])).toEqual([
    ['key', null, 0, 0],
    ['seal', 'url', 1, 3],
    ['seal', 'mail', 1, 3],
  ]);
  expect(open).toBe(2);
});

test('an older checkpoint is consistent with a newer one', async () => {
  const before = await logOf();
  service.clock.advance(60);
  await sealAll(service.deps);
  const after = await logOf();
  const proof = await logConsistency(before.size, after.size, readNodes(query));
  expect(after.size).toBe(before.size + 2);
  expect(isConsistent(before.size, after.size, before.root, after.root, proof)).toBe(true);
});

test('a batch that commits after its minute was sealed gets another seal of that minute', async () => {
  const late = await service.deps.pool.connect();
  await store(1);
  const minute = minuteOf(service.clock.now());
  await late.query('begin');
  await late.query(`insert into audit_batch (id, kind, device_id, agent_id, boot, seq, count, stored_at, root, added_root)
    select gen_random_uuid(), kind, device_id, agent_id, boot, seq + 1000, count, stored_at, root, added_root
    from audit_batch where kind = 'url' order by stored_at desc limit 1`);
  service.clock.advance(60);
  await sealAll(service.deps);
  await late.query('commit');
  late.release();
  await sealAll(service.deps);
  const { leaves } = await expectWhole();
  expect(leaves.filter((leaf) => leaf.kind === 'url' && leaf.from_at === minute).map(({ batches }) => batches)).toEqual([1, 1]);
});

test('a sealer that fails at any statement leaves no gap and no second seal', async () => {
  await store();
  service.clock.advance(60);
  let ended = 0;
  for (let at = 1; ; at++) {
    let statement = 0;
    const failing = inTransaction(service.deps.pool, 'begin', (run) =>
      sealBatches(
        async (text, values) => {
          if (++statement === at) throw new Error('ended');
          return run(text, values);
        },
        service.deps.config.secretKey,
        service.clock.now(),
      ),
    );
    const isEnded = await failing.then(
      () => false,
      () => true,
    );
    const { open } = await expectWhole();
    expect(open).toBe(isEnded ? 2 : 0);
    if (!isEnded) break;
    ended++;
  }
  expect(ended).toBeGreaterThan(6);
});

test('sealers that run at the same time seal each batch once', async () => {
  for (let i = 0; i < 5; i++) await store(2);
  service.clock.advance(60);
  const size = (await logOf()).size;
  await Promise.all(Array.from({ length: 4 }, () => sealAll(service.deps)));
  const { open, leaves } = await expectWhole();
  expect(open).toBe(0);
  expect(leaves.slice(size).map(({ kind, batches }) => [kind, batches])).toEqual([
    ['url', 5],
    ['mail', 5],
  ]);
});

test('a sealer that continues with an older state of the log writes nothing', async () => {
  await store();
  service.clock.advance(60);
  const stale = await logOf();
  await sealAll(service.deps);
  const leaf = { type: 'seal', kind: 'url', from_at: 0, batches: 0, rows: 0, root: stale.root, note: null, create_at: 1 } as const;
  const late = inTransaction(service.deps.pool, 'begin', (run) => appendLeaves(run, service.deps.config.secretKey, stale, 1, [leaf]));
  await expect(late).rejects.toThrow('audit_leaf_pkey');
  expect((await expectWhole()).open).toBe(0);
});
