import { userCalls as calls } from '@farlink/contract/user/user.ts';
import { userDetailCalls as detail } from '@farlink/contract/user/user-detail.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, grantsOf, startApi } from '../../../test/api.ts';
import { type BillingFixture, day, makeBillingFixture } from '../../../test/billing-fixture.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import { sealedIdNumber } from '../../domain/subscriber/insert-subscribers.ts';
import { seal } from '../../kit/session/secret.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
let billing: BillingFixture;
let reader: Caller;
const idNumber = '11010519491231002X';

beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
  billing = await makeBillingFixture(api, world.eastId, 'East');
  await makeStaff(world.east, 'reader', await makeRole(world.east, '只看', grantsOf(['user_list'], '10')));
  reader = await api.login('reader');
});
afterAll(() => api.close());

const secrets = (password = 'sea1234') => {
  const { secretKey } = api.deps.config;
  return { password: seal(secretKey, password), ...sealedIdNumber(secretKey, idNumber) };
};
const accounts = async (by: Caller, filters: object) =>
  (await by.call(calls.list, { limit: 100, ...filters })).data.list.map((u) => u.account);
const logs = (id: number) => api.db.selectFrom('syslog').selectAll().where('subject', '=', `subscriber:${id}`).orderBy('id').execute();

describe('the user list', () => {
  it('shows account, package and binding, and masks ID number and phone', async () => {
    const pkg = await billing.makePackage({ name: '畅游', ...billing.flow });
    const user = await billing.makeAccount({ account: 'masked', phone: '13812340001', ...secrets() });
    await billing.grantHolding(user.id, pkg);
    const [row] = (await world.east.call(calls.list, { account: 'masked' })).data.list;
    expect(row).toMatchObject({
      id: user.id,
      version: 1,
      phone: '138****0001',
      id_number: '110105********002X',
      package_name: '畅游',
      package_status: 'to_be_used',
      package_periodic: false,
      bind_name: 'East 1',
      agent_name: 'VNO east',
      online_state: 0,
      custom_policy: 0,
      balance: '0.00',
      photo: null,
    });
    for (const reply of [
      await world.east.call(calls.list, { account: 'masked' }),
      await world.east.call(calls.read, { id: user.id }),
      await world.east.call(calls.option),
    ])
      expect(JSON.stringify(reply)).not.toMatch(/13812340001|19491231|sea1234|v1\./);
  });

  it('offers options only to operators with a user page', async () => {
    await billing.makeAccount({ account: 'offered' });
    const options = async (by: Caller) => Object.values((await by.call(calls.option, { account: 'offered' })).data);
    expect(await options(reader)).toHaveLength(1);
    await makeStaff(world.east, 'outsider', await makeRole(world.east, '只看设备', grantsOf(['device_list'], '10')));
    expect(await options(await api.login('outsider'))).toEqual([]);
  });

  it('finds a partial phone number only with the right to reveal it', async () => {
    await billing.makeAccount({ account: 'guessed', phone: '13856780009' });
    expect(await accounts(world.east, { phone: '8567' })).toEqual(['guessed']);
    expect(await accounts(world.east, { phone: '+86138-5678' })).toEqual(['guessed']);
    for (const fragment of ['1385', '85678', '567', '3856780009']) expect(await accounts(reader, { phone: fragment })).toEqual([]);
    expect(await accounts(reader, { phone: '13856780009' })).toEqual(['guessed']);
  });

  it('applies each of its filters', async () => {
    const now = api.clock.now();
    const device = await billing.makeDevice();
    const pkg = await billing.makePackage();
    const user = await billing.makeAccount({
      account: 'find_me_1',
      name: '李四光',
      phone: '+8613911112222',
      email: 'li@sea.cn',
      bind_mac: 'aa:bb:cc:00:11:22',
      account_type: 'maritime_crew',
      account_source: 'batch',
      device_id: device,
      online_count: 1,
      custom_policy: true,
      status: 'frozen',
      expire_at: now + 77 * day,
      create_at: now + 5,
      ...sealedIdNumber(api.deps.config.secretKey, '440301199001011234'),
    });
    await billing.grantHolding(user.id, pkg, { activated_at: now });
    await billing.makeAccount({ account: 'many_logins', allow_logins: 9 });
    const alone = [user.account];
    for (const filters of [
      { account: 'D_ME' },
      { name: '四' },
      { phone: '1111222' },
      { status: 'frozen' },
      { account_type: 'maritime_crew' },
      { account_source: 'batch' },
      { online_state: 1 },
      { package_id: pkg.id },
      { package_status: 'normal' },
      { device_id: device },
      { binding: 'device', account: 'find_me' },
      { id_number: '440301199001011234' },
      { email: 'LI@' },
      { bind_mac: 'CC:00' },
      { custom_policy: 1 },
      { expire_at_start: now + 76 * day, expire_at_end: now + 78 * day },
      { create_at_start: now + 5 },
    ])
      expect(await accounts(world.east, filters), JSON.stringify(filters)).toEqual(alone);
    expect(await accounts(world.east, { allow_logins: 8, cond_allow_logins: 'gt' })).toEqual(['many_logins']);
    expect(await accounts(world.east, { allow_logins: 99_999_999 })).toEqual([]);
    const between = { allow_logins: 5, cond_allow_logins: 'between', allow_logins_end: 9 };
    expect(await accounts(world.east, between)).toEqual(['many_logins']);
    expect(await accounts(world.east, { ...between, allow_logins_end: 8 })).toEqual([]);
    const refused = async (more: object) => (await world.east.call(calls.list, { ...between, ...more })).data;
    expect(await refused({ allow_logins_end: 4 })).toEqual({ fields: { allow_logins_end: '最大值不能小于最小值' } });
    expect(await refused({ allow_logins_end: undefined })).toHaveProperty('fields.allow_logins_end');
    expect(await refused({ cond_allow_logins: 'zz' })).toHaveProperty('fields.cond_allow_logins');
    expect((await world.east.call(calls.list, { cond_allow_logins: 'zz' })).code).toBe(0);
    expect(await accounts(world.admin, { vno_id: world.eastId, account: 'find_me' })).toEqual(alone);
    expect(await accounts(world.east, { id_number: '4403011990' })).toEqual([]);
    expect(await accounts(world.east, { online_state: 0, account: 'find_me' })).toEqual([]);
    expect((await world.east.call(calls.list, { online_state: 1 })).data.total).toBe(1);
    expect((await world.east.call(calls.list, { create_at_start: 20, create_at_end: 10 })).code).toBe(10001);
  });

  it('finds names by any part, and accounts by a short start or a longer part', async () => {
    await billing.makeAccount({ account: 'short1', name: '欧阳明月' });
    await billing.makeAccount({ account: 'short2', name: 'Óscar De León' });
    for (const name of ['阳', '欧阳', '明月', '阳明月', '欧阳明月']) expect(await accounts(world.east, { name }), name).toEqual(['short1']);
    for (const name of ['LEÓN', 'ó', 'scar de l']) expect(await accounts(world.east, { name }), name).toEqual(['short2']);
    expect(await accounts(world.east, { name: '月明' })).toEqual([]);
    expect(await accounts(world.east, { name: '%' })).toEqual([]);
    expect(await accounts(world.east, { account: 'Sh' })).toEqual(['short2', 'short1']);
    expect(await accounts(world.east, { account: 'ho' })).toEqual([]);
    expect(await accounts(world.east, { account: 'hort' })).toEqual(['short2', 'short1']);
    expect(await accounts(world.west, { name: '欧阳' })).toEqual([]);
  });

  it('has pages that neither repeat nor miss a row, at any depth, for the platform and for a VNO', async () => {
    const rows = Array.from({ length: 230 }, (_, i) => ({
      account: `deep${i}`,
      name: i % 2 === 0 ? '深' : '浅',
      create_at: 1000 + (i % 7),
    }));
    for (const row of rows) await billing.makeAccount(row);
    for (const by of [world.admin, world.east]) {
      const pagesOf = async (filters: object) => {
        const found: unknown[] = [];
        for (let page = 1; ; page++) {
          const { list, total } = (await by.call(calls.list, { ...filters, limit: 25, page })).data;
          found.push(...list.map((row) => row.account));
          expect(total).toBeGreaterThanOrEqual(found.length);
          if (list.length < 25) return found;
        }
      };
      const all = await pagesOf({});
      expect(new Set(all).size).toBe(all.length);
      expect(rows.every(({ account }) => all.includes(account))).toBe(true);
      expect(await pagesOf({ name: '深' })).toHaveLength(115);
      const rising = await pagesOf({ orderby: 'account asc' });
      expect(rising).toEqual([...all].sort());
      expect(new Set(await pagesOf({ orderby: 'status desc' })).size).toBe(all.length);
    }
  });

  it('offers options by keyword, and the names of chosen IDs', async () => {
    const user = await billing.makeAccount({ account: 'optioned', name: '司马' });
    const options = async (by: Caller, input: Record<string, unknown>) => (await by.call(calls.option, input)).data;
    expect(await options(world.east, { keyword: '司' })).toEqual({ [user.id]: 'optioned (司马)' });
    expect(await options(world.east, { keyword: 'optio', limit: 1 })).toEqual({ [user.id]: 'optioned (司马)' });
    expect(await options(world.east, { chosen: [user.id] })).toEqual({ [user.id]: 'optioned (司马)' });
    expect(await options(world.west, { chosen: [user.id] })).toEqual({});
    expect(Object.keys(await options(world.east, { limit: 2 }))).toHaveLength(2);
  });

  it('can be sorted only by sortable columns', async () => {
    const sorted = await accounts(world.east, { orderby: 'account asc' });
    expect(sorted).toEqual([...sorted].sort((a, b) => String(a).localeCompare(String(b), 'en')));
    for (const column of ['name', 'status', 'allow_logins', 'expire_at', 'balance', 'create_at'])
      expect((await world.east.call(calls.list, { orderby: `${column} desc` })).code).toBe(0);
    expect((await world.east.call(calls.list, { orderby: 'phone asc' })).code).toBe(10001);
  });

  it('shows only accounts of the branch, or of the devices of a role', async () => {
    const { id } = await billing.makeAccount({ account: 'in_east' });
    expect(await accounts(world.west, {})).toEqual([]);
    expect(await accounts(world.admin, { account: 'in_east' })).toEqual(['in_east']);
    expect((await world.west.call(calls.read, { id })).code).toBe(10005);
    const device = await billing.makeDevice();
    await billing.makeAccount({ account: 'on_my_ship', device_id: device });
    const role = await makeRole(world.east, '一条船', grantsOf(['user_list']), {
      scope: 'device',
      device_limit: 'specified',
      device_ids: [device],
    });
    await makeStaff(world.east, 'captain', role);
    const captain = await api.login('captain');
    expect(await accounts(captain, {})).toEqual(['on_my_ship']);
    expect((await captain.call(calls.read, { id })).code).toBe(10005);
    expect((await captain.call(calls.kick, { ids: [id] })).data).toMatchObject({ fail: 1, list: [{ message: '数据不存在' }] });
  });

  it('does not show a hidden package without the right to view it', async () => {
    const hidden = await billing.makePackage({ name: '内部', is_hide: true });
    const user = await billing.makeAccount({ account: 'insider' });
    await billing.grantHolding(user.id, hidden);
    expect((await world.admin.call(calls.list, { account: 'insider' })).data.list[0]?.package_name).toBe('内部');
    expect((await reader.call(calls.list, { account: 'insider' })).data.list[0]).toMatchObject({ package_name: null, package_id: null });
    expect((await reader.call(calls.list, { package_id: hidden.id })).data.total).toBe(0);
    expect(JSON.stringify((await reader.call(detail.serviceStatus, { id: user.id })).data)).not.toContain('内部');
  });

  it('is denied with only the temporary card page, which gives access to card accounts only', async () => {
    const role = await makeRole(world.east, '制卡', grantsOf(['user_temp']));
    await makeStaff(world.east, 'printer', role);
    const printer = await api.login('printer');
    const plain = await billing.makeAccount();
    const card = await billing.makeAccount({ account_type: 'temp_card' });
    expect((await printer.call(calls.list)).code).toBe(10006);
    expect((await printer.call(calls.read, { id: plain.id })).code).toBe(10005);
    expect((await printer.call(calls.read, { id: card.id })).code).toBe(0);
    const result = (await printer.call(calls.forbid, { ids: [plain.id, card.id], operate: 'disable' })).data;
    expect(result).toMatchObject({ success: 1, fail: 1 });
    expect(await billing.account(plain.id)).toMatchObject({ status: 'normal' });
  });
});

