import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { auditEvidenceCalls } from '@farlink/contract/audit/audit-evidence.ts';
import { witnessSection } from '@farlink/gateway/protocol/audit-witness.ts';
import { openCheckpoint } from '@farlink/gateway/protocol/checkpoint.ts';
import { leafHash } from '@farlink/gateway/protocol/merkle.ts';
import type { Gateway } from '@farlink/simulator/gateway.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backUpAudit } from '../../test/audit.ts';
import { type FleetApi, startFleetApi } from '../../test/fleet-api.ts';
import { appendLeaves, type LeafFacts, lockLog, readLog } from '../domain/audit/log.ts';
import { sealRound } from '../domain/audit/seal-job.ts';
import { inTransaction } from '../domain/audit/transaction.ts';
import { sendCheckpoints } from '../domain/audit/witness.ts';
import { pendingFor } from './pending/pending.ts';

let fleet: FleetApi;
const day = 86_400;

beforeAll(async () => {
  fleet = await startFleetApi();
});
afterAll(() => fleet?.close());

/** Appends seals to the log and signs it. */
const grow = (count: number, name = 'entry') =>
  inTransaction(fleet.deps.pool, 'begin', async (query) => {
    const now = fleet.clock.now();
    const { secretKey } = fleet.deps.config;
    const facts = Array.from({ length: count }, (_, i): LeafFacts => {
      const root = leafHash(Buffer.from(`${name} ${i}`));
      return { type: 'seal', kind: 'url', from_at: now, batches: 1, rows: 1, root, note: null, create_at: now };
    });
    return (await appendLeaves(query, secretKey, await lockLog(query, secretKey, now), now, facts)).size;
  });
const nextDay = () => {
  fleet.clock.advance(day);
  return sendCheckpoints(fleet.deps);
};
const evidence = async () => {
  const { data } = await (await fleet.login('admin')).call(auditEvidenceCalls.status);
  return data.witnesses;
};
const section = (id: number) =>
  fleet.db
    .selectFrom('desired_section as d')
    .leftJoin('reported_section as r', (join) => join.onRef('r.device_id', '=', 'd.device_id').onRef('r.section', '=', 'd.section'))
    .select(['d.rev', 'd.settled', 'd.doc', 'r.ok', 'r.err'])
    .where('d.device_id', '=', id)
    .where('d.section', '=', witnessSection)
    .executeTakeFirst();
const alarms = () => fleet.db.selectFrom('notice').select(['title', 'content', 'target']).where('title', 'like', '%contradict%').execute();
/** Size of the checkpoint that the gateway has stored. */
const sizeAt = (gateway: Gateway) => {
  const { key, checkpoint } = gateway.sections.doc(witnessSection);
  return openCheckpoint(String(checkpoint), Buffer.from(String(key), 'base64'))?.size;
};
const disconnect = async (gateway: Gateway) => {
  gateway.stop();
  await expect.poll(() => gateway.state).not.toBe('online');
};
const hasCaps = (id: number, cap: string) =>
  expect
    .poll(async () => (await fleet.db.selectFrom('device').select('caps').where('id', '=', id).executeTakeFirst())?.caps)
    .toContain(cap);

