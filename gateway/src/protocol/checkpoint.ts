import { Buffer } from 'node:buffer';
import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type KeyObject, sign, verify } from 'node:crypto';

/** Checkpoints of the log: C2SP tlog-checkpoint, signed as a C2SP signed note with Ed25519. */

const ed25519 = 0x01;

export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
}

export interface SigningKey {
  readonly publicKey: Buffer;
  readonly privateKey: KeyObject;
}

/** First 4 bytes of SHA-256 over name, algorithm and public key. */
const keyId = (name: string, publicKey: Buffer): Buffer =>
  hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), Buffer.from([ed25519]), publicKey]), 'buffer').subarray(0, 4);

/** Verifier key in the notation of signed notes: name, key id, key. */
export const verifierKey = (origin: string, publicKey: Buffer): string =>
  `${origin}+${keyId(origin, publicKey).toString('hex')}+${Buffer.concat([Buffer.from([ed25519]), publicKey]).toString('base64')}`;

const publicObject = (publicKey: Buffer): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url') }, format: 'jwk' });

export const newSigningKey = (): { readonly origin: string; readonly publicKey: Buffer; readonly pem: string } => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const origin = `farlink-audit-${hash('sha256', raw, 'hex').slice(0, 16)}`;
  return { origin, publicKey: raw, pem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString() };
};

export const privateKeyOf = (pem: string): KeyObject => createPrivateKey(pem);

const bodyOf = ({ origin, size, root }: Checkpoint): string => `${origin}\n${size}\n${root.toString('base64')}\n`;

export const signCheckpoint = (checkpoint: Checkpoint, { publicKey, privateKey }: SigningKey): string => {
  const body = bodyOf(checkpoint);
  const signature = Buffer.concat([keyId(checkpoint.origin, publicKey), sign(null, Buffer.from(body), privateKey)]);
  return `${body}\n— ${checkpoint.origin} ${signature.toString('base64')}\n`;
};

const maxLength = 4096;

/** Undefined: not a checkpoint. Says nothing about the signature. */
export const parseCheckpoint = (text: string): Checkpoint | undefined => {
  if (text.length > maxLength) return undefined;
  const [origin = '', digits = '', encoded = ''] = text.slice(0, Math.max(0, text.indexOf('\n\n'))).split('\n');
  const root = Buffer.from(encoded, 'base64');
  const isWhole = /^(0|[1-9]\d{0,14})$/.test(digits);
  if (origin === '' || !isWhole || root.length !== 32 || root.toString('base64') !== encoded) return undefined;
  return { origin, size: Number(digits), root };
};

/** The checkpoint if the key has signed it. */
export const openCheckpoint = (text: string, publicKey: Buffer): Checkpoint | undefined => {
  const checkpoint = parseCheckpoint(text);
  if (!checkpoint || publicKey.length !== 32) return undefined;
  const end = text.indexOf('\n\n') + 1;
  const body = Buffer.from(text.slice(0, end));
  const id = keyId(checkpoint.origin, publicKey);
  const isSigned = text
    .slice(end + 1)
    .split('\n')
    .some((line) => {
      const [dash, name, encoded = ''] = line.split(' ');
      const bytes = Buffer.from(encoded, 'base64');
      if (dash !== '—' || name !== checkpoint.origin || bytes.length !== 68 || !bytes.subarray(0, 4).equals(id)) return false;
      return verify(null, body, publicObject(publicKey), bytes.subarray(4));
    });
  return isSigned ? checkpoint : undefined;
};
