import { configCampaignCalls } from '@farlink/contract/config/campaign.ts';
import { configCalls } from '@farlink/contract/config/config.ts';
import { templateCalls } from '@farlink/contract/config/config-template.ts';
import { endpoints } from '@farlink/contract/endpoints.ts';
import { isWrite } from '@farlink/contract/kit/endpoint.ts';
import { Random } from '@farlink/contract/kit/random.ts';
import { isSection } from '@farlink/gateway/kit/page.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Api, type Caller, startApi } from './api.ts';
import { anyValue, fuzzSeed, mutated } from './setup/fuzz.ts';
import { runs } from './soak.ts';

let api: Api;
let admin: Caller;
beforeAll(async () => {
  api = await startApi();
  admin = await api.login('admin');
});
afterAll(() => api.close());

/** Without calls that end the session or return a file or a stream. */
const calls = endpoints.filter(({ kind, path }) => kind !== 'auth' && kind !== 'stream' && kind !== 'file' && !path.startsWith('remote'));
const writes = calls.filter(isWrite);

const send = async (method: string, path: string, body: Buffer | string | undefined, type: string | undefined) => {
  const headers = { authorization: admin.session?.token ?? '', ...(type !== undefined && { 'content-type': type }) };
  const url = `${api.base}/agt/v1/${path.replace(/\{\w+\}/g, '1')}`;
  const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
  await response.arrayBuffer();
  return response.status;
};
const isServed = async () => expect(await send('GET', 'customer/profile', undefined, undefined)).toBe(200);

const jsonOf = (random: Random) => JSON.stringify(anyValue(random)) ?? 'null';
const urlencoded = (random: Random) =>
  `a=${encodeURIComponent(jsonOf(random).toWellFormed())}&__proto__[x]=1&${'b[]=1&'.repeat(random.below(50))}`;
const nested = (random: Random) => `${'{"a":['.repeat(random.below(2000))}1`;

describe(`hostile requests, seed ${fuzzSeed}`, () => {
  test('bodies of any shape never cause a server error', async () => {
    const random = new Random(fuzzSeed);
    for (let i = 0; i < runs(300, 100); i++) {
      const { method, path } = random.pick(writes);
      const [body, type] = random.pick([
        [jsonOf, 'application/json'],
        [jsonOf, 'application/json; charset=utf-7'],
        [nested, 'application/json'],
        [urlencoded, 'application/x-www-form-urlencoded'],
        [jsonOf, 'text/plain'],
        [jsonOf, ''],
      ] as const);
      const content = body(random);
      expect(await send(method, path, content, type), `${method} ${path} ${type} ${content.slice(0, 300)}`).toBeLessThan(500);
    }
    await isServed();
  }, 120_000);

  test('declared fields with values of any shape never cause a server error', async () => {
    const random = new Random(fuzzSeed + 1);
    for (let i = 0; i < runs(300, 100); i++) {
      const { method, path, input = {} } = random.pick(writes);
      const body = JSON.stringify(Object.fromEntries(Object.keys(input).map((name) => [name, anyValue(random)])));
      expect(await send(method, path, body, 'application/json'), `${method} ${path} ${body.slice(0, 300)}`).toBeLessThan(500);
    }
    await isServed();
  }, 120_000);

  test('documents with values that have no text never cause a server error', { tags: 'all', timeout: 120_000 }, async () => {
    const { id: agent_id } = await api.db.selectFrom('agent').select('id').where('agent_level', '=', 0).executeTakeFirstOrThrow();
    const device = { agent_id, name: 'fuzz', sn: 'FUZZ1', create_at: 1 };
    const { id } = await api.db.insertInto('device').values(device).returning('id').executeTakeFirstOrThrow();
    for (const page of [...gatewayPages.values()].filter(isSection))
      for (const value of [{ toString: 1 }, [{ toString: 1 }]]) {
        const set = Object.fromEntries(Object.keys(page.fields).map((name) => [name, value]));
        const isList = page.kind === 'list';
        const part = isList ? { rows: [{ key: value, set }] } : { set };
        const [field] = Object.entries(page.fields).find(([, { options }]) => options) ?? ['name'];
        const bulk = { field, row: '*', value: { value }, target: 'devices', device_ids: [id], keep: 0 };
        for (const [{ method, path }, input] of [
          [configCalls.draft, { device_id: id, page: page.key, base_rev: 0, doc: isList ? { rows: [set] } : set }],
          [templateCalls.create, { name: 'fuzz', level: 'platform', sections: { [page.key]: part } }],
          [configCampaignCalls.bulk, { page: page.key, ...bulk }],
        ] as const) {
          const body = JSON.stringify(input);
          expect(await send(method, path, body, 'application/json'), `${method} ${path} ${body.slice(0, 300)}`).toBeLessThan(500);
        }
      }
    await isServed();
  });

  test('bytes that are not JSON are refused', async () => {
    const random = new Random(fuzzSeed + 2);
    const seed = Buffer.from('{"name":"a","remark":null,"ids":[1,2,{"x":"y"}]}');
    for (let i = 0; i < runs(100, 33); i++) {
      const bytes = Buffer.concat([mutated(seed, random), Buffer.from('{')]);
      expect([400, 415]).toContain(await send('POST', 'agent', bytes, 'application/json'));
    }
    await isServed();
  }, 60_000);

  test('queries of any shape never cause a server error', async () => {
    const random = new Random(fuzzSeed + 3);
    const reads = calls.filter((call) => !isWrite(call));
    for (let i = 0; i < runs(200, 66); i++) {
      const { path, resource } = random.pick(reads);
      const names = [
        'page',
        'limit',
        'orderby',
        'count',
        'id',
        'ids',
        ...(resource?.filters ?? []),
        ...(resource?.filters ?? []).map((name) => `cond_${name}`),
      ];
      const query = new URLSearchParams();
      for (let n = 0; n < 4; n++) query.append(random.pick(names), jsonOf(random).toWellFormed().slice(0, 200));
      expect(await send('GET', `${path}?${query}`, undefined, undefined), `${path}?${query}`).toBeLessThan(500);
    }
    await isServed();
  }, 120_000);

  test('damaged forms with files are refused', { tags: 'all', timeout: 120_000 }, async () => {
    const random = new Random(fuzzSeed + 4);
    const form = Buffer.from(
      '--x\r\ncontent-disposition: form-data; name="device_id"\r\n\r\n1\r\n--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\ncontent-type: text/csv\r\n\r\naccount,password\r\na,b\r\n--x--\r\n',
    );
    for (let i = 0; i < runs(150, 50); i++) {
      const bytes = mutated(form, random);
      const status = await send(
        'POST',
        'user/import',
        bytes,
        random.pick(['multipart/form-data; boundary=x', 'multipart/form-data; boundary="x"']),
      );
      expect(status, bytes.toString('base64')).toBeGreaterThanOrEqual(400);
      expect(status, bytes.toString('base64')).toBeLessThan(500);
    }
    await isServed();
  });
});
