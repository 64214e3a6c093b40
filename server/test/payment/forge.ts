import { createCipheriv, randomBytes, sign } from 'node:crypto';
import { theirKey } from '@farlink/simulator/payment/keys.ts';
import type { Channel } from '@farlink/simulator/payment/order-book.ts';
import type { StandIn } from '@farlink/simulator/payment/stand-in.ts';
import { objectOf, readObject } from '../../src/domain/payment/json.ts';
import { decryptResource } from '../../src/domain/payment/wechat/resource.ts';
import type { PaymentNotification } from './pay-world.ts';

type Content = Record<string, unknown>;

const signed = ({ keys }: StandIn, text: string) => sign('sha256', Buffer.from(text), theirKey(keys)).toString('base64');

const alipay = (standIn: StandIn, notice: PaymentNotification, change: (content: Content) => Content): PaymentNotification => {
  const { sign: _, sign_type, ...content } = Object.fromEntries(new URLSearchParams(notice.body));
  const params = Object.fromEntries(Object.entries(change(content)).map(([name, value]) => [name, String(value)]));
  const text = Object.keys(params)
    .sort()
    .map((name) => `${name}=${params[name]}`)
    .join('&');
  const body = new URLSearchParams({ ...params, sign_type: sign_type ?? 'RSA2', sign: signed(standIn, text) }).toString();
  return { ...notice, body };
};

const wechat = (standIn: StandIn, notice: PaymentNotification, change: (content: Content) => Content): PaymentNotification => {
  const { api_key } = standIn.keys;
  const event = readObject(notice.body);
  const content = readObject(decryptResource(objectOf(event, 'resource'), api_key));
  const nonce = randomBytes(6).toString('hex');
  const cipher = createCipheriv('aes-256-gcm', api_key, nonce);
  cipher.setAAD(Buffer.from('transaction'));
  const bytes = Buffer.concat([cipher.update(JSON.stringify(change(content)), 'utf8'), cipher.final(), cipher.getAuthTag()]);
  const resource = { ...objectOf(event, 'resource'), nonce, associated_data: 'transaction', ciphertext: bytes.toString('base64') };
  const body = JSON.stringify({ ...event, resource });
  const { 'wechatpay-timestamp': time, 'wechatpay-nonce': once } = notice.headers;
  return { ...notice, headers: { ...notice.headers, 'wechatpay-signature': signed(standIn, `${time}\n${once}\n${body}\n`) }, body };
};

/** A notice with changed content and a valid signature, so only the content is wrong. */
export const forged = (standIn: StandIn, channel: Channel, orderNo: string, change: (content: Content) => Content): PaymentNotification =>
  (channel === 'alipay' ? alipay : wechat)(standIn, standIn.callbackOf(orderNo), change);
