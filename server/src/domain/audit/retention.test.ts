import { rootFromInclusion } from '@farlink/gateway/protocol/merkle.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAuditDevice, storeAuditRows, urlRows } from '../../../test/audit.ts';
import { type ServiceDeps, serviceDeps } from '../../../test/setup/service-deps.ts';
import { subscriberRow } from '../../../test/subscriber.ts';
import { makePartitions, weekS } from '../../db/partitions.ts';
import { readConfig } from '../../env/config.ts';
import { startJobs } from '../../kit/jobs/job-runner.ts';
import { rowLeaf } from './leaves.ts';
import { dropAudit } from './retention.ts';
import { sealRound } from './seal-job.ts';
import { startManual, verifyJobs } from './verify-job.ts';

const day = 86_400;
let service: ServiceDeps;
let device: number;
let anna: number;
let begin: number;
beforeAll(async () => {
  service = await serviceDeps({ AUDIT_DAYS: '200,url=180' });
  const { db } = service.deps;
  service.clock.advance(weekS - (service.clock.now() % weekS) + 3600);
  begin = service.clock.now();
  device = await addAuditDevice(service.deps, service.me.agent_id, 'GW1');
  const row = subscriberRow({ agent_id: service.me.agent_id, account: 'user1', device_id: device });
  anna = (await db.insertInto('subscriber').values(row).returning('id').executeTakeFirstOrThrow()).id;
});
afterAll(() => service?.close());

const store = async () => {
  await makePartitions(service.deps.pool, service.clock.now());
  await storeAuditRows(service.deps, device, 'a_url', urlRows(6, service.clock.now()));
  await storeAuditRows(service.deps, device, 'a_term', [{ at: service.clock.now(), mac: '02:00:00:00:00:01', os: 'ios' }]);
  service.clock.advance(60);
  await sealRound(service.deps);
};
const weeksOf = async (kind: string) => {
  const { rows } = await service.deps.pool.query<{ week: number }>(
    `select distinct stored_at / ${weekS} * ${weekS} as week from audit_${kind} order by 1`,
  );
  return rows.map(({ week }) => (week - begin + (begin % weekS)) / weekS);
};
const drops = () => service.deps.db.selectFrom('audit_leaf').selectAll().where('type', '=', 'drop').orderBy('index').execute();
const verify = async () => {
  const { db, clock } = service.deps;
  const range = { from_at: begin - weekS, to_at: clock.now(), operator: 'Test' };
  const id = await db.transaction().execute((tx) => startManual(tx, clock.now(), range));
  const runner = startJobs(service.deps, verifyJobs, { pollMs: 0 });
  await runner.tick();
  await runner.stop();
  return (await db.selectFrom('audit_finding').select('type').where('verification_id', '=', id).execute()).map(({ type }) => type);
};

test('a retention of less than 180 days is refused, and each kind may have its own', () => {
  const read = (AUDIT_DAYS: string) => readConfig({ SECRET_KEY: 'ab'.repeat(32), AUDIT_DAYS }).audit.days;
  expect(read('180').mail).toBe(180);
  expect(read('200, auth=400')).toMatchObject({ auth: 400, url: 200 });
  for (const wrong of ['179', '200,url=179', '200,web=200', 'x', '200,url', '1e3'])
    expect(() => read(wrong)).toThrow('AUDIT_DAYS must be a whole number from 180 to 3650');
});

test('an old week is dropped after its drop leaf, and nothing else changes', async () => {
  for (let week = 0; week < 3; week++) {
    await store();
    service.clock.advance(weekS);
  }
  await dropAudit(service.deps);
  expect(await drops()).toEqual([]);
  // The first week ended 180 days ago.
  service.clock.advance(begin - (begin % weekS) + weekS + 180 * day - service.clock.now());
  await dropAudit(service.deps);
  expect(await weeksOf('url')).toEqual([1, 2]);
  expect(await weeksOf('terminal')).toEqual([0, 1, 2]);
  const [drop, ...others] = await drops();
  expect(others).toEqual([]);
  expect(drop).toMatchObject({ kind: 'url', from_at: begin - (begin % weekS), batches: 1, rows: 6, note: 'AUDIT_DAYS=180' });
  const left = await service.deps.db.selectFrom('audit_batch').select('stored_at').where('kind', '=', 'url').execute();
  expect(left).toHaveLength(2);
  await sealRound(service.deps);
  expect(await verify()).toEqual([]);
  await dropAudit(service.deps);
  expect(await drops()).toHaveLength(1);
});

