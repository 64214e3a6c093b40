import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type CertificateOrder, makeCertificate, pemOf } from '../src/kit/tls/certificate.ts';

const day = 86_400;
export const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
export const keyPem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();
const certificatePem = (order: CertificateOrder) => pemOf('CERTIFICATE', makeCertificate(order));

/** A test authority with a root and an intermediate certificate, made by our own writer. */
export const makeTestAuthority = (now: number) => {
  const dates = { beginAt: now - 100 * day, endAt: now + 1000 * day };
  const root = { commonName: 'Test Root', key: newKey() };
  const middle = { commonName: 'Test Intermediate', key: newKey() };
  const rootPem = certificatePem({ ...root, ...dates, isAuthority: true });
  const middlePem = certificatePem({ ...middle, ...dates, issuer: root, isAuthority: true });
  return {
    root: rootPem,
    middle: middlePem,
    issue: (names: readonly string[], more: Partial<CertificateOrder> = {}) => {
      const key = more.key ?? newKey();
      const leaf = certificatePem({
        commonName: names[0] ?? 'test',
        names,
        key,
        issuer: middle,
        beginAt: now - day,
        endAt: now + 89 * day,
        ...more,
      });
      return { key: keyPem(key), leaf, chain: leaf + middlePem, full: leaf + middlePem + rootPem };
    },
  };
};

export type TestAuthority = ReturnType<typeof makeTestAuthority>;
