import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeCertificate } from './certificate.ts';

const pairs = { rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }), ec: generateKeyPairSync('ec', { namedCurve: 'P-256' }) };

test.each(['rsa', 'ec'] as const)('a certificate with an %s key has the given content', (type) => {
  const { publicKey, privateKey } = pairs[type];
  for (const serial of [1n, 0x7fn, 0x80n, 0xf1_00_00_00_00_00_00_00n]) {
    const content = { issuer: 'C=CN, O=远联, CN=Root', subject: 'C=CN, OU=Unit, CN=Leaf', serial, publicKey, signer: privateKey };
    const cert = new X509Certificate(makeCertificate({ ...content, from: 1_700_000_000, until: 3_000_000_000 }));
    expect(cert.issuer).toBe('C=CN\nO=远联\nCN=Root');
    expect(cert.subject).toBe('C=CN\nOU=Unit\nCN=Leaf');
    expect(BigInt(`0x${cert.serialNumber}`)).toBe(serial);
    expect([cert.validFromDate.getTime(), cert.validToDate.getTime()]).toEqual([1_700_000_000_000, 3_000_000_000_000]);
    expect(cert.checkPrivateKey(privateKey)).toBe(true);
    expect(cert.verify(publicKey)).toBe(true);
    expect(cert.verify(pairs[type === 'rsa' ? 'ec' : 'rsa'].publicKey)).toBe(false);
  }
});
