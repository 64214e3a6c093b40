import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openControl } from './control.ts';
import { Fleet } from './fleet.ts';
import { entryOf, page, phaseOf } from './sample-accounts.ts';

const fleet = new Fleet([], { speed: 1, seed: 1, connectsPerSecond: 100, startAt: 1_790_000_000 });
// Nothing listens on this port: these gateways stay offline.
const common = { host: '127.0.0.1', port: 9, seed: 1, calm: true };
let server: Awaited<ReturnType<typeof openControl>>;
let base: string;

beforeAll(async () => {
  server = await openControl(fleet, common, 0);
  const address = server.address();
  base = `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}/sim`;
});
afterAll(() => {
  fleet.stop();
  server.close();
});

const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
  const reply = await fetch(base + path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  return { status: reply.status, body: await reply.json() };
};
const add = (sn: string, more: object = {}) => call('POST', `/${sn}`, { key: 'k', at: [20, 115], links: ['6d', 'l_band'], ...more });

describe('a gateway', () => {
  test('is created, read and deleted', async () => {
    const created = await add('NEW1', { version: '02.08.05', model: 'FG-100', docker: 0 });
    expect(created).toMatchObject({
      status: 200,
      body: { sn: 'NEW1', version: '02.08.05', model: 'FG-100', docker: 0, link: '6d', position: { lat: 20 } },
    });
    expect((await call('GET', '')).body).toMatchObject({ all: 1, sns: ['NEW1'] });
    expect((await call('GET', '/NEW1')).body).toMatchObject({ sn: 'NEW1', powered: true, users: [], sections: {} });
    expect((await call('DELETE', '/NEW1')).body).toEqual({ removed: true });
    expect((await call('GET', '/NEW1')).status).toBe(404);
  });

  test('executes an action, and returns its state', async () => {
    await add('BOX1');
    const act = async (action: string, body: object) => (await call('POST', `/BOX1/${action}`, body)).body;
    expect(await act('link', { force: 'l_band' })).toMatchObject({ link: 'l_band' });
    expect(await act('link', { force: 'none' })).toMatchObject({ link: null });
    expect(await act('link', { force: null })).toMatchObject({ link: '6d' });
    expect(await act('user', { acc: 'crew1' })).toMatchObject({ users: [{ acc: 'crew1', ip: '192.168.10.11' }] });
    expect(await act('user', { acc: 'crew1', in: false })).toMatchObject({ users: [] });
    expect(await act('ap', { ap: 'ap1', up: false })).toMatchObject({
      aps: expect.arrayContaining([expect.objectContaining({ name: 'ap1', s: 0 })]),
    });
    expect(await act('port', { port: 3, up: true })).toMatchObject({ lan: expect.arrayContaining([1]) });
    expect(await act('local', { section: 'wifi', doc: { ssid: 'x' } })).toMatchObject({
      sections: { wifi: { rev: 0, doc: { ssid: 'x' } } },
    });
    expect(await act('docker', { crash: true })).toMatchObject({ docker: 2 });
    expect(await act('power', { power: 'off' })).toMatchObject({ powered: false });
    expect(await act('power', { power: 'on' })).toMatchObject({ powered: true });
  });

  test('validates and keeps local changes of its pages', async () => {
    await add('BOX2');
    const change = (sections: object) => call('POST', '/BOX2/config', { sections });
    const lan = { rows: [{ name: 'lan', purpose: 'crew', ipaddr: '10.1.0.1/24', ports: [{ port: 'eth1' }] }] };
    expect(await change({ network_lan: lan })).toMatchObject({ status: 200, body: { sections: { network_lan: { rev: 0, doc: lan } } } });
    expect(await change({ telnet_setting: { port: 0, interface: 'lan' } })).toMatchObject({
      status: 409,
      body: { error: expect.stringMatching(/^E_FIELD telnet_setting\.port/) },
    });
    expect(await call('POST', '/BOX2/fault', { slow_apply: 3, apply_power: 'after' })).toMatchObject({ status: 200 });
    expect(await call('POST', '/BOX2/fault', { apply_power: 'sometimes' })).toMatchObject({ status: 400 });
  });

  test('reports the fences that it crosses on its way', async () => {
    await add('BOX2');
    const gateway = fleet.get('BOX2');
    const fences = [
      { name: 'harbour', act: 'mute', circle: { lat: 22, lon: 114, r: 50_000 } },
      {
        name: 'strait',
        polygon: [
          [0, 100],
          [0, 104],
          [4, 104],
          [4, 100],
        ],
      },
    ];
    await call('POST', '/BOX2/local', { section: 'fence', doc: { fences } });
    const before = gateway?.outgoing.length ?? 0;
    expect((await call('POST', '/BOX2/goto', { lat: 22.1, lon: 114.1 })).body).toMatchObject({ fences: ['harbour'] });
    expect((await call('POST', '/BOX2/goto', { lat: 2, lon: 102 })).body).toMatchObject({ fences: ['strait'] });
    expect((await call('POST', '/BOX2/goto', {})).body).toMatchObject({ fences: [], position: { lat: 20 } });
    expect(gateway?.outgoing.length).toBeGreaterThanOrEqual(before + 4);
  });

  test('logs subscribers in, transfers bytes exactly, and forgets its accounts', async () => {
    await add('BOX4', { passwords: { crew: 'pw-crew' } });
    const act = (action: string, body: object) => call('POST', `/BOX4/${action}`, body);
    const gateway = fleet.get('BOX4');
    gateway?.accounts.applyPage(page(0, 4, [entryOf('crew', { ph: [phaseOf(9, { b: 1000 })], mac: '02:00:00:00:00:01' })]), new Set());
    expect((await act('user', { acc: 'crew', password: 'guess' })).body).toEqual({ ok: false, why: 'wrong_password' });
    expect((await act('user', { acc: 'crew', password: 'pw-crew', mac: '02-00-00-00-00-02' })).body).toEqual({
      ok: false,
      why: 'wrong_mac',
    });
    expect((await act('browse', { acc: 'crew', up: 1, down: 1 })).status).toBe(409);
    expect((await act('user', { acc: 'crew', password: 'pw-crew', mac: '02-00-00-00-00-01', vlan: 3 })).body).toEqual({
      ok: true,
      sid: expect.any(String),
    });
    expect((await act('browse', { acc: 'crew', up: 0, down: 600 })).body).toEqual({ up: 0, down: 600 });
    const before = gateway?.outgoing.length ?? 0;
    expect((await act('browse', { acc: 'crew', up: 0, down: 600, report: true })).body).toEqual({ up: 0, down: 400 });
    expect(gateway?.outgoing.length).toBeGreaterThan(before);
    expect((await call('GET', '/BOX4')).body).toMatchObject({
      users: [],
      accounts: { rev: 4, n: 1 },
      counters: { crew: { bytes: 1000, first: { 9: expect.any(Number) } } },
    });
    expect((await act('accounts', { forget: true })).body).toMatchObject({ accounts: { rev: 0, n: 0, h: '0'.repeat(16) }, counters: {} });
    expect((await act('accounts', { passwords: { 'two words': 'x' } })).status).toBe(400);
    expect((await act('fault', { refuse_accounts: ['crew', 'guest'] })).status).toBe(200);
    expect(gateway?.faults.refuseAccounts).toEqual(new Set(['crew', 'guest']));
  });

  test('has the injected faults until they are removed', async () => {
    await add('BOX3');
    const faults = () => fleet.get('BOX3')?.faults;
    await call('POST', '/BOX3/fault', {
      file: 'corrupt',
      hold: 40,
      never_ack: true,
      unsupported: ['docker.info', 'cfg.get'],
      duplicate: 0.5,
    });
    expect(faults()).toMatchObject({
      file: 'corrupt',
      hold: 40,
      neverAck: true,
      unsupported: new Set(['docker.info', 'cfg.get']),
      duplicate: 0.5,
    });
    await call('POST', '/BOX3/fault', { file: null, hold: null });
    expect(faults()).toMatchObject({ file: undefined, hold: undefined, neverAck: true });
    await call('POST', '/BOX3/fault', { clear: true });
    expect(faults()).toMatchObject({ neverAck: false, duplicate: 0 });
  });
});

