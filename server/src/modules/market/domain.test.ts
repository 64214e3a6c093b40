import { generateKeyPairSync } from 'node:crypto';
import { errors } from '@farlink/contract/errors.ts';
import { domainCalls as calls } from '@farlink/contract/market/domain.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, fieldsOf, grantsOf, startApi } from '../../../test/api.ts';
import { type DnsServer, openDnsServer } from '../../../test/dns-server.ts';
import { domainRow, fileOf, filesOf, proveDomain, sendDomain, setDomain } from '../../../test/domain.ts';
import { keyPem, makeTestAuthority, newKey, type TestAuthority } from '../../../test/test-authority.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import { checkProofs } from '../../domain/custom-domain/check-proof.ts';
import { domainRegistryOf } from '../../domain/custom-domain/domain-registry.ts';
import { open } from '../../kit/session/secret.ts';

const day = 86_400;
let api: Api;
let dns: DnsServer;
let ca: TestAuthority;
let admin: Caller;
let east: Caller;
let west: Caller;
let child: Caller;

beforeAll(async () => {
  dns = await openDnsServer();
  api = await startApi({ DNS_SERVERS: dns.address, PUBLIC_URL: 'https://noc.farlink.cn' });
  ca = makeTestAuthority(api.clock.now());
  ({ admin, east, west, child } = await makeBranches(api));
});
afterAll(async () => {
  await api.close();
  await dns.close();
});

/** Advances the clock, checks the proofs and logs in again, because sessions expire. */
const later = async (seconds: number) => {
  api.clock.advance(seconds);
  await checkProofs(api.deps);
  [east, west, child] = [await api.login('east'), await api.login('west'), await api.login('child')];
};
const refusal = async (values: Record<string, unknown>, by = east) => {
  const reply = await setDomain(api, by, 'console', values);
  expect(reply.code, JSON.stringify(reply)).toBe(errors.bad_input.code);
  return fieldsOf(reply);
};
const ownerOf = async (host: string) => {
  const registry = domainRegistryOf(api.deps);
  await registry?.load();
  return registry?.ownerOf(host);
};

describe('the domains of a VNO', () => {
  it('are one console row and one portal row per VNO, empty at first', async () => {
    const { data } = await east.call(calls.list);
    expect(data.list.map((row) => row.domain_type)).toEqual(['console', 'portal']);
    for (const row of data.list)
      expect(row).toMatchObject({
        domain: null,
        https: false,
        cert_name: null,
        status: 1,
        proof_state: 'none',
        cert_state: 'none',
        txt_name: null,
      });
    const others = await Promise.all([admin, west, child].map(async (by) => (await by.call(calls.list)).data.list.map(({ id }) => id)));
    expect(new Set([...data.list.map(({ id }) => id), ...others.flat()]).size).toBe(8);
    expect((await east.call(calls.list, { domain_type: 'portal' })).data.total).toBe(1);
    expect((await east.call(calls.list, { status: 0 })).data.total).toBe(0);
  });

  it('are saved, versioned and logged, and an unchanged form is refused', async () => {
    const { id, version } = await domainRow(east, 'console');
    const values = { domain: 'HTTPS://Noc.East.example.com/', https: false, status: 1 };
    expect(await sendDomain(api, east, id, { ...values, version })).toMatchObject({ code: 0 });
    const row = await domainRow(east, 'console');
    expect(row).toMatchObject({ domain: 'noc.east.example.com', version: (version ?? 0) + 1, proof_state: 'pending' });
    expect(row.txt_name).toBe('_farlink.noc.east.example.com');
    expect(row.txt_value).toMatch(/^farlink-[0-9a-f]{40}$/);
    expect((await sendDomain(api, east, id, { ...values, version })).code).toBe(errors.stale.code);
    expect((await sendDomain(api, east, id, { ...values, version: row.version })).code).toBe(errors.unchanged.code);
    const log = await api.db.selectFrom('syslog').selectAll().where('content_en', 'like', 'Set the domain%').executeTakeFirstOrThrow();
    expect(log).toMatchObject({ content_en: 'Set the domain of the console to noc.east.example.com', module: 'market', action: 'update' });
  });

  it.each([
    ['127.0.0.1', 'IP'],
    ['com.cn', '公共后缀'],
    ['noc.farlink.cn', '平台'],
    ['a.example.com:8443', '端口'],
    ['single', '域名'],
  ])('refuse %s', async (domain, why) => {
    expect((await refusal({ domain })).domain).toContain(why);
  });

  it('cannot be changed by other VNOs, including parent and child, nor without the right to the page', async () => {
    const { id, version } = await domainRow(east, 'console');
    for (const by of [admin, child, west]) {
      expect((await sendDomain(api, by, id, { domain: 'x.example.com', https: false, status: 1, version })).code).toBe(
        errors.not_found.code,
      );
      expect((await by.call(calls.check, { id })).code).toBe(errors.not_found.code);
    }
    await makeStaff(east, 'domain_reader', await makeRole(east, 'reader', grantsOf(['domain_setup'], '10')));
    const reader = await api.login('domain_reader');
    expect((await reader.call(calls.list)).data.total).toBe(2);
    expect((await setDomain(api, reader, 'console', { domain: 'x.example.com' })).code).toBe(errors.denied.code);
    expect((await reader.call(calls.check, { id })).code).toBe(errors.denied.code);
    await makeStaff(east, 'domain_none', await makeRole(east, 'none', grantsOf(['system_log'])));
    const none = await api.login('domain_none');
    expect((await none.call(calls.list)).code).toBe(errors.denied.code);
  });
});

