import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { vectorCert, vectorSn, vectors } from '../../../../test/payment/openssl-vector.ts';
import { verifyText } from '../rsa.ts';
import { canonical, readNotification, readReply, signed } from './sign.ts';

const cert = { sn: vectorSn, key: new X509Certificate(vectorCert).publicKey };
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const method = 'alipay.trade.precreate';
const refusal = (reason: string, code: string) => expect.objectContaining({ reason, code });

const response = (options: { text?: string; sn?: string; signature?: string } = {}) => {
  const { text, sn, signature } = { ...vectors.answer, sn: vectorSn, ...options };
  return `{"alipay_trade_precreate_response":${text},"alipay_cert_sn":"${sn}","sign":"${signature}"}`;
};

const notice = (changes: Record<string, string> = {}) => {
  const params = Object.fromEntries(new URLSearchParams(vectors.notice.text.replace(' & ', ' %26 ')));
  return Buffer.from(new URLSearchParams({ ...params, sign_type: 'RSA2', sign: vectors.notice.signature, ...changes }).toString());
};

test('a request signature covers all non-empty values sorted by name, including the signature type', () => {
  const params = { method, biz_content: '{"a":"b c&d=e"}', app_id: '1', notify_url: '', sign_type: 'RSA2', Zone: 'z' };
  const { sign = '', ...rest } = signed(params, privateKey);
  expect(rest).toEqual(params);
  expect(verifyText(publicKey, 'Zone=z&app_id=1&biz_content={"a":"b c&d=e"}&method=alipay.trade.precreate&sign_type=RSA2', sign)).toBe(
    true,
  );
});

test('a reply is verified over its exact text as received', () => {
  expect(readReply(response(), method, cert)).toEqual({
    code: '10000',
    msg: 'Success',
    out_trade_no: 'FL20260101',
    qr_code: 'https://qr.alipay.com/bax"}{',
  });
  expect(() => readReply(response({ text: vectors.answer.text.replace('FL20260101', 'FL20260102') }), method, cert)).toThrow(
    refusal('signature', 'sign'),
  );
  expect(() => readReply(response({ text: vectors.answer.text.replaceAll('\\/', '/') }), method, cert)).toThrow(
    refusal('signature', 'sign'),
  );
  expect(() => readReply(response({ signature: vectors.notice.signature }), method, cert)).toThrow(refusal('signature', 'sign'));
});

test('a reply with another certificate, key or method name is refused', () => {
  expect(() => readReply(response({ sn: 'f'.repeat(32) }), method, cert)).toThrow(refusal('signature', 'alipay_cert_sn'));
  expect(() => readReply(response().replace(/"alipay_cert_sn":"[^"]*",/, ''), method, cert)).toThrow(
    refusal('signature', 'alipay_cert_sn'),
  );
  expect(() => readReply(response(), method, { ...cert, key: publicKey })).toThrow(refusal('signature', 'sign'));
  expect(() => readReply(response(), 'alipay.trade.query', cert)).toThrow(refusal('signature', 'response'));
  expect(() => readReply('<html>busy</html>', method, cert)).toThrow(refusal('provider', 'json'));
});

test('an unsigned reply is accepted only as an error', () => {
  const unsigned = '{"error_response":{"code":"40002","sub_code":"isv.invalid-app-id","sub_msg":"无效的AppID"}}';
  expect(() => readReply(unsigned, method, cert)).toThrow(refusal('provider', 'isv.invalid-app-id'));
  expect(() => readReply(`{"alipay_trade_precreate_response":${vectors.answer.text}}`, method, cert)).toThrow(
    refusal('signature', 'unsigned'),
  );
});

test('a notice is verified over all parameters except its signature and signature type', () => {
  const params = readNotification(notice(), cert);
  expect(params).toMatchObject({ subject: '50 元套餐 & more', total_amount: '50.00' });
  expect(canonical(params, ['sign', 'sign_type'])).toBe(vectors.notice.text);
});

test('a notice with anything changed, added or repeated is refused', () => {
  for (const name of ['app_id', 'notify_id', 'subject', 'total_amount', 'trade_status', 'added']) {
    expect(() => readNotification(notice({ [name]: '5000.00' }), cert)).toThrow(refusal('signature', 'sign'));
  }
  expect(() => readNotification(notice({ sign: '' }), cert)).toThrow(refusal('signature', 'sign'));
  expect(() => readNotification(notice({ sign_type: 'RSA' }), cert)).toThrow(refusal('signature', 'sign_type'));
  expect(() => readNotification(notice({ alipay_cert_sn: 'f'.repeat(32) }), cert)).toThrow(refusal('signature', 'alipay_cert_sn'));
  expect(() => readNotification(Buffer.concat([notice(), Buffer.from('&total_amount=1.00')]), cert)).toThrow(
    refusal('signature', 'repeated parameter'),
  );
  expect(() => readNotification(notice(), { ...cert, key: publicKey })).toThrow(refusal('signature', 'sign'));
  expect(() => readNotification(Buffer.from(''), cert)).toThrow(refusal('signature', 'sign_type'));
});
