import { compareCalls } from '@farlink/contract/config/compare.ts';
import { configCalls as calls, keptSecret } from '@farlink/contract/config/config.ts';
import { exchangeCalls } from '@farlink/contract/config/exchange.ts';
import { transferCalls } from '@farlink/contract/device/transfer.ts';
import { errors } from '@farlink/contract/errors.ts';
import { rowsOf } from '@farlink/gateway/kit/document.ts';
import type { Gateway } from '@farlink/simulator/gateway.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Caller } from '../../../../test/api.ts';
import { type FleetApi, startFleetApi } from '../../../../test/fleet-api.ts';
import { openGates } from '../../../../test/gates.ts';
import { patience } from '../../../../test/patience.ts';
import { makeBranches } from '../../../../test/world.ts';
import { completeTransfer } from '../../../domain/transfer/complete-transfer.ts';

let api: FleetApi;
let admin: Caller;
let east: Caller;
let west: Caller;
let eastId: number;
let westId: number;
let n = 0;

beforeAll(async () => {
  api = await startFleetApi();
  ({ admin, eastId, westId } = await makeBranches(api));
  await openGates(api);
  [east, west] = [await api.login('east'), await api.login('west')];
});
afterAll(() => api?.close());

const until = <T>(check: () => Promise<T> | T) => vi.waitFor(check, patience);
const pageOf = async (by: Caller, device_id: number, page: string, more: object = {}) =>
  (await by.call(calls.page, { device_id, page, ...more })).data;
const deviceRow = (id: number) => api.db.selectFrom('device').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const passphrase = 'east-secret-1';
const ssid = { name: 'crew', ssid: 'Crew of east', security: 'personal', passphrase };

const isOnline = (id: number) => until(async () => expect((await deviceRow(id)).online_state).toBe(1));

/** A gateway of VNO east that has reported its setup, with SSIDs set by the console. */
const configuredShip = async () => {
  const at = { configured: true, calm: true, at: { lat: 20, lon: 115 }, links: ['6d', 'low_orbit', 'l_band'] } as const;
  const { id, gateway } = await api.addGateway(eastId, `UNREAD${++n}`, { ...at, links: [...at.links] });
  gateway.step(api.clock.now());
  await gateway.connect();
  await until(async () => expect(rowsOf(Object(await pageOf(east, id, 'network_wan')).doc).length).toBeGreaterThan(0));
  expect(await east.call(calls.draft, { device_id: id, page: 'ac_ssid', base_rev: 0, doc: { rows: [ssid] } })).toMatchObject({ code: 0 });
  expect(await east.call(calls.apply, { device_id: id, pages: ['ac_ssid'], keep: 0 })).toMatchObject({ code: 0 });
  await until(async () => expect((await pageOf(east, id, 'ac_ssid')).state).toBe('applied'));
  await isOnline(id);
  return { id, gateway };
};

const start = async (id: number) => {
  const { data } = await admin.call(transferCalls.transfer, { ids: [id], vno_id: westId });
  expect(data).toMatchObject({ success: 1 });
};

/** The transfer is complete, but the gateway has gone offline before it got the request for its configuration. */
const transferOffline = async (id: number, gateway: Gateway) => {
  gateway.faults.transfer = 'ignore';
  await start(id);
  const { next_key_hash } = await deviceRow(id);
  const { args } = await api.db
    .selectFrom('device_command')
    .select('args')
    .where('device_id', '=', id)
    .where('op', '=', 'vno.transfer')
    .executeTakeFirstOrThrow();
  gateway.stop();
  await until(async () => expect((await deviceRow(id)).online_state).toBe(0));
  gateway.keys.prepare(String(Object(args).key));
  expect(await completeTransfer(api.db, id, next_key_hash ?? '', api.clock.now())).toBe(true);
};

