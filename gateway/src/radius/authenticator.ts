import { Buffer } from 'node:buffer';
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { attributes, codes } from './attributes.ts';
import { type Attribute, encodePacket, headerBytes, type Packet } from './packet.ts';
import { attribute, isNamed } from './values.ts';

const zeros = Buffer.alloc(16);
const md5 = (...inputs: (Buffer | string)[]) => {
  const hash = createHash('md5');
  for (const input of inputs) hash.update(input);
  return hash.digest();
};

/** Requests whose authenticator is keyed by the secret (RFC 2866, RFC 5176). That of an Access-Request is random. */
const isKeyed = (code: number) => code === codes.accountingRequest || code === codes.disconnectRequest || code === codes.coaRequest;

const withAuthenticator = (bytes: Buffer, authenticator: Buffer) => {
  const copy = Buffer.from(bytes);
  authenticator.copy(copy, 4);
  return copy;
};

const signatureType = attributes['Message-Authenticator'].type;
const isMessageAuthenticator = isNamed('Message-Authenticator');

/** Offsets of the values of all Message-Authenticators in well-formed bytes. */
const signatureOffsets = (bytes: Buffer): number[] => {
  const found: number[] = [];
  for (let at = headerBytes; at < bytes.length; at += bytes[at + 1] ?? bytes.length) if (bytes[at] === signatureType) found.push(at + 2);
  return found;
};

/** HMAC of the bytes with this authenticator and an empty Message-Authenticator (RFC 3579 3.2). */
const messageAuthenticator = (bytes: Buffer, offset: number, authenticator: Buffer, secret: string) => {
  const copy = withAuthenticator(bytes, authenticator);
  zeros.copy(copy, offset);
  return createHmac('md5', secret).update(copy).digest();
};

/** Puts Message-Authenticator first: BlastRADIUS cannot add a prefix before it. */
const encodeSigned = (packet: Packet, secret: string): Buffer => {
  const others = packet.attributes.filter((a) => !isMessageAuthenticator(a));
  const bytes = encodePacket({ ...packet, attributes: [attribute('Message-Authenticator', zeros), ...others] });
  messageAuthenticator(bytes, headerBytes + 2, packet.authenticator, secret).copy(bytes, headerBytes + 2);
  return bytes;
};

interface Request {
  readonly code: number;
  readonly id: number;
  readonly attributes: readonly Attribute[];
  /** Set by the caller if a password is encrypted with it. */
  readonly authenticator?: Buffer;
  /** Old NAS do not sign. */
  readonly isSigned?: boolean;
}

export const newAuthenticator = () => randomBytes(16);

/** Bytes of a request. */
export const encodeRequest = (request: Request, secret: string): Buffer => {
  const { code, id, isSigned = code !== codes.accountingRequest } = request;
  const authenticator = isKeyed(code) ? zeros : (request.authenticator ?? newAuthenticator());
  const packet = { code, id, attributes: request.attributes, authenticator };
  const bytes = isSigned ? encodeSigned(packet, secret) : encodePacket(packet);
  return isKeyed(code) ? withAuthenticator(bytes, md5(bytes, secret)) : bytes;
};

/** Bytes of a reply. Replies to Access-Request and Status-Server are always signed. */
export const encodeReply = (
  reply: { readonly code: number; readonly attributes: readonly Attribute[]; readonly isSigned?: boolean },
  request: Packet,
  secret: string,
): Buffer => {
  const { code, isSigned = !isKeyed(request.code) } = reply;
  const packet = { code, id: request.id, attributes: reply.attributes, authenticator: request.authenticator };
  const bytes = isSigned ? encodeSigned(packet, secret) : encodePacket(packet);
  return withAuthenticator(bytes, md5(bytes, secret));
};

export type Signature = 'valid' | 'wrong' | 'missing';

/** Result of the Message-Authenticator. Two of them are a forgery. */
const signatureOf = (bytes: Buffer, authenticator: Buffer, secret: string): Signature => {
  const [offset, ...more] = signatureOffsets(bytes);
  if (offset === undefined) return 'missing';
  if (more.length > 0 || bytes[offset - 1] !== 18) return 'wrong';
  const received = bytes.subarray(offset, offset + 16);
  return timingSafeEqual(received, messageAuthenticator(bytes, offset, authenticator, secret)) ? 'valid' : 'wrong';
};

/** Bytes of a decoded packet without padding. */
const unpadded = (bytes: Buffer) => bytes.subarray(0, bytes.readUInt16BE(2));

/** Result of the proofs of a decoded request. An Access-Request has only the Message-Authenticator. */
export const requestSignature = (packet: Packet, bytes: Buffer, secret: string): Signature => {
  const plain = unpadded(bytes);
  if (!isKeyed(packet.code)) return signatureOf(plain, packet.authenticator, secret);
  if (!timingSafeEqual(packet.authenticator, md5(withAuthenticator(plain, zeros), secret))) return 'wrong';
  return signatureOf(plain, zeros, secret) === 'wrong' ? 'wrong' : 'valid';
};

/** Result of a decoded reply at the client: the Response Authenticator, and the Message-Authenticator if there is one. */
export const replySignature = (reply: Packet, bytes: Buffer, request: Packet, secret: string): Signature => {
  const plain = unpadded(bytes);
  if (reply.id !== request.id) return 'wrong';
  if (!timingSafeEqual(reply.authenticator, md5(withAuthenticator(plain, request.authenticator), secret))) return 'wrong';
  return signatureOf(plain, request.authenticator, secret);
};
