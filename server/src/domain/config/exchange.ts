import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { keptSecret } from '@farlink/contract/config/config.ts';
import { type ConfigFile, exchangeFormat, exchangeVersion } from '@farlink/contract/config/exchange.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { isRecord, singleText, type Values } from '@farlink/contract/kit/values.ts';
import { mapSecrets } from '@farlink/gateway/kit/document.ts';
import { type GatewayPage, isSection } from '@farlink/gateway/kit/page.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import type { Json, JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { fail, failAt } from '../../kit/fail.ts';

/** Export and import of a configuration file. In the file a sealed secret is `keptSecret`; an empty one is omitted. */

type Secrets = Record<string, Record<string, Json>>;
type Sealed = NonNullable<ConfigFile['secrets']>;

const cost = { n: 2 ** 15, r: 8, p: 1 };
/** Maximum scrypt cost accepted from a file, because the file is untrusted: 64 MB and about 250 ms. Our own files need less than half. */
const maxCost = { n: 2 ** 16, r: 8, p: 1 };

const keyFrom = (password: string, salt: Buffer, { n, r, p }: typeof cost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, 32, { N: n, r, p, maxmem: 256 * n * r }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });

const sealWith = async (password: string, secrets: Secrets): Promise<Sealed> => {
  const salt = randomBytes(16);
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', await keyFrom(password, salt, cost), nonce);
  const data = Buffer.concat([cipher.update(JSON.stringify(secrets), 'utf8'), cipher.final()]);
  const text = (bytes: Buffer) => bytes.toString('base64url');
  return {
    kdf: 'scrypt',
    ...cost,
    salt: text(salt),
    cipher: 'aes-256-gcm',
    nonce: text(nonce),
    tag: text(cipher.getAuthTag()),
    data: text(data),
  };
};

const isWithin = (value: unknown, max: number) => Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= max;

const openWith = async (password: string, sealed: Values): Promise<Values> => {
  const { n, r, p } = sealed;
  const isKnown = sealed.kdf === 'scrypt' && sealed.cipher === 'aes-256-gcm';
  if (!isKnown || !isWithin(n, maxCost.n) || !isWithin(r, maxCost.r) || !isWithin(p, maxCost.p)) throw fail('config_file_password');
  const bytes = (name: string) => Buffer.from(singleText(sealed[name]) ?? '', 'base64url');
  try {
    const key = await keyFrom(password, bytes('salt'), { n: Number(n), r: Number(r), p: Number(p) });
    const decipher = createDecipheriv('aes-256-gcm', key, bytes('nonce'), { authTagLength: 16 });
    decipher.setAuthTag(bytes('tag'));
    const opened: unknown = JSON.parse(decipher.update(bytes('data'), undefined, 'utf8') + decipher.final('utf8'));
    return isRecord(opened) ? opened : {};
  } catch {
    throw fail('config_file_password');
  }
};

/** With a password, secrets are included and encrypted with it; without one, they are omitted. */
export const writeFile = async (
  about: Pick<ConfigFile, 'device' | 'at'>,
  docs: ReadonlyMap<string, JsonObject>,
  password: string | null | undefined,
): Promise<ConfigFile> => {
  const secrets: Secrets = {};
  const sections: Record<string, JsonObject> = {};
  for (const [section, doc] of docs) {
    const page = gatewayPages.get(section);
    if (!page) continue;
    const found: Record<string, Json> = {};
    sections[section] = mapSecrets(page, doc, (value, path) => {
      found[path] = value;
      return password ? keptSecret : undefined;
    });
    if (Object.keys(found).length > 0) secrets[section] = found;
  }
  const file = { format: exchangeFormat, version: exchangeVersion, ...about, sections } as const;
  return password ? { ...file, secrets: await sealWith(password, secrets) } : file;
};

export interface ReadFile {
  /** Documents with open secrets. The caller validates them before an apply. */
  readonly docs: ReadonlyMap<string, { readonly page: GatewayPage; readonly doc: JsonObject }>;
  /** The file has no secrets, so the device keeps its own. */
  readonly bare: boolean;
}

const texts = {
  format: ['不是配置文件', 'Not a configuration file'],
  newer: ['文件版本较新，请升级平台后导入', 'The file version is newer. Upgrade the platform, then import.'],
  page: ['文件中有未知的配置页', 'The file contains an unknown page'],
  empty: ['文件中没有所选的配置页', 'The file contains none of the selected pages'],
} as const satisfies Record<string, Text>;

const asDocument = (value: object): JsonObject => JSON.parse(JSON.stringify(value));

/** `pages`: pages to read; empty means all. */
export const readFile = async (content: Values, password: string | null | undefined, pages: readonly string[]): Promise<ReadFile> => {
  if (content.format !== exchangeFormat || !isRecord(content.sections)) throw failAt('content', texts.format);
  if (content.version !== exchangeVersion) throw failAt('content', texts.newer);
  const bare = !password || !isRecord(content.secrets);
  const secrets = password && isRecord(content.secrets) ? await openWith(password, content.secrets) : {};
  const selected = Object.entries(content.sections).filter(([section]) => pages.length === 0 || pages.includes(section));
  if (selected.length === 0) throw failAt('content', texts.empty);
  const docs = selected.map(([section, raw]) => {
    const page = gatewayPages.get(section);
    if (!page || !isSection(page) || !isRecord(raw)) throw failAt('content', texts.page);
    const sectionSecrets = isRecord(secrets[section]) ? asDocument(secrets[section]) : {};
    return [
      section,
      { page, doc: mapSecrets(page, asDocument(raw), (value, path) => (value === keptSecret ? sectionSecrets[path] : value)) },
    ] as const;
  });
  return { docs: new Map(docs), bare };
};
