import { configCalls } from '@farlink/contract/config/config.ts';
import { runCalls } from '@farlink/contract/config/run.ts';
import { watchCalls } from '@farlink/contract/config/watch.ts';
import { wizardCalls } from '@farlink/contract/config/wizard.ts';
import { backupCalls } from '@farlink/contract/device/backup.ts';
import { errors } from '@farlink/contract/errors.ts';
import type { Grant } from '@farlink/contract/kit/field.ts';
import { limits } from '@farlink/contract/limits.ts';
import { upTopic } from '@farlink/gateway/protocol/topic.ts';
import { noFaults } from '@farlink/simulator/faults.ts';
import type { Gateway } from '@farlink/simulator/gateway.ts';
import type { GatewayOptions } from '@farlink/simulator/gateway-options.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Caller, grantsOf } from '../../../../test/api.ts';
import { mustUpload } from '../../../../test/firmware/fixture.ts';
import { type FleetApi, startFleetApi } from '../../../../test/fleet-api.ts';
import { openGates } from '../../../../test/gates.ts';
import { patience } from '../../../../test/patience.ts';
import { makeBranches, makeRole, makeStaff } from '../../../../test/world.ts';
import { restoreJobs } from '../../../domain/backup/restore-job.ts';
import { startJobs } from '../../../kit/jobs/job-runner.ts';
import { sweepFileExchange } from '../../../orders/file-exchange-sweep.ts';
import { commandOf } from './run-id.ts';

let fleet: FleetApi;
let [east, west]: Caller[] = [];
let eastId: number;
let counter = 0;

beforeAll(async () => {
  fleet = await startFleetApi();
  const world = await makeBranches(fleet);
  await openGates(fleet);
  ({ eastId } = world);
  [east, west] = [await fleet.login('east'), await fleet.login('west')];
});
afterAll(() => fleet?.close());

const until = <T>(check: () => Promise<T> | T) => vi.waitFor(check, patience);
const me = (): Caller => {
  if (!east) throw new Error('not logged in');
  return east;
};

/** A configured gateway on stable links that has reported its sections to the console. */
const ship = async (options: Partial<GatewayOptions> = {}) => {
  const links = ['6d', 'low_orbit', 'l_band'] as const;
  const made = await fleet.addGateway(eastId, `LIVE${++counter}`, {
    configured: true,
    calm: true,
    at: { lat: 20, lon: 115 },
    links: [...links],
    accounts: ['crew01', 'crew02'],
    ...options,
  });
  made.gateway.step(fleet.clock.now());
  await online(made.gateway);
  await until(async () => {
    const reported = await fleet.db.selectFrom('reported_section').select('section').where('device_id', '=', made.id).execute();
    expect(reported.map(({ section }) => section)).toContain('network_wan');
  });
  return made;
};
const online = async (gateway: Gateway) => {
  expect(await gateway.connect()).toBe(true);
  await until(async () => {
    const row = await fleet.db.selectFrom('device').select('online_state').where('sn', '=', gateway.sn).executeTakeFirstOrThrow();
    expect(row.online_state).toBe(1);
  });
};
/** Moves the gateway to L-band and waits until the console shows it. */
const onLBand = async ({ id, gateway }: { id: number; gateway: Gateway }) => {
  gateway.world.force('l_band');
  await until(() => expect(gateway.state).not.toBe('online'));
  await online(gateway);
  await until(async () => {
    const row = await fleet.db.selectFrom('device').select('network').where('id', '=', id).executeTakeFirstOrThrow();
    expect(row.network).toBe('l_band');
  });
};

const watch = (by: Caller, device_id: number, page: string, more: object = {}) => by.call(watchCalls.watch, { device_id, page, ...more });
const reads = (id: number) =>
  fleet.db.selectFrom('device_command').selectAll().where('device_id', '=', id).where('op', '=', 'page.read').execute();
