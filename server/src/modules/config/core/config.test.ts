import { configCalls as calls, keptSecret } from '@farlink/contract/config/config.ts';
import { errors } from '@farlink/contract/errors.ts';
import type { Grant } from '@farlink/contract/kit/field.ts';
import { factoryDocs } from '@farlink/gateway/kit/config.ts';
import { gatewayPermission } from '@farlink/gateway/kit/page.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import { digestOf } from '@farlink/gateway/protocol/shadow.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Caller, fieldsOf, grantsOf } from '../../../../test/api.ts';
import { type ConfigApi, startConfigApi, type TestGateway } from '../../../../test/config-api.ts';
import { patience } from '../../../../test/patience.ts';
import { makeBranches, makeRole, makeStaff } from '../../../../test/world.ts';

let api: ConfigApi;
let east: Caller;
let eastId: number;

const allPermissions = Object.fromEntries([...gatewayPages.values()].map((page): [string, Grant] => [gatewayPermission(page), '11']));

beforeAll(async () => {
  api = await startConfigApi();
  const world = await makeBranches(api);
  // Gateway permissions that the platform grants to its VNOs.
  await api.db
    .updateTable('role')
    .set({ gateway_permissions: JSON.stringify(allPermissions) })
    .execute();
  ({ eastId } = world);
  east = await api.login('east');
});
afterAll(() => api?.close());

const password = 'Sesame2026';
const wan = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  enabled: true,
  port: 'eth0',
  link_type: '6d',
  proto: 'dhcp',
  down_bandwidth: 4096,
  up_bandwidth: 1024,
  mtu: 1500,
  ...more,
});
const pppoe = (secret: string) => wan('wan1', { proto: 'pppoe', pppoe_username: 'ship', pppoe_password: secret });

const syslog = { ...factoryDocs.get('advanced_syslog'), local_size: 128 };
const route = (of: string) => ({ name: 'home', destination: '10.1.0.0/16', route_type: 'unicast', interface: of });

const draft = (by: Caller, gateway: TestGateway, page: string, doc: object, base_rev = 0) =>
  by.call(calls.draft, { device_id: gateway.id, page, base_rev, doc });
const page = async (by: Caller, gateway: TestGateway, key: string) =>
  (await by.call(calls.page, { device_id: gateway.id, page: key })).data;
const apply = (by: Caller, gateway: TestGateway, pages: readonly string[], more: object = {}) =>
  by.call(calls.apply, { device_id: gateway.id, pages, keep: 0, ...more });
const resolveDrift = (gateway: TestGateway, key: string, take: 'gateway' | 'console', local_hash: string | null) =>
  east.call(calls.resolveDrift, { device_id: gateway.id, page: key, take, local_hash });
const newestLine = ({ id }: TestGateway) =>
  api.db.selectFrom('syslog').selectAll().where('subject', '=', `device:${id}`).orderBy('id', 'desc').executeTakeFirstOrThrow();
const applied = async (id: number) => api.db.selectFrom('config_apply').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const stateOf = (id: number, state: number) => vi.waitFor(async () => expect((await applied(id)).state).toBe(state), patience);
const heard = (gateway: TestGateway, count: number) => vi.waitFor(() => expect(gateway.bundles).toHaveLength(count), patience);
const ok = <T extends { code: number }>(reply: T): T => {
  expect(reply.code, JSON.stringify(reply)).toBe(0);
  return reply;
};
/** Saves a draft, applies it and waits until the gateway has applied it: the start of most tests. */
const applyAndWait = async (gateway: TestGateway, key: string, doc: object) => {
  const { rev } = await page(east, gateway, key);
  ok(await draft(east, gateway, key, doc, rev));
  const { id } = ok(await apply(east, gateway, [key])).data;
  const count = gateway.bundles.length + 1;
  await heard(gateway, count);
  const bundle = gateway.bundles[count - 1];
  if (bundle) await gateway.accept(bundle);
  await stateOf(id, 3);
  return id;
};

