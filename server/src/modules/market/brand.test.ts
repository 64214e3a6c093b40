import { request } from 'node:http';
import { infoCalls } from '@farlink/contract/market/info-setup.ts';
import type { Updateable } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../test/api.ts';
import { uploadFile } from '../../../test/upload.ts';
import { makeBranches } from '../../../test/world.ts';
import type { DomainTable } from '../../db/tables.ts';

let api: Api;
let proxied: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
let eastLogo: string | null;

const addDomain = (of: Api, agent_id: number, domain: string, more: Updateable<DomainTable> = {}) =>
  of.db
    .updateTable('domain')
    .set({ domain, proven_at: 1, update_at: 1, ...more })
    .where('agent_id', '=', agent_id)
    .where('domain_type', '=', more.domain_type ?? 'console')
    .execute();

beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
  const bytes = await sharp({ create: { width: 190, height: 60, channels: 3, background: 'navy' } })
    .png()
    .toBuffer();
  eastLogo = (await uploadFile(api, world.east, infoCalls.agentLogo, bytes, 'logo.png')).data.agent_logo;
  await addDomain(api, world.eastId, 'console.east.cn');
  await addDomain(api, world.eastId, 'wifi.east.cn', { domain_type: 'portal' });
  await addDomain(api, world.westId, 'console.west.cn', { proven_at: null });
  await addDomain(api, world.childId, 'console.child.cn');
  proxied = await startApi({ TRUST_PROXY: 'on' });
});
afterAll(async () => {
  await api.close();
  await proxied.close();
});

/** `fetch` does not send another Host. */
const readAt = (of: Api, headers: Record<string, string>): Promise<{ status: number | undefined; text: string }> =>
  new Promise((done, failed) => {
    request(`${of.base}/agt/v1/brand`, { headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      response.on('end', () => done({ status: response.statusCode, text }));
    })
      .on('error', failed)
      .end();
  });

const brandAt = async (of: Api, headers: Record<string, string>): Promise<unknown> => JSON.parse((await readAt(of, headers)).text).data;

const platform = { name: 'Farlink 远联', logo: null };

describe('the brand of a host', () => {
  it.each(['console.east.cn', 'CONSOLE.East.cn', 'console.east.cn:8443', 'console.east.cn.'])(
    '%s is the brand of its VNO',
    async (host) => {
      expect(await brandAt(api, { host })).toEqual({ name: 'VNO east', logo: eastLogo });
    },
  );

  it('has the name of the VNO and the inherited logo', async () => {
    expect(await brandAt(api, { host: 'console.child.cn' })).toEqual({ name: 'VNO child', logo: eastLogo });
  });

  it.each(['127.0.0.1', 'localhost', 'unknown.example', 'east.cn', 'x.console.east.cn', "' or true --", '[::1]'])(
    '%s is the brand of the platform',
    async (host) => {
      expect(await brandAt(api, { host })).toEqual(platform);
    },
  );

  it('is not served on a portal domain, which has no console API', async () => {
    expect(await readAt(api, { host: 'wifi.east.cn' })).toMatchObject({ status: 404, text: expect.stringContaining('<!doctype html>') });
  });

  it('is that of the platform if the domain is not verified', async () => {
    expect(await brandAt(api, { host: 'console.west.cn' })).toEqual(platform);
  });

  it('is that of the platform as soon as the domain is disabled', async () => {
    const set = (status: 0 | 1) => api.db.updateTable('domain').set({ status }).where('domain', '=', 'console.east.cn').execute();
    await set(0);
    expect(await brandAt(api, { host: 'console.east.cn' })).toEqual(platform);
    await set(1);
    expect(await brandAt(api, { host: 'console.east.cn' })).toMatchObject({ name: 'VNO east' });
  });

  it('ignores forwarded hosts unless a proxy is trusted', async () => {
    expect(await brandAt(api, { host: '127.0.0.1', 'x-forwarded-host': 'console.east.cn' })).toEqual(platform);
    const agent = await proxied.db.selectFrom('agent').select('id').executeTakeFirstOrThrow();
    await proxied.db.updateTable('agent').set({ name: 'Proxied' }).execute();
    await addDomain(proxied, agent.id, 'console.proxied.cn');
    expect(await brandAt(proxied, { host: '10.0.0.1', 'x-forwarded-host': 'console.proxied.cn' })).toEqual({ name: 'Proxied', logo: null });
  });
});
