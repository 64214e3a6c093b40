import { spawnSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const openssl = (...args: readonly string[]) => {
  const { status, stderr } = spawnSync('openssl', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`openssl could not make a certificate: ${stderr}`);
};
const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

/** Runs `make` in a temporary folder; `at` names a file in it. */
const inFolder = <T>(make: (at: (name: string) => string) => T): T => {
  const folder = mkdtempSync(join(tmpdir(), 'farlink-e2e-cert-'));
  try {
    return make((name) => join(folder, name));
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const mimeType = 'application/octet-stream';
const filesOf = (cert: Buffer, key: Buffer) => ({
  cert: { name: 'site.crt', mimeType, buffer: cert },
  key: { name: 'site.key', mimeType, buffer: key },
});

/** A self-signed certificate and its key, as files of a browser. */
export const newCertificate = (domain: string) =>
  inFolder((at) => {
    const names = ['-subj', `/CN=${domain}`, '-addext', `subjectAltName=DNS:${domain}`];
    openssl('req', '-x509', ...curve, '-days', '90', ...names, '-keyout', at('key'), '-out', at('crt'));
    return filesOf(readFileSync(at('crt')), readFileSync(at('key')));
  });

/** A certificate of a new test CA, the CA, and the hash of its public key. */
export const newIssuedCertificate = (domain: string, authority: string) =>
  inFolder((at) => {
    openssl('req', '-x509', ...curve, '-days', '90', '-subj', `/CN=${authority}`, '-keyout', at('ca.key'), '-out', at('ca'));
    openssl('req', '-new', ...curve, '-subj', `/CN=${domain}`, '-keyout', at('key'), '-out', at('csr'));
    writeFileSync(at('ext'), `subjectAltName=DNS:${domain}\n`);
    const by = ['-CA', at('ca'), '-CAkey', at('ca.key'), '-CAcreateserial', '-days', '60', '-extfile', at('ext')];
    openssl('x509', '-req', '-in', at('csr'), ...by, '-out', at('crt'));
    const leaf = readFileSync(at('crt'));
    const ca = readFileSync(at('ca'));
    const spki = new X509Certificate(leaf).publicKey.export({ type: 'spki', format: 'der' });
    const keyHash = createHash('sha256').update(spki).digest('base64');
    return { ...filesOf(Buffer.concat([leaf, ca]), readFileSync(at('key'))), ca, keyHash };
  });
