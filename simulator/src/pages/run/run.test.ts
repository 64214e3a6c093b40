import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';
import { factoryDocs } from '@farlink/gateway/kit/config.ts';
import { outputBytes } from '@farlink/gateway/kit/run.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import type { Result } from '@farlink/gateway/protocol/message.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Gateway } from '../../gateway.ts';
import { operations } from '../../operations/registry.ts';
import { noon, sampleGateway } from '../sample.ts';

const firmware = Buffer.alloc(30_000, 7);
const sha256 = createHash('sha256').update(firmware).digest('hex');
const left = new Map<string, Buffer>();
let fileServer: Server;
let base: string;

beforeAll(async () => {
  fileServer = createServer((request, response) => {
    if (request.method !== 'PUT') return void response.end(request.url === '/backup' ? left.get('/backup') : firmware);
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        left.set(request.url ?? '', Buffer.concat(chunks));
        response.writeHead(201).end();
      });
  }).listen(0, '127.0.0.1');
  await once(fileServer, 'listening');
  const address = fileServer.address();
  base = `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`;
});
afterAll(() => fileServer.close());

const run = async (gateway: Gateway, page: string, args: JsonObject, more: JsonObject = {}, results: Result[] = []) => {
  const act = operations['page.run'];
  if (!act) throw new Error('no operation');
  const result = await act(gateway, { id: '0123456789ab', args: { page, args, ...more }, report: (one) => results.push(one) });
  if (!result) throw new Error('no answer');
  return { result, results, lines: results.flatMap(({ out }) => String(out?.text ?? '').split('\n')) };
};

const day = 86_400;
const sure = { confirm: true, reason: 'test' };
const file = { name: 'ap-04.01.00.bin', size: firmware.length, sha256 };

/** For every action page: valid arguments, and arguments that it refuses. */
const samples: Readonly<Record<string, { args: () => JsonObject; more?: () => JsonObject; bad: JsonObject }>> = {
  satellite_route_control: {
    args: () => ({ target: 'modem', modem: 'evolution', modem_op: 'switch_beam', beam: '601', ...sure }),
    bad: { target: 'modem', modem: 'none', modem_op: 'reboot', ...sure },
  },
  link_change_manual: {
    args: () => ({ link: 'wan_6d', hold: 'until_fail', ...sure }),
    bad: { link: 'wan_x', hold: 'until_fail', ...sure },
  },
  ac_ap_upgrade: {
    args: () => ({ scope: 'all', source: 'upload', firmware: file, schedule: 'now', confirm: true }),
    more: () => ({ f: { [sha256]: `${base}/firmware` } }),
    bad: { scope: 'all', source: 'platform', schedule: 'now', confirm: true },
  },
  advanced_reboot: { args: () => ({ operation: 'reboot', ...sure }), bad: { operation: 'reboot', reason: 'test' } },
  advanced_backup: {
    args: () => ({ operation: 'backup', to_platform: true, confirm: true }),
    more: () => ({ put: `${base}/backup` }),
    bad: { operation: 'restore', restore_from: 'platform', confirm: true },
  },
  advanced_upgrade: {
    args: () => ({ source: 'platform', version: '03.03.00', schedule: 'now', confirm: true }),
    more: () => ({ source: { url: `${base}/firmware`, size: firmware.length, sha256, version: '03.03.00' } }),
    bad: { source: 'platform', version: 'new', schedule: 'now', confirm: true },
  },
  diagnosis_ping: { args: () => ({ host: 'www.baidu.com', count: 3 }), bad: { host: 'www.baidu.com', count: 1000 } },
  diagnosis_traceroute: { args: () => ({ host: 'www.baidu.com' }), bad: { host: '-' } },
  diagnosis_dns_lookup: { args: () => ({ domain: 'www.baidu.com', record: 'MX' }), bad: { domain: 'no domain' } },
  diagnosis_tcpdump: {
    args: () => ({ interface: 'lan', duration: 5, upload: true }),
    more: () => ({ put: `${base}/capture` }),
    bad: { interface: 'lan' },
  },
  diagnosis_speed_test: {
    args: () => ({ link: 'wan_6d', duration: 3, max_mb: 20, confirm: true }),
    bad: { link: 'wan_6d', duration: 3, max_mb: 20 },
  },
  diagnosis_health_check: { args: () => ({ hardware: true, links: true, aps: true, platform: true }), bad: { hardware: 'maybe' } },
  diagnosis_log_collect: {
    args: () => ({
      system: true,
      auth: true,
      from_time: noon - 86_400,
      to_time: noon,
      mask: true,
      include_config: true,
      max_size: 20,
      upload: true,
    }),
    more: () => ({ put: `${base}/logs` }),
    bad: { system: true },
  },
  hidden_raw_config: {
    args: () => ({ operation: 'export', package: 'network', ...sure }),
    bad: { operation: 'export', package: 'all', ...sure },
  },
};
const actions = [...gatewayPages.values()].filter(({ kind, quick }) => kind === 'action' && quick === undefined);

