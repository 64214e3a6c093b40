import { auditAccessLogCalls } from '@farlink/contract/audit/audit-access-log.ts';
import { auditHoldCalls } from '@farlink/contract/audit/audit-hold.ts';
import { auditRevealCalls } from '@farlink/contract/audit/audit-reveal.ts';
import { auditAuthCalls } from '@farlink/contract/audit/auth-account.ts';
import { type AuditPage, auditPage } from '@farlink/contract/audit/choices.ts';
import { auditMailCalls } from '@farlink/contract/audit/electronic-mail.ts';
import { auditForumCalls } from '@farlink/contract/audit/network-forum.ts';
import { auditUrlCalls } from '@farlink/contract/audit/network-url.ts';
import { auditIdentityCalls } from '@farlink/contract/audit/virtual-identity.ts';
import { errors } from '@farlink/contract/errors.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, fieldsOf, grantsOf, startApi } from '../../../test/api.ts';
import { makeAuditShip, maskedSamples, sealedSamples, storeAuditRows } from '../../../test/audit-rows.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import { blindIndex, indexKeyOf } from '../../domain/audit/sealed-values.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
let east: Awaited<ReturnType<typeof makeAuditShip>>;
let child: Awaited<ReturnType<typeof makeAuditShip>>;
let west: Awaited<ReturnType<typeof makeAuditShip>>;

const reasonText = '公安协查函 2026-17';
const enterReason = (by: Caller, page: AuditPage) => by.call(auditAccessLogCalls.giveReason, { page, reason: reasonText });
const enterReasons = async (by: Caller) => {
  for (const { id } of auditPage) await enterReason(by, id);
};
const staff = async (name: string, pages: readonly string[], more: Record<string, unknown> = {}) => {
  const role = await makeRole(world.east, name, grantsOf(pages), more);
  await makeStaff(world.east, name, role);
  return api.login(name);
};
const day = 86_400;

beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
  east = await makeAuditShip(api, { agentId: world.eastId, sn: 'EAST1', account: 'Anna' });
  child = await makeAuditShip(api, { agentId: world.childId, sn: 'CHILD1', account: 'carla', ago: 10 });
  west = await makeAuditShip(api, { agentId: world.westId, sn: 'WEST1', account: 'wendy', ago: 20 });
  for (const by of [world.admin, world.east, world.child, world.west]) await enterReasons(by);
});
afterAll(() => api.close());

