import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mayStopWorkers, openWorkers } from '../../test/citus-workers.ts';
import { type ServiceDeps, serviceDeps } from '../../test/setup/service-deps.ts';
import { makePartitions } from '../db/partitions.ts';
import { type Field, openField } from './field.ts';

/** Gateways report while workers fail or shards move. Each acknowledged batch is stored once, and storing continues afterwards. */
describe.skipIf(!mayStopWorkers)('reports of gateways on Citus', () => {
  const sns = Array.from({ length: 24 }, (_, i) => `CIT${i}`);
  const downMs = process.env.SOAK ? 15_000 : 4000;
  let service: ServiceDeps;
  let field: Field;
  let seq = 0;
  const acked = { yes: 0, no: 0 };

  beforeAll(async () => {
    service = await serviceDeps();
    const { deps, me } = service;
    await makePartitions(deps.pool, deps.clock.now());
    for (const sn of sns) await deps.db.insertInto('device').values({ agent_id: me.agent_id, name: sn, sn, create_at: 1 }).execute();
    field = openField(deps, { deliver: () => {}, ackHello: () => {}, drained: () => {} });
  });
  afterAll(async () => {
    await field.close();
    await service.close();
  });

  const bodiesOf = (n: number) => {
    const t0 = service.clock.now() - 80 * 86_400 + n * 60;
    const batch = { b: 'boot', seq: n, t0, dt: 60 };
    return [
      ['t/load', { ...batch, c: ['cpu', 'mem'], v: [[1, 2]] }],
      ['t/user', { ...batch, c: ['acc', 'u', 'd'], v: [['anna', 10, 20]] }],
      ['t/a_url', { ...batch, c: ['at', 'acc', 'h'], v: [[t0, 'anna', 'x.example']] }],
    ] as const;
  };

  /** One batch of each kind from each gateway, some of them twice. */
  const report = () => {
    seq++;
    for (const sn of sns)
      for (const [tail, body] of bodiesOf(seq)) {
        const text = JSON.stringify(body);
        const done = ({ ok }: { readonly ok: boolean }) => (ok ? acked.yes++ : acked.no++);
        field.receive(sn, tail, text, 'conn', done);
        if (seq % 7 === 0) field.receive(sn, tail, text, 'conn', done);
      }
  };
  const sent = () => (seq + Math.floor(seq / 7)) * sns.length * 3;

  /** Reports until the fault is over and some seconds longer. */
  const reportDuring = async (fault: () => Promise<void>) => {
    let isOver = false;
    const over = fault().finally(() => {
      isOver = true;
    });
    over.catch(() => {});
    while (!isOver) {
      report();
      await pause(100);
    }
    await over;
    for (let n = 0; n < 10; n++) {
      report();
      await pause(50);
    }
    await expect.poll(() => acked.yes + acked.no, { timeout: 180_000, interval: 200 }).toBe(sent());
  };

  /** Commits that a failure interrupted after the decision are completed by Citus in the background; here at once. */
  const expectAll = async () => {
    const { pool } = service.deps;
    expect(acked).toEqual({ yes: sent(), no: 0 });
    const rows = seq * sns.length;
    const totals = async () => {
      await pool.query('select recover_prepared_transactions()').catch(() => {});
      const { rows: found } = await pool.query(`
        select (select count(*) from device_load) as load, (select count(*) from (select distinct device_id, at from device_load) l) as loads,
          (select count(*) from user_flow) as flow, (select count(*) from (select distinct device_id, at from user_flow) l) as flows,
          (select count(*) from audit_url) as url, (select count(*) from (select distinct batch, n from audit_url) l) as urls,
          (select count(*) from audit_batch) as batches`);
      return found[0];
    };
    const all = { load: rows, loads: rows, flow: rows, flows: rows, url: rows, urls: rows, batches: rows };
    await expect.poll(totals, { timeout: 90_000, interval: 500 }).toEqual(all);
  };

  it('are complete after a worker was down', async () => {
    const [worker] = await openWorkers(String(service.deps.pool.options.connectionString));
    if (!worker) throw new Error('no worker');
    await reportDuring(async () => {
      await pause(500);
      worker.stop();
      await pause(downMs);
      worker.start();
    });
    await expectAll();
  });

  it('are complete after workers were killed in the middle of a batch', async () => {
    const workers = await openWorkers(String(service.deps.pool.options.connectionString));
    await reportDuring(async () => {
      for (const worker of [...workers, ...workers]) {
        await pause(500);
        await worker.killBusy();
        await pause(2000);
      }
    });
    await expectAll();
  });

  it('are complete while shards move to another worker and back', async () => {
    const { pool } = service.deps;
    const nodes = (await pool.query('select nodename, nodeport from pg_dist_node where groupid > 0 order by groupid')).rows;
    const { rows } = await pool.query<{ shardid: number; nodename: string; nodeport: number }>(
      `select s.shardid, n.nodename, n.nodeport from pg_dist_shard s join pg_dist_placement p using (shardid) join pg_dist_node n using (groupid)
       where s.logicalrelid = 'device_stream'::regclass order by s.shardid limit 1`,
    );
    const [shard] = rows;
    const target = nodes.find(({ nodeport }) => nodeport !== shard?.nodeport);
    const acksBefore = acked.yes;
    let acksDuring = 0;
    await reportDuring(async () => {
      await pool.query(`select citus_move_shard_placement($1, $2, $3::int, $4, $5::int, 'force_logical')`, [
        ...[shard?.shardid, shard?.nodename, shard?.nodeport],
        ...[target.nodename, target.nodeport],
      ]);
      acksDuring = acked.yes - acksBefore;
      await pool.query(`select citus_rebalance_start(shard_transfer_mode => 'force_logical')`);
      await pool.query('select citus_rebalance_wait()');
    });
    expect(acksDuring).toBeGreaterThan(0);
    await expectAll();
    const left = await pool.query<{ groups: number }>('select count(distinct groupid)::int as groups from pg_dist_placement');
    expect(left.rows).toEqual([{ groups: nodes.length }]);
  });
});
