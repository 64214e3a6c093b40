import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { initialValues } from '@farlink/gateway/kit/document.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import { hashOf } from '@farlink/gateway/protocol/shadow.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleOf, type Rig, rig } from './test/rig.ts';

const lan = (ipaddr: string, more: JsonObject = {}): JsonObject => ({
  rows: [{ name: 'lan', purpose: 'crew', ipaddr, ports: [{ port: 'eth1' }], ...more }],
});
const pool = (start: string, end: string): JsonObject => ({ rows: [{ name: 'p', interface: 'lan', mode: 'server', start, end }] });
const debug = (minutes: number): JsonObject => ({ enabled: false, auto_off: minutes });

/** Polls until the gateway has replied for each of these sections. */
const replied = (r: Rig, ...sections: readonly string[]) =>
  expect
    .poll(
      () =>
        Object.keys(r.replies())
          .filter((name) => sections.includes(name))
          .sort(),
      { timeout: 5000 },
    )
    .toEqual(sections.toSorted());

describe('a bundle', () => {
  test('is applied completely and confirmed', async () => {
    const r = rig();
    const bundle = bundleOf({ network_lan: lan('10.1.0.1/24'), network_dhcp_server: pool('10.1.0.10', '10.1.0.20') });
    r.onMessage('set', bundle);
    await replied(r, 'network_lan', 'network_dhcp_server');
    expect(r.replies().network_lan).toEqual({ rev: 1, ok: true, h: bundle.s.network_lan?.h });
    expect(r.gateway.sections.get('network_dhcp_server')).toMatchObject({ rev: 1, local: false });
    expect(r.gateway.sections.revisions()).toEqual({ network_lan: 1, network_dhcp_server: 1 });
  });

  test.each<[string, Record<string, JsonObject>, string, RegExp]>([
    [
      'a field',
      { hidden_debug: debug(1), network_lan: lan('10.1.0.1/24') },
      'hidden_debug',
      /^E_FIELD hidden_debug\.auto_off: A whole number/,
    ],
    [
      'a rule between fields',
      { network_lan: lan('192.168.1.9/24'), hidden_debug: debug(9) },
      'network_lan',
      /^E_FIELD network_lan\.rows\[0\]\.ipaddr: Contains/,
    ],
    [
      'a rule between pages',
      { network_dhcp_server: pool('10.9.0.1', '10.9.0.2'), hidden_debug: debug(9) },
      'network_dhcp_server',
      /rows\[0\]\.start: Not in the subnet/,
    ],
    [
      'a reference to a missing row',
      { telnet_setting: { port: 23, interface: 'lan9' }, hidden_debug: debug(9) },
      'telnet_setting',
      /interface: "lan9" no longer exists/,
    ],
    [
      'a removed row that is in use',
      { network_lan: { rows: [] }, hidden_debug: debug(9) },
      'network_lan',
      /E_FIELD network_lan\.rows: "lan" is used by/,
    ],
    [
      'the type of a value',
      { hidden_debug: { enabled: false, auto_off: '9' }, network_lan: lan('10.1.0.1/24') },
      'hidden_debug',
      /^E_FIELD hidden_debug\.auto_off: /,
    ],
    [
      'the type of a value in a row',
      { network_lan: lan('10.1.0.1/24', { mtu: '1500' }), hidden_debug: debug(9) },
      'network_lan',
      /^E_FIELD network_lan\.rows\[0\]\.mtu: /,
    ],
    ['the name of a section', { status_link: {}, hidden_debug: debug(9) }, 'status_link', /^E_SECTION/],
  ])('with an error in %s changes nothing and reports the error', async (_what, docs, guilty, err) => {
    const r = rig();
    const before = r.gateway.sections.digest();
    r.onMessage('set', bundleOf(docs));
    await replied(r, ...Object.keys(docs));
    const others = Object.keys(docs).filter((name) => name !== guilty);
    expect(r.replies()[guilty]).toMatchObject({ rev: 1, ok: false, err: expect.stringMatching(err) });
    for (const name of others) expect(r.replies()[name]).toMatchObject({ ok: false, err: `E_SET refused with ${guilty}` });
    expect(r.gateway.sections.digest()).toBe(before);
  });

  test('with unknown fields of a newer console is applied and confirmed with its hash', async () => {
    const r = rig();
    const bundle = bundleOf({ hidden_debug: { ...debug(9), since_next_year: true } });
    r.onMessage('set', bundle);
    await replied(r, 'hidden_debug');
    expect(r.replies().hidden_debug).toEqual({ rev: 1, ok: true, h: bundle.s.hidden_debug?.h });
  });

  test('with a wrong hash or a section that cannot be applied is refused', async () => {
    const r = rig();
    const bundle = bundleOf({ hidden_debug: debug(9) });
    r.onMessage('set', { ...bundle, s: { hidden_debug: { ...bundle.s.hidden_debug, h: hashOf({}) } } });
    await replied(r, 'hidden_debug');
    expect(r.replies().hidden_debug?.err).toMatch(/^E_HASH/);
    r.gateway.faults.reject = new Set(['hidden_debug']);
    r.onMessage('set', bundleOf({ hidden_debug: debug(9) }));
    await expect.poll(() => r.replies().hidden_debug?.err).toBe('E_APPLY refused');
  });

  test('that is repeated is confirmed again but not applied again', async () => {
    const r = rig();
    const bundle = bundleOf({ hidden_debug: debug(9) });
    r.onMessage('set', bundle);
    await replied(r, 'hidden_debug');
    r.gateway.changeLocally('hidden_debug', debug(7));
    r.sent.length = 0;
    r.onMessage('set', bundle);
    await replied(r, 'hidden_debug');
    expect(r.replies().hidden_debug).toMatchObject({ ok: true });
    expect(r.gateway.sections.get('hidden_debug')).toMatchObject({ doc: debug(7), local: true });
  });

  test('of an older revision than the stored one is ignored', async () => {
    const r = rig();
    r.onMessage('set', bundleOf({ hidden_debug: debug(9) }, { rev: 5 }));
    await replied(r, 'hidden_debug');
    r.sent.length = 0;
    r.onMessage('set', bundleOf({ hidden_debug: debug(8) }, { rev: 4 }));
    r.onMessage('set', bundleOf({ ac_roaming: { dot11k: true } }));
    await replied(r, 'ac_roaming');
    expect(r.gateway.sections.doc('hidden_debug')).toEqual(debug(9));
  });
});

