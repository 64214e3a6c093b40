import { configCalls as calls } from '@farlink/contract/config/config.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { rowsOf } from '@farlink/gateway/kit/document.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Caller } from '../../../../test/api.ts';
import { type FleetApi, startFleetApi } from '../../../../test/fleet-api.ts';
import { patience } from '../../../../test/patience.ts';

let api: FleetApi;
let admin: Caller;
let platformId: number;

beforeAll(async () => {
  api = await startFleetApi();
  admin = await api.login('admin');
  platformId = admin.session?.agent_id ?? 0;
});
afterAll(() => api?.close());

/** A configured gateway with all links that has reported its sections. */
const startGateway = async (sn: string) => {
  const made = await api.addGateway(platformId, sn, {
    configured: true,
    calm: true,
    at: { lat: 20, lon: 115 },
    links: ['6d', 'low_orbit', 'l_band'],
  });
  made.gateway.step(api.clock.now());
  await made.gateway.connect();
  const page = async (key: string) => (await admin.call(calls.page, { device_id: made.id, page: key })).data;
  await vi.waitFor(async () => expect(rowsIn((await page('network_wan')).doc).length).toBeGreaterThan(0), patience);
  const put = async (key: string, doc: object, keep = 0) => {
    const { rev } = await page(key);
    const saved = await admin.call(calls.draft, { device_id: made.id, page: key, base_rev: rev, doc });
    expect(saved.code, JSON.stringify(saved)).toBe(0);
    const reply = await admin.call(calls.apply, { device_id: made.id, pages: [key], keep });
    expect(reply.code, JSON.stringify(reply)).toBe(0);
    return reply.data.id;
  };
  const ends = async (id: number, state: number) => {
    await vi.waitFor(async () => {
      const row = await api.db.selectFrom('config_apply').select(['state', 'err']).where('id', '=', id).executeTakeFirstOrThrow();
      expect(row, JSON.stringify(row)).toMatchObject({ state });
    }, patience);
  };
  return { ...made, page, put, ends };
};

const rowsIn = ({ rows }: Values): Values[] => (Array.isArray(rows) ? rows : []);

const syslog = { level: 'info', local_size: 128, retention_days: 30, remote: false, nat_log: true, buffer: true, allow_lband: false };

describe('a gateway', () => {
  it('has exactly the applied document, and keeps it when it refuses the next one', async () => {
    const ship = await startGateway('SHIP1');
    const id = await ship.put('advanced_syslog', syslog);
    await ship.ends(id, 3);
    expect(ship.gateway.sections.doc('advanced_syslog')).toEqual(syslog);
    expect((await ship.page('advanced_syslog')).state).toBe('applied');
    ship.gateway.faults.reject = new Set(['advanced_syslog']);
    await ship.ends(await ship.put('advanced_syslog', { ...syslog, retention_days: 60 }), 4);
    expect(ship.gateway.sections.doc('advanced_syslog')).toEqual(syslog);
    expect(await ship.page('advanced_syslog')).toMatchObject({ state: 'failed', rev: 2 });
  });

  it('reports local changes, which the console can overwrite', async () => {
    const ship = await startGateway('SHIP2');
    await ship.ends(await ship.put('advanced_syslog', syslog), 3);
    ship.gateway.changeLocally('advanced_syslog', { ...syslog, retention_days: 90 });
    await vi.waitFor(async () => expect((await ship.page('advanced_syslog')).state).toBe('drifted'), patience);
    const { local_hash } = await ship.page('advanced_syslog');
    const overwrite = { device_id: ship.id, page: 'advanced_syslog', take: 'console', local_hash };
    expect((await admin.call(calls.resolveDrift, overwrite)).code).toBe(0);
    await vi.waitFor(async () => expect((await ship.page('advanced_syslog')).state).toBe('applied'), patience);
    expect(ship.gateway.sections.doc('advanced_syslog')).toEqual(syslog);
  });

  it('keeps a risky change if it can reconnect, and rolls back a change that disconnects it', async () => {
    const ship = await startGateway('SHIP3');
    const rows = rowsIn((await ship.page('network_wan')).doc);
    await ship.ends(await ship.put('network_wan', { rows: rows.map((row) => ({ ...row, weight: 7 })) }, 60), 3);
    expect(rowsOf(ship.gateway.sections.doc('network_wan')).map(({ weight }) => weight)).toEqual(rows.map(() => 7));
    const lost = await ship.put('network_wan', { rows: rows.map((row) => ({ ...row, enabled: false })) }, 60);
    await vi.waitFor(() => expect(ship.gateway.current).toBeUndefined(), patience);
    expect(await ship.gateway.connect()).toBe(false);
    api.clock.advance(61);
    ship.gateway.step(api.clock.now());
    await vi.waitFor(async () => expect(ship.gateway.state === 'online' || (await ship.gateway.connect())).toBe(true), patience);
    await ship.ends(lost, 5);
    expect(rowsOf(ship.gateway.sections.doc('network_wan')).map(({ enabled }) => enabled)).not.toContain(false);
    expect(await ship.page('network_wan')).toMatchObject({ state: 'failed', err: 'E_LOST rolled back after 60 s' });
  });

  it('applies changes once that waited while it was powered off', async () => {
    const ship = await startGateway('SHIP4');
    ship.gateway.power('off');
    await vi.waitFor(async () => expect((await admin.call(calls.tree, { device_id: ship.id })).data.device.online_state).toBe(0), patience);
    const id = await ship.put('advanced_syslog', syslog);
    expect((await admin.call(calls.tree, { device_id: ship.id })).data.apply).toMatchObject({ state: 0, waits: 'offline' });
    ship.gateway.power('on');
    await vi.waitFor(async () => expect(ship.gateway.state === 'online' || (await ship.gateway.connect())).toBe(true), patience);
    await ship.ends(id, 3);
    expect(ship.gateway.sections.get('advanced_syslog')).toMatchObject({ rev: 1, local: false });
  });
});