const run = (by: Caller, device_id: number, page: string, args: object) => by.call(runCalls.run, { device_id, page, args });
const readRun = async (id: number, after = 0) => (await me().call(runCalls.read, { id, after })).data;
const ended = async (id: number) => {
  await until(async () => expect((await readRun(id)).state).toBeGreaterThanOrEqual(3));
  return readRun(id);
};
const started = async (device_id: number, page: string, args: object) => {
  const reply = await run(me(), device_id, page, args);
  expect(reply.code, JSON.stringify(reply)).toBe(0);
  return reply.data.id;
};
const logged = async (text: string) =>
  fleet.db.selectFrom('syslog').selectAll().where('content_en', 'like', `%${text}%`).orderBy('id', 'desc').executeTakeFirst();

const staff = async (username: string, grant: Grant, page: string) => {
  const permissions = grantsOf(['gateway_config', 'device_list']);
  const role = await makeRole(me(), username, permissions, { gateway_permissions: { [`gw_${page}`]: grant } });
  await makeStaff(me(), username, role);
  return fleet.login(username);
};

describe('a status page', () => {
  it('is requested once for all viewers, and shows the result', async () => {
    const { id } = await ship();
    const first = await watch(me(), id, 'status_overview');
    expect(first.data).toMatchObject({ state: 'stale', at: null, rows: [] });
    await Promise.all([1, 2, 3].map(() => watch(me(), id, 'status_overview', { ask: true })));
    await until(async () =>
      expect((await watch(me(), id, 'status_overview')).data).toMatchObject({
        state: 'live',
        rows: [{ sn: `LIVE${counter}`, model: 'FG-200' }],
      }),
    );
    expect(await reads(id)).toHaveLength(1);
    await until(async () => expect((await reads(id))[0]?.state).toBe(3));
    // Commands that only read a page do not fill the history.
    fleet.clock.advance(700);
    await watch(me(), id, 'status_overview', { ask: true });
    expect(await reads(id)).toHaveLength(1);
  });

  it('keeps its last data when the device goes offline, and shows the offline state', async () => {
    const { id, gateway } = await ship();
    // Pins the link: a link switch would drop the connection, which the console detects only after 30 seconds.
    gateway.world.force(gateway.current);
    await watch(me(), id, 'status_link', { ask: true });
    await until(async () => expect((await watch(me(), id, 'status_link')).data.rows).toHaveLength(3));
    // A switch before the pin may have dropped the connection; only a connected gateway can send its bye message.
    await online(gateway);
    await until(() => expect(gateway.state).toBe('online'));
    gateway.stop();
    const isOffline = async () => expect((await watch(me(), id, 'status_link')).data.state).toBe('offline');
    await vi.waitFor(isOffline, { ...patience, timeout: 2 * patience.timeout });
    const { rows, at } = (await watch(me(), id, 'status_link', { ask: true })).data;
    expect([rows.length, typeof at]).toEqual([3, 'number']);
  });

  it('is not overwritten by older data that arrives late', async () => {
    const { id, gateway } = await ship();
    await watch(me(), id, 'status_link', { ask: true });
    const [command] = await until(async () => {
      const found = await reads(id);
      expect(found[0]?.state).toBe(3);
      return found;
    });
    const say = (at: number, link: string) =>
      gateway.outgoing.enqueue(upTopic(gateway.sn, `r/${command?.id}`), { st: 'run', out: { at, rows: [{ link }] } });
    const now = fleet.clock.now();
    const shown = async () => (await watch(me(), id, 'status_link')).data.rows;
    say(now + 50, 'newer');
    gateway.step(now);
    await until(async () => expect(await shown()).toEqual([{ link: 'newer' }]));
    say(now + 40, 'older');
    gateway.step(now);
    await until(() => expect(gateway.outgoing.length).toBe(0));
    expect(await shown()).toEqual([{ link: 'newer' }]);
  });

  it('requests less data on L-band, and shows the size of the data', async () => {
    const made = await ship();
    await onLBand(made);
    await watch(me(), made.id, 'behavior_url_log', { ask: true });
    await until(async () => {
      const { data } = await watch(me(), made.id, 'behavior_url_log');
      expect(data).toMatchObject({ metered: true, every: 60, state: 'live', more: true });
      expect(data.rows).toHaveLength(20);
      expect(data.bytes).toBeGreaterThan(500);
    });
  });

  it('requires the right to view the device and the page', async () => {
    const { id } = await ship();
    expect((await watch(west ?? me(), id, 'status_overview')).code).toBe(errors.not_found.code);
    const looker = await staff('looker1', '10', 'status_overview');
    expect((await watch(looker, id, 'status_overview', { ask: true })).code).toBe(0);
    expect((await watch(looker, id, 'status_link', { ask: true })).code).toBe(errors.denied.code);
    // A page with configuration only has no live data.
    expect((await watch(me(), id, 'network_wan', { ask: true })).data.rows).toEqual([]);
    expect((await reads(id)).map(({ args }) => JSON.stringify(args)).join()).not.toContain('network_wan');
    expect((await watch(me(), id, 'network_nonsense')).code).toBe(errors.not_found.code);
  });
});