test('a configuration page is refused as a single section, but a section of the gateway itself is accepted', () => {
  const r = rig();
  const alone = (name: string, doc: JsonObject) =>
    r.gateway.configuration.onMessage('cfg', name, JSON.stringify({ rev: 1, h: hashOf(doc), doc }));
  alone('hidden_debug', debug(100_000));
  alone('report', { load: 30 });
  expect(r.replies()).toMatchObject({
    hidden_debug: { rev: 1, ok: false, err: expect.stringMatching(/^E_SECTION/) },
    report: { ok: true },
  });
  expect(r.gateway.sections.get('hidden_debug')).toBeUndefined();
});

describe('parts that do not fit into the message', () => {
  const content = Buffer.from('an options file');
  const sha256 = createHash('sha256').update(content).digest('hex');
  const opt = (sum: string): JsonObject => ({
    rows: [
      {
        name: 'o',
        sat_network: 'global',
        opt_file: { name: 'a.opt', size: content.length, sha256: sum },
        modem_sn: 'M1',
        activation: 'manual',
      },
    ],
  });
  let server: Server;
  let base = '';
  beforeAll(async () => {
    server = createServer((request, response) => {
      const body = request.url === '/doc' ? Buffer.from(JSON.stringify(debug(44))) : request.url === '/file' ? content : undefined;
      response.writeHead(body ? 200 : 404).end(body);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    base = `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`;
  });
  afterAll(() => server.close());

  const bundleWithUrl = (url: string, n = 1000) => {
    const bundle = bundleOf({ ac_roaming: { dot11k: false } });
    return { ...bundle, s: { ...bundle.s, hidden_debug: { rev: 1, h: hashOf(debug(44)), url, n } } };
  };

  test('a document is downloaded', async () => {
    const r = rig();
    r.onMessage('set', bundleWithUrl(`${base}/doc`));
    await replied(r, 'hidden_debug', 'ac_roaming');
    expect(r.gateway.sections.doc('hidden_debug')).toEqual(debug(44));
  });

  test('a missing document, or one longer than declared, refuses the bundle', async () => {
    for (const bundle of [bundleWithUrl(`${base}/none`), bundleWithUrl(`${base}/doc`, 5)]) {
      const r = rig();
      r.onMessage('set', bundle);
      await replied(r, 'hidden_debug', 'ac_roaming');
      expect(r.replies().hidden_debug?.err).toMatch(/^E_FETCH/);
      expect(r.gateway.sections.revisions()).toEqual({});
    }
  });

  test('a document that cannot be downloaded without a link gets no reply', async () => {
    const r = rig();
    r.gateway.faults.file = 'net';
    const bundle = bundleWithUrl(`${base}/doc`);
    r.onMessage('set', bundle);
    r.onMessage('set', bundleOf({ ac_roaming: { dot11k: true } }, { rev: 2 }));
    await replied(r, 'ac_roaming');
    expect(Object.keys(r.replies())).not.toContain('hidden_debug');
  });

  test('files are downloaded and must have the hash in the document', async () => {
    const good = rig();
    good.onMessage('set', { ...bundleOf({ satellite_route_opt: opt(sha256) }), f: { [sha256]: `${base}/file` } });
    await replied(good, 'satellite_route_opt');
    expect(good.replies().satellite_route_opt).toMatchObject({ ok: true });
    // A file that the gateway already has is not downloaded again.
    good.sent.length = 0;
    good.onMessage('set', bundleOf({ satellite_route_opt: opt(sha256) }, { rev: 2 }));
    await replied(good, 'satellite_route_opt');
    expect(good.replies().satellite_route_opt).toMatchObject({ ok: true });
    const bad = '0'.repeat(64);
    for (const f of [undefined, { [bad]: `${base}/file` }]) {
      const r = rig();
      r.onMessage('set', { ...bundleOf({ satellite_route_opt: opt(bad), hidden_debug: debug(9) }), ...(f && { f }) });
      await replied(r, 'satellite_route_opt', 'hidden_debug');
      expect(r.replies().satellite_route_opt?.err).toMatch(/^E_FILE satellite_route_opt\.rows\[0\]\.opt_file/);
      expect(r.gateway.sections.revisions()).toEqual({});
    }
  });
});

describe('a bundle with a rollback timer', () => {
  const applyPending = async (docs: Record<string, JsonObject>, keep = 60) => {
    const r = rig();
    const before = r.gateway.sections.digest();
    const bundle = bundleOf(docs, { keep });
    r.onMessage('set', bundle);
    await expect.poll(r.topics).toContain(`set/${bundle.id}`);
    expect(r.gateway.configuration.pendingBundleId).toBe(bundle.id);
    return { ...r, set: bundle, before };
  };

  const reported = (r: Rig, section: string) => r.sent.filter(({ topic }) => topic === `cfg/${section}`).map(({ body }) => body);

  test('becomes final when the console confirms it, and is reported only then', async () => {
    const r = await applyPending({ hidden_debug: debug(9) });
    expect(r.replies()).toEqual({});
    r.onMessage('keep', { id: '0123456789ff' });
    expect(r.gateway.configuration.pendingBundleId).toBe(r.set.id);
    r.onMessage('keep', { id: r.set.id });
    expect(r.replies().hidden_debug).toMatchObject({ ok: true });
    r.later(600);
    expect(r.gateway.sections.doc('hidden_debug')).toEqual(debug(9));
  });

  test('is rolled back by its timer without a confirmation', async () => {
    const r = await applyPending({ hidden_debug: debug(9), network_lan: lan('10.1.0.1/24') });
    r.later(59);
    expect(r.gateway.sections.doc('hidden_debug')).toEqual(debug(9));
    r.later(2);
    expect(r.replies()).toMatchObject({
      hidden_debug: { rev: 1, ok: false, err: 'E_LOST rolled back after 60 s' },
      network_lan: { rev: 1, ok: false, act: 0 },
    });
    expect(r.gateway.sections.digest()).toBe(r.before);
    expect(r.topics()).not.toContain(`set/${r.set.id}`);
    // The confirmation arrives after the rollback.
    r.onMessage('keep', { id: r.set.id });
    expect(r.gateway.sections.digest()).toBe(r.before);
  });

  test('survives a reboot, and its timer continues without power', async () => {
    const confirmed = await applyPending({ hidden_debug: debug(9) });
    confirmed.gateway.reboot();
    confirmed.onMessage('keep', { id: confirmed.set.id });
    expect(confirmed.replies().hidden_debug).toMatchObject({ ok: true });
    const lost = await applyPending({ hidden_debug: debug(9) });
    lost.gateway.power('cut');
    lost.pass(100);
    lost.gateway.power('on');
    expect(lost.replies().hidden_debug?.err).toMatch(/^E_LOST/);
    expect(lost.gateway.sections.digest()).toBe(lost.before);
  });

  test('that arrives again reports again that its timer runs', async () => {
    const r = await applyPending({ hidden_debug: debug(9) });
    r.sent.length = 0;
    r.onMessage('set', r.set);
    expect(r.topics()).toEqual([`set/${r.set.id}`]);
  });

  test('that is confirmed after a local change reports the applied values and then the local change', async () => {
    const r = await applyPending({ hidden_debug: debug(9), ac_roaming: { dot11k: false } });
    r.gateway.changeLocally('hidden_debug', debug(7));
    r.sent.length = 0;
    r.onMessage('keep', { id: r.set.id });
    expect(reported(r, 'hidden_debug')).toMatchObject([
      { rev: 1, ok: true, h: hashOf(debug(9)) },
      { rev: 1, loc: true, doc: debug(7) },
    ]);
    expect(reported(r, 'ac_roaming')).toMatchObject([{ rev: 1, ok: true }]);
  });

  test('that is rolled back discards a local change and reports the values in force', async () => {
    const r = await applyPending({ hidden_debug: debug(9), ac_roaming: { dot11k: false } });
    r.gateway.changeLocally('hidden_debug', debug(7));
    r.sent.length = 0;
    r.later(61);
    expect(r.gateway.sections.digest()).toBe(r.before);
    expect(reported(r, 'hidden_debug')).toMatchObject([
      { rev: 1, ok: false, err: 'E_LOST rolled back after 60 s' },
      { rev: 0, loc: true, doc: r.gateway.sections.doc('hidden_debug') },
    ]);
    expect(reported(r, 'ac_roaming')).toHaveLength(1);
  });

  test('is replaced by the next one, which rolls back to the same state', async () => {
    const r = await applyPending({ hidden_debug: debug(9) });
    r.onMessage('set', bundleOf({ hidden_debug: debug(9), ac_roaming: { dot11k: false } }, { rev: 2, keep: 60 }));
    await expect.poll(() => r.gateway.configuration.pendingBundleId).not.toBe(r.set.id);
    r.later(61);
    expect(r.gateway.sections.digest()).toBe(r.before);
  });
});

describe('a bundle that binds the gateway', () => {
  const start = initialValues(gatewayPages.get('advanced_cloud_platform')?.fields ?? {});
  const platform = { ...start, host: '127.0.0.1', merchant_code: 'EAST', device_key: 'k', restore_backup: true };
  const section = 'advanced_cloud_platform';

  test('reports the binding once when it is final, and not for other changes of the page', async () => {
    const r = rig();
    const bundle = bundleOf({ [section]: platform }, { keep: 60 });
    r.onMessage('set', bundle);
    await expect.poll(r.topics).toContain(`set/${bundle.id}`);
    expect(r.events('bound')).toEqual([]);
    r.onMessage('keep', { id: bundle.id });
    expect(r.events('bound')).toMatchObject([{ restore: true }]);
    r.onMessage('set', bundleOf({ [section]: { ...platform, heartbeat: 90 } }, { rev: 2 }));
    await expect.poll(() => r.gateway.sections.doc(section).heartbeat).toBe(90);
    r.onMessage('set', bundleOf({ [section]: { ...platform, merchant_code: 'WEST', restore_backup: false } }, { rev: 3 }));
    await expect.poll(() => r.events('bound')).toMatchObject([{ restore: true }, { restore: false }]);
  });

  test('and is rolled back reports no binding and restores the billing mode', async () => {
    const r = rig({ bill: 2 });
    const bundle = bundleOf({ [section]: { ...platform, billing_mode: 3 } }, { keep: 60 });
    r.onMessage('set', bundle);
    await expect.poll(() => r.gateway.bill).toBe(3);
    r.later(61);
    expect(r.gateway.bill).toBe(2);
    expect(r.events('bound')).toEqual([]);
  });
});

describe('a power failure', () => {
  test('while a bundle is applied leaves nothing of it, and the bundle can be sent again', async () => {
    const r = rig({ workScale: 0.02 });
    r.gateway.faults.slowApply = 3;
    const bundle = bundleOf({ hidden_debug: debug(9), network_lan: lan('10.1.0.1/24') });
    r.onMessage('set', bundle);
    r.gateway.reboot();
    r.gateway.faults.slowApply = 0;
    r.onMessage('set', bundleOf({ ac_roaming: { dot11k: false } }));
    await replied(r, 'ac_roaming');
    expect(r.gateway.sections.revisions()).toEqual({ ac_roaming: 1 });
    r.onMessage('set', bundle);
    await replied(r, 'ac_roaming', 'hidden_debug', 'network_lan');
    expect(r.gateway.sections.revisions()).toEqual({ ac_roaming: 1, hidden_debug: 1, network_lan: 1 });
  });

  test.each([
    ['before', {}],
    ['after', { hidden_debug: 1, network_lan: 1 }],
  ] as const)('%s the commit leaves nothing or all of a bundle', async (moment, revisions) => {
    const r = rig();
    r.gateway.faults.applyPower = moment;
    const { boot } = r.gateway;
    const bundle = bundleOf({ hidden_debug: debug(9), network_lan: lan('10.1.0.1/24') });
    r.onMessage('set', bundle);
    await expect.poll(() => r.gateway.boot).not.toBe(boot);
    expect(r.gateway.sections.revisions()).toEqual(revisions);
    r.onMessage('set', bundle);
    await replied(r, 'hidden_debug', 'network_lan');
    expect(r.replies().hidden_debug).toMatchObject({ ok: true });
    expect(r.gateway.sections.revisions()).toEqual({ hidden_debug: 1, network_lan: 1 });
  });
});