test('rows under a hold are copied with proofs before their week is dropped, and removed when the hold is released', async () => {
  const { db, pool } = service.deps;
  const hold = {
    subject: `s:${anna}`,
    account: 'user1',
    agent_id: service.me.agent_id,
    from_at: begin,
    to_at: null,
    reason: 'court',
    creator: 'x',
  };
  const { id } = await db
    .insertInto('audit_hold')
    .values({ ...hold, create_at: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { rows: originals } = await pool.query(
    `select * from audit_url where subscriber_id = ${anna} and stored_at < ${begin + 2 * weekS} order by n`,
  );
  expect(originals).toHaveLength(2);
  service.clock.advance(weekS);
  await dropAudit(service.deps);
  expect(await weeksOf('url')).toEqual([2]);
  const held = await db.selectFrom('audit_held_row').selectAll().orderBy('n').execute();
  expect(held.map(({ n, subscriber_id, kind }) => [n, subscriber_id, kind])).toEqual([
    [1, anna, 'url'],
    [4, anna, 'url'],
  ]);
  for (const [i, { proof, n }] of held.entries()) {
    const { row, batch } = proof as { row: { proof: string[] }; batch: { root: string; count: number } };
    const siblings = row.proof.map((text) => Buffer.from(text, 'hex'));
    expect(rootFromInclusion(rowLeaf('url', originals[i]), n, batch.count, siblings)?.toString('hex')).toBe(batch.root);
  }
  await dropAudit(service.deps);
  expect(await db.selectFrom('audit_held_row').select('id').execute()).toHaveLength(2);
  await db.updateTable('audit_hold').set({ released_at: 2 }).where('id', '=', id).execute();
  await dropAudit(service.deps);
  expect(await db.selectFrom('audit_held_row').select('id').execute()).toEqual([]);
});

test('a run that ends between the drop leaf and the drop is completed by the next', { tags: 'all' }, async () => {
  service.clock.advance(weekS);
  const { pool } = service.deps;
  const broken = {
    ...service.deps,
    pool: new Proxy(pool, {
      get: (target, name) => {
        if (name === 'query')
          return (text: string, ...rest: unknown[]) =>
            typeof text === 'string' && text.includes('inhdetachpending')
              ? Promise.reject(new Error('ended'))
              : target.query(text, ...(rest as [unknown[]]));
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    }),
  };
  await expect(dropAudit(broken)).rejects.toThrow('ended');
  const count = (await drops()).length;
  expect(await weeksOf('url')).toEqual([2]);
  expect(await verify()).toEqual([]);
  await dropAudit(service.deps);
  expect(await weeksOf('url')).toEqual([]);
  expect((await drops()).filter(({ kind }) => kind === 'url')).toHaveLength(3);
  expect((await drops()).length).toBeGreaterThanOrEqual(count);
  expect(await verify()).toEqual([]);
});

test('nothing is dropped while batches of the week are not sealed or sealing is stopped', { tags: 'all' }, async () => {
  await makePartitions(service.deps.pool, service.clock.now());
  const week = Math.floor(service.clock.now() / weekS) * weekS;
  await storeAuditRows(service.deps, device, 'a_url', urlRows(1, service.clock.now()));
  service.clock.advance(60);
  await sealRound(service.deps);
  await storeAuditRows(service.deps, device, 'a_url', urlRows(1, service.clock.now()));
  service.clock.advance(200 * day);
  await dropAudit(service.deps);
  const left = async () =>
    (await service.deps.db.selectFrom('audit_batch').select('id').where('stored_at', '>=', week).where('kind', '=', 'url').execute())
      .length;
  expect(await left()).toBe(2);
  await sealRound(service.deps);
  await service.deps.pool.query("update audit_log set stopped = 'shorter'");
  await dropAudit(service.deps);
  expect(await left()).toBe(2);
  await service.deps.pool.query('update audit_log set stopped = null');
  await dropAudit(service.deps);
  expect(await left()).toBe(0);
});
