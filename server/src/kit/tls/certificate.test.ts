import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type CertificateOrder, makeCertificate, makeRequest, pemOf } from './certificate.ts';

const now = 1_790_000_000;
const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const order = (more: Partial<CertificateOrder>): CertificateOrder => ({
  commonName: 'test',
  key: newKey(),
  beginAt: now,
  endAt: now + 1000,
  ...more,
});
const openssl = (args: readonly string[], input: string) => {
  const { stdout, stderr, status } = spawnSync('openssl', args, { input, encoding: 'utf8' });
  return { text: `${stdout}${stderr}`, status };
};

describe('a generated certificate', () => {
  it.each(['ec', 'rsa'] as const)('is read by OpenSSL with its names, dates and issuer (%s authority)', (kind) => {
    const caKey = kind === 'ec' ? newKey() : generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const ca = new X509Certificate(makeCertificate(order({ commonName: '测试 CA', key: caKey, isAuthority: true })));
    const key = newKey();
    const leaf = new X509Certificate(
      makeCertificate(
        order({ commonName: 'a.cn', names: ['a.cn', '*.b.cn', '127.0.0.1'], key, issuer: { commonName: '测试 CA', key: caKey } }),
      ),
    );
    expect(leaf.verify(ca.publicKey)).toBe(true);
    expect(leaf.checkIssued(ca)).toBe(true);
    expect([ca.ca, leaf.ca]).toEqual([true, false]);
    expect(leaf.checkPrivateKey(key)).toBe(true);
    expect(leaf.subjectAltName).toBe('DNS:a.cn, DNS:*.b.cn, IP Address:127.0.0.1');
    expect([Date.parse(leaf.validFrom), Date.parse(leaf.validTo)]).toEqual([now * 1000, (now + 1000) * 1000]);
  });

  it('can expire after 2049', () => {
    const endAt = 3_000_000_000;
    expect(Date.parse(new X509Certificate(makeCertificate(order({ endAt }))).validTo)).toBe(endAt * 1000);
  });

  it('can be requested with a signed CSR', () => {
    const { text, status } = openssl(
      ['req', '-verify', '-noout', '-text'],
      pemOf('CERTIFICATE REQUEST', makeRequest(newKey(), ['a.cn', 'b.a.cn'])),
    );
    expect(text).toContain('DNS:a.cn, DNS:b.a.cn');
    expect(text).toMatch(/verify OK/i);
    expect(status).toBe(0);
  });
});
