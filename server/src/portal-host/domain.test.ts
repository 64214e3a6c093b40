import { type IncomingHttpHeaders, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crewPassword, type PortalWorld, startPortalWorld } from '../../test/portal.ts';
import { domainRegistryOf } from '../domain/custom-domain/domain-registry.ts';

let w: PortalWorld;
const host = 'wifi.east.example.com';
beforeAll(async () => {
  w = await startPortalWorld();
  const now = w.api.clock.now();
  const row = { domain: host, proven_at: now, status: 1 as const };
  const owned = w.api.db.updateTable('domain').set(row).where('agent_id', '=', w.eastId).where('domain_type', '=', 'portal');
  const { numUpdatedRows } = await owned.executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n)
    await w.api.db
      .insertInto('domain')
      .values({ ...row, agent_id: w.eastId, domain_type: 'portal', create_at: now, update_at: now })
      .execute();
  await domainRegistryOf(w.api.deps)?.load();
});
afterAll(() => w.close());

interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A request with the name of the domain, which `fetch` cannot send. */
const requestPage = (path: string, body?: URLSearchParams) =>
  new Promise<Got>((done, failed) => {
    const { hostname, port } = new URL(w.api.base);
    const type = body && { 'content-type': 'application/x-www-form-urlencoded', origin: `http://${host}` };
    const sent = request({ hostname, port, path, method: body ? 'POST' : 'GET', agent: false, headers: { host, ...type } }, (response) => {
      const chunks: Buffer[] = [];
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => done({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString() }));
    });
    sent.on('error', failed).end(body?.toString());
  });

test('a portal domain serves the portal at its root, and nothing else', async () => {
  expect((await requestPage('/')).headers.location).toBe('/zh/');
  const page = await requestPage('/zh/');
  expect(page.text).toContain('action="/zh/login"');
  const css = /href="([^"]+\.css)"/.exec(page.text)?.[1] ?? '';
  expect((await requestPage(css)).status).toBe(200);
  for (const path of ['/agt/v1/openapi.json', '/login', `/portal/${w.code}/zh/`, '/index.html'])
    expect((await requestPage(path)).status).toBe(404);
  expect((await requestPage('/healthz')).status).toBe(200);
});

test('a subscriber logs in at the domain', async () => {
  const { account } = await w.account();
  const reply = await requestPage('/zh/login', new URLSearchParams({ account, password: crewPassword }));
  expect(reply.status).toBe(303);
  expect(reply.headers.location).toMatch(/^\/zh\/s\/[\w-]{43}\/$/);
  expect((await requestPage(reply.headers.location ?? '')).text).toContain(account);
});

test('the inner path of a domain is not reachable from outside', async () => {
  expect((await w.get(`/portal/~${w.eastId}/zh/`)).status).toBe(404);
});
