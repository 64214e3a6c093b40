import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto';

const base64url = (value: string | Buffer) => Buffer.from(value).toString('base64url');

/** Public key of an account, with its members in the order of RFC 7638. */
const jwkOf = (key: KeyObject) => {
  const { crv, kty, x, y } = createPublicKey(key).export({ format: 'jwk' });
  return { crv, kty, x, y };
};

const thumbprintOf = (key: KeyObject) =>
  createHash('sha256')
    .update(JSON.stringify(jwkOf(key)))
    .digest('base64url');

/** RFC 8555, section 8.1: the reply to the challenge of a token. */
export const keyAuthorization = (token: string, key: KeyObject): string => `${token}.${thumbprintOf(key)}`;

export interface JwsInput {
  readonly key: KeyObject;
  /** URL of the account. Without it, the public key itself is sent, as for a new account. */
  readonly account: string | undefined;
  readonly nonce: string;
  readonly url: string;
  /** Undefined reads a resource (POST-as-GET). */
  readonly payload: object | undefined;
}

/** A signed request body (ES256). */
export const signJws = ({ key, account, nonce, url, payload }: JwsInput): string => {
  const head = base64url(JSON.stringify({ alg: 'ES256', nonce, url, ...(account ? { kid: account } : { jwk: jwkOf(key) }) }));
  const body = payload === undefined ? '' : base64url(JSON.stringify(payload));
  const signature = sign('sha256', Buffer.from(`${head}.${body}`), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
  return JSON.stringify({ protected: head, payload: body, signature });
};