test('a phone opens the portal of a gateway; its web server listens on request', async () => {
  await add('PHONE1');
  expect(await call('POST', '/PHONE1/phone', { get: '/' })).toEqual({
    status: 200,
    body: { status: 503, location: null, body: 'no portal' },
  });
  const { body } = await call('POST', '/PHONE1/portal', { port: 0 });
  expect(body).toEqual({ port: expect.any(Number) });
});

test.each([
  ['POST', '/BOX1/fault', { rain: 1 }, 400, /^No such fault/],
  ['POST', '/BOX1/fault', { file: 'rain' }, 400, /cannot be rain/],
  ['POST', '/BOX1/power', { power: 'up' }, 400, /^power: one of/],
  ['POST', '/BOX1/link', { force: 'lte' }, 409, /no such link/],
  ['POST', '/BOX1/ap', { ap: 'ap99', up: true }, 409, /no such access point/],
  ['POST', '/BOX1/user', { acc: 'absent', in: false }, 409, /not signed in/],
  ['POST', '/BOX1/goto', { lat: 99, lon: 0 }, 400, /^lat/],
  ['POST', '/BOX1/violate', { rule: 'garbage' }, 409, /not connected/],
  ['POST', '/BOX1/dance', {}, 404, /no such action/],
  ['GET', '/BOX1/power', undefined, 405, /POST/],
  ['POST', '/bad%2Fsn', {}, 400, /a text like/],
  ['GET', '/%ff', undefined, 400, /malformed/],
  ['POST', '/BOX1/power', [], 400, /not an object/],
])('%s %s %j is refused with %i', async (method, path, body, status, error) => {
  if (!fleet.get('BOX1')) await add('BOX1');
  expect(await call(method, path, body)).toEqual({ status, body: { error: expect.stringMatching(error) } });
});

test('requests from a browser page are refused', async () => {
  expect((await call('GET', '', undefined, { origin: 'http://evil.example' })).status).toBe(403);
});