describe('a log or list page', () => {
  it('is read from newest to oldest, and requests each range once', async () => {
    const { id } = await ship();
    await watch(me(), id, 'behavior_url_log', { ask: true });
    const first = await until(async () => {
      const { data } = await watch(me(), id, 'behavior_url_log');
      expect(data.rows.length).toBeGreaterThan(100);
      return data;
    });
    const before = Number(first.rows.at(-1)?.time);
    await watch(me(), id, 'behavior_url_log', { before, limit: 50, ask: true });
    const second = await until(async () => {
      const { data } = await watch(me(), id, 'behavior_url_log', { before, limit: 50 });
      expect(data.rows).toHaveLength(50);
      return data;
    });
    expect(second.rows.every((row) => Number(row.time) < before)).toBe(true);
    await watch(me(), id, 'behavior_url_log', { before, limit: 50, ask: true });
    expect((await reads(id)).filter(({ args }) => JSON.stringify(args).includes('before'))).toHaveLength(1);
    // The newest rows stay unchanged.
    expect((await watch(me(), id, 'behavior_url_log')).data.rows[0]).toEqual(first.rows[0]);
  });

  it('shows the state that the gateway reports for the rows of a list', async () => {
    const { id } = await ship();
    await watch(me(), id, 'ac_ap_list', { ask: true });
    await until(async () => expect((await watch(me(), id, 'ac_ap_list')).data.rows[0]).toMatchObject({ ap_state: 'up' }));
  });
});