describe('a masked value', () => {
  it('can be revealed by an operator with the right, and each reveal is logged', async () => {
    const user = await billing.makeAccount({ account: 'secretive', phone: '13812340002', ...secrets('deep_sea') });
    const see = async (by: Caller, field: string) => by.call(calls.reveal, { id: user.id, field });
    expect((await see(world.east, 'phone')).data).toEqual({ value: '13812340002' });
    expect((await see(world.east, 'id_number')).data).toEqual({ value: idNumber });
    expect((await see(world.east, 'password')).data).toEqual({ value: 'deep_sea' });
    expect((await see(world.east, 'remark')).code).toBe(10001);
    expect((await see(reader, 'phone')).code).toBe(10006);
    expect((await see(world.west, 'phone')).code).toBe(10005);
    const written = await logs(user.id);
    expect(written.map((l) => l.content_zh)).toEqual([
      '查看用户 secretive 的手机号',
      '查看用户 secretive 的证件号码',
      '查看用户 secretive 的上网密码',
    ]);
    expect(JSON.stringify(written)).not.toMatch(/13812340002|19491231|deep_sea/);
  });

  it('is empty if no value is stored', async () => {
    const user = await billing.makeAccount({ phone: '' });
    expect((await world.east.call(calls.read, { id: user.id })).data).toMatchObject({ phone: '', id_number: null });
    expect((await world.east.call(calls.reveal, { id: user.id, field: 'id_number' })).data).toEqual({ value: '' });
  });
});
