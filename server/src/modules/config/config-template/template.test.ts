import { configCalls, keptSecret } from '@farlink/contract/config/config.ts';
import { templateCalls as calls } from '@farlink/contract/config/config-template.ts';
import { variableCalls } from '@farlink/contract/config/variable.ts';
import { errors } from '@farlink/contract/errors.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, fieldsOf, grantsOf, type Reply, startApi } from '../../../../test/api.ts';
import { makeFleet } from '../../../../test/fleet.ts';
import { gates, openGates } from '../../../../test/gates.ts';
import { makeBranches, makeRole, makeStaff } from '../../../../test/world.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
let fleet: ReturnType<typeof makeFleet>;

beforeAll(async () => {
  api = await startApi();
  await makeBranches(api);
  await openGates(api);
  const [admin, east, west, child] = await Promise.all(['admin', 'east', 'west', 'child'].map((name) => api.login(name)));
  const of = async (username: string) =>
    (await api.db.selectFrom('customer').select('agent_id').where('username', '=', username).executeTakeFirstOrThrow()).agent_id;
  const anonymous = api.anonymous;
  world = {
    admin: admin ?? anonymous,
    east: east ?? anonymous,
    west: west ?? anonymous,
    child: child ?? anonymous,
    eastId: await of('east'),
    westId: await of('west'),
    childId: await of('child'),
    role: 0,
    eastRole: 0,
  };
  fleet = makeFleet(api, 'TPL');
});
afterAll(() => api?.close());

const ok = <T>(reply: Reply<T>): T => {
  expect(reply.code, JSON.stringify(reply)).toBe(0);
  return reply.data;
};
let named = 0;
const input = (sections: object, more: object = {}) => ({ name: `模板 ${++named}`, level: 'vno', vno_id: world.eastId, sections, ...more });
const dns = (set: object) => ({ network_dns: { set } });
const pageOf = async (by: Caller, device: number, page: string) => ok(await by.call(configCalls.page, { device_id: device, page }));