describe('a draft', () => {
  it('is refused at the invalid fields, and saved if all fields are valid', async () => {
    const gateway = await api.addTestGateway(eastId, 'DRAFT1');
    const bad = await draft(east, gateway, 'network_wan', { rows: [wan('wan1'), wan('WAN!', { port: 'eth1', mtu: 9 })] });
    expect(bad).toMatchObject({
      code: errors.bad_input.code,
      data: {
        fields: { 'rows[1].mtu': '应为576到1500之间的整数', 'rows[1].name': '小写字母开头，可含小写字母、数字和下划线，最多15个字符' },
      },
    });
    ok(await draft(east, gateway, 'network_wan', { rows: [wan('wan1')] }));
    const read = await page(east, gateway, 'network_wan');
    expect(read).toMatchObject({ state: 'none', rev: 0, doc: { rows: [] }, draft: { doc: { rows: [{ name: 'wan1' }] }, base_rev: 0 } });
    const again = await draft(east, gateway, 'network_wan', { rows: [] });
    ok(again);
    expect((await page(east, gateway, 'network_wan')).draft).toBeNull();
    expect((await draft(east, gateway, 'network_wan', { rows: [] })).code).toBe(errors.unchanged.code);
  });

  it('is refused at a choice whose value has no text', async () => {
    const gateway = await api.addTestGateway(eastId, 'DRAFT9');
    for (const mode of [{ toString: 1 }, [{ toString: 1 }]])
      expect(fieldsOf(await draft(east, gateway, 'arbiter_setting', { enabled: true, mode })), JSON.stringify(mode)).toHaveProperty('mode');
  });

  it('keeps a secret that is sent as its placeholder, and requires it again for a renamed row', async () => {
    const gateway = await api.addTestGateway(eastId, 'DRAFT2');
    ok(await draft(east, gateway, 'network_wan', { rows: [pppoe(password)] }));
    const shown = await page(east, gateway, 'network_wan');
    expect(JSON.stringify(shown)).not.toContain(password);
    expect(shown.draft?.doc).toMatchObject({ rows: [{ pppoe_password: keptSecret }] });
    const row = { ...pppoe(keptSecret), remark: 'second' };
    ok(await draft(east, gateway, 'network_wan', { rows: [row] }));
    const renamed = await draft(east, gateway, 'network_wan', { rows: [{ ...row, name: 'wan2' }] });
    expect(renamed.data).toEqual({ fields: { 'rows[0].pppoe_password': '请重新输入' } });
    const { id } = ok(await apply(east, gateway, ['network_wan'])).data;
    await gateway.connect();
    await heard(gateway, 1);
    expect(gateway.bundles[0]?.s.network_wan).toMatchObject({ doc: { rows: [{ pppoe_password: password, remark: 'second' }] } });
    expect((await applied(id)).bytes).toBeGreaterThan(100);
  });

  it('has no new restart in the past, but keeps one that has passed', async () => {
    const gateway = await api.addTestGateway(eastId, 'DRAFT4');
    await gateway.connect();
    const restarts = (...times: readonly number[]) => ({
      rows: times.map((run_at, i) => ({ name: `r${i}`, target: 'gateway', cycle: 'once', run_at, remark: String(times.length) })),
    });
    const key = 'advanced_reboot_schedule';
    const soon = api.clock.now() + 60;
    expect(fieldsOf(await draft(east, gateway, key, restarts(soon, 0)))).toEqual({ 'rows[1].run_at': '应晚于当前时间' });
    await applyAndWait(gateway, key, restarts(soon));
    api.clock.advance(90);
    const { rev } = await page(east, gateway, key);
    expect(fieldsOf(await draft(east, gateway, key, restarts(soon, soon + 1), rev))).toEqual({ 'rows[1].run_at': '应晚于当前时间' });
    await applyAndWait(gateway, key, restarts(soon, soon + 3600));
    expect(await page(east, gateway, key)).toMatchObject({
      state: 'applied',
      doc: { rows: [{ run_at: soon, remark: '2' }, { name: 'r1' }] },
    });
  });

  it('is reviewed against the whole configuration, and cannot break references of another page', async () => {
    const gateway = await api.addTestGateway(eastId, 'DRAFT3');
    await gateway.connect();
    await applyAndWait(gateway, 'network_wan', { rows: [wan('wan1'), wan('wan2', { port: 'eth1' })] });
    await applyAndWait(gateway, 'network_static_route', { rows: [route('wan2')] });
    ok(await draft(east, gateway, 'network_wan', { rows: [wan('wan1')] }, 1));
    const { data } = ok(await east.call(calls.review, { device_id: gateway.id, lang: 'en' }));
    expect(data.problems).toEqual([{ page: 'network_wan', path: 'rows', text: '"wan2" is used by Static routes and cannot be deleted' }]);
    expect(data.pages[0]?.differences).toMatchObject([{ what: 'removed', row: 'wan2', field: null }]);
    expect(data).toMatchObject({ risky: true, waits: 'sending', pages: [{ stale: false, drifted: false, base_rev: 1, rev: 1 }] });
    const refused = await apply(east, gateway, ['network_wan']);
    expect(refused.code).toBe(errors.bad_input.code);
    expect(refused.data).toEqual({ fields: { 'network_wan.rows': '“wan2”正被静态路由使用，不能删除' } });
    // Both changes together are valid.
    ok(await draft(east, gateway, 'network_static_route', { rows: [route('wan1')] }, 1));
    expect((await east.call(calls.review, { device_id: gateway.id })).data.problems).toEqual([]);
    ok(await apply(east, gateway, ['network_wan', 'network_static_route']));
    await heard(gateway, 3);
    expect(Object.keys(gateway.bundles[2]?.s ?? {}).toSorted()).toEqual(['network_static_route', 'network_wan']);
    expect((await page(east, gateway, 'network_static_route')).refs.network_wan).toEqual([{ key: 'wan1', name: 'wan1' }]);
  });
});