describe('the configuration of a transferred gateway', () => {
  it('is reported to the new VNO, with secrets sealed', async () => {
    const { id, gateway } = await configuredShip();
    const wan = rowsOf(gateway.sections.doc('network_wan')).map(({ name }) => name);
    await start(id);
    await until(async () => {
      await gateway.connect();
      expect(await deviceRow(id)).toMatchObject({ agent_id: westId, online_state: 1, transfer_status: null });
    });
    await until(async () =>
      expect(await pageOf(west, id, 'ac_ssid')).toMatchObject({
        state: 'none',
        rev: 0,
        reading: null,
        doc: { rows: [{ ...ssid, passphrase: keptSecret }] },
      }),
    );
    await until(async () => expect(rowsOf(Object(await pageOf(west, id, 'network_wan')).doc).map(({ name }) => name)).toEqual(wan));
    const rows = await api.db.selectFrom('reported_section').selectAll().where('device_id', '=', id).execute();
    expect(JSON.stringify(rows)).not.toContain(passphrase);
    // The login password of the old VNO is no page: it is not reported.
    expect(rows.filter(({ section, doc }) => section === 'login' && doc !== null)).toEqual([]);
    expect(await west.call(calls.revisions, { device_id: id, section: 'ac_ssid' })).toMatchObject({ data: { total: 0 } });
  });

  it('is unread while the gateway has not reported it: no value is shown, changed, exported or compared', async () => {
    const { id, gateway } = await configuredShip();
    await transferOffline(id, gateway);
    for (const page of ['ac_ssid', 'network_wan'])
      expect(await pageOf(west, id, page)).toMatchObject({ state: 'unread', rev: 0, doc: {}, reading: 'open', waits: 'offline' });
    expect(await pageOf(west, id, 'advanced_syslog')).toMatchObject({ state: 'none', reading: null });
    const { groups } = (await west.call(calls.tree, { device_id: id })).data;
    expect(groups.flatMap(({ pages }) => pages).find(({ key }) => key === 'ac_ssid')?.state).toBe('unread');

    const refusals = [
      await west.call(calls.draft, { device_id: id, page: 'ac_ssid', base_rev: 0, doc: { rows: [] } }),
      await west.call(exchangeCalls.export, { device_id: id, pages: ['ac_ssid'] }),
    ];
    expect(refusals.map(({ code }) => code)).toEqual(refusals.map(() => errors.config_unread.code));
    const other = await api.addGateway(westId, `OTHER${n}`);
    expect((await west.call(compareCalls.compare, { device_id: id, other_id: other.id })).data.unread).toBeGreaterThan(1);

    await gateway.connect();
    await until(async () => expect((await pageOf(west, id, 'ac_ssid')).doc).toMatchObject({ rows: [{ ssid: ssid.ssid }] }));
    expect(await west.call(calls.draft, { device_id: id, page: 'ac_ssid', base_rev: 0, doc: { rows: [] } })).toMatchObject({ code: 0 });
  });

  it('is requested again by an operator if the gateway did not report it', async () => {
    const { id, gateway } = await configuredShip();
    await transferOffline(id, gateway);
    await api.db.updateTable('device_command').set({ state: 5, finish_at: api.clock.now() }).where('op', '=', 'cfg.get').execute();
    expect(await pageOf(west, id, 'ac_ssid')).toMatchObject({ state: 'unread', reading: 'failed', waits: null });
    await Promise.all([1, 2].map(() => pageOf(west, id, 'ac_ssid', { ask: true })));
    expect(await pageOf(west, id, 'ac_ssid')).toMatchObject({ reading: 'open', waits: 'offline' });
    const { length } = await api.db.selectFrom('device_command').select('id').where('op', '=', 'cfg.get').where('state', '=', 0).execute();
    expect(length).toBe(1);
    await gateway.connect();
    await until(async () => expect((await pageOf(west, id, 'ac_ssid')).doc).toMatchObject({ rows: [{ ssid: ssid.ssid }] }));
    expect(await pageOf(west, id, 'network_wan')).toMatchObject({ state: 'unread', doc: {} });
  });
});
