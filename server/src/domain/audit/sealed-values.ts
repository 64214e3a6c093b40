import { createCipheriv, createDecipheriv, hash, type KeyObject, randomFillSync } from 'node:crypto';

/** Content of the sealed blob of a row: values by name, and the salts of the commitments in hex. */
export interface SealedContent {
  readonly salt?: string;
  readonly addedSalt?: string;
  readonly values: Readonly<Record<string, string>>;
}

const nonceBytes = 12;
const tagBytes = 16;

/** Random bytes for many nonces are read at once, because each call costs 4 us. Each byte is used once. */
const nonces = Buffer.alloc(nonceBytes * 512);
let usedNonces = nonces.length;
const newNonce = (): Buffer => {
  if (usedNonces === nonces.length) {
    randomFillSync(nonces);
    usedNonces = 0;
  }
  usedNonces += nonceBytes;
  return nonces.subarray(usedNonces - nonceBytes, usedNonces);
};

/** One blob per row, because each call of the cipher costs about 10 us. */
export const sealValues = (key: KeyObject, content: SealedContent): Buffer => {
  const nonce = newNonce();
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const text = Buffer.concat([cipher.update(JSON.stringify(content), 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]);
};

const isContent = (raw: unknown): raw is SealedContent => typeof raw === 'object' && raw !== null && 'values' in raw;

/** Throws for a wrong key and for a modified blob. */
export const openValues = (key: KeyObject, sealed: Buffer): SealedContent => {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
  const content: unknown = JSON.parse(decipher.update(sealed.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8'));
  if (!isContent(content)) throw new Error('sealed audit values have an unknown layout');
  return content;
};

const block = 64;
const padded = (key: Buffer, byte: number): Buffer => {
  const out = Buffer.alloc(block, byte);
  for (const [i, b] of key.entries()) out[i] = b ^ byte;
  return out;
};

interface Pads {
  readonly inner: Buffer;
  readonly outer: Buffer;
}
const knownPads = new WeakMap<Buffer, Pads>();
const padsOf = (key: Buffer): Pads => {
  const known = knownPads.get(key) ?? { inner: padded(key, 0x36), outer: padded(key, 0x5c) };
  knownPads.set(key, known);
  return known;
};

/** HMAC-SHA-256 by two one-shot hashes, which is six times faster than createHmac. Keys are at most 64 bytes and never change. */
export const hmac = (key: Buffer, data: Buffer): Buffer => {
  const { inner, outer } = padsOf(key);
  const first = Buffer.from(hash('sha256', Buffer.concat([inner, data]), 'hex'), 'hex');
  return Buffer.from(hash('sha256', Buffer.concat([outer, first]), 'hex'), 'hex');
};

/** Derives keys from the secret key of the installation. */
const derivedKeys = (name: string) => {
  const keys = new WeakMap<Buffer, Buffer>();
  return (secretKey: Buffer): Buffer => {
    const known = keys.get(secretKey) ?? hmac(secretKey, Buffer.from(name));
    keys.set(secretKey, known);
    return known;
  };
};

/** Key of the blind indexes. */
export const indexKeyOf = derivedKeys('audit index');
const saltKeyOf = derivedKeys('audit salt');

/** Salt of the commitment to the masked value of a row. It is not stored, so no copy of the tables reveals it. */
export const maskedSalt = (secretKey: Buffer, { batch, n }: { readonly batch: string; readonly n: number }): Buffer =>
  hmac(saltKeyOf(secretKey), Buffer.from(`${batch} ${n}`)).subarray(0, 16);

/** Values with blank ends or other case are the same; spaces in phones are ignored. */
const normal = (field: string, value: string): string => {
  const text = value.normalize('NFKC').trim().toLowerCase();
  return field === 'phone' ? text.replace(/[\s-]/g, '') : text;
};

/** Blind index for exact search: the first 6 bytes, because larger numbers are not exact in JavaScript. */
export const blindIndex = (indexKey: Buffer, field: string, value: string): number =>
  hmac(indexKey, Buffer.from(`${field}\0${normal(field, value)}`)).readUIntBE(0, 6);

/** Addresses of a list of recipients. */
export const addressesOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
