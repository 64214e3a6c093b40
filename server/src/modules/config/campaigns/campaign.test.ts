import { randomUUID } from 'node:crypto';
import { configCampaignCalls as calls } from '@farlink/contract/config/campaign.ts';
import { compareCalls } from '@farlink/contract/config/compare.ts';
import { configCalls } from '@farlink/contract/config/config.ts';
import { templateCalls } from '@farlink/contract/config/config-template.ts';
import { deviceDetailCalls } from '@farlink/contract/device/device-detail.ts';
import { errors } from '@farlink/contract/errors.ts';
import { factoryDocs } from '@farlink/gateway/kit/config.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Caller, Reply } from '../../../../test/api.ts';
import { fieldsOf } from '../../../../test/api.ts';
import { type ConfigApi, startConfigApi, type TestGateway } from '../../../../test/config-api.ts';
import { openGates } from '../../../../test/gates.ts';
import { patience } from '../../../../test/patience.ts';
import { makeBranches } from '../../../../test/world.ts';
import { configCampaignJobs } from '../../../domain/config/campaign/campaign-job.ts';
import { enqueue } from '../../../kit/jobs/job.ts';
import { startJobs } from '../../../kit/jobs/job-runner.ts';

let api: ConfigApi;
let [east, west]: Caller[] = [];
let eastId: number;
let named = 0;

beforeAll(async () => {
  api = await startConfigApi();
  ({ eastId } = await makeBranches(api));
  await openGates(api);
  [east, west] = [await api.login('east'), await api.login('west')];
});
// The devices of a test must not inherit templates of earlier tests.
beforeEach(() => disableAll());
afterAll(() => api?.close());

const disableAll = () => api.db.updateTable('config_template').set({ enabled: false }).execute();

const by = (caller: Caller | undefined): Caller => caller ?? api.anonymous;
const ok = <T>(reply: Reply<T>): T => {
  expect(reply.code, JSON.stringify(reply)).toBe(0);
  return reply.data;
};
const work = () => startJobs(api.deps, configCampaignJobs, { pollMs: 0 }).tick();
const addGateways = async (count: number, connected = true) => {
  const made: TestGateway[] = [];
  for (let i = 0; i < count; i++) {
    const gateway = await api.addTestGateway(eastId, `CMP${++named}`);
    if (connected) await gateway.connect();
    made.push(gateway);
  }
  return made;
};
const template = async (sections: object, more: object = {}) =>
  ok(await by(east).call(templateCalls.create, { name: `T${++named}`, level: 'vno', vno_id: eastId, sections, ...more })).id;
const start = async (id: number, some: readonly TestGateway[], more: object = {}) =>
  ok(await by(east).call(calls.start, { id, target: 'devices', device_ids: some.map((gateway) => gateway.id), keep: 0, ...more })).id;
const read = async (id: number) => ok(await by(east).call(calls.read, { id }));
const targets = async (id: number) => ok(await by(east).call(calls.devices, { id, limit: 100 })).list;
const stateOf = async (id: number, gateway: TestGateway) => (await targets(id)).find((row) => row.sn === gateway.sn);
const heard = (gateway: TestGateway, count = 1) => vi.waitFor(() => expect(gateway.bundles).toHaveLength(count), patience);
const last = (gateway: TestGateway) => gateway.bundles.at(-1) ?? { id: '', keep: 0, s: {} };
const docOf = (gateway: TestGateway, section: string) => {
  const sent = last(gateway).s[section];
  return sent && 'doc' in sent ? sent.doc : undefined;
};
const refuse = (gateway: TestGateway, err: string) => gateway.reply(last(gateway), (_, { rev }) => ({ rev, ok: false, err }));
const page = async (gateway: TestGateway, key: string) => ok(await by(east).call(configCalls.page, { device_id: gateway.id, page: key }));
const dns = (min_ttl: number) => ({ network_dns: { set: { min_ttl } } });

