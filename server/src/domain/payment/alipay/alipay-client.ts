import type { Clock } from '../../../kit/clock.ts';
import { chinaTime } from '../china-time.ts';
import { type Json, needText, textOf } from '../json.ts';
import { noReply, PaymentError, refused, unreadable } from '../payment-error.ts';
import { checkPair, readCertificate, readPrivateKey } from '../rsa.ts';
import { send } from '../send.ts';
import { certSn, rootCertSn } from './cert-sn.ts';
import { type AlipayCertificate, readReply, signed } from './sign.ts';

export interface AlipayConfig {
  readonly merchant_id: string;
  readonly app_id: string;
  /** Texts of the uploaded files. */
  readonly private_key: string;
  readonly app_cert: string;
  readonly alipay_cert: string;
  readonly root_cert: string;
  readonly gateway?: string;
}

export interface AlipayClient {
  /** Verifies replies and notifications. */
  readonly certificate: AlipayCertificate;
  call(method: string, content: Json, notifyUrl?: string): Promise<Json>;
  /** Alipay creates the trade when the code is scanned; before that it is unknown. */
  callUnlessUnknown(method: string, content: Json): Promise<Json | undefined>;
}

const unknownTrade = 'ACQ.TRADE_NOT_EXIST';

/** Signed calls to Alipay, with verified replies. */
export const alipayClient = (config: AlipayConfig, clock: Clock): AlipayClient => {
  const key = readPrivateKey(config.private_key, ['应用私钥', 'The application key']);
  const appCert = readCertificate(config.app_cert, ['应用公钥证书', 'The application certificate']);
  const alipayCert = readCertificate(config.alipay_cert, ['支付宝公钥证书', 'The Alipay certificate']);
  checkPair(key, appCert);
  const certificate = { sn: certSn(alipayCert), key: alipayCert.publicKey };
  const fixed = {
    app_id: config.app_id,
    format: 'JSON',
    charset: 'utf-8',
    sign_type: 'RSA2',
    version: '1.0',
    app_cert_sn: certSn(appCert),
    alipay_root_cert_sn: rootCertSn(config.root_cert),
  };

  const call = async (method: string, content: Json, notifyUrl = ''): Promise<Json> => {
    const params = { ...fixed, method, timestamp: chinaTime(clock.now()), notify_url: notifyUrl, biz_content: JSON.stringify(content) };
    const { biz_content, ...query } = signed(params, key);
    const url = new URL(config.gateway ?? 'https://openapi.alipay.com/gateway.do');
    for (const [name, value] of Object.entries(query)) if (value !== '') url.searchParams.set(name, value);
    const reply = await send(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded;charset=utf-8' },
      body: new URLSearchParams({ biz_content: biz_content ?? '' }).toString(),
    });
    const response = readReply(reply.body, method, certificate);
    if (response.code === '10000') {
      // A reply has no time and no nonce, so a replayed reply for another order would verify too.
      if ((response.out_trade_no ?? content.out_trade_no) !== content.out_trade_no) throw unreadable('out_trade_no');
      return response;
    }
    const code = textOf(response, 'sub_code') ?? needText(response, 'code');
    if (response.code === '20000' || code.endsWith('SYSTEM_ERROR')) throw noReply({ code });
    throw refused(code, textOf(response, 'sub_msg') ?? '');
  };

  const callUnlessUnknown = async (method: string, content: Json): Promise<Json | undefined> => {
    try {
      return await call(method, content);
    } catch (error) {
      if (error instanceof PaymentError && error.code === unknownTrade) return undefined;
      throw error;
    }
  };

  return { certificate, call, callUnlessUnknown };
};