describe('an audit list', () => {
  it('shows the rows of the branch, newest first, with device, user and session of each', async () => {
    const { data } = await world.east.call(auditAuthCalls.list, { limit: 100 });
    expect(data.list.map((row) => row.account)).toEqual(['Anna', 'carla']);
    expect(data).toMatchObject({ total: 2 });
    expect(data.list[0]).toMatchObject({
      device_id: east.deviceId,
      device_name: 'Ship EAST1',
      sn: 'EAST1',
      user_id: east.userId,
      agent_name: 'VNO east',
      ip: '10.1.0.7',
      mac: 'aa:bb:cc:00:11:22',
      auth_action: 'login',
      login_at: east.at,
      logout_at: null,
      create_at: east.at,
      session_from: east.at - day / 2,
      session_to: east.at + day / 2,
      public_ip: '203.0.113.7',
      port_range: '1024-2047',
    });
    expect((await world.admin.call(auditAuthCalls.list, {})).data.total).toBe(3);
    expect((await world.child.call(auditAuthCalls.list, {})).data.list.map((row) => row.account)).toEqual(['carla']);
  });

  it('masks sealed values, identities and authors', async () => {
    const auth = await world.east.call(auditAuthCalls.list, { account: 'anna' });
    expect(auth.data.list).toMatchObject([{ name: '欧**', phone: '139****5678', id_number: '110101********7758', closed: null }]);
    const identity = await world.east.call(auditIdentityCalls.list, { account: 'ANNA' });
    expect(identity.data.list).toMatchObject([{ identity: 'wx****01', app_name: 'WeChat' }]);
    const forum = await world.east.call(auditForumCalls.list, { account: 'anna' });
    expect(forum.data.list).toMatchObject([{ author: 'de****or', title: '出***', content: '今***', forum_name: '天涯' }]);
    const mail = await world.east.call(auditMailCalls.list, { account: 'anna' });
    expect(mail.data.list).toMatchObject([
      {
        sender: 'a***@ship.example',
        receiver: ['b***@port.example', 'd***@far.example'],
        cc: ['c***@port.example'],
        subject: '九***',
        direction: 'send',
        size: 123_456,
        attach_count: 2,
      },
    ]);
  });

  it('finds sealed values only by the complete value', async () => {
    const { name, phone, title, sender, receiver, cc, subject } = sealedSamples;
    const found = async (call: typeof auditAuthCalls.list | typeof auditForumCalls.list | typeof auditMailCalls.list, filters: object) =>
      (await world.west.call(call, { ...filters })).data.total;
    expect([await found(auditAuthCalls.list, { name }), await found(auditAuthCalls.list, { phone: '139 1234 5678' })]).toEqual([1, 1]);
    const older = { phone_index: blindIndex(indexKeyOf(api.deps.config.secretKey), 'phone', `+86${phone}`) };
    await api.db.updateTable('audit_auth').set(older).where('phone_index', 'is not', null).execute();
    expect([await found(auditAuthCalls.list, { phone }), await found(auditAuthCalls.list, { phone: `+86-${phone}` })]).toEqual([1, 1]);
    expect([await found(auditAuthCalls.list, { name: '欧阳' }), await found(auditAuthCalls.list, { phone: '1391' })]).toEqual([0, 0]);
    expect([await found(auditAuthCalls.list, { name, phone }), await found(auditAuthCalls.list, { name, phone: '1' })]).toEqual([1, 0]);
    expect([await found(auditForumCalls.list, { title }), await found(auditForumCalls.list, { title: '出' })]).toEqual([1, 0]);
    const mails = [{ sender: sender.toUpperCase() }, { receiver }, { receiver: cc }, { subject }, { receiver: 'x@port.example' }];
    expect(await Promise.all(mails.map((filters) => found(auditMailCalls.list, filters)))).toEqual([1, 1, 1, 1, 0]);
  });

  it('filters by account, MAC, IP, device, VNO, host, URL, application and identity', async () => {
    const urls = async (filters: object) => (await world.east.call(auditUrlCalls.list, { ...filters })).data.total;
    expect(await urls({})).toBe(4);
    const filters = [
      ...[{ account: 'anna' }, { account: 'ann' }, { mac: 'AA:BB:CC:00:11:22' }, { mac: 'aa:bb:cc:00:11:23' }, { ip: '10.1.0.7' }],
      ...[{ device_id: east.deviceId }, { vno_id: world.childId }, { host: 'News.example' }, { category: 'news' }, { category: '新闻' }],
      ...[{ url: 'news.example/a' }, { url: 'http://news.example/b' }, { host: 'bank.example', account: 'carla' }],
    ];
    expect(await Promise.all(filters.map(urls))).toEqual([2, 0, 4, 0, 4, 2, 2, 2, 2, 2, 2, 0, 1]);
    const identities = async (more: object) => (await world.east.call(auditIdentityCalls.list, { ...more })).data.total;
    const { identity } = maskedSamples;
    expect([
      await identities({ identity, app_name: 'WeChat' }),
      await identities({ identity: 'wx' }),
      await identities({ app_name: 'QQ' }),
    ]).toEqual([2, 0, 0]);
    const forums = async (more: object) => (await world.east.call(auditForumCalls.list, { ...more })).data.total;
    expect([
      await forums({ author: maskedSamples.author }),
      await forums({ forum_action: 'reply' }),
      await forums({ forum_name: '天涯' }),
    ]).toEqual([2, 0, 2]);
  });

  it('has no URL and no title for HTTPS', async () => {
    const { data } = await world.east.call(auditUrlCalls.list, { host: 'bank.example', account: 'anna' });
    expect(data.list).toMatchObject([{ url: null, title: null, server_port: 443 }]);
  });

  it('sorts by each sortable column', async () => {
    const accounts = async (orderby: string) =>
      (await world.admin.call(auditAuthCalls.list, { orderby })).data.list.map((row) => row.account);
    expect(await accounts('account asc')).toEqual(['Anna', 'carla', 'wendy']);
    expect(await accounts('account desc')).toEqual(['wendy', 'carla', 'Anna']);
    expect(await accounts('create_at asc')).toEqual(['wendy', 'carla', 'Anna']);
    for (const [call, orders] of [
      [auditAuthCalls.list, ['login_at desc', 'logout_at asc']],
      [auditIdentityCalls.list, ['app_name asc', 'account asc']],
      [auditUrlCalls.list, ['host asc', 'account desc']],
      [auditForumCalls.list, ['forum_name asc', 'account desc']],
      [auditMailCalls.list, ['size desc', 'account desc']],
    ] as const)
      for (const orderby of orders) expect((await world.admin.call(call, { orderby })).code, orderby).toBe(0);
    for (const orderby of ['mac asc', 'last_at desc', 'first_at asc'])
      expect((await world.admin.call(auditAuthCalls.list, { view: 'terminal', orderby })).data.total, orderby).toBe(3);
    expect((await world.admin.call(auditAuthCalls.list, { orderby: 'mac asc' })).code).toBe(errors.bad_input.code);
    // The order of a masked column would reveal its values.
    expect((await world.admin.call(auditIdentityCalls.list, { orderby: 'identity desc' })).code).toBe(errors.bad_input.code);
  });

  it('shows the last 7 days by default and at most 3 months, and refuses invalid filters at their fields', async () => {
    const { eastId } = world;
    await makeAuditShip(api, { agentId: eastId, sn: 'EAST9', account: 'late' });
    const now = api.clock.now();
    await storeAuditRows(api, 'EAST9', 'a_auth', [{ at: now - 8 * day, acc: 'late', act: 'login' }]);
    const total = async (more: object) => (await world.east.call(auditAuthCalls.list, { account: 'late', ...more })).data.total;
    expect(await total({})).toBe(1);
    expect(await total({ create_at_start: now - 9 * day })).toBe(2);
    expect(await total({ create_at_start: now - 9 * day, create_at_end: now - day })).toBe(1);
    expect(await total({ create_at_end: now - 7 * day })).toBe(1);
    const refused = async (more: object) => fieldsOf(await world.east.call(auditAuthCalls.list, { ...more }));
    expect(await refused({ create_at_start: now - 100 * day })).toEqual({ create_at_start: '查询时间跨度不能超过3个月' });
    expect(await refused({ create_at_start: now - 100 * day, create_at_end: now })).toEqual({ create_at_end: '查询时间跨度不能超过3个月' });
    expect(await refused({ create_at_start: now, create_at_end: now - 1 })).toEqual({ create_at_end: '开始时间必须早于结束时间' });
    expect(Object.keys(await refused({ mac: 'aa:bb' }))).toEqual(['mac']);
    expect(Object.keys(await refused({ ip: '300.1.1.1' }))).toEqual(['ip']);
    const url = await world.east.call(auditUrlCalls.list, { url: 'a/b' });
    expect(Object.keys(fieldsOf(url))).toEqual(['url']);
  });

  it('shows terminals with their last state', async () => {
    const { data } = await world.west.call(auditAuthCalls.list, { view: 'terminal', terminal_os: 'android', ssid: 'ship' });
    expect(data.list).toMatchObject([
      {
        mac: 'aa:bb:cc:00:11:22',
        brand: 'HUAWEI',
        signal: -61,
        account: 'wendy',
        sn: 'WEST1',
        name: null,
        phone: null,
        first_at: west.at,
      },
    ]);
  });
});