describe('an action page', () => {
  it('runs, returns each output line once, and is listed afterwards', async () => {
    const { id } = await ship({ faults: noisy() });
    const run1 = await started(id, 'diagnosis_ping', { host: 'www.baidu.com', count: 20 });
    const done = await ended(run1);
    expect(done).toMatchObject({ state: 3, progress: 100, result: { sent: 20, host: 'www.baidu.com' }, operator: expect.any(String) });
    await until(async () => expect((await readRun(run1)).lines).toHaveLength(Number((await outOf(run1)).n)));
    const { lines } = await readRun(run1);
    expect(lines.filter((line) => line.includes('icmp_seq='))).toEqual([...new Set(lines.filter((line) => line.includes('icmp_seq=')))]);
    expect(lines[0]).toMatch(/^PING www\.baidu\.com/);
    const rest = await readRun(run1, 5);
    expect([rest.lines, rest.next]).toEqual([lines.slice(5), lines.length]);
    const list = await me().call(runCalls.runs, { device_id: id, section: 'diagnosis_ping' });
    expect(list.data).toMatchObject({ total: 1, list: [{ id: run1, state: 3, subject: expect.stringContaining('www.baidu.com') }] });
    expect((await me().call(runCalls.runs, { device_id: id, section: 'diagnosis_dns_lookup' })).data.total).toBe(0);
  });

  it('holds back output after a gap until the missing lines arrive, and then shows all lines in order', async () => {
    const { id, gateway } = await ship({ faults: deaf() });
    const run1 = await started(id, 'diagnosis_ping', { host: 'www.baidu.com' });
    const topic = upTopic(gateway.sn, `r/${commandOf(run1)}`);
    const say = async (body: object, times = 1) => {
      for (let i = 0; i < times; i++) gateway.outgoing.enqueue(topic, body);
      gateway.step(fleet.clock.now());
      await gateway.flushed();
    };
    await say({ st: 'run', pct: 50, out: { n: 3, text: 'd\ne' } }, 3);
    await say({ st: 'run', pct: 10, out: { n: 0, text: 'a' } });
    await until(async () => expect(await readRun(run1)).toMatchObject({ lines: ['a'], next: 1, progress: 50 }));
    await say({ st: 'done', out: { n: 5, result: { ok: true } } });
    await until(async () => expect(await readRun(run1)).toMatchObject({ state: 3, lines: ['a'] }));
    // The last lines arrive after the end of the run.
    await say({ st: 'run', pct: 30, out: { n: 1, text: 'b\nc' } }, 2);
    await until(async () => expect((await readRun(run1)).lines).toEqual(['a', 'b', 'c', 'd', 'e']));
    expect((await readRun(run1, 3)).lines).toEqual(['d', 'e']);
  });

  it('is refused with invalid values, and with the right to view only', async () => {
    const { id } = await ship();
    const bad = await run(me(), id, 'diagnosis_ping', { host: '', count: 1000 });
    expect(bad).toMatchObject({
      code: errors.bad_input.code,
      data: { fields: { host: expect.any(String), count: '应为1到100之间的整数' } },
    });
    const unsure = await run(me(), id, 'advanced_reboot', { operation: 'reboot', reason: 'test' });
    expect(unsure.data).toMatchObject({ fields: { confirm: '请勾选确认' } });
    expect(
      (await run(me(), id, 'link_change_manual', { link: 'wan_x', hold: 'until_fail', reason: 'r', confirm: true })).data,
    ).toMatchObject({ fields: { link: expect.any(String) } });
    const looker = await staff('looker2', '10', 'diagnosis_ping');
    expect((await run(looker, id, 'diagnosis_ping', { host: 'www.baidu.com' })).code).toBe(errors.denied.code);
    expect((await run(west ?? me(), id, 'diagnosis_ping', { host: 'www.baidu.com' })).code).toBe(errors.not_found.code);
    expect((await run(me(), id, 'quick_menu_reboot', {})).code).toBe(errors.not_found.code);
    expect((await run(me(), id, 'network_wan', {})).code).toBe(errors.not_found.code);
  });

  it('with much traffic is refused on L-band without consent; a ping is allowed', async () => {
    const made = await ship();
    await onLBand(made);
    const test = { link: 'wan_lband', direction: 'down', duration: 3, max_mb: 1, confirm: true };
    expect((await run(me(), made.id, 'diagnosis_speed_test', test)).code).toBe(errors.run_l_band.code);
    expect(await ended(await started(made.id, 'diagnosis_ping', { host: 'www.baidu.com', count: 2 }))).toMatchObject({ state: 3 });
    expect(await ended(await started(made.id, 'diagnosis_speed_test', { ...test, allow_lband: true }))).toMatchObject({
      state: 3,
    });
  });

  it('waits while the device is offline, and can be withdrawn', async () => {
    const { id, gateway } = await ship();
    gateway.stop();
    await until(async () =>
      expect((await fleet.db.selectFrom('device').select('online_state').where('id', '=', id).executeTakeFirstOrThrow()).online_state).toBe(
        0,
      ),
    );
    const waiting = await started(id, 'advanced_backup', {
      operation: 'backup',
      to_platform: false,
      encrypt_password: 'geheim99',
      confirm: true,
    });
    expect(await readRun(waiting)).toMatchObject({ state: 0, waits: 'offline', stoppable: true, args: { encrypt_password: '******' } });
    expect((await me().call(runCalls.stop, { id: waiting })).code).toBe(0);
    expect(await readRun(waiting)).toMatchObject({ state: 6, stoppable: false });
    expect((await me().call(runCalls.stop, { id: waiting })).code).toBe(errors.run_ended.code);
    expect(JSON.stringify(await commandRow(waiting))).not.toContain('geheim99');
  });

  it('is stopped by the gateway on request', async () => {
    const { id } = await ship({ workScale: 0.02 });
    const run1 = await started(id, 'diagnosis_ping', { host: 'www.baidu.com', count: 100 });
    await until(async () => expect((await readRun(run1)).lines.length).toBeGreaterThan(2));
    expect((await me().call(runCalls.stop, { id: run1 })).code).toBe(0);
    expect(await ended(run1)).toMatchObject({ state: 4, err: 'stopped' });
  });

  it('leaves no secret in the operator log, in the stored command or in a reply', async () => {
    const { id } = await ship();
    const now = fleet.clock.now();
    const args = { system: true, from_time: now - 3600, to_time: now, upload: true, include_config: true, archive_password: 'geheim77' };
    const done = await ended(await started(id, 'diagnosis_log_collect', args));
    expect(done).toMatchObject({ state: 3, args: { upload: true }, file: { name: expect.stringMatching(/-logs\.json\.gz$/) } });
    const entry = await logged('Ran Log collection');
    expect(entry?.after).toMatchObject({ diagnosis_log_collect: { archive_password: '******', upload: true } });
    const row = JSON.stringify(await commandRow(done.id));
    const listed = await me().call(runCalls.runs, { device_id: id, section: 'diagnosis_log_collect' });
    expect(listed.data.total).toBe(1);
    for (const text of [row, JSON.stringify(done), JSON.stringify(listed)]) {
      expect(text).not.toContain('geheim77');
      expect(text).not.toContain('/depot/');
    }
  });

  it('offers its file to operators of the page, for a limited time', async () => {
    const { id } = await ship();
    const done = await ended(await started(id, 'diagnosis_tcpdump', { interface: 'lan', duration: 3, upload: true }));
    const fetchFile = (by: Caller) => by.call(runCalls.file, { id: done.id });
    expect(await fetchFile(me())).toMatchObject({ status: 200, code: 0 });
    expect((await fetchFile(west ?? me())).code).toBe(errors.not_found.code);
    fleet.clock.advance(3 * 86_400);
    await sweepFileExchange(fleet.deps);
    east = await fleet.login('east');
    expect((await fetchFile(me())).status).toBe(200);
    fleet.clock.advance(limits.runFileDays * 86_400);
    await sweepFileExchange(fleet.deps);
    [east, west] = [await fleet.login('east'), await fleet.login('west')];
    expect((await fetchFile(me())).code).toBe(errors.not_found.code);
    expect((await readRun(done.id)).file).toBeNull();
  });

  it('makes a backup that is listed, and restores it by its number', async () => {
    const { id, gateway } = await ship();
    await ended(await started(id, 'advanced_backup', { operation: 'backup', to_platform: true, note: 'before the yard', confirm: true }));
    const [backup] = (await me().call(backupCalls.list, { device_id: id })).data.list;
    expect(backup).toMatchObject({ remark: 'before the yard', backup_type: 'manual' });
    const restore = { operation: 'restore', restore_from: 'platform', confirm: true };
    const wrong = await run(me(), id, 'advanced_backup', { ...restore, backup_id: '999999' });
    expect(wrong.data).toMatchObject({ fields: { backup_id: '该设备没有此编号的备份' } });
    gateway.changeLocally('advanced_syslog', { local_size: 77 });
    expect(await ended(await started(id, 'advanced_backup', { ...restore, backup_id: String(backup?.id) }))).toMatchObject({
      state: 3,
    });
  });

  it('upgrades to a version that the platform has for this model, and refuses other versions', async () => {
    const { id, gateway } = await ship();
    const admin = await fleet.login('admin');
    await mustUpload(fleet, admin, { version: '03.03.00', model: 'FG-200' });
    await mustUpload(fleet, admin, { version: '09.09.09', model: 'FG-900' });
    const args = (version: string) => ({ source: 'platform', version, schedule: 'now', confirm: true });
    for (const version of ['09.09.09', '08.08.08'])
      expect((await run(me(), id, 'advanced_upgrade', args(version))).data).toMatchObject({
        fields: { version: '平台没有适用于该设备的此版本固件' },
      });
    const upgrade = await started(id, 'advanced_upgrade', args('03.03.00'));
    // The gateway restarts, and reports the result after it has reconnected.
    await until(async () => {
      await gateway.connect();
      expect(await readRun(upgrade)).toMatchObject({ state: 3 });
    });
    expect(gateway.firmware.version).toBe('03.03.00');
  });

  it('limits the number of open runs per device', async () => {
    const { id } = await ship({ faults: deaf() });
    for (let i = 0; i < limits.runsPerDevice; i++) await started(id, 'diagnosis_ping', { host: 'www.baidu.com' });
    expect((await run(me(), id, 'diagnosis_ping', { host: 'www.baidu.com' })).code).toBe(errors.run_busy.code);
  });
});