describe('every action page', () => {
  test('has a sample here', () => expect(Object.keys(samples).toSorted()).toEqual(actions.map(({ key }) => key).toSorted()));

  test.each(actions.map(({ key }) => key))('%s runs, reports its output line by line, and ends with a result', async (key) => {
    const { args, more } = samples[key] ?? { args: () => ({}) };
    const { result, results, lines } = await run(sampleGateway(), key, args(), more?.());
    expect(result).toMatchObject({ st: 'done', out: { result: expect.any(Object) } });
    expect(results.length).toBeGreaterThan(0);
    let n = 0;
    for (const { st, out, pct } of results) {
      expect([st, out?.n]).toEqual(['run', n]);
      expect(pct).toBeLessThan(100);
      n += String(out?.text).split('\n').length;
    }
    expect([result.out?.n, lines.length]).toEqual([n, n]);
  });

  test.each(actions.map(({ key }) => key))('%s refuses invalid arguments and names the field', async (key) => {
    const { bad = {} } = samples[key] ?? {};
    const { result, results } = await run(sampleGateway(), key, bad);
    expect(result).toMatchObject({ st: 'fail', err: expect.stringMatching(new RegExp(`^E_FIELD ${key}\\.\\w+: `)) });
    expect(results).toEqual([]);
  });

  test.each(actions.map(({ key }) => key))('%s fails with a reason when its fault is set', async (key) => {
    const gateway = sampleGateway();
    gateway.faults.run = new Set([key]);
    const { args, more } = samples[key] ?? { args: () => ({}) };
    expect((await run(gateway, key, args(), more?.())).result).toMatchObject({ st: 'fail', err: 'the service did not answer' });
  });
});

