import { payConfigCalls } from '@farlink/contract/advanced/pay-config.ts';
import { authCalls } from '@farlink/contract/auth/auth.ts';
import { logCalls } from '@farlink/contract/log/operator-log.ts';
import { domainCalls } from '@farlink/contract/market/domain.ts';
import { infoCalls } from '@farlink/contract/market/info-setup.ts';
import { portalCalls } from '@farlink/contract/market/portal.ts';
import { applicationCalls, policyCalls } from '@farlink/contract/package/package-template.ts';
import { staffRoles } from '@farlink/contract/permission/role.ts';
import { staffCalls } from '@farlink/contract/permission/sub-account.ts';
import { settingCalls } from '@farlink/contract/user/setting.ts';
import { vnoCalls } from '@farlink/contract/vno/vno.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, allPages, type Caller, grantsOf, startApi } from '../../../test/api.ts';
import { makeFleet } from '../../../test/fleet.ts';
import { makeBranches, makeRole, makeStaff, staffInput } from '../../../test/world.ts';
import { wholeVnoCalls } from '../../domain/whole-vno-calls.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
});
afterAll(() => api.close());

const pages = grantsOf(allPages);

describe('a role that is limited to devices', () => {
  let by: Caller;
  beforeAll(async () => {
    const device_ids = [(await makeFleet(api, 'RS').add(world.eastId)).id];
    const limit = { scope: 'device', device_limit: 'specified', device_ids };
    await makeStaff(world.east, 'one_device', await makeRole(world.east, 'one_device', pages, limit));
    by = await api.login('one_device');
  });

  it.each(wholeVnoCalls.map((call) => [`${call.method} ${call.path}`, call] as const))('is refused %s', async (_, call) => {
    const path = call.path.replace('{id}', String(world.childId));
    const authorization = by.session?.token ?? '';
    const reply = await fetch(`${api.base}/agt/v1/${path}`, {
      method: call.method,
      headers: call.method === 'DELETE' ? { authorization } : { authorization, 'content-type': 'application/json' },
      ...(call.method !== 'DELETE' && { body: '{}' }),
    });
    expect(reply.status).toBe(403);
  });

  it('still reads these objects', async () => {
    const replies = [
      await by.call(vnoCalls.list),
      await by.call(settingCalls.list),
      await by.call(applicationCalls.list),
      await by.call(policyCalls.list),
      await by.call(portalCalls.list),
      await by.call(infoCalls.read),
    ];
    expect(replies.map(({ code }) => code)).toEqual(replies.map(() => 0));
  });
});

describe('a role that is limited to a child VNO', () => {
  let by: Caller;
  let id: number;
  beforeAll(async () => {
    const limit = { scope: 'vno', vno_limit: 'specified', vno_ids: [world.childId] };
    id = await makeStaff(world.east, 'child_only', await makeRole(world.east, 'child_only', pages, limit));
    by = await api.login('child_only');
  });

  it('finds no data of its own VNO', async () => {
    const lists = [
      await by.call(payConfigCalls.list),
      await by.call(domainCalls.list),
      await by.call(staffCalls.list, { kind: 'sub' }),
      await by.call(settingCalls.list),
    ];
    expect(lists.map(({ code, data }) => [code, data.list])).toEqual(lists.map(() => [0, []]));
    expect((await by.call(settingCalls.values)).code).toBe(10005);
    expect((await by.call(infoCalls.read)).code).toBe(10006);
    expect((await by.call(authCalls.profile)).data.permissions).not.toContain('info_setup');
  });

  it('changes nothing in its own VNO', async () => {
    const channel = (await world.east.call(payConfigCalls.list)).data.list[0];
    const info = (await world.east.call(infoCalls.read)).data;
    const settings = (await world.east.call(settingCalls.list)).data.list[0];
    const role = await makeRole(world.east, 'of_east', grantsOf(['vno_list']));
    const notFound = [
      await by.call(payConfigCalls.save, { id: channel?.id, version: channel?.version, merchant_id: '1', app_id: '2', status: 1 }),
      await by.call(settingCalls.updateOne, { id: settings?.id, version: settings?.version, value: '1' }),
    ];
    expect(notFound.map(({ code }) => code)).toEqual(notFound.map(() => 10005));
    const denied = [
      await by.call(staffCalls.create, staffInput('hidden_one', role)),
      await by.call(staffRoles.calls.create, { kind: 'sub', name: 'hidden', scope: 'unlimited', permissions: grantsOf(['vno_list']) }),
      await by.call(infoCalls.removeAgentLogo),
      await by.call(infoCalls.save, { ...info, name: '改名' }),
    ];
    expect(denied.map(({ code }) => code)).toEqual(denied.map(() => 10006));
  });

  it('reads its own profile and its own log lines, and no others', async () => {
    expect((await by.call(authCalls.profile)).data.username).toBe('child_only');
    const { list } = (await by.call(logCalls.own, { limit: 100 })).data;
    expect(new Set(list.map(({ username }) => username))).toEqual(new Set(['child_only']));
    expect((await by.call(logCalls.read, { id: list[0]?.id })).code).toBe(0);
    const other = await api.db
      .selectFrom('syslog')
      .select('id')
      .where('agent_id', '=', world.eastId)
      .where('customer_id', '<>', id)
      .executeTakeFirst();
    expect((await by.call(logCalls.read, { id: other?.id })).code).toBe(10005);
    expect((await by.call(logCalls.children)).data.list.every(({ agent_name }) => agent_name === 'VNO child')).toBe(true);
  });
});