describe('rights', () => {
  it('for the terminal page do not include the other audit pages, and vice versa', async () => {
    const only = await staff('terms', ['terminal_acquisition']);
    expect((await enterReason(only, 'authAccount')).code).toBe(errors.denied.code);
    await enterReason(only, 'terminalAcquisition');
    expect((await only.call(auditAuthCalls.list, {})).code).toBe(errors.denied.code);
    expect((await only.call(auditAuthCalls.list, { view: 'terminal' })).code).toBe(0);
    for (const call of [auditIdentityCalls.list, auditUrlCalls.list, auditForumCalls.list, auditMailCalls.list])
      expect((await only.call(call, {})).code).toBe(errors.denied.code);
    const accounts = await staff('accounts', ['auth_account']);
    await enterReason(accounts, 'authAccount');
    expect((await accounts.call(auditAuthCalls.list, { view: 'terminal' })).code).toBe(errors.denied.code);
    expect((await accounts.call(auditAuthCalls.list, {})).code).toBe(0);
  });

  it('limited to devices show rows of these devices only', async () => {
    const scope = { scope: 'device', device_limit: 'specified', device_ids: [child.deviceId] };
    const one = await staff('oneship', ['auth_account', 'network_url', 'audit_reveal'], scope);
    await enterReason(one, 'authAccount');
    const { data } = await one.call(auditAuthCalls.list, {});
    expect(data.list.map((row) => row.account)).toEqual(['carla']);
    const foreign = (await world.east.call(auditAuthCalls.list, { account: 'anna' })).data.list[0]?.id;
    expect((await one.call(auditRevealCalls.reveal, { page: 'authAccount', id: foreign })).code).toBe(errors.not_found.code);
    expect((await one.call(auditRevealCalls.reveal, { page: 'authAccount', id: data.list[0]?.id })).code).toBe(0);
  });

  it('to view rows require a reason, once per session and page', async () => {
    const reader = await staff('reader', ['auth_account', 'network_url']);
    expect((await reader.call(auditAuthCalls.list, {})).code).toBe(errors.audit_reason_needed.code);
    expect((await reader.call(auditAccessLogCalls.readReason, { page: 'authAccount' })).data).toEqual({ reason: null });
    expect(fieldsOf(await reader.call(auditAccessLogCalls.giveReason, { page: 'authAccount', reason: 'abc' }))).toHaveProperty('reason');
    expect((await enterReason(reader, 'authAccount')).code).toBe(0);
    expect((await reader.call(auditAccessLogCalls.readReason, { page: 'authAccount' })).data).toEqual({ reason: reasonText });
    expect((await reader.call(auditAuthCalls.list, {})).code).toBe(0);
    expect((await reader.call(auditUrlCalls.list, {})).code).toBe(errors.audit_reason_needed.code);
    const again = await api.login('reader');
    expect((await again.call(auditAuthCalls.list, {})).code).toBe(errors.audit_reason_needed.code);
  });
});

