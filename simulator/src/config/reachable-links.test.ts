import { rowsOf } from '@farlink/gateway/kit/document.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { describe, expect, test } from 'vitest';
import { bundleOf, type Rig, rig, start } from './test/rig.ts';

const wans = (r: Rig, change: (row: JsonObject) => JsonObject): JsonObject => ({
  rows: rowsOf(r.gateway.sections.doc('network_wan')).map((row) => ({ ...row, ...change(row) })),
});
const only = (name: string, values: JsonObject) => (row: JsonObject) => (row.name === name ? values : {});
const apply = async (r: Rig, docs: Record<string, JsonObject>, keep = 0) => {
  const bundle = bundleOf(docs, { keep });
  r.onMessage('set', bundle);
  const topic = keep > 0 ? `set/${bundle.id}` : `cfg/${Object.keys(docs)[0]}`;
  await expect.poll(r.topics).toContain(topic);
  const refusal = Object.values(r.replies()).find(({ ok }) => ok === false)?.err;
  expect(refusal).toBeUndefined();
};
const drop: JsonObject = { name: 'no', order: 1, direction: 'out', action: 'drop', protocol: 'any' };
const platform: JsonObject = {
  enabled: true,
  host: '127.0.0.1',
  port: 443,
  merchant_code: 'M',
  device_key: 'k',
  heartbeat: 60,
  lband_heartbeat: 900,
};

describe('a change of the link in use', () => {
  test.each<[string, JsonObject]>([
    ['disables it', { enabled: false }],
    ['moves it to an unconnected port', { port: 'sfp0' }],
    ['adds a VLAN tag', { vlan_enabled: true, vlan_id: 7 }],
    ['sets an address of another network', { proto: 'static', ipaddr: '172.30.0.2/24', gateway: '172.30.0.1' }],
  ])('that %s moves the gateway to another link', async (_how, values) => {
    const r = rig();
    expect(r.gateway.current).toBe('low_orbit');
    await apply(r, { network_wan: wans(r, only('wan_leo', values)) });
    expect(r.gateway.current).toBe('6d');
    expect(r.events('link')).toMatchObject([{ from: 'low_orbit', to: '6d' }]);
  });

  test('that sets a correct static address keeps the link', async () => {
    const r = rig();
    const gateway = r.gateway.world.radio.gatewayOf('low_orbit');
    await apply(r, { network_wan: wans(r, only('wan_leo', { proto: 'static', ipaddr: gateway.replace(/1$/, '9/24'), gateway })) });
    expect(r.gateway.current).toBe('low_orbit');
  });

  test.each<[string, (r: Rig) => Record<string, JsonObject>]>([
    ['all links disabled', (r) => ({ network_wan: wans(r, () => ({ enabled: false })) })],
    ['a firewall rule that drops all traffic', () => ({ defense_firewall_rule: { rows: [drop] } })],
  ])('that blocks all links disconnects the gateway until the rollback: %s', async (_how, docs) => {
    const r = rig();
    await apply(r, docs(r), 90);
    expect(r.gateway.current).toBeUndefined();
    expect(await r.gateway.connect()).toBe(false);
    r.later(91);
    expect(r.gateway.current).toBe('low_orbit');
    expect(Object.values(r.replies())[0]).toMatchObject({ ok: false, err: 'E_LOST rolled back after 90 s' });
  });

  test('by a firewall rule that does not block all traffic keeps a link to the console', async () => {
    const open = rig();
    await apply(open, {
      defense_firewall_rule: {
        rows: [
          { ...drop, order: 2 },
          { ...drop, name: 'yes', action: 'accept' },
        ],
      },
    });
    expect(open.gateway.current).toBe('low_orbit');
    const one = rig();
    await apply(one, { defense_firewall_rule: { rows: [{ ...drop, out_interface: 'wan_leo' }] } });
    expect(one.gateway.current).toBe('6d');
    const narrow = rig();
    await apply(narrow, { defense_firewall_rule: { rows: [{ ...drop, dst_port: '25' }] } });
    expect(narrow.gateway.current).toBe('low_orbit');
  });
});

describe('the address of the console', () => {
  test('that is wrong disconnects the gateway until the rollback', async () => {
    const r = rig();
    await apply(r, { advanced_cloud_platform: { ...platform, host: 'elsewhere.example' } }, 30);
    expect(r.gateway.configuration.seeksConsole).toBe(false);
    expect(await r.gateway.connect()).toBe(false);
    r.later(31);
    expect(r.gateway.configuration.seeksConsole).toBe(true);
  });

  test('is accepted if the host or the backup host is correct', async () => {
    for (const doc of [platform, { ...platform, host: 'elsewhere.example', backup_host: 'localhost' }]) {
      const r = rig();
      await apply(r, { advanced_cloud_platform: doc });
      expect(r.gateway.configuration.seeksConsole).toBe(true);
    }
  });

  test('is not used when the platform connection is disabled', async () => {
    const r = rig();
    await apply(r, { advanced_cloud_platform: { ...platform, enabled: false } });
    expect(r.gateway.configuration.seeksConsole).toBe(false);
  });
});

