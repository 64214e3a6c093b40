import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { vectorCert, vectorSerial, vectors } from '../../../../test/payment/openssl-vector.ts';
import { verifyText } from '../rsa.ts';
import { authorization, verifyMessage } from './sign.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const { timestamp, nonce, body, signature } = vectors.message;

const verified = (changes: { headers?: Record<string, string>; body?: string; key?: typeof publicKey; now?: number } = {}) => {
  const headers: Record<string, string> = {
    'wechatpay-serial': vectorSerial,
    'wechatpay-timestamp': String(timestamp),
    'wechatpay-nonce': nonce,
    'wechatpay-signature': signature,
    ...changes.headers,
  };
  const key = changes.key ?? new X509Certificate(vectorCert).publicKey;
  const keyOf = (serial: string) => (serial === vectorSerial ? key : undefined);
  return verifyMessage((name) => headers[name], changes.body ?? body, keyOf, changes.now ?? timestamp);
};

test('a request is signed over method, path with query, time, nonce and body, each on its line', () => {
  const merchant = { id: '1900000001', serial: 'ABC', key: privateKey };
  const header = authorization(merchant, { method: 'GET', path: '/v3/x?mchid=1', body: '' }, timestamp, 'n0');
  const [, mchid, nonceStr, sign = '', time, serial] =
    /^WECHATPAY2-SHA256-RSA2048 mchid="(.*)",nonce_str="(.*)",signature="(.*)",timestamp="(.*)",serial_no="(.*)"$/.exec(header) ?? [];
  expect([mchid, nonceStr, time, serial]).toEqual(['1900000001', 'n0', String(timestamp), 'ABC']);
  expect(verifyText(publicKey, `GET\n/v3/x?mchid=1\n${timestamp}\nn0\n\n`, sign)).toBe(true);
  expect(authorization(merchant, { method: 'GET', path: '/', body: '' }, timestamp)).not.toBe(
    authorization(merchant, { method: 'GET', path: '/', body: '' }, timestamp),
  );
});

test('a message signed by WeChat Pay is accepted within five minutes, also repeatedly', async () => {
  await verified();
  await verified();
  await verified({ now: timestamp + 300 });
  await verified({ now: timestamp - 300 });
});

test('a message with any part changed or missing is refused', async () => {
  const refused = expect.objectContaining({ reason: 'signature' });
  await expect(verified({ body: '{"id":"e-2"}' })).rejects.toEqual(refused);
  await expect(verified({ key: publicKey })).rejects.toEqual(refused);
  for (const name of ['serial', 'timestamp', 'nonce', 'signature']) {
    await expect(verified({ headers: { [`wechatpay-${name}`]: '1760000001' } })).rejects.toEqual(refused);
    await expect(verified({ headers: { [`wechatpay-${name}`]: '' } })).rejects.toEqual(refused);
  }
  await expect(verified({ headers: { 'wechatpay-signature': `WECHATPAY/SIGNTEST/${signature}` } })).rejects.toEqual(refused);
});

test('an old or future message is stale, and a forged one is a signature error', async () => {
  await expect(verified({ now: timestamp + 301 })).rejects.toMatchObject({ reason: 'stale' });
  await expect(verified({ now: timestamp - 301 })).rejects.toMatchObject({ reason: 'stale' });
  await expect(verified({ now: timestamp + 301, body: 'x' })).rejects.toMatchObject({ reason: 'signature' });
});