describe('a configuration template', () => {
  it('stores some values of some pages, and is listed with and found by its page names', async () => {
    const { id } = ok(
      await world.east.call(
        calls.create,
        input({ ...dns({ min_ttl: 60 }), network_lan: { rows: [{ key: 'lan9', only: true, set: { mtu: 1400 } }] } }, { remark: '试' }),
      ),
    );
    expect(ok(await world.east.call(calls.read, { id }))).toMatchObject({
      level: 'vno',
      vno_id: world.eastId,
      enabled: true,
      writable: true,
      sections: { network_dns: { set: { min_ttl: 60 } }, network_lan: { rows: [{ key: 'lan9', only: true, set: { mtu: 1400 } }] } },
    });
    const { list } = ok(await world.east.call(calls.list, { pages: 'DNS' }));
    expect(list).toMatchObject([{ id, pages: ['DNS设置', 'LAN设置'], place: 'VNO east', rank: 100, operator: expect.any(String) }]);
    expect(ok(await world.east.call(calls.list, { pages: '防火墙' })).list).toEqual([]);
  });

  it('is refused if a page has the wrong shape, instead of storing it empty', async () => {
    const wrong = [
      { network_dns: { min_ttl: 60 } },
      { network_dns: { rows: [] } },
      { network_lan: { set: {} } },
      { network_lan: { rows: [1] } },
    ];
    for (const sections of wrong)
      expect(fieldsOf(await world.east.call(calls.create, input(sections)))).toEqual({
        sections: `配置页“${'network_dns' in sections ? 'DNS设置' : 'LAN设置'}”的内容格式不正确`,
      });
  });

  it('is refused at each field that is invalid or unknown, or that uses an undeclared variable', async () => {
    const bad = await world.east.call(
      calls.create,
      input({
        network_dns: { set: { min_ttl: -1, nonsense: 1, hosts: [{ domain: 'no domain', ip: `\${ip}` }], block_aaaa: `\${ip}` } },
        network_lan: {
          rows: [
            { key: '', set: {} },
            { key: 'lan1', set: { mtu: 5 } },
            { key: 'lan1', set: {} },
          ],
        },
      }),
    );
    expect(bad.code).toBe(errors.bad_input.code);
    expect(Object.keys(fieldsOf(bad)).toSorted()).toEqual([
      'sections.network_dns.block_aaaa',
      'sections.network_dns.hosts',
      'sections.network_dns.min_ttl',
      'sections.network_dns.nonsense',
      'sections.network_lan.rows[0].name',
      'sections.network_lan.rows[1].mtu',
      'sections.network_lan.rows[2].name',
    ]);
    expect(fieldsOf(bad)['sections.network_dns.hosts']).toBe('变量 ip 未在模板中声明');
    const declared = { variables: [{ name: 'ip', value: '10.0.0.1' }] };
    const inner = await world.east.call(
      calls.create,
      input(dns({ hosts: [{ domain: 'no domain', ip: `\${ip}` }], block_aaaa: `\${ip}` }), declared),
    );
    expect(Object.keys(fieldsOf(inner)).toSorted()).toEqual(['sections.network_dns.block_aaaa', 'sections.network_dns.hosts[0].domain']);
    ok(
      await world.east.call(
        calls.create,
        input(dns({ hosts: [{ domain: 'a.cn', ip: `\${ip}` }], doh_url: `https://\${device.sn}.cn/` }), declared),
      ),
    );
    expect(fieldsOf(await world.east.call(calls.create, input({})))).toHaveProperty('sections');
    expect(fieldsOf(await world.east.call(calls.create, input({ status_cpu: { set: {} } })))).toHaveProperty('sections');
  });

  it('has no new time in the past, but keeps one that has passed', async () => {
    const at = api.clock.now();
    const restarts = (...times: readonly number[]) => ({
      advanced_reboot_schedule: { rows: times.map((run_at, i) => ({ key: `r${i}`, only: false, set: { cycle: 'once', run_at } })) },
    });
    const made = input(restarts(at + 60));
    const { id } = ok(await world.east.call(calls.create, made));
    api.clock.advance(90);
    const update = (sections: object) => world.east.call(calls.update, { ...made, id, version: 1, sections });
    expect(Object.keys(fieldsOf(await update(restarts(at + 60, at + 61))))).toEqual(['sections.advanced_reboot_schedule.rows[1].run_at']);
    ok(await update(restarts(at + 60, at + 3600)));
  });

  it('can be created only for the platform, a VNO or a group that the operator manages', async () => {
    const platform = input(dns({ min_ttl: 1 }), { level: 'platform' });
    expect(fieldsOf(await world.east.call(calls.create, platform))).toHaveProperty('level');
    const { id } = ok(await world.admin.call(calls.create, { ...platform, enabled: false }));
    expect((await world.east.call(calls.read, { id })).code).toBe(errors.not_found.code);
    expect(fieldsOf(await world.east.call(calls.create, input(dns({ min_ttl: 1 }), { vno_id: world.westId })))).toHaveProperty('vno_id');
    const group = await api.db
      .insertInto('device_group')
      .values({ agent_id: world.westId, name: 'W', create_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const ofGroup = input(dns({ min_ttl: 1 }), { level: 'group', device_group_id: group.id, vno_id: undefined });
    expect(fieldsOf(await world.east.call(calls.create, ofGroup))).toHaveProperty('device_group_id');
    ok(await world.west.call(calls.create, ofGroup));
    // A group cannot be deleted while a template refers to it.
    await expect(api.db.deleteFrom('device_group').where('id', '=', group.id).execute()).rejects.toThrow(/foreign key/);
    const own = ok(await world.child.call(calls.create, input(dns({ min_ttl: 1 }), { vno_id: world.childId })));
    expect(ok(await world.east.call(calls.list, { limit: 100 })).list.map((row) => row.id)).toContain(own.id);
    expect(ok(await world.child.call(calls.list, { limit: 100 })).list.map((row) => row.id)).toEqual([own.id]);
  });

  it('is changed with a version check, never returns secrets, and logs the values before and after', async () => {
    const secret = { network_cellular: { set: { apn: 'sea', password: 'Hidden1' } } };
    const made = input(secret);
    const { id } = ok(await world.east.call(calls.create, made));
    const shown = ok(await world.east.call(calls.read, { id }));
    expect(shown.sections).toEqual({ network_cellular: { set: { apn: 'sea', password: keptSecret } } });
    const stored = await api.db.selectFrom('config_template_part').select('part').where('template_id', '=', id).execute();
    expect(JSON.stringify(stored)).not.toContain('Hidden1');
    const change = (sections: object, version = 1) => world.east.call(calls.update, { ...made, id, version, sections });
    expect((await change(shown.sections)).code).toBe(errors.unchanged.code);
    ok(await change({ network_cellular: { set: { apn: 'sky', password: keptSecret } } }));
    expect((await change({ network_cellular: { set: { apn: 'x', password: keptSecret } } })).code).toBe(errors.stale.code);
    const missing = await change({ ...shown.sections, vpn_wireguard: { rows: [{ key: 'wg', set: { private_key: keptSecret } }] } }, 2);
    expect(Object.values(fieldsOf(missing))).toContain('请重新输入');
    expect(fieldsOf(await world.east.call(calls.update, { ...made, id, version: 2, vno_id: world.childId }))).toHaveProperty('level');
    const row = await api.db.selectFrom('config_template').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(row).toMatchObject({ version: 2, pages: ['network_cellular'] });
    const entry = await api.db
      .selectFrom('syslog')
      .selectAll()
      .where('content_zh', 'like', `修改配置模板 ${made.name}%`)
      .where('result', '=', 'success')
      .executeTakeFirstOrThrow();
    expect(JSON.stringify([entry.before, entry.after])).toMatch(/sea.*sky/s);
    expect(JSON.stringify([entry.before, entry.after])).not.toContain('Hidden1');
  });

  it('cannot be deleted while devices inherit from it', async () => {
    await fleet.add(world.childId);
    const { id } = ok(await world.east.call(calls.create, input(dns({ min_ttl: 9 }))));
    const refused = await world.east.call(calls.remove, { id });
    expect([refused.code, refused.msg]).toEqual([errors.config_template_in_use.code, '模板已启用并覆盖1台设备，请先停用']);
    expect((await world.west.call(calls.remove, { id })).code).toBe(errors.not_found.code);
    ok(await world.east.call(calls.enable, { id, enabled: false }));
    expect((await world.east.call(calls.enable, { id, enabled: false })).code).toBe(errors.unchanged.code);
    ok(await world.east.call(calls.remove, { id }));
  });

  it('shows and changes only the pages that the role permits, and keeps the others', async () => {
    const made = input({ ...dns({ min_ttl: 7 }), network_cellular: { set: { apn: 'a' } } });
    const { id } = ok(await world.east.call(calls.create, made));
    const role = await makeRole(world.east, 'narrow', grantsOf(['config_template']), {
      gateway_permissions: { gw_network_dns: '11', gw_network_lan: '10' },
    });
    await makeStaff(world.east, 'narrow_one', role);
    const narrow = await api.login('narrow_one');
    const seen = ok(await narrow.call(calls.read, { id }));
    expect(seen).toMatchObject({ sections: dns({ min_ttl: 7 }), writable: false });
    const change = (sections: object, version: number) => narrow.call(calls.update, { ...made, id, version, sections });
    expect(fieldsOf(await change({ ...dns({ min_ttl: 8 }), network_cellular: { set: { apn: 'b' } } }, 1))).toHaveProperty('sections');
    expect(fieldsOf(await change({ ...dns({ min_ttl: 8 }), network_lan: { rows: [] } }, 1))).toHaveProperty('sections');
    ok(await change(dns({ min_ttl: 8 }), 1));
    expect(ok(await world.east.call(calls.read, { id })).sections).toEqual({
      ...dns({ min_ttl: 8 }),
      network_cellular: { set: { apn: 'a' } },
    });
    ok(await world.east.call(calls.enable, { id, enabled: false }));
  });

  it('is not available to a role limited to devices, which can set variables of these devices only', async () => {
    const device = await fleet.add(world.eastId);
    const role = await makeRole(world.east, 'single', grantsOf(['config_template', 'device_list']), {
      scope: 'device',
      device_limit: 'specified',
      device_ids: [device.id],
      gateway_permissions: gates,
    });
    await makeStaff(world.east, 'single_one', role);
    const single = await api.login('single_one');
    expect((await single.call(calls.create, input(dns({ min_ttl: 7 })))).code).toBe(errors.denied.code);
    const other = await fleet.add(world.eastId);
    const value = { name: 'mine', level: 'device', value: 'x' };
    ok(await single.call(variableCalls.create, { ...value, device_id: device.id }));
    expect(fieldsOf(await single.call(variableCalls.create, { ...value, device_id: other.id }))).toHaveProperty('device_id');
    expect((await single.call(variableCalls.create, { ...value, level: 'vno', vno_id: world.eastId })).code).toBe(errors.denied.code);
  });
});

describe('the inherited configuration of a device', () => {
  it('is previewed with a disabled template as if it was enabled', async () => {
    const device = await fleet.add(world.eastId);
    const { id } = ok(await world.east.call(calls.create, input({ advanced_syslog: { set: { local_size: 256 } } }, { enabled: false })));
    const [page] = ok(await world.east.call(calls.preview, { id, device_id: device.id })).pages;
    expect(page).toMatchObject({ page: 'advanced_syslog', differences: [expect.anything()], origins: { local_size: { from: 'vno' } } });
    expect((await pageOf(world.east, device.id, 'advanced_syslog')).doc).not.toMatchObject({ local_size: 256 });
  });

  it('comes from the platform, its VNOs and its group, with the most specific variable values', async () => {
    const group = await api.db
      .insertInto('device_group')
      .values({ agent_id: world.childId, name: '北队', create_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const device = await fleet.add(world.childId, { device_group_id: group.id, name: '东方号' });
    const lan = (set: object, key = 'lan1') => ({ network_ip_group: { rows: [{ key, set }] } });
    const addresses = (address: string) => [{ address }];
    const variables = [{ name: 'net', value: '10.9.0.0/16' }];
    ok(
      await world.admin.call(
        calls.create,
        input(lan({ addresses: addresses(`\${net}`), remark: 'platform' }), { level: 'platform', variables }),
      ),
    );
    ok(await world.east.call(calls.create, input(lan({ remark: `\${vno.name}/\${group.name}` }))));
    ok(
      await world.child.call(
        calls.create,
        input(
          { network_ip_group: { rows: [{ key: `\${device.name}`, set: { addresses: addresses('10.1.1.1') } }] } },
          { level: 'group', device_group_id: group.id, vno_id: undefined },
        ),
      ),
    );
    const own = { device_id: device.id, page: 'network_ip_group' };
    const preview = async () => {
      const { id } = ok(await world.admin.call(calls.list, { level: 'platform', enabled: true })).list[0] ?? { id: 0 };
      return ok(await world.admin.call(calls.preview, { id, device_id: device.id }));
    };
    const rowsOf = async () => {
      const [shown] = (await preview()).pages;
      return shown?.differences.map(({ row, after }) => [row, after]);
    };
    expect(await rowsOf()).toEqual([
      ['lan1', { name: 'lan1', addresses: addresses('10.9.0.0/16'), remark: 'VNO child/北队' }],
      ['东方号', { name: '东方号', addresses: addresses('10.1.1.1') }],
    ]);
    ok(await world.east.call(variableCalls.create, { name: 'net', level: 'vno', vno_id: world.eastId, value: '10.8.0.0/16' }));
    expect(JSON.stringify(await rowsOf())).toContain('10.8.0.0/16');
    ok(await world.child.call(variableCalls.create, { name: 'net', level: 'device', device_id: device.id, value: 'nonsense' }));
    expect((await preview()).problems).toMatchObject([{ page: 'network_ip_group', path: 'rows[0].addresses[0].address' }]);
    const { list } = ok(await world.child.call(variableCalls.list, { name: 'net' }));
    expect(list).toMatchObject([{ level: 'device', place: '东方号', value: 'nonsense' }]);
    ok(await world.child.call(variableCalls.update, { id: list[0]?.id ?? 0, version: 1, value: '10.7.0.0/16' }));
    expect(JSON.stringify(await rowsOf())).toContain('10.7.0.0/16');
    expect((await world.west.call(variableCalls.remove, { id: list[0]?.id ?? 0 })).code).toBe(errors.not_found.code);
    ok(await world.child.call(variableCalls.remove, { id: list[0]?.id ?? 0 }));
    expect(JSON.stringify(await rowsOf())).toContain('10.8.0.0/16');
    expect(ok(await world.admin.call(variableCalls.option))).toMatchObject({ net: 'net' });
    // Nothing is applied yet: the page still has factory values.
    expect(await pageOf(world.child, device.id, own.page)).toMatchObject({ doc: { rows: [] } });
  });

  it('cannot use a secret variable of a parent VNO in a template of a child VNO', async () => {
    const device = await fleet.add(world.childId);
    const secret = { name: 'shore_key', level: 'vno', vno_id: world.eastId, value: 'S3cretShore', secret: true };
    ok(await world.east.call(variableCalls.create, secret));
    const cellular = { network_cellular: { set: { apn: 'sea', password: `\${shore_key}` } } };
    const problems = async (by: Caller, vno_id: number) => {
      const { id } = ok(await by.call(calls.create, input(cellular, { vno_id, variables: [{ name: 'shore_key' }] })));
      const preview = ok(await by.call(calls.preview, { id, device_id: device.id }));
      ok(await by.call(calls.enable, { id, enabled: false }));
      return preview.problems;
    };
    expect(await problems(world.east, world.eastId)).toEqual([]);
    expect(await problems(world.child, world.childId)).toMatchObject([
      { page: 'network_cellular', path: 'password', text: '变量 shore_key 是上级运营商的保密变量，不能用于本模板' },
    ]);
  });

  it('uses secret variables whose values are never returned or logged', async () => {
    const made = { name: 'wifi', level: 'vno', vno_id: world.eastId, value: 'S3cretWave', secret: true };
    const { id } = ok(await world.east.call(variableCalls.create, made));
    expect((await world.east.call(variableCalls.create, made)).code).toBe(errors.duplicate.code);
    expect(ok(await world.east.call(variableCalls.list, { name: 'wifi' })).list).toMatchObject([{ value: keptSecret, secret: true }]);
    expect((await world.east.call(variableCalls.update, { id, version: 1, value: keptSecret })).code).toBe(errors.unchanged.code);
    const { value } = await api.db.selectFrom('config_variable').select('value').where('id', '=', id).executeTakeFirstOrThrow();
    expect(value).toMatch(/^v1\./);
    const logged = await api.db.selectFrom('syslog').select(['before', 'after']).where('content_zh', 'like', '%模板变量 wifi%').execute();
    expect(JSON.stringify(logged)).not.toContain('S3cretWave');
  });
});