describe('effects of an action', () => {
  test('a manual switch changes the link, and the log has the operator', async () => {
    const gateway = sampleGateway();
    expect(gateway.current).toBe('low_orbit');
    await run(gateway, 'link_change_manual', { link: 'wan_6d', hold: 'until_fail', ...sure });
    expect(gateway.current).toBe('6d');
    expect(gateway.memory.of('link')[0]?.doc).toMatchObject({ from: 'low_orbit', to: '6d', why: 'manual' });
    const request = { id: '0123456789ab', args: { page: 'link_change_log', secs: 0, limit: 1 }, report: () => {} };
    expect((await operations['page.read']?.(gateway, request))?.out?.rows).toMatchObject([
      { from_link: 'wan_leo', to_link: 'wan_6d', trigger: 'manual', operator: 'platform' },
    ]);
  });

  test('a lock is respected unless the request overrides it', async () => {
    const gateway = sampleGateway();
    gateway.world.radio.lock = 'second_satellite';
    const args = { link: 'wan_6d', hold: 'until_fail', ...sure };
    expect((await run(gateway, 'link_change_manual', args)).result.err).toMatch(/^locked/);
    expect((await run(gateway, 'link_change_manual', { ...args, override_lock: true })).result.st).toBe('done');
  });

  test('a restart changes the boot id, an upgrade the version, and a capture uploads a valid file', async () => {
    const gateway = sampleGateway();
    const { boot } = gateway;
    await run(gateway, 'advanced_reboot', { operation: 'reboot', ...sure });
    expect(gateway.boot).not.toBe(boot);
    const upgrade = samples.advanced_upgrade;
    await run(gateway, 'advanced_upgrade', upgrade?.args() ?? {}, upgrade?.more?.());
    expect([gateway.firmware.version, gateway.firmware.previous]).toEqual(['03.03.00', '03.02.01']);
    const { result } = await run(gateway, 'diagnosis_tcpdump', { interface: 'lan', duration: 3, upload: true }, { put: `${base}/dump` });
    expect(result.out?.result).toMatchObject({ file: { name: expect.stringMatching(/\.pcap\.gz$/) } });
    expect(gunzipSync(left.get('/dump') ?? Buffer.alloc(0)).readUInt32LE(0)).toBe(0xa1b2c3d4);
  });

  test('a muted modem stops sending, but the only uplink cannot be muted', async () => {
    const gateway = sampleGateway({ links: ['6d'] });
    const mute = { target: 'modem', modem: 'evolution', modem_op: 'tx_mute', ...sure };
    expect((await run(gateway, 'satellite_route_control', mute)).result.err).toMatch(/only uplink/);
    const two = sampleGateway();
    await run(two, 'satellite_route_control', mute);
    expect(two.world.radio.isSilent('6d')).toBe(true);
  });

  test('collected logs contain no account and no secret if they are masked', async () => {
    const gateway = sampleGateway();
    gateway.changeLocally('network_cellular', { enabled: true, pin: '4711' });
    const { args, more } = samples.diagnosis_log_collect ?? { args: () => ({}) };
    await run(gateway, 'diagnosis_log_collect', args(), more?.());
    const text = gunzipSync(left.get('/logs') ?? Buffer.alloc(0)).toString();
    expect(text).toContain('network_cellular');
    expect(text).not.toContain('4711');
    expect(text).not.toContain('crew01');
  });

  test('raw configuration is tested first, is refused if it is wrong, and is rolled back when the console is unreachable', async () => {
    const gateway = sampleGateway();
    const args = { operation: 'apply', package: 'dhcp', rollback: 30, ...sure };
    const content = JSON.stringify({
      network_dhcp_static: { rows: [{ mac: '02:00:00:00:00:01', ip: '192.168.10.77', interface: 'lan' }] },
    });
    expect((await run(gateway, 'hidden_raw_config', { ...args, content, dry_run: true })).result.out).toMatchObject({
      result: { applied: false },
    });
    expect(gateway.sections.get('network_dhcp_static')).toBeUndefined();
    const wrong = await run(gateway, 'hidden_raw_config', { ...args, content: content.replace('"lan"', '"lane"'), dry_run: true });
    expect(wrong.result.err).toMatch(/^E_FIELD network_dhcp_static\.rows\[0\]\.interface/);
    // This gateway has no console.
    const lost = await run(gateway, 'hidden_raw_config', { ...args, content, dry_run: false });
    expect(lost.result.err).toBe('E_LOST rolled back after 30 s');
    expect(gateway.sections.doc('network_dhcp_static')).toEqual({ rows: [] });
  });

  test('a backup that makes the console unreachable is rolled back, unless this is disabled', async () => {
    const gateway = sampleGateway();
    const sections = { network_ip_group: { rows: [] }, hidden_debug: { enabled: true, auto_off: 5 } };
    const body = gzipSync(JSON.stringify({ sn: gateway.sn, sections }));
    left.set('/backup', body);
    const source = { url: `${base}/backup`, size: body.length, sha256: createHash('sha256').update(body).digest('hex') };
    const restore = (minutes: number) => {
      const args = { operation: 'restore', restore_from: 'platform', backup_id: '1', rollback: minutes, confirm: true };
      return run(gateway, 'advanced_backup', args, { source });
    };
    gateway.changeLocally('network_ip_group', { rows: [{ name: 'a', addresses: [{ address: '10.0.0.1' }] }] });
    const before = gateway.sections.documents();
    // This gateway has no console.
    expect((await restore(1)).result).toMatchObject({ st: 'fail', err: 'E_LOST rolled back after 60 s' });
    expect(gateway.sections.documents()).toEqual({ ...before, hidden_debug: factoryDocs.get('hidden_debug') });
    expect((await restore(0)).result).toMatchObject({ st: 'done', out: { result: { sections: 2 } } });
    expect(gateway.sections.documents()).toMatchObject(sections);
  });

  test('a heavy action does not start on L-band without consent', async () => {
    const gateway = sampleGateway();
    gateway.world.force('l_band');
    const args = { link: 'wan_lband', duration: 3, max_mb: 1, confirm: true };
    expect((await run(gateway, 'diagnosis_speed_test', args)).result.err).toBe('not on this link');
    expect((await run(gateway, 'diagnosis_speed_test', { ...args, allow_lband: true }, { any: true })).result.st).toBe('done');
  });

  test('with consent, files use L-band too, in both directions', async () => {
    const gateway = sampleGateway();
    gateway.world.force('l_band');
    const dump = { interface: 'lan', duration: 3, upload: true, allow_lband: true };
    const sent = await run(gateway, 'diagnosis_tcpdump', dump, { put: `${base}/dear`, any: true });
    expect(sent.result).toMatchObject({ st: 'done', out: { result: { file: { size: left.get('/dear')?.length } } } });
    const order = samples.advanced_upgrade;
    const upgrade = { ...order?.args(), allow_lband: true };
    expect((await run(gateway, 'advanced_upgrade', upgrade, { ...order?.more?.(), any: true })).result.st).toBe('done');
    expect(gateway.firmware.version).toBe('03.03.00');
  });

  test('firmware of access points is refused if it is corrupt', async () => {
    const gateway = sampleGateway();
    const order = samples.ac_ap_upgrade;
    gateway.faults.file = 'corrupt';
    expect((await run(gateway, 'ac_ap_upgrade', order?.args() ?? {}, order?.more?.())).result).toMatchObject({
      st: 'fail',
      err: expect.stringMatching(/^sha256/),
    });
  });

  test('an action fails when the power is cut', async () => {
    const gateway = sampleGateway({ workScale: 0.01 });
    const results: Result[] = [];
    const under = run(gateway, 'diagnosis_ping', { host: 'www.baidu.com', count: 100 }, {}, results);
    await expect.poll(() => results.length).toBeGreaterThan(2);
    gateway.power('cut');
    gateway.power('on');
    expect((await under).result).toMatchObject({ st: 'fail', err: 'restarted' });
  });

  test('long output is split to fit into messages, and contains each line once', async () => {
    const gateway = sampleGateway();
    const names = Array.from({ length: 400 }, (_, i) => `网段${i} ${'x'.repeat(40)}`);
    gateway.changeLocally('network_ip_group', { rows: names.map((name) => ({ name, addresses: [{ address: '10.0.0.1' }] })) });
    const { results, lines, result } = await run(gateway, 'hidden_raw_config', { operation: 'export', package: 'network', ...sure });
    expect(results.map(({ out }) => Buffer.byteLength(String(out?.text))).filter((bytes) => bytes > outputBytes)).toEqual([]);
    let n = 0;
    for (const { out } of results) {
      expect(out?.n).toBe(n);
      n += String(out?.text).split('\n').length;
    }
    expect([result.out?.n, lines.length]).toEqual([n, n]);
    for (const name of names) expect(lines.filter((line) => line.includes(`"${name}"`))).toHaveLength(1);
  });

  test('a scheduled upgrade starts at its time, even after a reboot', async () => {
    vi.useFakeTimers();
    try {
      const gateway = sampleGateway({ workScale: 1 });
      const order = samples.advanced_upgrade;
      const later = { schedule: 'at_time', start_at: noon + 40 * day };
      const done = run(gateway, 'advanced_upgrade', { ...order?.args(), ...later, backup_first: true }, order?.more?.());
      expect((await done).result.out).toMatchObject({ result: { scheduled_at: later.start_at } });
      const asked = vi.spyOn(gateway.firmware, 'upgrade');
      await vi.advanceTimersByTimeAsync(39 * day * 1000);
      gateway.reboot();
      expect(asked).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(day * 1000 + 10_000);
      expect(asked).toHaveBeenCalledOnce();
    } finally {
      vi.useRealTimers();
    }
  });

  test('the end of a manual link hold does not end a later hold', async () => {
    vi.useFakeTimers();
    try {
      const gateway = sampleGateway({ workScale: 1 });
      const hold = async (link: string, how: JsonObject) => {
        const done = run(gateway, 'link_change_manual', { link, ...how, ...sure });
        await vi.advanceTimersByTimeAsync(10_000);
        expect((await done).result.st).toBe('done');
      };
      await hold('wan_6d', { hold: 'duration', hold_time: 1 });
      await hold('wan_lband', { hold: 'until_cancel' });
      await vi.advanceTimersByTimeAsync(120_000);
      for (let minute = 2; minute < 8; minute++) gateway.step(noon + minute * 60);
      expect(gateway.current).toBe('l_band');
    } finally {
      vi.useRealTimers();
    }
  });

  test('a stopped action ends with its output so far', async () => {
    const gateway = sampleGateway({ workScale: 0.01 });
    const results: Result[] = [];
    const under = run(gateway, 'diagnosis_ping', { host: 'www.baidu.com', count: 100 }, {}, results);
    await expect.poll(() => results.length).toBeGreaterThan(2);
    const stop = operations['page.stop'];
    expect(await stop?.(gateway, { id: 'ba9876543210', args: { run: '0123456789ab' }, report: () => {} })).toMatchObject({ st: 'done' });
    expect((await under).result).toMatchObject({ st: 'fail', err: 'stopped' });
    expect(results.length).toBeLessThan(50);
  });
});
