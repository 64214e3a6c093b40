import { X509Certificate } from 'node:crypto';
import { request } from 'node:http';
import { connect } from 'node:tls';
import { domainCalls } from '@farlink/contract/market/domain.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, startApi } from '../../../../test/api.ts';
import { hasPeers, openDnsmasq, openPebble } from '../../../../test/dns-and-acme.ts';
import { domainRow, setDomain } from '../../../../test/domain.ts';
import { freePort } from '../../../../test/mosquitto.ts';
import { makeBranches } from '../../../../test/world.ts';
import type { Deps } from '../../../kit/deps.ts';
import { proofToken } from '../proof.ts';
import { createOrders, issueCertificates } from './acme-job.ts';

const hour = 3600;
const day = 86_400;
const domain = 'noc.east.example.com';
let dns: Awaited<ReturnType<typeof openDnsmasq>>;
let pebble: Awaited<ReturnType<typeof openPebble>>;
let api: Api;
let east: Caller;
let eastId: number;
let httpsPort: number;

const orders = (name = domain) => api.db.selectFrom('acme_order').selectAll().where('domain', '=', name).orderBy('id').execute();
const stored = () => api.db.selectFrom('domain').selectAll().where('domain', '=', domain).executeTakeFirstOrThrow();
const again = async (seconds: number) => {
  api.clock.advance(seconds);
  east = await api.login('east');
};