describe('reveal', () => {
  const idOf = async (
    call: typeof auditAuthCalls.list | typeof auditMailCalls.list | typeof auditForumCalls.list | typeof auditIdentityCalls.list,
  ) => (await world.west.call(call, {})).data.list[0]?.id;

  it('returns the values of one row, and writes one log entry with the reason and without the values', async () => {
    const id = await idOf(auditAuthCalls.list);
    const reply = await world.west.call(auditRevealCalls.reveal, { page: 'authAccount', id });
    const { name, phone, id_number, title, content, sender, subject } = sealedSamples;
    expect(reply.data).toEqual({ values: { name, phone, id_number } });
    const forum = await world.west.call(auditRevealCalls.reveal, { page: 'networkForum', id: await idOf(auditForumCalls.list) });
    expect(forum.data.values).toEqual({ author: maskedSamples.author, title, content });
    const mail = await world.west.call(auditRevealCalls.reveal, { page: 'electronicMail', id: await idOf(auditMailCalls.list) });
    expect(mail.data.values).toMatchObject({ sender, subject });
    const identity = await world.west.call(auditRevealCalls.reveal, { page: 'virtualIdentity', id: await idOf(auditIdentityCalls.list) });
    expect(identity.data.values).toEqual({ identity: maskedSamples.identity });
    const lines = await api.db
      .selectFrom('syslog')
      .selectAll()
      .where('content_en', 'like', 'Revealed%')
      .where('username', '=', 'west')
      .execute();
    expect(lines.map((line) => line.content_en)).toContain(`Revealed row ${id} of Auth accounts: ${reasonText}`);
    expect(lines).toHaveLength(4);
    for (const value of [name, phone, id_number, title, content, sender, subject, ...Object.values(maskedSamples)])
      expect(JSON.stringify(lines)).not.toContain(value);
  });

  it('requires the reveal right, the page and a reason, and does not find rows of another branch', async () => {
    const id = await idOf(auditAuthCalls.list);
    const without = await staff('noreveal', ['auth_account']);
    await enterReason(without, 'authAccount');
    expect((await without.call(auditRevealCalls.reveal, { page: 'authAccount', id })).code).toBe(errors.denied.code);
    const noPage = await staff('nopage', ['audit_reveal']);
    expect((await noPage.call(auditRevealCalls.reveal, { page: 'authAccount', id })).code).toBe(errors.denied.code);
    const noReason = await staff('noreason', ['audit_reveal', 'auth_account']);
    expect((await noReason.call(auditRevealCalls.reveal, { page: 'authAccount', id })).code).toBe(errors.audit_reason_needed.code);
    expect((await world.east.call(auditRevealCalls.reveal, { page: 'authAccount', id })).code).toBe(errors.not_found.code);
    expect(fieldsOf(await world.west.call(auditRevealCalls.reveal, { page: 'networkURL', id }))).toHaveProperty('page');
  });
});

