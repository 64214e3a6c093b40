import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Clock } from '../../../kit/clock.ts';
import { type Json, readObject, textOf } from '../json.ts';
import { badConfig, refused } from '../payment-error.ts';
import { checkPair, readCertificate, readPrivateKey } from '../rsa.ts';
import { type Reply, send } from '../send.ts';
import { platformKeys } from './platform-keys.ts';
import { authorization, type KeyOf, type Merchant, verifyMessage } from './sign.ts';

export interface WechatConfig {
  readonly merchant_id: string;
  /** The APIv3 key: 32 characters. */
  readonly api_key: string;
  readonly app_id: string;
  /** API key and certificate of the merchant as text; without them only callbacks can be read. */
  readonly private_key?: string;
  readonly cert?: string;
  /** Public key of WeChat Pay with its `PUB_KEY_ID_…`; merchants since the end of 2024 have it in place of certificates. */
  readonly public_key?: string;
  readonly public_key_id?: string;
  readonly gateway?: string;
}

const merchantOf = ({ merchant_id, private_key, cert }: WechatConfig): Merchant | undefined => {
  if (!private_key || !cert) return undefined;
  const key = readPrivateKey(private_key, ['商户API私钥', 'The merchant API key']);
  const certificate = readCertificate(cert, ['商户API证书', 'The merchant API certificate']);
  checkPair(key, certificate);
  return { id: merchant_id, serial: certificate.serialNumber, key };
};

const publicKeyOf = ({ public_key, public_key_id }: WechatConfig): { id: string; key: KeyObject } | undefined => {
  if (!public_key || !public_key_id) return undefined;
  try {
    return { id: public_key_id, key: createPublicKey(public_key) };
  } catch {
    throw badConfig(['微信支付公钥无效', 'The WeChat Pay public key is not valid']);
  }
};

/** Signed calls to WeChat Pay, with verified replies. */
export const wechatClient = (config: WechatConfig, clock: Clock) => {
  if (Buffer.byteLength(config.api_key) !== 32) throw badConfig(['APIv3密钥应为32个字符', 'The APIv3 key must have 32 characters']);
  const merchant = merchantOf(config);
  const publicKey = publicKeyOf(config);

  const request = (method: string, path: string, content?: Json): Promise<Reply> => {
    if (!merchant) throw badConfig(['请先上传商户API私钥和证书', 'Upload the merchant API private key and certificate first']);
    const url = new URL(`${config.gateway ?? 'https://api.mch.weixin.qq.com'}${path}`);
    const body = content ? JSON.stringify(content) : '';
    const headers: Record<string, string> = {
      accept: 'application/json',
      'user-agent': 'farlink',
      authorization: authorization(merchant, { method, path: url.pathname + url.search, body }, clock.now()),
    };
    if (content) headers['content-type'] = 'application/json';
    if (publicKey) headers['wechatpay-serial'] = publicKey.id;
    return send(url, { method, headers, ...(content && { body }) });
  };

  /** WeChat Pay does not sign every refusal, so an unverified error reply is accepted only as a refusal. */
  const accepted = (reply: Reply): Reply => {
    if (reply.status >= 200 && reply.status < 300) return reply;
    const error: Json = reply.body.startsWith('{') ? readObject(reply.body) : {};
    throw refused(textOf(error, 'code') ?? String(reply.status), textOf(error, 'message') ?? '');
  };

  const certificateKeys = platformKeys(async () => accepted(await request('GET', '/v3/certificates')), config.api_key, clock);
  const keyOf: KeyOf = (serial) => (publicKey?.id === serial ? publicKey.key : certificateKeys(serial));

  /** Throws if WeChat Pay has not signed the message. */
  const verify = (header: Reply['header'], body: string) => verifyMessage(header, body, keyOf, clock.now());

  const call = async (method: string, path: string, content?: Json): Promise<Json> => {
    const reply = accepted(await request(method, path, content));
    await verify(reply.header, reply.body);
    return reply.status === 204 ? {} : readObject(reply.body);
  };

  return { call, verify };
};