describe.runIf(hasPeers('dnsmasq', 'pebble'))('certificates from an ACME authority (pebble), with DNS of dnsmasq', () => {
  beforeAll(async () => {
    const port = await freePort();
    httpsPort = await freePort();
    dns = await openDnsmasq();
    pebble = await openPebble(dns.address, port);
    api = await startApi({
      PORT: String(port),
      HTTPS_PORT: String(httpsPort),
      HOST: '127.0.0.1',
      DNS_SERVERS: dns.address,
      ACME_DIRECTORY: pebble.directory,
      ACME_CA: pebble.caFile,
      ACME_CONTACT: 'noc@example.com',
    });
    ({ east, eastId } = await makeBranches(api));
  });
  afterAll(async () => {
    await api.close();
    await pebble.close();
    await dns.close();
  });

  it('are not ordered for a domain without proof', async () => {
    expect(await setDomain(api, east, 'console', { domain, https: true, cert_source: 'acme' })).toMatchObject({ code: 0 });
    await issueCertificates(api.deps);
    expect(await orders()).toEqual([]);
    expect(await domainRow(east, 'console')).toMatchObject({ cert_state: 'pending', proof_state: 'pending' });
  });

  it('need a domain that is proven by a TXT record of a real DNS server', async () => {
    const { id } = await domainRow(east, 'console');
    expect((await east.call(domainCalls.check, { id, lang: 'en' })).data.message).toBe('No TXT record found');
    await dns.start({ [`_farlink.${domain}`]: proofToken(api.deps.config.secretKey, eastId, domain) });
    expect((await east.call(domainCalls.check, { id })).data.is_proven).toBe(true);
  });

  it('are issued once and served, and the token of the challenge is removed', async () => {
    await issueCertificates(api.deps);
    expect(await orders()).toMatchObject([{ state: 'done', token: null, error: null }]);
    const row = await stored();
    const leaf = new X509Certificate(row.cert ?? '');
    expect(leaf.checkHost(domain)).toBe(domain);
    expect(row.cert?.match(/BEGIN CERTIFICATE/g)?.length).toBeGreaterThan(1);
    expect(row.cert_key).toMatch(/^v1\./);
    expect(await domainRow(east, 'console')).toMatchObject({ cert_state: 'valid', cert_source: 'acme', last_error: null });
    const shown = () =>
      new Promise<string>((done, failed) => {
        const socket = connect({ host: '127.0.0.1', port: httpsPort, servername: domain, rejectUnauthorized: false }, () => {
          done(socket.getPeerX509Certificate()?.fingerprint256 ?? '');
          socket.destroy();
        });
        socket.on('error', failed);
      });
    await expect.poll(shown, { timeout: 5000 }).toBe(leaf.fingerprint256);
    await issueCertificates(api.deps);
    expect(await orders()).toHaveLength(1);
  });

  it('are renewed when two thirds of their life are over, and not before', async () => {
    const { cert_begin_at, cert_expire_at, cert_sha256 } = await stored();
    const begin = cert_begin_at ?? 0;
    const expire = cert_expire_at ?? 0;
    const dueAt = begin + ((expire - begin) * 2) / 3;
    await again(Math.floor(dueAt) - api.clock.now() - 10);
    await issueCertificates(api.deps);
    expect((await stored()).cert_sha256).toBe(cert_sha256);
    await again(20);
    await createOrders(api.deps);
    expect(await orders()).toMatchObject([{ state: 'new' }]);
    await Promise.all([issueCertificates(api.deps), issueCertificates(api.deps)]);
    expect(await orders()).toMatchObject([{ state: 'done', attempts: 1 }]);
    expect((await stored()).cert_sha256).not.toBe(cert_sha256);
  });

  it('are issued after a crash at any write: the order continues where it stopped', { tags: 'all' }, async () => {
    const row = await stored();
    for (let step = 1; step <= 6; step++) {
      await api.db.updateTable('domain').set({ cert: null, cert_key: null, cert_sha256: null }).where('id', '=', row.id).execute();
      await again(2 * day);
      let writes = 0;
      /** Every statement after this number of changes fails, as if the process had ended. */
      const failing: Deps = {
        ...api.deps,
        db: api.db.withPlugin({
          transformQuery: ({ node }) => {
            if (node.kind === 'UpdateQueryNode' && ++writes >= step) throw new Error('the process ended');
            return node;
          },
          transformResult: async ({ result }) => result,
        }),
      };
      await issueCertificates(failing).catch(() => {});
      // The lease of the dead worker ends.
      api.clock.advance(200);
      await issueCertificates(api.deps);
      expect((await orders()).at(-1), `after ${step} writes`).toMatchObject({ state: 'done' });
      expect((await stored()).cert, `after ${step} writes`).not.toBeNull();
    }
  });

  it('show why they were refused, and wait longer after each failure, at most three orders a day', { tags: 'all' }, async () => {
    const name = 'unreachable.example.net';
    expect((await setDomain(api, east, 'console', { domain, https: true, cert_source: 'acme', status: 0 })).code).toBe(0);
    await dns.start({ [`_farlink.${name}`]: proofToken(api.deps.config.secretKey, eastId, name) });
    await setDomain(api, east, 'portal', { domain: name, https: true, cert_source: 'acme' });
    const { id } = await domainRow(east, 'portal');
    expect((await east.call(domainCalls.check, { id })).data.is_proven).toBe(true);
    const began = api.clock.now();
    for (let minutes = 0; minutes <= 30 * 60; minutes += 10) {
      await issueCertificates(api.deps);
      api.clock.advance(600);
    }
    await again(0);
    expect((await orders(name)).map(({ create_at, state }) => [create_at - began, state])).toEqual(
      [0, hour, 5 * hour, day].map((at) => [at, 'failed']),
    );
    expect((await domainRow(east, 'portal')).last_error).toMatch(/^ACME: .*unreachable/);
  });

  it('answer only pending challenges of the same host', async () => {
    const token = 't'.repeat(43);
    const key = 'the key authorization';
    const { id } = await stored();
    await api.db
      .insertInto('acme_order')
      .values({ domain_id: id, domain, state: 'validating', key: '-', token, key_authorization: key, create_at: 1, update_at: 1 })
      .execute();
    const ask = (host: string, path: string) =>
      new Promise<[number, string]>((done, failed) => {
        const sent = request(`${api.base}/.well-known/acme-challenge/${path}`, { headers: { host }, agent: false }, (reply) => {
          let text = '';
          reply.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk;
          });
          reply.on('end', () => done([reply.statusCode ?? 0, text]));
        });
        sent.on('error', failed).end();
      });
    expect(await ask(domain, token)).toEqual([200, key]);
    expect(await ask('other.example.com', token)).toEqual([404, '']);
    expect(await ask(domain, 'u'.repeat(43))).toEqual([404, '']);
    expect(await ask(domain, "x'--%20or%201=1")).toEqual([404, '']);
    await api.db.updateTable('acme_order').set({ state: 'failed' }).where('token', '=', token).execute();
    expect(await ask(domain, token)).toEqual([404, '']);
  });
});