describe('legal hold and erasure', () => {
  it('a hold on an account or a VNO blocks the erasure with its reason, and can be released once', async () => {
    const hold = await world.west.call(auditHoldCalls.create, { account: 'WENDY', from_at: west.at - day, reason: '法院冻结 17 号' });
    expect(hold.code).toBe(0);
    const refused = await world.west.call(auditRevealCalls.forget, { subscriber_id: west.userId, reason: '用户申请删除' });
    expect([refused.code, refused.msg]).toEqual([errors.audit_held.code, '数据处于保全中，不能清除：法院冻结 17 号']);
    expect((await world.west.call(auditHoldCalls.list, {})).data.list).toMatchObject([{ account: 'wendy', state: 'held', to_at: null }]);
    expect((await world.east.call(auditHoldCalls.list, {})).data.total).toBe(0);
    expect((await world.east.call(auditHoldCalls.release, { id: hold.data.id, reason: '案件结束' })).code).toBe(errors.not_found.code);
    expect((await world.west.call(auditHoldCalls.release, { id: hold.data.id, reason: '案件结束' })).code).toBe(0);
    expect((await world.west.call(auditHoldCalls.release, { id: hold.data.id, reason: '案件结束' })).code).toBe(
      errors.audit_hold_released.code,
    );
    const whole = await world.admin.call(auditHoldCalls.create, { vno_id: world.westId, from_at: west.at - day, reason: '全部保全' });
    expect((await world.west.call(auditRevealCalls.forget, { subscriber_id: west.userId, reason: '用户申请删除' })).code).toBe(
      errors.audit_held.code,
    );
    await world.admin.call(auditHoldCalls.release, { id: whole.data.id, reason: '案件结束' });
  });

  it('accounts, VNOs and users of another branch, and an invalid period, are refused', async () => {
    const hold = (more: object) => world.west.call(auditHoldCalls.create, { from_at: 1, reason: '法院冻结', ...more });
    expect(fieldsOf(await hold({ account: 'anna' }))).toHaveProperty('account');
    expect(fieldsOf(await hold({ vno_id: world.eastId }))).toHaveProperty('vno_id');
    expect(fieldsOf(await hold({ from_at: west.at, to_at: west.at - 1 }))).toHaveProperty('to_at');
    const forget = await world.west.call(auditRevealCalls.forget, { subscriber_id: east.userId, reason: '用户申请删除' });
    expect(fieldsOf(forget)).toHaveProperty('subscriber_id');
  });

  it('an erasure removes the sealed values of one user from all pages, and keeps the rows', async () => {
    const before = await api.db.selectFrom('audit_batch').select(['id', 'root', 'added_root']).orderBy('id').execute();
    const reply = await world.west.call(auditRevealCalls.forget, { subscriber_id: west.userId, reason: '用户申请删除' });
    expect(reply.data.keys).toBeGreaterThan(0);
    const { data } = await world.west.call(auditAuthCalls.list, {});
    expect(data.list).toMatchObject([{ account: 'wendy', name: '已清除', phone: '已清除', id_number: '已清除', closed: 'erased' }]);
    const english = await world.west.call(auditMailCalls.list, { lang: 'en' });
    expect(english.data.list).toMatchObject([{ sender: 'Erased', receiver: ['Erased'], subject: 'Erased' }]);
    const revealed = await world.west.call(auditRevealCalls.reveal, { page: 'authAccount', id: data.list[0]?.id });
    expect(revealed.data).toEqual({ closed: 'erased', values: {} });
    expect((await world.east.call(auditAuthCalls.list, { account: 'anna' })).data.list).toMatchObject([{ name: '欧**' }]);
    expect(await api.db.selectFrom('audit_batch').select(['id', 'root', 'added_root']).orderBy('id').execute()).toEqual(before);
    expect((await world.west.call(auditRevealCalls.erasures, {})).data.list).toMatchObject([{ account: 'wendy', reason: '用户申请删除' }]);
    expect((await world.east.call(auditRevealCalls.erasures, {})).data.total).toBe(0);
  });
});

