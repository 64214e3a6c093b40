import { nasCalls as calls } from '@farlink/contract/advanced/nas.ts';
import { errors } from '@farlink/contract/errors.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, fieldsOf, grantsOf, startApi } from '../../../test/api.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import { createGatewayNas } from '../../domain/radius/gateway-nas.ts';
import { open } from '../../kit/session/secret.ts';

let api: Api;
let east: Caller;
let west: Caller;
let eastId: number;

beforeAll(async () => {
  api = await startApi();
  ({ east, west, eastId } = await makeBranches(api));
});
afterAll(() => api.close());

const input = (identifier: string, more: Record<string, unknown> = {}) => ({
  vno_id: eastId,
  name: `NAS ${identifier}`,
  identifier,
  transport: 'udp',
  vendor: 'standard',
  require_ma: true,
  interval_s: 300,
  coa_port: 3799,
  language: 'zh',
  ...more,
});
const listed = async (by: Caller, more = {}) => (await by.call(calls.list, { page: 1, limit: 50, ...more })).data.list;
const create = async (identifier: string, more = {}) => (await east.call(calls.create, input(identifier, more))).data.id;
const secretOf = async (id: number) => {
  const row = await api.db.selectFrom('nas').select('secret').where('id', '=', id).executeTakeFirstOrThrow();
  return open(api.deps.config.secretKey, row.secret);
};