describe('an apply of drafts', () => {
  it('that is withdrawn keeps the revision that was sent with another apply', async () => {
    const gateway = await api.addTestGateway(eastId, 'JOIN1');
    ok(await draft(east, gateway, 'advanced_syslog', syslog));
    ok(await apply(east, gateway, ['advanced_syslog']));
    ok(await draft(east, gateway, 'network_wan', { rows: [wan('wan1')] }));
    // The second apply includes the first one, which was never sent alone.
    const { id: both } = ok(await apply(east, gateway, ['network_wan'])).data;
    await gateway.connect();
    await heard(gateway, 1);
    const [bundle] = gateway.bundles;
    if (bundle) await gateway.accept(bundle);
    await stateOf(both, 3);
    await gateway.disconnect();
    ok(await draft(east, gateway, 'advanced_syslog', { ...syslog, local_size: 256 }, 1));
    const { id } = ok(await apply(east, gateway, ['advanced_syslog'])).data;
    ok(await east.call(calls.withdraw, { device_id: gateway.id, id }));
    expect(await page(east, gateway, 'advanced_syslog')).toMatchObject({ rev: 1, state: 'applied', doc: { local_size: 128 } });
  });

  it('does not include a draft that is saved at the same time', async () => {
    const gateway = await api.addTestGateway(eastId, 'JOIN2');
    ok(await draft(east, gateway, 'advanced_syslog', syslog));
    ok(await apply(east, gateway, ['advanced_syslog']));
    ok(await draft(east, gateway, 'advanced_syslog', { ...syslog, local_size: 256 }, 1));
    const blocked = async () => {
      const { rows } = await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        api.db,
      );
      return rows.length;
    };
    const under = await api.db.transaction().execute(async (tx) => {
      await tx.selectFrom('desired_section').select('rev').where('device_id', '=', gateway.id).forUpdate().execute();
      const applying = apply(east, gateway, ['advanced_syslog']);
      await vi.waitFor(async () => expect(await blocked()).toBe(1), patience);
      const typing = draft(east, gateway, 'advanced_syslog', { ...syslog, local_size: 300 }, 1);
      await Promise.race([typing, vi.waitFor(async () => expect(await blocked()).toBe(2), patience)]);
      return { applying, typing };
    });
    ok(await under.applying);
    ok(await under.typing);
    const now = await page(east, gateway, 'advanced_syslog');
    expect(now).toMatchObject({ rev: 2, doc: { local_size: 256 }, draft: { base_rev: 1, doc: { local_size: 300 } } });
  });

  it('waits while the gateway is offline, is resent until confirmed, and is applied when the gateway reports the hash', async () => {
    const gateway = await api.addTestGateway(eastId, 'APPLY1');
    ok(await draft(east, gateway, 'network_wan', { rows: [wan('wan1')] }));
    const { id } = ok(await apply(east, gateway, ['network_wan'], { note: 'first' })).data;
    expect((await east.call(calls.tree, { device_id: gateway.id })).data.apply).toMatchObject({
      id,
      state: 0,
      waits: 'offline',
      note: 'first',
    });
    await gateway.connect();
    await heard(gateway, 1);
    await stateOf(id, 1);
    expect(await page(east, gateway, 'network_wan')).toMatchObject({ state: 'applying', rev: 1 });
    await gateway.disconnect();
    await gateway.connect();
    await heard(gateway, 2);
    expect(gateway.bundles[1]).toEqual(gateway.bundles[0]);
    const [bundle] = gateway.bundles;
    if (bundle) await gateway.accept(bundle);
    await stateOf(id, 3);
    expect(await page(east, gateway, 'network_wan')).toMatchObject({ state: 'applied', draft: null });
    const { data } = await east.call(calls.applies, { device_id: gateway.id });
    expect(data.list).toMatchObject([{ id, state: 3, source: 'edit', pages: ['network_wan'], note: 'first', operator: '测试人' }]);
    await gateway.disconnect();
    await gateway.connect();
    expect(gateway.bundles).toHaveLength(2);
  });

  it('is refused completely, with the reason of the invalid section', async () => {
    const gateway = await api.addTestGateway(eastId, 'APPLY2');
    await gateway.connect();
    ok(await draft(east, gateway, 'network_wan', { rows: [wan('wan1')] }));
    ok(await draft(east, gateway, 'advanced_syslog', syslog));
    const { id } = ok(await apply(east, gateway, ['network_wan', 'advanced_syslog'])).data;
    await heard(gateway, 1);
    const [bundle] = gateway.bundles;
    const why = 'E_FIELD network_wan.rows[0].port: no such port';
    if (bundle)
      await gateway.reply(bundle, (section, { rev }) => ({
        rev,
        ok: false,
        err: section === 'network_wan' ? why : 'E_SET refused with network_wan',
      }));
    await stateOf(id, 4);
    expect((await applied(id)).err).toBe(why);
    expect(await page(east, gateway, 'network_wan')).toMatchObject({ state: 'failed', err: why });
    // Other pages are validated against the document in the gateway, which has no such link.
    ok(await draft(east, gateway, 'network_static_route', { rows: [route('wan1')] }));
    expect((await east.call(calls.review, { device_id: gateway.id })).data.problems).toMatchObject([{ path: 'rows[0].interface' }]);
    // The same document is a change again, because the gateway does not have it.
    ok(await draft(east, gateway, 'network_wan', { rows: [wan('wan1')] }, 1));
    ok(await apply(east, gateway, ['network_wan', 'network_static_route']));
    await heard(gateway, 2);
    expect(gateway.bundles[1]?.s.network_wan).toMatchObject({ rev: 2 });
    // Refused sections are not sent again on reconnect.
    const open = await api.db
      .selectFrom('desired_section')
      .select('section')
      .where('device_id', '=', gateway.id)
      .where('settled', '=', false)
      .execute();
    expect(open.map(({ section }) => section).toSorted()).toEqual(['network_static_route', 'network_wan']);
  });

  it('includes the pending pages of an earlier apply', async () => {
    const gateway = await api.addTestGateway(eastId, 'APPLY3');
    ok(await draft(east, gateway, 'network_wan', { rows: [wan('wan1')] }));
    const first = ok(await apply(east, gateway, ['network_wan'], { keep: 60 })).data.id;
    ok(await draft(east, gateway, 'advanced_syslog', syslog));
    const second = ok(await apply(east, gateway, ['advanced_syslog'])).data.id;
    expect(await applied(first)).toMatchObject({ state: 6 });
    await gateway.connect();
    await heard(gateway, 1);
    expect(gateway.bundles[0]).toMatchObject({ keep: 60, s: { network_wan: { rev: 1 }, advanced_syslog: { rev: 1 } } });
    expect((await applied(second)).pages.toSorted()).toEqual(['advanced_syslog', 'network_wan']);
    const [bundle] = gateway.bundles;
    if (bundle) await gateway.accept(bundle);
    await stateOf(second, 3);
    expect(await applied(first)).toMatchObject({ state: 6 });
  });

  it('with a rollback timer is confirmed when the gateway reconnects, and fails when it rolls back', async () => {
    const gateway = await api.addTestGateway(eastId, 'APPLY4');
    await gateway.connect();
    ok(await draft(east, gateway, 'network_wan', { rows: [wan('wan1')] }));
    const first = ok(await apply(east, gateway, ['network_wan'], { keep: undefined })).data.id;
    await heard(gateway, 1);
    const [bundle] = gateway.bundles;
    if (!bundle) throw new Error('no set');
    expect(bundle.keep).toBe(180);
    await gateway.disconnect();
    await gateway.connect();
    await gateway.publish(`set/${bundle.id}`, { st: 'trial' });
    await vi.waitFor(() => expect(gateway.confirmedIds).toEqual([bundle.id]), patience);
    await stateOf(first, 2);
    await gateway.accept(bundle);
    await stateOf(first, 3);
    ok(await draft(east, gateway, 'network_wan', { rows: [wan('wan1', { mtu: 1400 })] }, 1));
    const second = ok(await apply(east, gateway, ['network_wan'], { keep: 30 })).data.id;
    await vi.waitFor(() => expect(gateway.bundles.at(-1)?.s.network_wan).toMatchObject({ rev: 2 }), patience);
    await gateway.publish('cfg/network_wan', { rev: 2, ok: false, err: 'E_LOST rolled back after 30 s', act: 1 });
    await stateOf(second, 5);
    expect(await page(east, gateway, 'network_wan')).toMatchObject({ state: 'failed', err: 'E_LOST rolled back after 30 s' });
    ok(await draft(east, gateway, 'network_wan', { rows: [wan('wan1', { mtu: 1300 })] }, 2));
    // The gateway still has the previous revision.
    const { data } = await east.call(calls.review, { device_id: gateway.id });
    expect(data.pages[0]?.differences).toEqual(
      [{ what: 'changed', row: 'wan1', field: 'mtu', before: 1500, after: 1300 }].map((d) => expect.objectContaining(d)),
    );
  });

  it('can be withdrawn only before it is sent to the gateway', async () => {
    const gateway = await api.addTestGateway(eastId, 'APPLY5');
    await gateway.connect();
    await applyAndWait(gateway, 'network_wan', { rows: [wan('wan1')] });
    await gateway.disconnect();
    ok(await draft(east, gateway, 'network_wan', { rows: [wan('wan1', { mtu: 1400 })] }, 1));
    ok(await draft(east, gateway, 'advanced_syslog', syslog));
    const { id } = ok(await apply(east, gateway, ['network_wan', 'advanced_syslog'])).data;
    ok(await east.call(calls.withdraw, { device_id: gateway.id, id }));
    expect(await applied(id)).toMatchObject({ state: 7 });
    expect(await page(east, gateway, 'network_wan')).toMatchObject({ state: 'applied', rev: 1, doc: { rows: [{ mtu: 1500 }] } });
    expect(await page(east, gateway, 'advanced_syslog')).toMatchObject({ state: 'none', rev: 0 });
    await gateway.connect();
    ok(await draft(east, gateway, 'network_wan', { rows: [wan('wan1', { mtu: 1400 })] }, 1));
    const next = ok(await apply(east, gateway, ['network_wan'])).data.id;
    await heard(gateway, 2);
    // Revision numbers are never reused.
    expect(gateway.bundles[1]?.s.network_wan).toMatchObject({ rev: 3 });
    expect((await east.call(calls.withdraw, { device_id: gateway.id, id: next })).code).toBe(errors.config_on_its_way.code);
    expect((await east.call(calls.withdraw, { device_id: gateway.id, id })).code).toBe(errors.wrong_state.code);
  });

  it('sends all sections together to a replacement gateway', async () => {
    const gateway = await api.addTestGateway(eastId, 'APPLY6');
    await gateway.connect();
    await applyAndWait(gateway, 'network_wan', { rows: [wan('wan1')] });
    await applyAndWait(gateway, 'network_static_route', { rows: [route('wan1')] });
    await gateway.disconnect();
    await api.db.updateTable('desired_section').set({ settled: false, sent_at: null }).where('device_id', '=', gateway.id).execute();
    await api.db.deleteFrom('reported_section').where('device_id', '=', gateway.id).execute();
    await gateway.connect({ boot: 'boot2', h: digestOf({}) });
    await heard(gateway, 3);
    expect(Object.keys(gateway.bundles[2]?.s ?? {}).toSorted()).toEqual(['network_static_route', 'network_wan']);
    const [, , bundle] = gateway.bundles;
    if (bundle) await gateway.accept(bundle);
    expect(await page(east, gateway, 'network_wan')).toMatchObject({ state: 'applied', rev: 1 });
  });
});

