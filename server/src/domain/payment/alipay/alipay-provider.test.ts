import { createPrivateKey } from 'node:crypto';
import { type StandIn, startStandIn } from '@farlink/simulator/payment/stand-in.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { vectorCert } from '../../../../test/payment/openssl-vector.ts';
import { signText } from '../rsa.ts';
import type { AlipayConfig } from './alipay-client.ts';
import { alipayProvider } from './alipay-provider.ts';
import { canonical, type Params } from './sign.ts';

const start = 1_760_000_000;
let now = start;
const clock = { now: () => now };
let standIn: StandIn;
let body: string;

const reading = (config: Partial<AlipayConfig> = {}, changed = body) =>
  alipayProvider({ ...standIn.credentials.alipay, ...config }, { clock }).readCallback({}, Buffer.from(changed));

/** A notification with changed content and a valid signature of Alipay. */
const signedAgain = (changes: Params): string => {
  const { sign: _, sign_type, ...params } = { ...Object.fromEntries(new URLSearchParams(body)), ...changes };
  const sign = signText(createPrivateKey(standIn.keys.their_key), canonical(params, []));
  return new URLSearchParams({ ...params, sign_type: sign_type ?? '', sign }).toString();
};

beforeAll(async () => {
  standIn = await startStandIn({ clock, retryMs: [] });
  const order = { order_no: 'FL-000001', amount: '88.80', subject: '套餐', notify_url: `${standIn.url}/nobody`, expire_at: now + 900 };
  await alipayProvider(standIn.credentials.alipay, { clock }).createOrder(order);
  await standIn.pay(order.order_no);
  body = standIn.callbackOf(order.order_no).body;
});

afterAll(() => standIn.stop());

test('each changed parameter of a callback is refused', async () => {
  const names = [...new URLSearchParams(body).keys()];
  expect(names.length).toBeGreaterThan(12);
  for (const name of names) {
    const params = new URLSearchParams(body);
    params.set(name, `${params.get(name)}0`);
    await expect(reading({}, params.toString()), name).rejects.toMatchObject({ reason: 'signature' });
    params.delete(name);
    await expect(reading({}, params.toString()), name).rejects.toMatchObject({ reason: 'signature' });
  }
});

test('a callback is refused with another Alipay certificate', async () => {
  await expect(reading({ alipay_cert: vectorCert })).rejects.toMatchObject({ reason: 'signature' });
});

test('a reply with an unknown Alipay certificate is refused although its key is right', async () => {
  const config = { ...standIn.credentials.alipay, alipay_cert: standIn.keys.platform_cert };
  await expect(alipayProvider(config, { clock }).query('FL-000001')).rejects.toMatchObject({ reason: 'signature', code: 'alipay_cert_sn' });
});

test('a callback is accepted while Alipay may repeat it, and refused as stale after that', async () => {
  now = start + 25 * 3600;
  await expect(reading()).resolves.toMatchObject({ amount: '88.80' });
  now = start + 27 * 3600;
  await expect(reading()).rejects.toMatchObject({ reason: 'stale' });
  now = start - 3600;
  await expect(reading()).rejects.toMatchObject({ reason: 'stale' });
  now = start;
});

test('a callback for another application or seller is refused', async () => {
  await expect(reading({ app_id: '2021000000000009' })).rejects.toMatchObject({ reason: 'config' });
  await expect(reading({ merchant_id: '2088000000000009' })).rejects.toMatchObject({ reason: 'config' });
});

test('each trade status has its state', async () => {
  for (const [changes, state] of [
    [{ trade_status: 'TRADE_FINISHED' }, 'paid'],
    [{ trade_status: 'WAIT_BUYER_PAY', gmt_payment: '' }, 'waiting'],
    [{ trade_status: 'TRADE_CLOSED', gmt_payment: '' }, 'expired'],
    [{ trade_status: 'TRADE_CLOSED' }, 'withdrawn'],
  ] as const) {
    await expect(reading({}, signedAgain(changes))).resolves.toMatchObject({ state });
  }
  await expect(reading({}, signedAgain({ trade_status: 'NEW' }))).rejects.toMatchObject({ reason: 'provider' });
});

test('amount and currency are exact', async () => {
  await expect(reading({}, signedAgain({ total_amount: '88.8' }))).resolves.toMatchObject({ amount: '88.80', currency: 'CNY' });
  await expect(reading({}, signedAgain({ total_amount: '88' }))).resolves.toMatchObject({ amount: '88.00' });
  await expect(reading({}, signedAgain({ trans_currency: 'USD' }))).resolves.toMatchObject({ currency: 'USD' });
  for (const total_amount of ['88.801', '-1.00', '1e2', '']) {
    await expect(reading({}, signedAgain({ total_amount }))).rejects.toMatchObject({ reason: 'provider' });
  }
});

test('a configuration that cannot work is refused at once, in both languages', () => {
  for (const wrong of [{ private_key: 'x' }, { app_cert: 'x' }, { alipay_cert: 'x' }, { root_cert: 'x' }, { app_cert: vectorCert }]) {
    const refusal = expect.objectContaining({ reason: 'config', text: [expect.stringMatching(/[一-龥]/), expect.stringMatching(/^The /)] });
    expect(() => alipayProvider({ ...standIn.credentials.alipay, ...wrong })).toThrow(refusal);
  }
});

test('the reply to Alipay is one word', () => {
  const provider = alipayProvider(standIn.credentials.alipay);
  expect(provider.replyTo(true)).toMatchObject({ status: 200, body: 'success' });
  expect(provider.replyTo(false).body).not.toBe('success');
});