describe('access log', () => {
  it('has user, page, filter, rows and reason, one entry per filter and ten minutes, and no sealed value', async () => {
    const looker = await staff('looker', ['auth_account', 'virtual_identity']);
    await enterReasons(looker);
    api.clock.advance(600);
    for (let i = 0; i < 3; i++) await looker.call(auditAuthCalls.list, { name: sealedSamples.name, account: 'anna' });
    await looker.call(auditIdentityCalls.list, { identity: maskedSamples.identity });
    const { data } = await world.east.call(auditAccessLogCalls.list, { username: 'looker', page: 1, limit: 10 });
    expect(data.list).toHaveLength(2);
    expect(data.list[1]).toMatchObject({
      page_key: 'authAccount',
      action: 'list',
      row_count: 3,
      look_count: 3,
      reason: reasonText,
      name: '员工',
    });
    expect(data.list[1]?.condition).toContain('上网账号: anna');
    expect(data.list[1]?.condition).toContain('姓名: ***');
    expect(data.list[0]?.condition).toContain('wx****01');
    expect(JSON.stringify(data)).not.toContain(sealedSamples.name);
    api.clock.advance(600);
    await looker.call(auditAuthCalls.list, { name: sealedSamples.name, account: 'anna' });
    expect((await world.east.call(auditAccessLogCalls.list, { username: 'looker' })).data.total).toBe(3);
    // The other sessions have expired.
    expect((await (await api.login('west')).call(auditAccessLogCalls.list, { username: 'looker' })).data.total).toBe(0);
    expect((await (await api.login('admin')).call(auditAccessLogCalls.list, { username: 'looker', action: 'list' })).data.total).toBe(3);
  });
});