describe('concurrent changes', () => {
  it('of two operators are shown to the second operator, who must force an apply over the first change', async () => {
    const gateway = await api.addTestGateway(eastId, 'TWO1');
    const role = await makeRole(east, 'crew', grantsOf(['device_list']), { gateway_permissions: allPermissions });
    await makeStaff(east, 'crew_one', role, { name: '李轮机' });
    const crew = await api.login('crew_one');
    ok(await draft(crew, gateway, 'network_wan', { rows: [wan('wan1')] }));
    expect((await page(east, gateway, 'network_wan')).others).toEqual(['李轮机']);
    ok(await draft(east, gateway, 'network_wan', { rows: [wan('wan9')] }));
    ok(await apply(crew, gateway, ['network_wan']));
    const refused = await apply(east, gateway, ['network_wan'], { lang: 'en' });
    expect(refused).toMatchObject({
      code: errors.config_conflict.code,
      data: { pages: [{ page: 'network_wan', rev: 1, operator: '李轮机' }] },
    });
    expect(refused.msg).toContain('李轮机');
    expect(await newestLine(gateway)).toMatchObject({
      result: 'fail',
      content_en: 'Apply drafts, all or none: ship TWO1 (TWO1)',
      message_en: refused.msg,
    });
    expect((await east.call(calls.review, { device_id: gateway.id })).data.pages).toMatchObject([{ stale: true, base_rev: 0, rev: 1 }]);
    ok(await apply(east, gateway, ['network_wan'], { force: true }));
    expect(await page(east, gateway, 'network_wan')).toMatchObject({ rev: 2, doc: { rows: [{ name: 'wan9' }] } });
  });

  it('at the gateway are shown beside the desired values, and the operator accepts or overwrites them', async () => {
    const gateway = await api.addTestGateway(eastId, 'TWO2');
    await gateway.connect();
    await applyAndWait(gateway, 'network_wan', { rows: [pppoe(password)] });
    const local = { rows: [{ ...pppoe('Local2026'), mtu: 1200 }] };
    await gateway.change('network_wan', 1, local);
    const drifted = await page(east, gateway, 'network_wan');
    expect(drifted).toMatchObject({
      state: 'drifted',
      doc: { rows: [{ mtu: 1500 }] },
      local: { rows: [{ mtu: 1200, pppoe_password: keptSecret }] },
    });
    expect(JSON.stringify(drifted)).not.toContain('Local2026');
    ok(await resolveDrift(gateway, 'network_wan', 'gateway', drifted.local_hash));
    await heard(gateway, 2);
    expect(gateway.bundles[1]?.s.network_wan).toMatchObject({ rev: 2, doc: local });
    if (gateway.bundles[1]) await gateway.accept(gateway.bundles[1]);
    expect(await page(east, gateway, 'network_wan')).toMatchObject({ state: 'applied', rev: 2, local: null });
    expect((await resolveDrift(gateway, 'network_wan', 'gateway', drifted.local_hash)).code).toBe(errors.config_not_drifted.code);
    await gateway.change('network_wan', 2, { rows: [wan('wan5')] });
    const again = await page(east, gateway, 'network_wan');
    ok(await resolveDrift(gateway, 'network_wan', 'console', again.local_hash));
    await heard(gateway, 3);
    expect(gateway.bundles[2]?.s.network_wan).toMatchObject({ rev: 3, doc: local });
    expect(gateway.bundles[2]?.keep).toBe(180);
  });

  it('at the gateway are accepted or overwritten only as the operator saw them, and logged with the values before and after', async () => {
    const gateway = await api.addTestGateway(eastId, 'TWO5');
    await gateway.connect();
    await applyAndWait(gateway, 'network_wan', { rows: [pppoe(password)] });
    await gateway.change('network_wan', 1, { rows: [{ ...pppoe('Local2026'), mtu: 1200 }] });
    const seen = await page(east, gateway, 'network_wan');
    await gateway.change('network_wan', 1, { rows: [{ ...pppoe('Later2026'), mtu: 1200 }] });
    const unseen = await page(east, gateway, 'network_wan');
    for (const take of ['gateway', 'console'] as const)
      expect(await resolveDrift(gateway, 'network_wan', take, seen.local_hash)).toMatchObject({
        code: errors.config_conflict.code,
        msg: '“WAN设置”已被网关修改，请核对差异后再下发',
      });
    expect(fieldsOf(await resolveDrift(gateway, 'network_wan', 'gateway', null))).toHaveProperty('local_hash');
    expect(await page(east, gateway, 'network_wan')).toEqual(unseen);
    expect(gateway.bundles).toHaveLength(1);

    ok(await resolveDrift(gateway, 'network_wan', 'gateway', unseen.local_hash));
    const secret = { 'wan1.pppoe_password': '******' };
    expect(await newestLine(gateway)).toMatchObject({
      content_zh: `采用网关版本：设备 ship TWO5 (TWO5) 的网关配置“WAN设置”`,
      before: { network_wan: { 'wan1.mtu': 1500, ...secret } },
      after: { network_wan: { 'wan1.mtu': 1200, ...secret } },
    });
    await heard(gateway, 2);
    if (gateway.bundles[1]) await gateway.accept(gateway.bundles[1]);
    await gateway.change('network_wan', 2, { rows: [{ ...pppoe('Later2026'), mtu: 1300 }] });
    ok(await resolveDrift(gateway, 'network_wan', 'console', (await page(east, gateway, 'network_wan')).local_hash));
    expect(await newestLine(gateway)).toMatchObject({
      before: { network_wan: { 'wan1.mtu': 1300 } },
      after: { network_wan: { 'wan1.mtu': 1200 } },
    });
  });

  it('at the gateway after a refused apply are shown as drift', async () => {
    const gateway = await api.addTestGateway(eastId, 'TWO3');
    await gateway.connect();
    await applyAndWait(gateway, 'network_wan', { rows: [wan('wan1')] });
    ok(await draft(east, gateway, 'network_wan', { rows: [wan('wan2')] }, 1));
    const { id } = ok(await apply(east, gateway, ['network_wan'])).data;
    await heard(gateway, 2);
    await gateway.publish('cfg/network_wan', { rev: 2, ok: false, err: 'E_FIELD no', act: 1 });
    await stateOf(id, 4);
    await gateway.change('network_wan', 1, { rows: [wan('wan3')] });
    expect(await page(east, gateway, 'network_wan')).toMatchObject({ state: 'drifted', local: { rows: [{ name: 'wan3' }] } });
  });

  it('start from the values that the gateway reports if the console has no desired values', async () => {
    const gateway = await api.addTestGateway(eastId, 'TWO4');
    await gateway.connect();
    await gateway.change('network_wan', 0, { rows: [pppoe(password)] });
    const read = await page(east, gateway, 'network_wan');
    expect(read).toMatchObject({ state: 'none', rev: 0, local: null, doc: { rows: [{ name: 'wan1', pppoe_password: keptSecret }] } });
    expect(read.origins).toMatchObject({ wan1: { from: 'device' } });
    ok(await draft(east, gateway, 'network_wan', { rows: [{ ...pppoe(keptSecret), mtu: 1400 }] }));
    ok(await apply(east, gateway, ['network_wan']));
    await heard(gateway, 1);
    expect(gateway.bundles[0]?.s.network_wan).toMatchObject({ rev: 1, doc: { rows: [{ pppoe_password: password, mtu: 1400 }] } });
  });
});