describe('a campaign of a template', () => {
  it('applies the inherited values to each device, and reports the result of each', async () => {
    const [a, b, c, away, same] = await addGateways(5);
    if (!a || !b || !c || !away || !same) throw new Error('no device');
    const id = await template(dns(61));
    await start(id, [same]);
    await work();
    await heard(same);
    await same.accept(last(same));
    await away.disconnect();
    const campaign = await start(id, [a, b, c, away, same]);
    expect(await read(campaign)).toMatchObject({ state: 'preparing', counts: { queued: 5 } });
    expect((await by(east).call(templateCalls.remove, { id })).code).toBe(errors.config_template_under_way.code);
    await work();
    expect(await read(campaign)).toMatchObject({ state: 'running', counts: { queued: 0, unchanged: 1, waiting: 4 }, pages: ['DNS设置'] });
    for (const gateway of [a, b, c]) await heard(gateway);
    expect(last(a)).toMatchObject({ keep: 0, s: { network_dns: { doc: { min_ttl: 61 } } } });
    await a.accept(last(a));
    await refuse(b, 'E_FIELD network_dns.min_ttl: too small');
    await refuse(c, 'E_LOST rolled back after 90 s');
    await vi.waitFor(
      async () => expect((await read(campaign)).counts).toMatchObject({ applied: 1, refused: 1, lost: 1, waiting: 1 }),
      patience,
    );
    expect(await stateOf(campaign, b)).toMatchObject({ state: 'refused', page_name: 'DNS设置', path: 'min_ttl', reason: 'too small' });
    expect(await stateOf(campaign, c)).toMatchObject({ state: 'lost', reason: '下发后 1分30秒内未能恢复连接，网关已自动回退' });
    await away.connect();
    await heard(away);
    await away.accept(last(away));
    await vi.waitFor(async () => expect(await read(campaign)).toMatchObject({ state: 'done', counts: { applied: 2 } }), patience);
    const { list } = ok(await by(east).call(calls.list, { kind: 'template', limit: 100 }));
    expect(list.find((row) => row.id === campaign)).toMatchObject({ progress: 100, applied_count: 2, failed_count: 2, unchanged_count: 1 });

    // Retry repeats the failed devices only.
    ok(await by(east).call(calls.retry, { id: campaign }));
    expect((await by(east).call(calls.retry, { id: campaign })).code).toBe(errors.config_campaign_preparing.code);
    await work();
    await heard(b, 2);
    await heard(c, 2);
    await b.accept(last(b));
    await c.accept(last(c));
    await vi.waitFor(
      async () => expect(await read(campaign)).toMatchObject({ state: 'done', counts: { applied: 4, unchanged: 1 } }),
      patience,
    );
    expect([a.bundles.length, away.bundles.length, same.bundles.length]).toEqual([1, 1, 1]);
    expect((await by(east).call(calls.retry, { id: campaign })).code).toBe(errors.config_campaign_nothing_failed.code);
    expect(await page(a, 'network_dns')).toMatchObject({ state: 'applied', doc: { min_ttl: 61 }, origins: { min_ttl: { from: 'vno' } } });
  });

  it('keeps values that were set on the device, and restores factory values that the template no longer overrides', async () => {
    const [a] = await addGateways(1);
    if (!a) throw new Error('no device');
    const id = await template({ network_dns: { set: { min_ttl: 62, cache_size: 2000 } } });
    const roll = async () => {
      const count = a.bundles.length + 1;
      const campaign = await start(id, [a]);
      await work();
      await heard(a, count);
      await a.accept(last(a));
      await vi.waitFor(async () => expect(await read(campaign)).toMatchObject({ state: 'done', counts: { applied: 1 } }), patience);
    };
    await roll();
    const now = await page(a, 'network_dns');
    ok(
      await by(east).call(configCalls.draft, {
        device_id: a.id,
        page: 'network_dns',
        base_rev: now.rev,
        doc: { ...now.doc, cache_size: 3000 },
      }),
    );
    ok(await by(east).call(configCalls.apply, { device_id: a.id, pages: ['network_dns'], keep: 0 }));
    await heard(a, 2);
    await a.accept(last(a));
    await vi.waitFor(async () => expect((await page(a, 'network_dns')).state).toBe('applied'), patience);
    expect(await page(a, 'network_dns')).toMatchObject({ origins: { cache_size: { from: 'device' }, min_ttl: { from: 'vno' } } });
    const { name } = ok(await by(east).call(templateCalls.read, { id }));
    const sections = { network_dns: { set: { min_ttl: 63, cache_size: 4000 } } };
    ok(await by(east).call(templateCalls.update, { id, version: 1, name, level: 'vno', vno_id: eastId, sections }));
    await roll();
    expect((await page(a, 'network_dns')).doc).toMatchObject({ min_ttl: 63, cache_size: 3000 });
    ok(await by(east).call(templateCalls.enable, { id, enabled: false }));
    await roll();
    expect((await page(a, 'network_dns')).doc).toMatchObject({ min_ttl: factoryDocs.get('network_dns')?.min_ttl, cache_size: 3000 });
  });

  it('reports page and field of an invalid value, and overwrites local changes only if forced', async () => {
    const [a, b] = await addGateways(2);
    if (!a || !b) throw new Error('no device');
    const wrong = await template(
      { network_dns: { set: { doh_url: `https://\${host}/`, mode: 'doh' } } },
      { variables: [{ name: 'host' }] },
    );
    const first = await start(wrong, [a]);
    await work();
    expect(await stateOf(first, a)).toMatchObject({
      state: 'invalid',
      page_name: 'DNS设置',
      path: 'doh_url',
      reason: '变量 host 没有取值',
    });
    expect(await read(first)).toMatchObject({ state: 'done' });
    await disableAll();

    const id = await template(dns(64), { rank: 200 });
    await start(id, [b]);
    await work();
    await heard(b);
    await b.accept(last(b));
    await b.change('network_dns', 1, { ...factoryDocs.get('network_dns'), min_ttl: 65 });
    await vi.waitFor(async () => expect((await page(b, 'network_dns')).state).toBe('drifted'), patience);
    const { name } = ok(await by(east).call(templateCalls.read, { id }));
    ok(await by(east).call(templateCalls.update, { id, version: 1, name, level: 'vno', vno_id: eastId, rank: 200, sections: dns(66) }));
    const spared = await start(id, [b]);
    await work();
    expect(await stateOf(spared, b)).toMatchObject({ state: 'invalid', reason: '网关本地修改过该页，请先处理' });
    const forced = await start(id, [b], { force: true });
    await work();
    await heard(b, 2);
    expect(docOf(b, 'network_dns')).toMatchObject({ min_ttl: 66 });
    expect(await stateOf(forced, b)).toMatchObject({ state: 'waiting' });
  });

  it('tracks its changes in a later apply that includes them, and ends when a later apply replaces them', async () => {
    const [a] = await addGateways(1, false);
    if (!a) throw new Error('no device');
    const id = await template(dns(67), { rank: 300 });
    const campaign = await start(id, [a]);
    await work();
    const edit = async (key: string, doc: object) => {
      const now = await page(a, key);
      ok(await by(east).call(configCalls.draft, { device_id: a.id, page: key, base_rev: now.rev, doc: { ...now.doc, ...doc } }));
      ok(await by(east).call(configCalls.apply, { device_id: a.id, pages: [key], keep: 0 }));
    };
    await edit('advanced_syslog', { local_size: 256 });
    expect(await stateOf(campaign, a)).toMatchObject({ state: 'waiting' });
    await a.connect();
    await heard(a);
    expect(Object.keys(last(a).s).toSorted()).toEqual(['advanced_syslog', 'network_dns']);
    await a.accept(last(a));
    await vi.waitFor(async () => expect(await stateOf(campaign, a)).toMatchObject({ state: 'applied' }), patience);
    await a.disconnect();
    const second = await start(await template(dns(68), { rank: 301 }), [a]);
    await work();
    await edit('network_dns', { min_ttl: 69 });
    expect(await stateOf(second, a)).toMatchObject({ state: 'stopped', reason: '被后续下发取代' });
  });

  it('is stopped: pending changes are withdrawn, sent changes continue', async () => {
    const [here, away] = await addGateways(2);
    if (!here || !away) throw new Error('no device');
    await away.disconnect();
    const id = await template(dns(70), { rank: 400 });
    const campaign = await start(id, [here, away]);
    await work();
    await heard(here);
    ok(await by(east).call(calls.stop, { id: campaign }));
    expect((await by(east).call(calls.stop, { id: campaign })).code).toBe(errors.config_campaign_ended.code);
    expect(await stateOf(campaign, away)).toMatchObject({ state: 'stopped', reason: '下发已撤回' });
    await here.accept(last(here));
    await vi.waitFor(async () => expect(await stateOf(campaign, here)).toMatchObject({ state: 'applied' }), patience);
    expect(await read(campaign)).toMatchObject({ state: 'stopped' });
    expect(await page(away, 'network_dns')).toMatchObject({ rev: 0, state: 'none' });
    await away.connect();
    ok(await by(east).call(calls.retry, { id: campaign }));
    await work();
    await heard(away);
    await away.accept(last(away));
    await vi.waitFor(async () => expect(await read(campaign)).toMatchObject({ state: 'done', counts: { applied: 2 } }), patience);

    // Stopped before the job prepared it: no device is changed.
    const idle = await start(id, [here, away], { force: true });
    ok(await by(east).call(calls.stop, { id: idle }));
    await work();
    expect(await read(idle)).toMatchObject({ state: 'stopped', counts: { stopped: 2 } });
  });

  it('continues after a crash without duplicates, and fails if its operator was disabled', async () => {
    const some = await addGateways(3, false);
    const id = await template(dns(71), { rank: 500 });
    const campaign = await start(id, some);
    const runners = [startJobs(api.deps, configCampaignJobs, { pollMs: 0 }), startJobs(api.deps, configCampaignJobs, { pollMs: 0 })];
    const { job_id } = await api.db.selectFrom('config_campaign').select('job_id').where('id', '=', campaign).executeTakeFirstOrThrow();
    await api.db
      .updateTable('job')
      .set({ state: 'running', owner: randomUUID(), lease_until: 0, attempts: 1 })
      .where('id', '=', job_id)
      .execute();
    await Promise.all(runners.map((runner) => runner.tick()));
    await Promise.all(runners.map((runner) => runner.stop()));
    const applies = await api.db.selectFrom('config_apply').select('device_id').where('campaign_id', '=', campaign).execute();
    expect(applies.map((row) => row.device_id).toSorted()).toEqual(some.map((gateway) => gateway.id).toSorted());
    const barred = await start(id, some, { force: true });
    await api.db.updateTable('customer').set({ status: 0 }).where('username', '=', 'east').execute();
    await work();
    await api.db.updateTable('customer').set({ status: 1 }).where('username', '=', 'east').execute();
    expect(await read(barred)).toMatchObject({ state: 'failed', message: '账号已被禁用', counts: { stopped: 3 } });
  });

  it('does not wait for devices that were deleted or transferred', async () => {
    const [gone, transferred, remaining] = await addGateways(3, false);
    if (!gone || !transferred || !remaining) throw new Error('no device');
    const campaign = await start(await template(dns(73), { rank: 600 }), [gone, transferred, remaining]);
    await work();
    await api.db.deleteFrom('device').where('id', '=', gone.id).execute();
    await api.db.deleteFrom('desired_section').where('device_id', '=', transferred.id).execute();
    await api.db.deleteFrom('config_apply').where('device_id', '=', transferred.id).execute();
    await enqueue(api.db, api.clock.now(), { kind: 'config_campaign_sweep' });
    await work();
    expect(await read(campaign)).toMatchObject({ state: 'running', counts: { stopped: 2, waiting: 1 } });
    expect(await stateOf(campaign, gone)).toMatchObject({ state: 'stopped', reason: '设备已转移或删除' });
  });

  it('can be started, viewed, stopped and retried only in its branch, and needs a valid device', async () => {
    const [a] = await addGateways(1, false);
    if (!a) throw new Error('no device');
    const id = await template(dns(72));
    expect((await by(west).call(calls.start, { id, target: 'place' })).code).toBe(errors.not_found.code);
    const campaign = await start(id, [a]);
    for (const call of [calls.read, calls.devices, calls.stop, calls.retry])
      expect((await by(west).call(call, { id: campaign })).code).toBe(errors.not_found.code);
    expect(ok(await by(west).call(calls.list)).total).toBe(0);
    expect(fieldsOf(await by(east).call(calls.start, { id, target: 'devices', device_ids: [999_999] }))).toHaveProperty('device_ids');
    const group = await api.db
      .insertInto('device_group')
      .values({ agent_id: eastId, name: 'empty', create_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const none = await by(east).call(calls.start, { id, target: 'group', device_group_id: group.id });
    expect(none.code).toBe(errors.config_campaign_no_device.code);
    await work();
  });
});

describe('a bulk edit', () => {
  const bulk = (some: readonly TestGateway[], more: object) =>
    by(east).call(calls.bulk, { target: 'devices', device_ids: some.map((gateway) => gateway.id), keep: 0, ...more });

  it('sets one field of a form or of a row by its key, and marks the value as set on the device', async () => {
    const [a, b] = await addGateways(2);
    if (!a || !b) throw new Error('no device');
    expect(fieldsOf(await bulk([a], { page: 'network_dns', field: 'min_ttl', value: { value: -5 } }))).toHaveProperty('value');
    expect(fieldsOf(await bulk([a], { page: 'network_dns', field: 'nope', value: { value: 1 } }))).toHaveProperty('field');
    const restart = { page: 'advanced_reboot_schedule', field: 'run_at', row: '*', value: { value: 0 } };
    expect(fieldsOf(await bulk([a], restart))).toEqual({ value: '应晚于当前时间' });
    expect(fieldsOf(await bulk([a], { page: 'network_ip_group', field: 'remark', value: { value: 'x' } }))).toHaveProperty('row');
    const campaign = ok(await bulk([a, b], { page: 'network_dns', field: 'min_ttl', value: { value: 123 } })).id;
    await work();
    for (const gateway of [a, b]) {
      await heard(gateway);
      await gateway.accept(last(gateway));
    }
    await vi.waitFor(async () => expect(await read(campaign)).toMatchObject({ state: 'done', title: 'DNS设置 · 最小缓存时间' }), patience);
    await vi.waitFor(async () => expect((await page(a, 'network_dns')).origins.min_ttl).toEqual({ from: 'device', name: null }), patience);
    await a.change('network_ip_group', 0, { rows: [{ name: 'crew', addresses: [{ address: '10.0.0.1' }] }] });
    await vi.waitFor(async () => expect((await page(a, 'network_ip_group')).doc).toMatchObject({ rows: [{ name: 'crew' }] }), patience);
    const rows = ok(await bulk([a, b], { page: 'network_ip_group', field: 'remark', row: 'crew', value: { value: 'set' } })).id;
    await work();
    await heard(a, 2);
    expect(docOf(a, 'network_ip_group')).toEqual({ rows: [{ name: 'crew', addresses: [{ address: '10.0.0.1' }], remark: 'set' }] });
    expect(await stateOf(rows, b)).toMatchObject({ state: 'unchanged', reason: '没有这一行' });
  });
});

describe('the log of a device', () => {
  const linesOf = ({ id }: TestGateway) =>
    api.db.selectFrom('syslog').selectAll().where('subject', '=', `device:${id}`).orderBy('id').execute();
  const bulk = (some: readonly TestGateway[], field: string, value: string | number, page: string) =>
    by(east).call(calls.bulk, { target: 'devices', device_ids: some.map(({ id }) => id), keep: 0, page, field, value: { value } });

  it('has the change of a campaign with the values before and after, without secrets', async () => {
    const [a, b] = await addGateways(2, false);
    if (!a || !b) throw new Error('no device');
    const before = { network_dns: { min_ttl: factoryDocs.get('network_dns')?.min_ttl } };
    ok(await bulk([a, b], 'min_ttl', 124, 'network_dns'));
    await work();
    for (const gateway of [a, b]) {
      const content_zh = `批量修改：设备 ship ${gateway.sn} (${gateway.sn}) 的网关配置“DNS设置”`;
      const who = { username: 'east', ip: '127.0.0.1', module: 'device', action: 'command', result: 'success' };
      expect(await linesOf(gateway)).toMatchObject([{ content_zh, ...who, before, after: { network_dns: { min_ttl: 124 } } }]);
    }
    const { list } = ok(await by(east).call(deviceDetailCalls.log, { id: a.id }));
    expect(list[0]).toMatchObject({ content: expect.stringContaining('批量修改') });

    ok(await bulk([b], 'password', 'Hidden8', 'network_cellular'));
    await work();
    ok(
      await by(east).call(calls.copy, {
        source: 'device',
        device_id: b.id,
        pages: ['network_cellular'],
        target: 'devices',
        device_ids: [a.id],
      }),
    );
    await work();
    for (const gateway of [a, b]) {
      const [, line] = await linesOf(gateway);
      expect(line).toMatchObject({ after: { network_cellular: { password: '******' } } });
      expect(JSON.stringify(line)).not.toContain('Hidden8');
    }
    // The source of a copy may be outside the scope of a reader.
    expect((await linesOf(a)).map((line) => line.content_en)[1]).toBe(`Copied configuration: Cellular of device ship ${a.sn} (${a.sn})`);
  });

  it('has it once after a crash of the job, and again only for a retried device', async () => {
    const [a, b] = await addGateways(2);
    if (!a || !b) throw new Error('no device');
    const campaign = await start(await template(dns(74), { name: 'Once', rank: 700 }), [a, b]);
    await work();
    // The job runs again as if its end had not been committed.
    await api.db.updateTable('config_campaign').set({ state: 'preparing' }).where('id', '=', campaign).execute();
    await api.db
      .updateTable('job')
      .set({ state: 'running', owner: randomUUID(), lease_until: 0, attempts: 1 })
      .where('kind', '=', 'config_campaign')
      .where('id', '=', api.db.selectFrom('config_campaign').select('job_id').where('id', '=', campaign))
      .execute();
    await work();
    for (const gateway of [a, b])
      expect((await linesOf(gateway)).map((line) => line.content_en)).toEqual([
        `Applied configuration template Once: DNS of device ship ${gateway.sn} (${gateway.sn})`,
      ]);
    for (const gateway of [a, b]) await heard(gateway);
    await a.accept(last(a));
    await refuse(b, 'E_FIELD network_dns.min_ttl: too small');
    await vi.waitFor(async () => expect((await read(campaign)).counts).toMatchObject({ applied: 1, refused: 1 }), patience);
    ok(await by(east).call(calls.retry, { id: campaign }));
    await work();
    expect([(await linesOf(a)).length, (await linesOf(b)).length]).toEqual([1, 2]);
  });
});

/** As earlier versions stored it. */
const storeReported = (gateway: TestGateway, section: string, doc: string) =>
  api.db
    .insertInto('reported_section')
    .values({ device_id: gateway.id, section, rev: 0, hash: '0'.repeat(32), ok: true, local: true, doc, at: api.clock.now() })
    .execute();

describe('a device whose stored configuration is damaged', () => {
  it('has a result, and the other devices of the campaign are changed', async () => {
    const [damaged, good] = await addGateways(2);
    if (!damaged || !good) throw new Error('no device');
    await storeReported(damaged, 'network_cellular', '{"password":{"sealed":"v1.damaged"}}');
    const some = { target: 'devices', device_ids: [damaged.id, good.id], keep: 0 };
    const campaign = ok(await by(east).call(calls.bulk, { ...some, page: 'network_cellular', field: 'apn', value: { value: 'sea' } })).id;
    await work();
    await heard(good);
    await good.accept(last(good));
    await vi.waitFor(
      async () => expect(await read(campaign)).toMatchObject({ state: 'done', counts: { applied: 1, invalid: 1 } }),
      patience,
    );
    expect(await stateOf(campaign, damaged)).toMatchObject({
      state: 'invalid',
      page_name: null,
      reason: '该设备的配置无法处理，详见服务器日志',
    });
  });

  it('is shown, compared and overwritten if a row key is no text', async () => {
    const [damaged, good] = await addGateways(2);
    if (!damaged || !good) throw new Error('no device');
    await storeReported(damaged, 'network_static_route', '{"rows":[{"name":{"toString":1}}]}');
    expect((await page(damaged, 'network_static_route')).doc).toEqual({ rows: [{ name: { toString: 1 } }] });
    const pages = ['network_static_route'];
    ok(await by(east).call(compareCalls.compare, { device_id: good.id, other_id: damaged.id }));
    const copy = { source: 'device', device_id: good.id, pages, target: 'devices', keep: 0, force: true };
    const campaign = ok(await by(east).call(calls.copy, { ...copy, device_ids: [damaged.id] })).id;
    await work();
    await heard(damaged);
    await damaged.accept(last(damaged));
    await vi.waitFor(async () => expect(await read(campaign)).toMatchObject({ state: 'done', counts: { applied: 1 } }), patience);
    expect((await page(damaged, 'network_static_route')).doc).toEqual({ rows: [] });
  });
});

describe('a copy', () => {
  it('applies pages of one device to others, including secrets, and excludes the source device', async () => {
    const [from, to] = await addGateways(2);
    if (!from || !to) throw new Error('no device');
    const cellular = { ...factoryDocs.get('network_cellular'), apn: 'sea', password: 'Hidden9' };
    ok(await by(east).call(configCalls.draft, { device_id: from.id, page: 'network_cellular', base_rev: 0, doc: cellular }));
    ok(await by(east).call(configCalls.apply, { device_id: from.id, pages: ['network_cellular'], keep: 0 }));
    await heard(from);
    await from.accept(last(from));
    const input = { source: 'device', device_id: from.id, pages: ['network_cellular'], target: 'devices', keep: 0 };
    const campaign = ok(await by(east).call(calls.copy, { ...input, device_ids: [from.id, to.id] })).id;
    await work();
    await heard(to);
    expect(docOf(to, 'network_cellular')).toMatchObject({ apn: 'sea', password: 'Hidden9' });
    expect((await targets(campaign)).map((row) => row.sn)).toEqual([to.sn]);
    expect((await by(west).call(calls.copy, { ...input, device_ids: [to.id] })).code).toBe(errors.not_found.code);
    const { spec } = await api.db.selectFrom('config_campaign').select('spec').where('id', '=', campaign).executeTakeFirstOrThrow();
    expect(spec).toMatch(/^v1\./);
  });
});