describe('a NAS of another vendor', () => {
  it('is created with a generated secret; revealing the secret is logged', async () => {
    const id = await create('hotel-1', { addr: '10.0.0.1' });
    const [row] = await listed(east, { identifier: 'hotel-1' });
    expect(row).toMatchObject({
      id,
      kind: 'foreign',
      signing: 'none',
      shared_secret: '********',
      psk_identity: `hotel-1#${id}`,
      wrong_secret: 0,
    });
    const { data } = await east.call(calls.reveal, { id });
    expect(data.value).toBe(await secretOf(id));
    expect(data.value).toMatch(/^[\w-]{43}$/);
    const log = await api.db.selectFrom('syslog').select('content_en').orderBy('id', 'desc').executeTakeFirstOrThrow();
    expect(log.content_en).toBe('Viewed the secret of NAS NAS hotel-1');
  });

  it('accepts a given secret, and refuses a short secret, an invalid or duplicate identifier and a short interval', async () => {
    const id = await create('hotel-2', { secret: 'a-secret-of-20-chars' });
    expect(await secretOf(id)).toBe('a-secret-of-20-chars');
    const refused = async (more: Record<string, unknown>) => fieldsOf(await east.call(calls.create, input('hotel-3', more)));
    expect(await refused({ secret: 'short' })).toHaveProperty('secret');
    expect(await refused({ identifier: 'with space' })).toHaveProperty('identifier');
    expect(await refused({ identifier: 'hotel-2' })).toHaveProperty('identifier');
    expect(await refused({ interval_s: 5 })).toHaveProperty('interval_s');
  });

  it('is changed, gets a new secret and is deleted', async () => {
    const id = await create('hotel-4');
    const { vno_id: _, ...settings } = input('hotel-4', { chap: true, version: 1 });
    expect((await east.call(calls.update, { id, ...settings })).code).toBe(0);
    expect((await east.call(calls.update, { id, ...settings })).code).toBe(errors.stale.code);
    expect((await east.call(calls.update, { id, ...settings, version: 2 })).code).toBe(errors.unchanged.code);
    const before = await secretOf(id);
    expect((await east.call(calls.rotate, { id })).code).toBe(0);
    expect(await secretOf(id)).not.toBe(before);
    expect(await listed(east, { identifier: 'hotel-4' })).toMatchObject([{ chap: true, version: 3 }]);
    expect((await east.call(calls.remove, { id })).code).toBe(0);
    expect(await listed(east, { identifier: 'hotel-4' })).toEqual([]);
  });

  it('keeps its UAM secret sealed and unseen: an empty field keeps it, another protocol deletes it', async () => {
    const router = { login_protocol: 'uam', router_hosts: 'Hotspot.example 203.0.113.9' };
    const id = await create('hotel-8', { ...router, uam_secret: 'shared-with-chilli' });
    const stored = async () =>
      (await api.db.selectFrom('nas').select('uam_secret').where('id', '=', id).executeTakeFirstOrThrow()).uam_secret;
    expect(open(api.deps.config.secretKey, (await stored()) ?? '')).toBe('shared-with-chilli');
    const [row] = await listed(east, { identifier: 'hotel-8' });
    expect(row).toMatchObject({ login_protocol: 'uam', has_uam_secret: true, router_hosts: 'hotspot.example 203.0.113.9' });
    expect(JSON.stringify(row)).not.toContain(await stored());
    const { vno_id: _, ...settings } = input('hotel-8', { ...router, id });
    const update = async (more: object) => (await east.call(calls.update, { ...settings, ...more })).code;
    expect(await update({ version: 1 })).toBe(errors.unchanged.code);
    expect(await update({ version: 1, chap: true })).toBe(0);
    expect(open(api.deps.config.secretKey, (await stored()) ?? '')).toBe('shared-with-chilli');
    expect(await update({ version: 2, chap: true, uam_secret: 'another-secret' })).toBe(0);
    expect(open(api.deps.config.secretKey, (await stored()) ?? '')).toBe('another-secret');
    expect(await update({ version: 3, login_protocol: 'none' })).toBe(0);
    expect(await listed(east, { identifier: 'hotel-8' })).toMatchObject([{ has_uam_secret: false, router_hosts: null }]);
    const refused = async (more: object) => fieldsOf(await east.call(calls.create, input('hotel-9', { ...router, ...more })));
    expect(await refused({ uam_secret: 'short' })).toHaveProperty('uam_secret');
    expect(await refused({ router_hosts: 'http://a.example/' })).toHaveProperty('router_hosts');
  });

  it('belongs to its VNO: another VNO may use the same identifier, and cannot see or change this NAS', async () => {
    const id = await create('hotel-5');
    const other = await west.call(calls.create, input('hotel-5', { vno_id: west.session?.agent_id }));
    expect(other.code).toBe(0);
    expect(await listed(west, { identifier: 'hotel-5' })).toMatchObject([{ id: other.data.id }]);
    for (const call of [calls.reveal, calls.rotate, calls.remove]) expect((await west.call(call, { id })).code).toBe(errors.not_found.code);
    const device = await api.db
      .insertInto('device')
      .values({ agent_id: eastId, name: 'Site', sn: 'SITE-1', create_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const site = { vno_id: west.session?.agent_id, site_device_id: device.id };
    expect(fieldsOf(await west.call(calls.create, input('hotel-6', site)))).toHaveProperty('site_device_id');
    expect((await east.call(calls.create, input('hotel-6', { site_device_id: device.id }))).code).toBe(0);
  });

  it('is not available to a role limited to devices', async () => {
    const device = await api.db.selectFrom('device').select('id').where('sn', '=', 'SITE-1').executeTakeFirstOrThrow();
    const role = await makeRole(east, 'devices', grantsOf(['nas_manage']), {
      scope: 'device',
      device_limit: 'specified',
      device_ids: [device.id],
    });
    await makeStaff(east, 'east_devices', role);
    const staff = await api.login('east_devices');
    expect((await staff.call(calls.create, input('hotel-7'))).code).toBe(errors.denied.code);
    expect(await listed(staff)).toEqual([]);
  });
});

describe('the NAS of a gateway', () => {
  it('is created once, is read-only except for a new secret, and never shows its secret', async () => {
    await api.db.insertInto('device').values({ agent_id: eastId, name: 'Ship', sn: 'GW-1', billing_mode: 3, create_at: 1 }).execute();
    expect(await createGatewayNas(api.db, api.deps.config.secretKey, { port: 2083 }, api.clock.now())).toBe(1);
    expect(await createGatewayNas(api.db, api.deps.config.secretKey, { port: 2083 }, api.clock.now())).toBe(0);
    const [row] = await listed(east, { kind: 'gateway' });
    expect(row).toMatchObject({ name: 'Ship', identifier: 'GW-1', transport: 'radsec', shared_secret: null, psk_identity: 'GW-1' });
    const id = row?.id ?? 0;
    const { vno_id: _, ...settings } = input('GW-1', { version: 1 });
    expect((await east.call(calls.update, { id, ...settings })).code).toBe(errors.nas_of_gateway.code);
    expect((await east.call(calls.remove, { id })).code).toBe(errors.nas_of_gateway.code);
    expect((await east.call(calls.reveal, { id })).code).toBe(errors.nas_of_gateway.code);
    const before = await secretOf(id);
    expect((await east.call(calls.rotate, { id })).code).toBe(0);
    expect(await secretOf(id)).not.toBe(before);
  });
});
