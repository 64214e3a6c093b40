import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A self-signed certificate and its key, as files of a browser. */
export const newCertificate = (domain: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'farlink-e2e-cert-'));
  const at = (name: string) => join(folder, name);
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '90'];
  const names = ['-subj', `/CN=${domain}`, '-addext', `subjectAltName=DNS:${domain}`];
  const { status, stderr } = spawnSync('openssl', ['req', '-x509', ...curve, ...names, '-keyout', at('key'), '-out', at('crt')], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`openssl could not make a certificate: ${stderr}`);
  const [cert, key] = [readFileSync(at('crt')), readFileSync(at('key'))];
  rmSync(folder, { recursive: true });
  const mimeType = 'application/octet-stream';
  return { cert: { name: 'site.crt', mimeType, buffer: cert }, key: { name: 'site.key', mimeType, buffer: key } };
};
