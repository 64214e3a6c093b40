import { Buffer } from 'node:buffer';
import { createHash, timingSafeEqual } from 'node:crypto';

const md5 = (...inputs: (Buffer | string)[]) => {
  const hash = createHash('md5');
  for (const input of inputs) hash.update(input);
  return hash.digest();
};

const block = 16;

/** User-Password of RFC 2865 5.2: blocks of 16 bytes, each masked by a hash of the block before it. */
export const hidePassword = (password: string, authenticator: Buffer, secret: string): Buffer => {
  const plain = Buffer.from(password, 'utf8');
  if (plain.length > 128) throw new RangeError('password is longer than 128 bytes');
  const hidden = Buffer.alloc(Math.max(block, Math.ceil(plain.length / block) * block));
  plain.copy(hidden);
  let mask = md5(secret, authenticator);
  for (let at = 0; at < hidden.length; at += block) {
    for (let i = 0; i < block; i++) hidden[at + i] = (hidden[at + i] ?? 0) ^ (mask[i] ?? 0);
    mask = md5(secret, hidden.subarray(at, at + block));
  }
  return hidden;
};

/** The password, or undefined for a value of a wrong length. With a wrong secret the result is random. */
export const revealPassword = (hidden: Buffer, authenticator: Buffer, secret: string): Buffer | undefined => {
  if (hidden.length === 0 || hidden.length > 128 || hidden.length % block !== 0) return undefined;
  const plain = Buffer.alloc(hidden.length);
  let mask = md5(secret, authenticator);
  for (let at = 0; at < hidden.length; at += block) {
    for (let i = 0; i < block; i++) plain[at + i] = (hidden[at + i] ?? 0) ^ (mask[i] ?? 0);
    mask = md5(secret, hidden.subarray(at, at + block));
  }
  const end = plain.findLastIndex((byte) => byte !== 0);
  return plain.subarray(0, end + 1);
};

/** Compares hashes, so that the time does not depend on length or content. */
export const isSamePassword = (received: Buffer, password: string): boolean => {
  const digest = (value: Buffer | string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(received), digest(password));
};

/** CHAP (RFC 2865 5.3): one byte of identifier, then MD5 of identifier, password and challenge. */
export const isChapResponse = (response: Buffer, challenge: Buffer, password: string): boolean =>
  response.length === 17 && timingSafeEqual(response.subarray(1), md5(response.subarray(0, 1), password, challenge));

export const chapResponse = (id: number, challenge: Buffer, password: string): Buffer => {
  const head = Buffer.from([id]);
  return Buffer.concat([head, md5(head, password, challenge)]);
};
