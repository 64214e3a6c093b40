import { type KeyObject, randomBytes } from 'node:crypto';
import { badSignature, stale } from '../payment-error.ts';
import { signText, verifyText } from '../rsa.ts';

export interface Merchant {
  readonly id: string;
  /** Serial number of the merchant's API certificate. */
  readonly serial: string;
  readonly key: KeyObject;
}

interface Request {
  readonly method: string;
  /** Path with query, as sent. */
  readonly path: string;
  readonly body: string;
}

const lines = (...values: (string | number)[]): string => `${values.join('\n')}\n`;

export const authorization = (
  { id, serial, key }: Merchant,
  { method, path, body }: Request,
  now: number,
  nonce = randomBytes(16).toString('hex'),
): string => {
  const signature = signText(key, lines(method, path, now, nonce, body));
  const fields = { mchid: id, nonce_str: nonce, signature, timestamp: now, serial_no: serial };
  const text = Object.entries(fields).map(([name, value]) => `${name}="${value}"`);
  return `WECHATPAY2-SHA256-RSA2048 ${text.join(',')}`;
};

const maxAgeS = 300;

/** Key for a certificate serial number or public key id; undefined if it is not of WeChat Pay. */
export type KeyOf = (serial: string) => Promise<KeyObject | undefined> | KeyObject | undefined;

/** Replies and callbacks are signed in the same way. The signature is checked first: the timestamp is trusted only after it. */
export const verifyMessage = async (
  header: (name: string) => string | undefined,
  body: string,
  keyOf: KeyOf,
  now: number,
): Promise<void> => {
  const need = (name: string) => {
    const value = header(name);
    if (!value) throw badSignature(name);
    return value;
  };
  const timestamp = need('wechatpay-timestamp');
  const nonce = need('wechatpay-nonce');
  const signature = need('wechatpay-signature');
  const key = await keyOf(need('wechatpay-serial'));
  if (!key) throw badSignature('wechatpay-serial');
  if (!verifyText(key, lines(timestamp, nonce, body), signature)) throw badSignature('wechatpay-signature');
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp)) > maxAgeS) throw stale();
};
