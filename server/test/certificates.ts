import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const openssl = (...args: string[]) => {
  const { status, stderr } = spawnSync('openssl', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`openssl could not make a certificate: ${stderr}`);
};
const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

/** A separate test CA that issues certificates; all files are in the folder. */
export const makeAuthority = (folder: string, name: string) => {
  const caKey = join(folder, `${name}.key`);
  const ca = join(folder, `${name}.pem`);
  openssl('req', '-x509', ...curve, '-subj', `/CN=${name}`, '-keyout', caKey, '-out', ca);
  return {
    ca,
    caText: readFileSync(ca, 'utf8'),
    issue: (cn: string) => {
      const at = (end: string) => join(folder, `${name}-${cn}.${end}`);
      openssl('req', '-new', ...curve, '-subj', `/CN=${cn}`, '-keyout', at('key'), '-out', at('csr'));
      writeFileSync(at('ext'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
      openssl('x509', '-req', '-in', at('csr'), '-CA', ca, '-CAkey', caKey, '-CAcreateserial', '-extfile', at('ext'), '-out', at('pem'));
      return { keyFile: at('key'), certFile: at('pem'), key: readFileSync(at('key')), cert: readFileSync(at('pem')) };
    },
  };
};