describe('the proof of ownership', () => {
  it('is checked on request and reports a missing record, a wrong value and success', async () => {
    const { id } = await domainRow(east, 'console');
    const check = async () => (await east.call(calls.check, { id, lang: 'en' })).data;
    expect(await check()).toEqual({ is_proven: false, message: 'No TXT record found' });
    dns.set('_farlink.noc.east.example.com', 'farlink-0000');
    expect(await check()).toEqual({ is_proven: false, message: 'The TXT record has another value' });
    expect(await domainRow(east, 'console')).toMatchObject({ proof_state: 'pending', last_error: 'TXT记录的值不正确' });
    expect(await ownerOf('noc.east.example.com')).toBeUndefined();
    expect((await proveDomain(api, dns, east, 'console')).data.is_proven).toBe(true);
    expect(await domainRow(east, 'console')).toMatchObject({ proof_state: 'proven', last_error: null });
    expect(await ownerOf('NOC.east.example.com:8443')).toMatchObject({ use: 'console', agent_id: east.session?.agent_id, https: false });
  });

  it('reserves the domain against other VNOs and against the other domain type', async () => {
    expect((await refusal({ domain: 'noc.east.example.com' }, west)).domain).toBe('该域名已被使用');
    const reply = await setDomain(api, east, 'portal', { domain: 'noc.east.example.com' });
    expect(fieldsOf(reply)).toHaveProperty('domain');
  });

  it('does not block a domain before it succeeds, and then removes the domain from other VNOs', async () => {
    expect((await setDomain(api, west, 'portal', { domain: 'wifi.true-owner.com' })).code).toBe(0);
    expect((await setDomain(api, child, 'portal', { domain: 'wifi.true-owner.com' })).code).toBe(0);
    expect((await proveDomain(api, dns, child, 'portal')).data.is_proven).toBe(true);
    expect((await ownerOf('wifi.true-owner.com'))?.agent_id).toBe(child.session?.agent_id);
    expect(await domainRow(west, 'portal')).toMatchObject({ domain: null, proof_state: 'none', last_error: '该域名由其他VNO持有' });
  });

  it('may fail for seven days before the domain is disabled, and recovers after a DNS outage', async () => {
    const state = async () => (await domainRow(child, 'portal')).proof_state;
    dns.break(true);
    await later(day);
    expect(await domainRow(child, 'portal')).toMatchObject({ proof_state: 'failing', last_error: 'DNS服务器没有应答' });
    dns.break(false);
    await later(day);
    expect(await state()).toBe('proven');

    dns.set('_farlink.wifi.true-owner.com');
    for (let i = 0; i < 7; i++) {
      await later(day);
      expect(await state(), `day ${i}`).toBe('failing');
      expect(await ownerOf('wifi.true-owner.com')).toBeDefined();
    }
    await later(day);
    expect(await domainRow(child, 'portal')).toMatchObject({ proof_state: 'pending', last_error: expect.stringContaining('停用') });
    expect(await ownerOf('wifi.true-owner.com')).toBeUndefined();
  });

  it('moves to a VNO with its own TXT record only if the record of the holder is gone', async () => {
    await setDomain(api, child, 'portal', { domain: 'old.example.com' });
    await proveDomain(api, dns, child, 'portal');
    const theirs = await domainRow(child, 'portal');
    dns.set('_farlink.old.example.com');
    await later(day);
    expect((await setDomain(api, west, 'portal', { domain: 'old.example.com' })).code).toBe(0);
    const ours = await domainRow(west, 'portal');
    expect(ours.txt_value).not.toBe(theirs.txt_value);
    dns.set('_farlink.old.example.com', theirs.txt_value ?? '', ours.txt_value ?? '');
    expect((await west.call(calls.check, { id: ours.id, lang: 'en' })).data.message).toBe('Another VNO holds this domain');
    dns.set('_farlink.old.example.com', ours.txt_value ?? '');
    expect((await west.call(calls.check, { id: ours.id })).data.is_proven).toBe(true);
    expect((await ownerOf('old.example.com'))?.agent_id).toBe(west.session?.agent_id);
    expect(await domainRow(child, 'portal')).toMatchObject({ domain: null, last_error: expect.stringContaining('停用') });
  });

  it('is required again for a new domain; a disabled domain has no owner', async () => {
    const disabled = await setDomain(api, west, 'portal', { domain: 'old.example.com', status: 0 });
    expect(disabled.code).toBe(0);
    expect(await ownerOf('old.example.com')).toBeUndefined();
    expect((await domainRow(west, 'portal')).proof_state).toBe('proven');
    await setDomain(api, west, 'portal', { domain: 'new.example.com', status: 1 });
    expect((await domainRow(west, 'portal')).proof_state).toBe('pending');
  });
});

