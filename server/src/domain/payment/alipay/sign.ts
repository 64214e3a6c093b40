import type { KeyObject } from 'node:crypto';
import { type Json, needText, readObject, textOf } from '../json.ts';
import { badSignature, refused } from '../payment-error.ts';
import { signText, verifyText } from '../rsa.ts';

export type Params = Readonly<Record<string, string>>;

/** Text to sign: the parameters with a value, sorted by name. */
export const canonical = (params: Params, except: readonly string[]): string =>
  Object.entries(params)
    .filter(([name, value]) => value !== '' && !except.includes(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');

export const signed = (params: Params, key: KeyObject): Params => ({ ...params, sign: signText(key, canonical(params, ['sign'])) });

/** Certificate that verifies messages of Alipay. */
export interface AlipayCertificate {
  readonly sn: string;
  readonly key: KeyObject;
}

/** One member of the body exactly as sent: the signature covers the text, not the parsed value. */
const rawMember = (body: string, name: string): string | undefined => {
  const at = body.indexOf(`"${name}"`);
  const start = at < 0 ? -1 : body.indexOf('{', at);
  if (start < 0) return undefined;
  let depth = 0;
  for (const { 0: token, index } of body.slice(start).matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === '{') depth += 1;
    if (token === '}') depth -= 1;
    if (depth === 0) return body.slice(start, start + index + 1);
  }
  return undefined;
};

/** Verified content of a reply. Some refusals of the Alipay gateway are unsigned; they are accepted only as refusals. */
export const readReply = (body: string, method: string, cert: AlipayCertificate): Json => {
  const envelope = readObject(body);
  const raw = rawMember(body, `${method.replaceAll('.', '_')}_response`) ?? rawMember(body, 'error_response');
  if (raw === undefined) throw badSignature('response');
  const content = readObject(raw);
  const signature = textOf(envelope, 'sign');
  if (signature === undefined) {
    if (content.code === '10000') throw badSignature('unsigned');
    throw refused(textOf(content, 'sub_code') ?? needText(content, 'code'), textOf(content, 'sub_msg') ?? '');
  }
  if (textOf(envelope, 'alipay_cert_sn') !== cert.sn) throw badSignature('alipay_cert_sn');
  if (!verifyText(cert.key, raw, signature)) throw badSignature('sign');
  return content;
};

/** Verified parameters of a callback. It usually names no certificate; if it does, it must be the stored one. */
export const readNotification = (rawBody: Buffer, cert: AlipayCertificate): Params => {
  const pairs = [...new URLSearchParams(rawBody.toString('utf8'))];
  const params: Params = Object.fromEntries(pairs);
  if (Object.keys(params).length !== pairs.length) throw badSignature('repeated parameter');
  if (params.sign_type !== 'RSA2') throw badSignature('sign_type');
  if ((params.alipay_cert_sn ?? cert.sn) !== cert.sn) throw badSignature('alipay_cert_sn');
  if (!verifyText(cert.key, canonical(params, ['sign', 'sign_type']), params.sign ?? '')) throw badSignature('sign');
  return params;
};