describe('revisions', () => {
  it('can be viewed and restored as a draft', async () => {
    const gateway = await api.addTestGateway(eastId, 'REV1');
    await gateway.connect();
    await applyAndWait(gateway, 'network_wan', { rows: [pppoe(password)] });
    await applyAndWait(gateway, 'network_wan', { rows: [pppoe('Second2026')] });
    const list = await east.call(calls.revisions, { device_id: gateway.id, section: 'network_wan' });
    expect(list.data.list.map(({ rev, source }) => [rev, source])).toEqual([
      [2, 'edit'],
      [1, 'edit'],
    ]);
    const one = ok(await east.call(calls.revision, { device_id: gateway.id, page: 'network_wan', rev: 1 })).data;
    expect(one.doc).toMatchObject({ rows: [{ pppoe_password: keptSecret }] });
    expect(one.differences).toEqual([{ what: 'changed', row: 'wan1', field: 'pppoe_password', before: null, after: null }]);
    ok(await east.call(calls.rollback, { device_id: gateway.id, page: 'network_wan', rev: 1 }));
    expect((await east.call(calls.rollback, { device_id: gateway.id, page: 'network_wan', rev: 2 })).code).toBe(errors.unchanged.code);
    const { id } = ok(await apply(east, gateway, ['network_wan'])).data;
    expect(await applied(id)).toMatchObject({ source: 'rollback' });
    await heard(gateway, 3);
    expect(gateway.bundles[2]?.s.network_wan).toMatchObject({ rev: 3, doc: { rows: [{ pppoe_password: password }] } });
  });
});