const outOf = async (id: number): Promise<Record<string, unknown>> => {
  const { out } = await commandRow(id);
  return typeof out === 'object' && out !== null && !Array.isArray(out) ? { ...out } : {};
};
const commandRow = (id: number) =>
  fleet.db.selectFrom('device_command').selectAll().where('id', '=', commandOf(id)).executeTakeFirstOrThrow();

/** A connection with duplicate and reordered messages and lost acknowledgements. */
const noisy = () => ({ ...noFaults(), duplicate: 0.4, reorder: 0.4, lostAck: 0.2 });
/** Receives commands and never acknowledges them. */
const deaf = () => ({ ...noFaults(), neverAck: true });

describe('a wizard page', () => {
  const values = {
    device_name: '远洋一号',
    timezone: 'UTC+8',
    admin_password: 'Sesame2026',
    wan_port: 'eth0',
    wan_link_type: '6d',
    wan_proto: 'dhcp',
    lan_ipaddr: '192.168.30.1/24',
    dhcp_enabled: true,
    dhcp_start: '192.168.30.50',
    dhcp_end: '192.168.30.200',
  };
  const write = (by: Caller, device_id: number, page: string, values: object) => by.call(wizardCalls.write, { device_id, page, values });

  it('makes drafts of several pages, which are applied together', async () => {
    const { id, gateway } = await ship();
    const reply = await write(me(), id, 'guide_quick_setup', values);
    expect(reply.code, JSON.stringify(reply)).toBe(0);
    expect([...reply.data.pages].toSorted()).toEqual(
      [
        'advanced_admin',
        'advanced_device_info',
        'network_dhcp_server',
        'network_lan',
        ...reply.data.pages.filter((p) => p === 'network_wan' || p === 'advanced_time'),
      ].toSorted(),
    );
    const review = (await me().call(configCalls.review, { device_id: id })).data;
    expect(review.problems).toEqual([]);
    expect(JSON.stringify(review)).not.toContain('Sesame2026');
    expect((await me().call(configCalls.apply, { device_id: id, pages: [...reply.data.pages], keep: 0 })).code).toBe(0);
    await until(() => expect(gateway.sections.doc('advanced_device_info').device_name).toBe('远洋一号'));
    const [lan] = JSON.parse(JSON.stringify(gateway.sections.doc('network_lan'))).rows;
    expect(lan).toMatchObject({ name: 'lan', ipaddr: '192.168.30.1/24' });
    const applied = await fleet.db.selectFrom('config_apply').select('source').where('device_id', '=', id).execute();
    expect(applied).toEqual([{ source: 'wizard' }]);
  });

  it('sets the binding and the billing mode of a gateway, and restores the last backup once', async () => {
    const { id, gateway } = await ship({ bill: 1 });
    const binding = {
      platform_host: '127.0.0.1',
      platform_port: 443,
      merchant_code: 'EAST',
      device_key: 'k'.repeat(20),
      billing_mode: 3,
      restore_backup: true,
    };
    const apply = async (keep: number) => {
      const reply = await me().call(configCalls.apply, { device_id: id, pages: ['advanced_cloud_platform'], keep });
      expect(reply.code, JSON.stringify(reply)).toBe(0);
    };
    const nothing = await write(me(), id, 'guide_platform_binding', binding);
    expect(nothing.data).toMatchObject({ fields: { restore_backup: '平台上没有该设备的备份' } });

    gateway.changeLocally('advanced_syslog', { local_size: 77 });
    await ended(await started(id, 'advanced_backup', { operation: 'backup', to_platform: true, confirm: true }));
    gateway.changeLocally('advanced_syslog', { local_size: 5 });
    expect((await write(me(), id, 'guide_platform_binding', binding)).code).toBe(0);
    await apply(60);
    const billing = () => fleet.db.selectFrom('device').select('billing_mode').where('id', '=', id).executeTakeFirstOrThrow();
    await until(async () => expect(await billing()).toEqual({ billing_mode: 3 }));
    await until(async () => {
      await startJobs(fleet.deps, restoreJobs, { pollMs: 0 }).tick();
      expect(gateway.sections.doc('advanced_syslog')).toEqual({ local_size: 77 });
    });
    // The backup is older than the binding: the current binding stays.
    expect(gateway.sections.doc('advanced_cloud_platform')).toMatchObject({ merchant_code: 'EAST', billing_mode: 3 });

    // A change that is not a new binding does not restore the backup again.
    gateway.changeLocally('advanced_syslog', { local_size: 6 });
    expect((await write(me(), id, 'guide_platform_binding', { ...binding, billing_mode: 2 })).code).toBe(0);
    await apply(0);
    await until(async () => expect(await billing()).toEqual({ billing_mode: 2 }));
    const restores = fleet.db.selectFrom('job').select('state').where('kind', '=', 'backup_restore');
    expect(await restores.execute()).toEqual([{ state: 'done' }]);
    expect(gateway.sections.doc('advanced_syslog')).toEqual({ local_size: 6 });
  });

  it('reports conflicts with other pages at its fields', async () => {
    const { id } = await ship();
    const outside = await write(me(), id, 'guide_quick_setup', { ...values, dhcp_end: '192.168.99.9' });
    expect(outside.code).toBe(errors.bad_input.code);
    expect(outside.data).toMatchObject({ fields: { dhcp_end: expect.any(String) } });
    const local = await write(me(), id, 'guide_wifi_portal', {
      ssid: 'Crew',
      security: 'open',
      vlan_id: 20,
      gateway_ip: '192.168.20.1/24',
      portal_enabled: true,
      portal_type: 'local',
    });
    expect(local.data).toMatchObject({ fields: { portal_type: expect.stringContaining('Portal') } });
    expect(await fleet.db.selectFrom('config_draft').select('section').where('device_id', '=', id).execute()).toEqual([]);
  });

  it('requires the right to change every page that it writes', async () => {
    const { id } = await ship();
    const permissions = grantsOf(['gateway_config', 'device_list']);
    const role = await makeRole(me(), 'installer', permissions, {
      gateway_permissions: { gw_guide_quick_setup: '11', gw_network_lan: '11' },
    });
    await makeStaff(me(), 'installer', role);
    expect((await write(await fleet.login('installer'), id, 'guide_quick_setup', values)).code).toBe(errors.denied.code);
  });
});