describe('a gateway as a witness of the audit log', () => {
  test('holds checkpoints, gets short proofs, and refuses a rewritten log with an alarm', async () => {
    const { id, gateway } = await fleet.addGateway(1, 'WIT1');
    await sendCheckpoints(fleet.deps);
    await sealRound(fleet.deps);
    const old = await grow(4099);
    await gateway.connect();
    await hasCaps(id, witnessSection);
    await sendCheckpoints(fleet.deps);
    await expect.poll(() => sizeAt(gateway)).toBe(old);
    await expect.poll(evidence).toEqual({ count: 1, size: old, conflicts: 0 });

    // Nothing is sent twice: neither on the same day nor without new entries.
    const { rev } = (await section(id)) ?? {};
    await nextDay();
    const restore = await backUpAudit(fleet.deps, 'w');
    const size = await grow(901);
    await sendCheckpoints(fleet.deps);
    expect((await section(id))?.rev).toBe((rev ?? 0) + 1);
    await sendCheckpoints(fleet.deps);
    expect((await section(id))?.rev).toBe((rev ?? 0) + 1);
    await expect.poll(() => sizeAt(gateway)).toBe(size);
    await expect.poll(evidence).toEqual({ count: 1, size, conflicts: 0 });

    // A checkpoint for a gateway that is offline.
    await disconnect(gateway);
    gateway.reboot();
    const later = await grow(700);
    await nextDay();
    const [message] = (await pendingFor(fleet.deps.pool, fleet.deps.config, fleet.clock.now(), ['WIT1'])).get('WIT1') ?? [];
    const { proof } = JSON.parse(message?.body ?? '{}').doc;
    const hashes = Buffer.from(proof, 'base64').length / 32;
    expect(message?.tail).toBe(`cfg/${witnessSection}`);
    expect(hashes).toBeGreaterThan(5);
    expect(hashes).toBeLessThanOrEqual(Math.ceil(Math.log2(later)) + 1);
    expect(Buffer.byteLength(message?.body ?? '')).toBeLessThan(1024);
    expect(sizeAt(gateway)).toBe(size);
    await gateway.connect();
    await expect.poll(() => sizeAt(gateway)).toBe(later);
    await expect.poll(evidence).toEqual({ count: 1, size: later, conflicts: 0 });

    // An administrator of the database puts an old log back, removes the outside copy, and continues with other entries.
    await restore();
    await rm(join(fleet.deps.config.dataDir, 'audit-checkpoint.txt'), { force: true });
    await grow(3, 'other');
    await nextDay();
    await expect.poll(() => section(id)).toMatchObject({ ok: false, err: expect.stringContaining('E_WITNESS log is shorter') });
    expect(await evidence()).toEqual({ count: 1, size: later, conflicts: 1 });
    await grow(5000, 'other');
    await nextDay();
    await expect.poll(() => section(id)).toMatchObject({ ok: false, err: expect.stringContaining('E_WITNESS log was rewritten') });
    expect(await evidence()).toEqual({ count: 1, size: later, conflicts: 1 });
    expect(sizeAt(gateway)).toBe(later);
    await sendCheckpoints(fleet.deps);
    expect(await alarms()).toMatchObject([{ target: 'admin', content: expect.stringContaining('contradicts the audit log: 1.') }]);
    await disconnect(gateway);
  });

  test('reports the size it holds if the console does not know it, and gets a proof from that size', async () => {
    const { id, gateway } = await fleet.addGateway(1, 'WIT2');
    await gateway.connect();
    await hasCaps(id, witnessSection);
    await sendCheckpoints(fleet.deps);
    await expect.poll(async () => (await section(id))?.ok).toBe(true);
    const storedSize = sizeAt(gateway);
    // As after a transfer.
    for (const table of ['desired_section', 'reported_section'] as const)
      await fleet.db.deleteFrom(table).where('device_id', '=', id).execute();
    await fleet.db.updateTable('device').set({ config_floor: 100 }).where('id', '=', id).execute();
    const size = await grow(10);
    await sendCheckpoints(fleet.deps);
    await expect.poll(() => section(id)).toMatchObject({ ok: false, err: `E_FROM ${storedSize}` });
    await sendCheckpoints(fleet.deps);
    await expect.poll(() => section(id)).toMatchObject({ ok: true, doc: { from: storedSize } });
    expect(sizeAt(gateway)).toBe(size);
  });

  test('refuses a log with another key', { tags: 'all' }, async () => {
    const { id, gateway } = await fleet.addGateway(1, 'WIT3');
    await gateway.connect();
    await hasCaps(id, witnessSection);
    await sendCheckpoints(fleet.deps);
    await expect.poll(async () => (await section(id))?.ok).toBe(true);
    const restore = await backUpAudit(fleet.deps, 'k');
    for (const table of ['audit_log', 'audit_leaf', 'audit_node'] as const) await fleet.db.deleteFrom(table).execute();
    await grow(20_000);
    await nextDay();
    await expect.poll(() => section(id)).toMatchObject({ ok: false, err: 'E_WITNESS signed by another key' });
    await restore();
  });

  test('gets nothing over L-band, without the capability, or while sealing is stopped', async () => {
    const [band, old, later] = await Promise.all([
      fleet.addGateway(1, 'WIT4'),
      fleet.addGateway(1, 'WIT5', { version: '02.09.00' }),
      fleet.addGateway(1, 'WIT6'),
    ]);
    band.gateway.current = 'l_band';
    for (const { gateway } of [band, old]) await gateway.connect();
    await hasCaps(band.id, witnessSection);
    await hasCaps(old.id, 'docker');
    await sendCheckpoints(fleet.deps);
    expect(await section(old.id)).toBeUndefined();
    expect(await section(band.id)).toMatchObject({ settled: false, ok: null });
    expect((await pendingFor(fleet.deps.pool, fleet.deps.config, fleet.clock.now(), ['WIT4'])).get('WIT4')).toBeUndefined();
    await disconnect(band.gateway);
    band.gateway.current = '6d';
    await band.gateway.connect();
    await expect.poll(async () => (await section(band.id))?.ok).toBe(true);

    await fleet.db.updateTable('audit_log').set({ stopped: 'shorter' }).execute();
    await later.gateway.connect();
    await hasCaps(later.id, witnessSection);
    await sendCheckpoints(fleet.deps);
    expect(await section(later.id)).toBeUndefined();
    expect((await inTransaction(fleet.deps.pool, 'begin', readLog))?.stopped).toBe('shorter');
  });
});