describe('a secret', () => {
  it('is not readable in any table, or in the replies of page, review, revision and tree', async () => {
    const gateway = await api.addTestGateway(eastId, 'SECRET1');
    const secret = 'Unheard0f2026';
    const local = 'Whispered2026';
    await gateway.connect();
    await applyAndWait(gateway, 'network_wan', { rows: [pppoe(secret)] });
    await gateway.change('network_wan', 1, { rows: [pppoe(local)] });
    ok(await draft(east, gateway, 'network_wan', { rows: [pppoe('Changed2026')] }, 1));
    const replies = await Promise.all([
      east.call(calls.page, { device_id: gateway.id, page: 'network_wan' }),
      east.call(calls.review, { device_id: gateway.id }),
      east.call(calls.revision, { device_id: gateway.id, page: 'network_wan', rev: 1 }),
      east.call(calls.tree, { device_id: gateway.id }),
    ]);
    const { rows: tables } = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(
      api.db,
    );
    const output = await Promise.all(
      tables.map(async ({ name }) => {
        const { rows } = await sql<{ text: string | null }>`select string_agg(t::text, ' ') as text from ${sql.table(name)} t`.execute(
          api.db,
        );
        return [name, rows[0]?.text ?? ''] as const;
      }),
    );
    for (const plaintext of [secret, local, 'Changed2026']) {
      expect(JSON.stringify(replies)).not.toContain(plaintext);
      for (const [name, text] of output) expect(text.includes(plaintext), `${plaintext} in ${name}`).toBe(false);
    }
  });
});