describe('effects of a configuration', () => {
  test('link lock and mode follow their pages and are rolled back with them', async () => {
    const r = rig();
    await apply(
      r,
      {
        link_change_lock: { lock_state: 'global' },
        link_change_mode: { change_mode: 'roaming', primary_link: 'wan_6d', roaming_strategy: 'quality' },
      },
      60,
    );
    expect([r.gateway.current, r.gateway.world.radio.lock, r.gateway.world.radio.mode]).toEqual(['6d', 'global', 'roaming']);
    expect(r.events('lock')).toMatchObject([{ lock: 'global', mode: 'roaming' }]);
    r.later(61);
    expect([r.gateway.world.radio.lock, r.gateway.world.radio.mode]).toEqual(['unlocked', 'default']);
  });

  test.each<[string, JsonObject, number]>([
    ['a duration', { expiry: 'duration', lock_hours: 2 }, 7200],
    ['an end time', { expiry: 'at_time', lock_until: start + 3600 }, 3600],
  ])('a lock with %s ends then, and does not change a later manual lock', async (_how, expiry, seconds) => {
    const r = rig();
    await apply(r, { link_change_lock: { lock_state: 'global', ...expiry } });
    const { world } = r.gateway;
    r.later(seconds - 60);
    expect(world.radio.lock).toBe('global');
    r.later(60);
    expect(world.radio.lock).toBe('unlocked');
    expect(r.events('lock').map(({ lock }) => lock)).toEqual(['global', 'unlocked']);
    world.lockTo('second_satellite', undefined);
    r.later(60);
    expect(world.radio.lock).toBe('second_satellite');
  });

  test('a gateway that accepts no configuration from the platform reports it, until it is changed locally', async () => {
    const r = rig();
    await apply(r, { advanced_cloud_platform: { ...platform, accept_config: false } });
    r.onMessage('set', bundleOf({ link_change_lock: { lock_state: 'global' } }));
    await expect.poll(() => r.replies().link_change_lock).toMatchObject({ ok: false, err: expect.stringMatching(/^E_DENIED /) });
    r.gateway.changeLocally('advanced_cloud_platform', platform);
    r.onMessage('set', bundleOf({ link_change_lock: { lock_state: 'global' } }, { rev: 2 }));
    await expect.poll(() => r.gateway.world.radio.lock).toBe('global');
  });

  test('positions are reported at the interval of their page', async () => {
    const r = rig();
    const positions = () =>
      r.sent.filter(({ topic }) => topic === 't/pos').flatMap(({ body }) => (Array.isArray(body.v) ? body.v : [])).length;
    for (let minute = 0; minute < 19; minute++) r.later(60);
    expect(positions()).toBe(20);
    await apply(r, { satellite_route_position: { primary: 'acu', report_interval: 300 } });
    for (let minute = 0; minute < 20; minute++) r.later(60);
    expect(positions()).toBe(24);
  });

  test('a disabled LEO terminal is not used as a link', async () => {
    const r = rig();
    await apply(r, { satellite_route_leo: { ...r.gateway.sections.doc('satellite_route_leo'), enabled: false } });
    expect(r.gateway.current).toBe('6d');
  });

  const around = (lon: number, lat: number): JsonObject['polygon'] => [
    [lon - 1, lat - 1],
    [lon + 1 > 180 ? lon - 359 : lon + 1, lat - 1],
    [lon + 1 > 180 ? lon - 359 : lon + 1, lat + 1],
    [lon - 1, lat + 1],
  ];
  const area = (more: JsonObject): JsonObject => ({
    rows: [{ name: '港区', category: 'port', priority: 1, polygon: around(115, 20), ...more }],
  });

  test('a fence reports entry and exit, and its policy locks the link while the gateway is inside', async () => {
    const r = rig();
    await apply(r, { fence_policy: { rows: [{ name: 'quiet', link_lock: 'global' }] }, fence_area: area({ on_enter: 'quiet' }) });
    r.later(60);
    expect(r.events('fence')).toMatchObject([{ fence: '港区', in: true, act: 'quiet' }]);
    expect(r.gateway.world.radio.lock).toBe('global');
    r.gateway.world.goTo({ lat: 0, lon: 100 });
    r.later(60);
    expect(r.events('fence').at(-1)).toMatchObject({ fence: '港区', in: false });
    expect(r.gateway.world.radio.lock).toBe('unlocked');
  });

  test('the edge of a fence counts as crossed only after the dwell time', async () => {
    const r = rig();
    await apply(r, { fence_area: area({ enter_dwell: 120, leave_dwell: 180 }) });
    r.later(60);
    r.later(60);
    expect(r.events('fence')).toEqual([]);
    r.later(60);
    expect(r.events('fence')).toMatchObject([{ in: true }]);
    // A short exit does not count.
    r.gateway.world.goTo({ lat: 0, lon: 100 });
    r.later(60);
    r.gateway.world.goTo(undefined);
    r.later(300);
    r.gateway.world.goTo({ lat: 0, lon: 100 });
    r.later(120);
    expect(r.events('fence')).toHaveLength(1);
    r.later(60);
    expect(r.events('fence').at(-1)).toMatchObject({ in: false });
  });

  test('a fence policy disables links, but a manual lock has priority over its lock', async () => {
    const r = rig();
    r.gateway.world.lockTo('global', undefined);
    await apply(r, {
      fence_policy: { rows: [{ name: 'quiet', link_lock: 'second', leo: 'off', forbid_links: [{ link: 'wan_lband' }] }] },
      fence_area: area({ on_enter: 'quiet' }),
    });
    r.later(60);
    r.later(60);
    expect(r.gateway.world.radio.lock).toBe('global');
    expect(r.gateway.view().links.map(({ i, s }) => [i, s])).toEqual([
      ['low_orbit', 0],
      ['6d', 1],
      ['l_band', 0],
    ]);
  });

  test.each<[string, (area: (more: JsonObject) => JsonObject) => Record<string, JsonObject>]>([
    ['a removed area', () => ({ fence_area: { rows: [] } })],
    ['a disabled area', (of) => ({ fence_area: of({ on_enter: 'quiet', enabled: false }) })],
    ['a relaxed policy', () => ({ fence_policy: { rows: [{ name: 'quiet' }] } })],
  ])('%s releases the lock and the links, although no edge was crossed', async (_what, change) => {
    const r = rig();
    const quiet = { name: 'quiet', link_lock: 'global', leo: 'off' };
    await apply(r, { fence_policy: { rows: [quiet] }, fence_area: area({ on_enter: 'quiet' }) });
    r.later(60);
    expect([r.gateway.world.radio.lock, r.gateway.world.radio.barred.has('low_orbit')]).toEqual(['global', true]);
    r.sent.length = 0;
    await apply(r, change(area));
    r.later(60);
    expect([r.gateway.world.radio.lock, r.gateway.world.radio.barred.has('low_orbit')]).toEqual(['unlocked', false]);
  });

  test('a lock that was removed inside an area stays removed until the area requires another one', async () => {
    const r = rig();
    await apply(r, { fence_policy: { rows: [{ name: 'quiet', link_lock: 'global' }] }, fence_area: area({ on_enter: 'quiet' }) });
    r.later(60);
    r.gateway.world.lockTo('unlocked', undefined);
    r.later(60);
    expect(r.gateway.world.radio.lock).toBe('unlocked');
    r.sent.length = 0;
    await apply(r, { fence_policy: { rows: [{ name: 'quiet', link_lock: 'second' }] } });
    r.later(60);
    expect(r.gateway.world.radio.lock).toBe('second_satellite');
  });

  test('an area may cross the date line, be disabled, or have a validity period', async () => {
    const r = rig({ at: { lat: 0, lon: 179.9 } });
    await apply(r, { fence_area: area({ polygon: around(179.5, 0) }) });
    r.later(60);
    expect(r.events('fence')).toMatchObject([{ in: true }]);
    const inactiveBy: readonly JsonObject[] = [{ enabled: false }, { valid_to: 1_700_000_000 }, { valid_from: 1_900_000_000 }];
    for (const more of inactiveBy) {
      const off = rig();
      await apply(off, { fence_area: area(more) });
      off.later(60);
      expect(off.events('fence')).toEqual([]);
    }
    const inactive = rig();
    await apply(inactive, {
      fence_area: area({}),
      fence_setting: { enabled: false, check_interval: 30, overlap: 'priority', on_position_lost: 'hold' },
    });
    inactive.later(60);
    expect(inactive.events('fence')).toEqual([]);
  });
});

test('the operation cfg.get returns the requested sections', async () => {
  const { operations } = await import('../operations/registry.ts');
  const r = rig();
  await apply(r, { hidden_debug: { enabled: false, auto_off: 9 } });
  r.sent.length = 0;
  const run = operations['cfg.get'];
  const getSections = (args: JsonObject) => run?.(r.gateway, { id: '0123456789ab', args, report: () => {} });
  expect(await getSections({ sections: ['hidden_debug', 'network_lan'] })).toEqual({ st: 'done', out: { sections: 2 } });
  expect(r.replies()).toMatchObject({
    hidden_debug: { rev: 1, loc: true, doc: { auto_off: 9 } },
    network_lan: { rev: 0, loc: true, doc: r.gateway.sections.doc('network_lan') },
  });
  await getSections({});
  expect(Object.keys(r.replies()).sort()).toEqual(r.gateway.sections.names.toSorted());
  expect(await getSections({ section: 'hidden_debug' })).toMatchObject({ out: { rev: 1, doc: { auto_off: 9 } } });
});
