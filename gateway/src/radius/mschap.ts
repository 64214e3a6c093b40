import { Buffer } from 'node:buffer';
import { createCipheriv, createHash, timingSafeEqual } from 'node:crypto';
import { md4 } from './md4.ts';

const sha1 = (...inputs: (Buffer | string)[]) => {
  const hash = createHash('sha1');
  for (const input of inputs) hash.update(input);
  return hash.digest();
};

/** 7 bytes become a DES key of 8; the parity bits are not used. */
const desKey = (bytes: Buffer) => {
  const bits = BigInt(`0x${bytes.toString('hex')}`);
  return Buffer.from(Array.from({ length: 8 }, (_, i) => Number((bits >> BigInt(49 - 7 * i)) & 0x7fn) << 1));
};

/** Triple DES with one key three times is DES, which OpenSSL 3 offers only with its legacy provider. */
const des = (key: Buffer, data: Buffer) => {
  const single = desKey(key);
  const cipher = createCipheriv('des-ede3', Buffer.concat([single, single, single]), null).setAutoPadding(false);
  return Buffer.concat([cipher.update(data), cipher.final()]);
};

const ntHash = (password: string) => md4(Buffer.from(password, 'utf16le'));

/** RFC 2759: the domain before a backslash is not part of the name. */
const plainName = (name: string) => name.slice(name.lastIndexOf('\\') + 1);

const challengeHash = (peer: Buffer, challenge: Buffer, name: string) => sha1(peer, challenge, plainName(name)).subarray(0, 8);

/** The 24-byte NT-Response (RFC 2759 8.1). */
export const ntResponse = (challenge: Buffer, peer: Buffer, name: string, password: string): Buffer => {
  const key = Buffer.concat([ntHash(password), Buffer.alloc(5)]);
  const data = challengeHash(peer, challenge, name);
  return Buffer.concat([0, 7, 14].map((at) => des(key.subarray(at, at + 7), data)));
};

const magic1 = 'Magic server to client signing constant';
const magic2 = 'Pad to make it do more than one iteration';

/** The proof that the server knows the password too (RFC 2759 8.7), without `S=`. */
export const authenticatorResponse = (challenge: Buffer, peer: Buffer, response: Buffer, name: string, password: string): string => {
  const digest = sha1(md4(ntHash(password)), response, magic1);
  return sha1(digest, challengeHash(peer, challenge, name), magic2)
    .toString('hex')
    .toUpperCase();
};

const responseBytes = 50;

/** MS-CHAP2-Response (RFC 2548 2.3.2): identifier, flags, peer challenge (16), reserved (8), response (24). */
export const msChap2Response = (id: number, challenge: Buffer, peer: Buffer, name: string, password: string): Buffer =>
  Buffer.concat([Buffer.from([id, 0]), peer, Buffer.alloc(8), ntResponse(challenge, peer, name, password)]);

/** The value of MS-CHAP2-Success for a correct response, otherwise undefined. */
export const acceptMsChap2 = (received: Buffer, challenge: Buffer, name: string, password: string): Buffer | undefined => {
  if (received.length !== responseBytes || challenge.length !== 16) return undefined;
  const peer = received.subarray(2, 18);
  const response = received.subarray(26, 50);
  if (!timingSafeEqual(response, ntResponse(challenge, peer, name, password))) return undefined;
  return Buffer.concat([received.subarray(0, 1), Buffer.from(`S=${authenticatorResponse(challenge, peer, response, name, password)}`)]);
};
