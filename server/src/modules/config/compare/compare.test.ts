import { createCipheriv, scryptSync } from 'node:crypto';
import { compareCalls } from '@farlink/contract/config/compare.ts';
import { configCalls, keptSecret } from '@farlink/contract/config/config.ts';
import { type ConfigFile, exchangeCalls as calls } from '@farlink/contract/config/exchange.ts';
import { errors } from '@farlink/contract/errors.ts';
import { factoryDocs } from '@farlink/gateway/kit/config.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, fieldsOf, grantsOf, type Reply, startApi } from '../../../../test/api.ts';
import { makeFleet } from '../../../../test/fleet.ts';
import { openGates } from '../../../../test/gates.ts';
import { makeBranches, makeRole, makeStaff } from '../../../../test/world.ts';
import { applySections } from '../../../domain/config/apply.ts';

let api: Api;
let east: Caller;
let west: Caller;
let eastId: number;
let fleet: ReturnType<typeof makeFleet>;

beforeAll(async () => {
  api = await startApi();
  ({ eastId } = await makeBranches(api));
  await openGates(api);
  [east, west] = [await api.login('east'), await api.login('west')];
  fleet = makeFleet(api, 'CMP');
});
afterAll(() => api?.close());

const ok = <T>(reply: Reply<T>): T => {
  expect(reply.code, JSON.stringify(reply)).toBe(0);
  return reply.data;
};
const cellular = (more: JsonObject = {}): JsonObject => ({ ...factoryDocs.get('network_cellular'), ...more });
const dns = (more: JsonObject = {}): JsonObject => ({ ...factoryDocs.get('network_dns'), ...more });
const device = async (docs: Readonly<Record<string, JsonObject>>) => {
  const made = await fleet.add(eastId);
  if (Object.keys(docs).length === 0) return made;
  const order = { device: made.id, docs: new Map(Object.entries(docs)), source: 'edit', keep: 0, by: null, now: api.clock.now() } as const;
  await api.db.transaction().execute((db) => applySections(db, { ...order, secretKey: api.deps.config.secretKey }));
  return made;
};
const exported = async (by: Caller, input: object): Promise<ConfigFile> => {
  const response = await fetch(`${api.base}/agt/v1/${calls.export.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: by.session?.token ?? '' },
    body: JSON.stringify({ lang: 'zh', ...input }),
  });
  expect(response.headers.get('content-disposition')).toMatch(/-config-\d{14}\.json/);
  return JSON.parse(await response.text());
};
const take = (by: Caller, id: number, content: object, more: object = {}) => by.call(calls.import, { device_id: id, content, ...more });
const draftOf = async (id: number, page: string) => ok(await east.call(configCalls.page, { device_id: id, page })).draft?.doc;

describe('the comparison of two devices', () => {
  it('shows the differences per page, for secrets without their values', async () => {
    const one = await device({ network_cellular: cellular({ apn: 'a', password: 'One1' }), network_dns: dns({ min_ttl: 60 }) });
    const two = await device({ network_cellular: cellular({ apn: 'b', password: 'Two2' }) });
    const seen = ok(await east.call(compareCalls.compare, { device_id: one.id, other_id: two.id }));
    expect(seen.pages).toMatchObject([
      {
        page: 'network_cellular',
        differences: [
          { what: 'changed', field: 'apn', before: 'a', after: 'b' },
          { what: 'changed', field: 'password', before: null, after: null },
        ],
      },
      { page: 'network_dns', differences: [{ field: 'min_ttl', before: 60, after: 300 }] },
    ]);
    expect(seen.same).toBe(factoryDocs.size - 2);
    expect(JSON.stringify(seen)).not.toMatch(/One1|Two2/);
    expect((await west.call(compareCalls.compare, { device_id: one.id, other_id: two.id })).code).toBe(errors.not_found.code);
    const foreign = await fleet.add(west.session?.agent_id ?? 0);
    expect((await east.call(compareCalls.compare, { device_id: one.id, other_id: foreign.id })).code).toBe(errors.not_found.code);
  });
});

describe('a configuration file', () => {
  it('has no secrets without a password, and the importing device keeps its secrets', async () => {
    const from = await device({ network_cellular: cellular({ apn: 'a', password: 'One1' }), network_dns: dns({ min_ttl: 60 }) });
    const file = await exported(east, { device_id: from.id });
    expect(JSON.stringify(file)).not.toContain('One1');
    expect(file).toMatchObject({
      format: 'farlink-config',
      version: 1,
      device: { sn: from.sn },
      sections: { network_dns: { min_ttl: 60 } },
    });
    expect(Object.keys(file.sections)).toEqual(['network_cellular', 'network_dns']);
    const to = await device({ network_cellular: cellular({ apn: 'b', password: 'Two2' }) });
    expect(ok(await take(east, to.id, file))).toEqual({
      pages: ['network_cellular', 'network_dns'],
      unchanged: 0,
      denied: [],
    });
    expect(await draftOf(to.id, 'network_cellular')).toMatchObject({ apn: 'a', password: keptSecret });
    ok(await east.call(configCalls.apply, { device_id: to.id, pages: ['network_cellular', 'network_dns'], keep: 0 }));
    const applies = ok(await east.call(configCalls.applies, { device_id: to.id })).list;
    expect(applies[0]).toMatchObject({ source: 'import' });
    const again = await exported(east, { device_id: to.id, pages: ['network_cellular'], password: 'open sesame' });
    expect(Object.keys(again.sections)).toEqual(['network_cellular']);
    const third = await device({});
    ok(await take(east, third.id, again, { password: 'open sesame' }));
    ok(await east.call(configCalls.apply, { device_id: third.id, pages: ['network_cellular'], keep: 0 }));
    const whole = ok(await east.call(compareCalls.compare, { device_id: to.id, other_id: third.id }));
    expect(whole.pages.map(({ page }) => page)).toEqual(['network_dns']);
  });

  it('with a password reveals its secrets only with this password, and is refused after manipulation', async () => {
    const from = await device({ network_cellular: cellular({ password: 'One1' }) });
    const to = await device({});
    const file = await exported(east, { device_id: from.id, pages: ['network_cellular'], password: 'open sesame' });
    expect(JSON.stringify(file)).not.toContain('One1');
    expect((await take(east, to.id, file, { password: 'wrong one' })).code).toBe(errors.config_file_password.code);
    const data = `${file.secrets?.data.startsWith('A') ? 'B' : 'A'}${file.secrets?.data.slice(1)}`;
    expect((await take(east, to.id, { ...file, secrets: { ...file.secrets, data } }, { password: 'open sesame' })).code).toBe(
      errors.config_file_password.code,
    );
    expect((await take(east, to.id, { ...file, secrets: { ...file.secrets, n: 2 ** 30 } }, { password: 'open sesame' })).code).toBe(
      errors.config_file_password.code,
    );
    // A valid file with a higher scrypt cost than ours. Repeated requests with it would exhaust the memory.
    const salt = Buffer.alloc(16, 1);
    const dear = createCipheriv(
      'aes-256-gcm',
      scryptSync('open sesame', salt, 32, { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 }),
      salt.subarray(4),
    );
    const sealed = Buffer.concat([dear.update(JSON.stringify({ network_cellular: { password: 'Two2' } })), dear.final()]);
    const text = (bytes: Buffer) => bytes.toString('base64url');
    const fields = { salt: text(salt), nonce: text(salt.subarray(4)), tag: text(dear.getAuthTag()), data: text(sealed) };
    expect(
      (await take(east, to.id, { ...file, secrets: { ...file.secrets, ...fields, n: 2 ** 17 } }, { password: 'open sesame' })).code,
    ).toBe(errors.config_file_password.code);
    // Without the password, the import contains no secrets.
    ok(await take(east, to.id, { ...file, sections: { network_cellular: { ...file.sections.network_cellular, apn: 'z' } } }));
    expect(await draftOf(to.id, 'network_cellular')).not.toHaveProperty('password');
  });

  it('that is invalid is refused at the field, and nothing of it is imported', async () => {
    const to = await device({});
    expect(fieldsOf(await take(east, to.id, { hello: 1 }))).toEqual({ content: '不是配置文件' });
    const file = { format: 'farlink-config', version: 1, sections: { network_dns: dns({ min_ttl: 61 }) } };
    expect(fieldsOf(await take(east, to.id, { ...file, version: 2 }))).toHaveProperty('content');
    expect(fieldsOf(await take(east, to.id, { ...file, sections: { nowhere: {} } }))).toEqual({ content: '文件中有未知的配置页' });
    const bad = await take(east, to.id, {
      ...file,
      sections: { ...file.sections, network_ip_group: { rows: [{ name: 'x', addresses: [{ address: 'no' }] }] } },
    });
    expect(Object.keys(fieldsOf(bad))).toEqual(['network_ip_group.rows[0].addresses[0].address']);
    expect(await draftOf(to.id, 'network_dns')).toBeUndefined();
    expect((await take(west, to.id, file)).code).toBe(errors.not_found.code);
  });

  it('is exported and imported only with the pages that the role may view or change', async () => {
    const from = await device({ network_cellular: cellular({ apn: 'sea', password: 'One1' }), network_dns: dns({ min_ttl: 60 }) });
    const role = await makeRole(east, 'files', grantsOf(['device_list', 'gateway_config']), {
      gateway_permissions: { gw_network_cellular: '10', gw_network_dns: '11' },
    });
    await makeStaff(east, 'files_one', role);
    const some = await api.login('files_one');
    expect(Object.keys((await exported(some, { device_id: from.id })).sections)).toEqual(['network_cellular', 'network_dns']);
    expect(Object.keys((await exported(some, { device_id: from.id, password: 'open sesame' })).sections)).toEqual(['network_dns']);
    const file = await exported(east, { device_id: from.id, pages: ['network_cellular', 'network_dns'] });
    const to = await device({});
    expect(ok(await take(some, to.id, file))).toEqual({ pages: ['network_dns'], unchanged: 0, denied: ['network_cellular'] });
  });
});
