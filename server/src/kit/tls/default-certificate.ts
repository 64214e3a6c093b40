import { createPrivateKey, generateKeyPairSync, randomUUID, X509Certificate } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCertificate, pemOf } from './certificate.ts';
import type { CertificatePair } from './context-cache.ts';

const day = 86_400;
const lifeDays = 3650;
const renewDays = 60;

const stored = (file: string, now: number): CertificatePair | undefined => {
  try {
    const text = readFileSync(file, 'utf8');
    const certificate = new X509Certificate(text);
    const isUsable = certificate.checkPrivateKey(createPrivateKey(text)) && Date.parse(certificate.validTo) / 1000 > now + renewDays * day;
    return isUsable ? { cert: text, key: text } : undefined;
  } catch {
    return undefined;
  }
};

/** The self-signed certificate for unknown names. It names only localhost, and is kept in the data folder. */
export const openDefaultCertificate = (dataDir: string, now: number): CertificatePair => {
  const file = join(dataDir, 'https-default.pem');
  const found = stored(file, now);
  if (found) return found;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const dates = { beginAt: now - day, endAt: now + lifeDays * day };
  const certificate = makeCertificate({ commonName: 'localhost', names: ['localhost', '127.0.0.1'], key: privateKey, ...dates });
  const text = `${privateKey.export({ type: 'pkcs8', format: 'pem' })}${pemOf('CERTIFICATE', certificate)}`;
  const temporary = `${file}.${randomUUID()}`;
  try {
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' });
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
  return { cert: text, key: text };
};
