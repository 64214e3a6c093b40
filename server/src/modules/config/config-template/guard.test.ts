import { configCalls } from '@farlink/contract/config/config.ts';
import { templateCalls as calls } from '@farlink/contract/config/config-template.ts';
import { errors } from '@farlink/contract/errors.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, fieldsOf, grantsOf, type Reply, startApi } from '../../../../test/api.ts';
import { makeFleet } from '../../../../test/fleet.ts';
import { openGates } from '../../../../test/gates.ts';
import { makeBranches, makeRole, makeStaff } from '../../../../test/world.ts';

let api: Api;
let east: Caller;
let eastId: number;
let named = 0;

beforeAll(async () => {
  api = await startApi();
  ({ eastId } = await makeBranches(api));
  await openGates(api);
  east = await api.login('east');
});
afterAll(() => api?.close());

const ok = <T>(reply: Reply<T>): T => {
  expect(reply.code, JSON.stringify(reply)).toBe(0);
  return reply.data;
};
const input = (sections: object, more: object = {}) => ({ name: `G${++named}`, level: 'vno', vno_id: eastId, sections, ...more });

describe('a template with a page that a role may not change', () => {
  it('cannot be enabled, deleted, reordered or given other variables by this role', async () => {
    const sections = { network_dns: { set: { min_ttl: 60 } }, network_cellular: { set: { apn: `\${apn}` } } };
    const made = input(sections, { enabled: false, variables: [{ name: 'apn', value: 'sea' }] });
    const { id } = ok(await east.call(calls.create, made));
    const role = await makeRole(east, 'guarded', grantsOf(['config_template']), { gateway_permissions: { gw_network_dns: '11' } });
    await makeStaff(east, 'guarded_one', role);
    const crew = await api.login('guarded_one');
    const change = (more: object) =>
      crew.call(calls.update, { ...made, sections: { network_dns: { set: { min_ttl: 60 } } }, id, version: 1, ...more });
    for (const reply of [
      await crew.call(calls.enable, { id, enabled: true }),
      await crew.call(calls.remove, { id }),
      await change({ enabled: true }),
      await change({ rank: 7 }),
      await change({ variables: [{ name: 'apn', value: 'elsewhere' }] }),
    ])
      expect(reply.code).toBe(errors.denied.code);
    ok(await change({ remark: 'of all' }));
    expect(ok(await east.call(calls.read, { id }))).toMatchObject({ version: 2, enabled: false, sections });
    ok(await east.call(calls.remove, { id }));
  });
});

describe('a template', () => {
  it('refuses a variable inside an object or array, because a device that inherits it could not be opened', async () => {
    const device = await makeFleet(api, 'GRD').add(eastId);
    for (const value of [{ sealed: `\${device.sn}` }, [`\${device.sn}`], { text: `\${device.sn}` }])
      for (const field of ['password', 'apn']) {
        const reply = await east.call(calls.create, input({ network_cellular: { set: { [field]: value } } }));
        expect(Object.keys(fieldsOf(reply))).toEqual([`sections.network_cellular.${field}`]);
      }
    ok(await east.call(calls.create, input({ network_cellular: { set: { password: `\${device.sn}` } } })));
    ok(await east.call(configCalls.page, { device_id: device.id, page: 'network_cellular' }));
  });

  it('refuses names of JavaScript object members, values that are nested too deeply, and null characters', async () => {
    const odd = await east.call(calls.create, input({ network_dns: { set: { constructor: 'x', toString: 'x' } } }));
    expect(Object.keys(fieldsOf(odd)).toSorted()).toEqual(['sections.network_dns.constructor', 'sections.network_dns.toString']);
    const deep: unknown = JSON.parse('['.repeat(4000) + ']'.repeat(4000));
    for (const hosts of [deep, `a\u0000\${device.sn}`])
      expect(fieldsOf(await east.call(calls.create, input({ network_dns: { set: { hosts } } })))).toHaveProperty('sections');
  });
});
