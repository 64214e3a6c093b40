import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { makeCertificate } from '@farlink/simulator/payment/certificate.ts';
import { type StandIn, startStandIn } from '@farlink/simulator/payment/stand-in.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { vectorCert } from '../../../../test/payment/openssl-vector.ts';
import type { WechatConfig } from './wechat-client.ts';
import { wechatProvider } from './wechat-provider.ts';

const start = 1_760_000_000;
let now = start;
const clock = { now: () => now };
let standIn: StandIn;
let notice: { headers: Record<string, string>; body: string };

const providerOf = (config: Partial<WechatConfig> = {}) => wechatProvider({ ...standIn.credentials.wechat, ...config }, { clock });
const reading = (config: Partial<WechatConfig> = {}, changed: Partial<typeof notice> = {}) => {
  const { headers, body } = { ...notice, ...changed };
  return providerOf(config).readCallback(headers, Buffer.from(body));
};
const order = { order_no: 'FL-000001', amount: '0.29', subject: '套'.repeat(60), notify_url: 'http://127.0.0.1/', expire_at: start + 900 };

beforeAll(async () => {
  standIn = await startStandIn({ clock, retryMs: [] });
  await providerOf().createOrder({ ...order, notify_url: `${standIn.url}/nobody` });
  await standIn.pay(order.order_no);
  notice = standIn.callbackOf(order.order_no);
});

afterAll(() => standIn.stop());

test('a callback contains the payment', async () => {
  await expect(reading()).resolves.toMatchObject({ order_no: 'FL-000001', state: 'paid', amount: '0.29', currency: 'CNY', paid_at: start });
});

test('each changed part of a callback is refused', async () => {
  for (const name of ['serial', 'timestamp', 'nonce', 'signature']) {
    const value = notice.headers[`wechatpay-${name}`] ?? '';
    for (const changed of ['', `${value.slice(0, -4)}1234`]) {
      await expect(reading({}, { headers: { ...notice.headers, [`wechatpay-${name}`]: changed } }), name).rejects.toMatchObject({
        reason: 'signature',
      });
    }
  }
  for (const [from, to] of [
    ['TRANSACTION.SUCCESS', 'TRANSACTION.FAIL'],
    ['"id":"', '"id":"0'],
    ['ciphertext":"', 'ciphertext":"A'],
    ['}', ' }'],
  ] as const) {
    await expect(reading({}, { body: notice.body.replace(from, to) }), from).rejects.toMatchObject({ reason: 'signature' });
  }
});

test('an old callback is refused', async () => {
  now = start + 301;
  await expect(reading()).rejects.toMatchObject({ reason: 'stale' });
  now = start;
});

test('a callback for another merchant, app or APIv3 key is refused', async () => {
  const pinned = {
    public_key: createPublicKey(standIn.keys.their_key).export({ type: 'spki', format: 'pem' }).toString(),
    public_key_id: notice.headers['wechatpay-serial'] ?? '',
  };
  await expect(reading({ ...pinned, merchant_id: '1900000009' })).rejects.toMatchObject({ reason: 'config' });
  await expect(reading({ ...pinned, app_id: 'wx9' })).rejects.toMatchObject({ reason: 'config' });
  await expect(reading({ ...pinned, api_key: 'x'.repeat(32) })).rejects.toMatchObject({ reason: 'config' });
  await expect(reading({ api_key: 'x'.repeat(32) })).rejects.toMatchObject({ reason: 'config' });
});

test('with the public key of WeChat Pay, callbacks need neither its certificates nor ours', async () => {
  const public_key = createPublicKey(standIn.keys.their_key).export({ type: 'spki', format: 'pem' }).toString();
  const config = { public_key, public_key_id: notice.headers['wechatpay-serial'] ?? '', private_key: '', cert: '' };
  await expect(reading({ ...config, gateway: 'http://127.0.0.1:9' })).resolves.toMatchObject({ amount: '0.29' });
  const other = createPublicKey(vectorCert).export({ type: 'spki', format: 'pem' }).toString();
  await expect(reading({ ...config, public_key: other })).rejects.toMatchObject({ reason: 'signature' });
});

test('without key and certificate of the merchant an order is refused with the reason, in both languages', async () => {
  for (const missing of [{ private_key: '' }, { cert: '' }]) {
    await expect(providerOf(missing).createOrder(order)).rejects.toMatchObject({
      reason: 'config',
      text: ['请先上传商户API私钥和证书', 'Upload the merchant API private key and certificate first'],
    });
  }
  await expect(reading({ private_key: '' })).rejects.toMatchObject({ reason: 'config' });
});

test('a configuration that cannot work is refused at once', () => {
  for (const wrong of [
    { api_key: 'short' },
    { private_key: 'x' },
    { cert: 'x' },
    { cert: vectorCert },
    { public_key: 'x', public_key_id: 'y' },
  ]) {
    expect(() => providerOf(wrong)).toThrow(expect.objectContaining({ reason: 'config' }));
  }
});

test('the certificates are fetched once, again for an unknown serial number, and not for every forged one', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch');
  const provider = providerOf();
  const forged = { ...notice.headers, 'wechatpay-serial': 'ABC' };
  const read = (headers: Record<string, string>) => provider.readCallback(headers, Buffer.from(notice.body));
  await Promise.all([read(notice.headers), read(notice.headers)]);
  expect(fetched).toHaveBeenCalledTimes(1);
  await expect(read(forged)).rejects.toMatchObject({ reason: 'signature', code: 'wechatpay-serial' });
  expect(fetched).toHaveBeenCalledTimes(1);
  now = start + 61;
  for (const _ of [1, 2]) await expect(read(forged)).rejects.toMatchObject({ reason: 'signature' });
  expect(fetched).toHaveBeenCalledTimes(2);
  fetched.mockRestore();
  now = start;
});

test('an expired platform certificate is refused', async () => {
  const { their_key, platform_cert } = standIn.keys;
  const { issuer, serialNumber } = new X509Certificate(platform_cert);
  const names = { issuer: issuer.replaceAll('\n', ', '), subject: 'C=CN, CN=Old' };
  const keys = { publicKey: createPublicKey(their_key), signer: createPrivateKey(their_key), serial: BigInt(`0x${serialNumber}`) };
  const expired = makeCertificate({ ...names, ...keys, from: start - 10, until: start - 1 });
  const old = await startStandIn({ clock, keys: { ...standIn.keys, platform_cert: expired } });
  await expect(reading({ gateway: old.url })).rejects.toMatchObject({ reason: 'signature', code: 'wechatpay-serial' });
  await old.stop();
});

test('a list of certificates with a wrong signature is refused', async () => {
  const real = globalThis.fetch;
  const forging = vi.spyOn(globalThis, 'fetch').mockImplementation(async (...args) => {
    const response = await real(...args);
    const headers = new Headers(response.headers);
    headers.set('wechatpay-nonce', 'another');
    return new Response(await response.text(), { status: response.status, headers });
  });
  await expect(reading()).rejects.toMatchObject({ reason: 'signature' });
  forging.mockRestore();
});

test('the reply to WeChat Pay is a status', () => {
  expect(providerOf().replyTo(true).status).toBe(200);
  expect(providerOf().replyTo(false)).toMatchObject({ status: 500, body: '{"code":"FAIL","message":"FAIL"}' });
});
