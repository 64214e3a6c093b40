import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Selectable } from 'kysely';
import type { PaymentChannelTable } from '../../db/tables.ts';
import type { Upload } from '../../kit/files/upload.ts';
import { open, seal } from '../../kit/session/secret.ts';

export type ChannelRow = Selectable<PaymentChannelTable>;

interface StoredSecret {
  readonly text: string;
  /** Name of the uploaded file. */
  readonly name?: string;
}

/** Keys, secrets and certificates of a channel, by form field. */
export type Secrets = Readonly<Partial<Record<string, StoredSecret>>>;

const isStoredSecret = (value: unknown): value is StoredSecret =>
  typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string';

export const openSecrets = (key: Buffer, sealed: string | null): Secrets => {
  const parsed: unknown = sealed === null ? {} : JSON.parse(open(key, sealed));
  const entries = typeof parsed === 'object' && parsed !== null ? Object.entries(parsed) : [];
  return Object.fromEntries(entries.flatMap(([field, value]) => (isStoredSecret(value) ? [[field, value]] : [])));
};

export const sealSecrets = (key: Buffer, secrets: Secrets): string => seal(key, JSON.stringify(secrets));

export const certNames = (secrets: Secrets): string[] => Object.values(secrets).flatMap((secret) => secret?.name ?? []);

const pem = '-----BEGIN';

/** A DER certificate is stored as PEM, because JSON cannot contain binary data. */
export const readSecretFile = async ({ path, name, extension }: Upload): Promise<StoredSecret> => {
  const bytes = await readFile(path);
  const isDer = extension === 'crt' && !bytes.includes(pem);
  return { text: isDer ? new X509Certificate(bytes).toString() : bytes.toString('utf8'), name };
};