describe('certificate and key', () => {
  const domain = 'noc.east.example.com';
  const on = { domain, https: true };

  it('are both required if HTTPS is on', async () => {
    expect(Object.keys(await refusal(on))).toEqual(['cert_file', 'key_file']);
    const { cert_file, key_file } = filesOf(ca.issue([domain]));
    expect(Object.keys(await refusal({ ...on, cert_file }))).toEqual(['key_file']);
    expect(Object.keys(await refusal({ ...on, key_file }))).toEqual(['cert_file']);
  });

  it('are refused with a specific message at the faulty file', async () => {
    const now = api.clock.now();
    const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;
    const k1 = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey;
    const good = ca.issue([domain]);
    const cases = {
      mismatch: { ...filesOf(good), key_file: fileOf(keyPem(newKey()), 'other.key') },
      chain: filesOf({ ...good, full: good.leaf }),
      noRoot: filesOf({ ...good, full: good.chain }),
      name: filesOf(ca.issue(['other.example.com'])),
      expired: filesOf(ca.issue([domain], { beginAt: now - 9 * day, endAt: now - day })),
      early: filesOf(ca.issue([domain], { beginAt: now + day, endAt: now + 9 * day })),
      weak: filesOf(ca.issue([domain], { key: rsa })),
      curve: filesOf(ca.issue([domain], { key: k1 })),
    };
    const found: Record<string, Record<string, string>> = {};
    for (const [name, files] of Object.entries(cases)) found[name] = await refusal({ ...on, ...files, lang: 'en' });
    expect(found).toEqual({
      mismatch: { key_file: 'The key does not match the certificate' },
      chain: { cert_file: expect.stringContaining('chain is incomplete') },
      noRoot: { cert_file: expect.stringContaining('chain is incomplete') },
      name: { cert_file: 'The certificate does not cover this domain' },
      expired: { cert_file: 'The certificate has expired' },
      early: { cert_file: 'The certificate is not valid yet' },
      weak: { key_file: expect.stringContaining('too weak') },
      curve: { key_file: expect.stringContaining('too weak') },
    });
  });

  it('are stored in the right order without the root, with the key sealed and never returned or logged', async () => {
    const pair = ca.issue(['*.east.example.com']);
    const files = filesOf({ key: pair.key, full: ca.root + pair.leaf + ca.middle });
    expect(await setDomain(api, east, 'console', { ...on, ...files })).toMatchObject({ code: 0 });
    const row = await domainRow(east, 'console');
    expect(row).toMatchObject({ https: true, cert_name: 'site.crt', cert_state: 'valid', proof_state: 'proven', cert_source: 'upload' });
    const stored = await api.db.selectFrom('domain').selectAll().where('id', '=', row.id).executeTakeFirstOrThrow();
    expect(stored.cert).toBe(pair.leaf + ca.middle);
    expect(stored.cert_key).toMatch(/^v1\./);
    expect(open(api.deps.config.secretKey, stored.cert_key ?? '')).toBe(pair.key);
    expect(JSON.stringify(await east.call(calls.list))).not.toContain('PRIVATE');
    expect(JSON.stringify(await api.db.selectFrom('syslog').selectAll().execute())).not.toContain('BEGIN');
    expect((await setDomain(api, east, 'console', { ...on, ...files })).code).toBe(errors.unchanged.code);
    expect((await setDomain(api, east, 'console', on)).code).toBe(errors.unchanged.code);
  });

  it('must cover a new domain, and are reported as expiring, urgent and expired', async () => {
    expect((await refusal({ ...on, domain: 'noc.other-name.com' })).cert_file).toContain('不包含该域名');
    const state = async () => (await domainRow(east, 'console')).cert_state;
    await later(61 * day);
    expect(await state()).toBe('expiring');
    await later(15 * day);
    expect(await state()).toBe('urgent');
    await later(15 * day);
    expect(await state()).toBe('expired');
  });

  it('cannot be issued automatically if the platform has no certificate authority', async () => {
    expect(await refusal({ ...on, cert_source: 'acme' })).toHaveProperty('cert_source');
  });
});
