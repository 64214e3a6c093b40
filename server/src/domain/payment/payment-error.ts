import { fill, type Text } from '@farlink/contract/kit/text.ts';

/**
 * signature: not from the provider, or changed in transit. stale: too old. config: our keys, certificates or ids do not match. provider:
 * refused by the provider. network: no clear reply. After config and provider, nothing has happened; after the others, the outcome is
 * unknown until a query or a repeated call.
 */
export type PaymentReason = 'signature' | 'stale' | 'config' | 'provider' | 'network';

interface Details {
  /** Error code of the provider, such as `ACQ.TRADE_NOT_EXIST`. */
  readonly code?: string;
  readonly cause?: unknown;
}

export class PaymentError extends Error {
  readonly reason: PaymentReason;
  readonly text: Text;
  readonly code: string | undefined;

  constructor(reason: PaymentReason, text: Text, { code, cause }: Details = {}) {
    super(`${reason}: ${text[1]}`, { cause });
    this.reason = reason;
    this.text = text;
    this.code = code;
  }
}

export const badSignature = (code: string): PaymentError =>
  new PaymentError('signature', ['支付平台的签名无效', 'The signature of the payment provider is not valid'], { code });

export const stale = (): PaymentError =>
  new PaymentError('stale', ['消息已过期，请检查服务器时间', 'The message has expired. Check the server clock.']);

export const badConfig = (text: Text): PaymentError => new PaymentError('config', text);

export const foreignMerchant = (): PaymentError =>
  badConfig(['该通知不属于所配置的商户号或AppID', 'The notification is not for the configured merchant ID or AppID']);

export const refused = (code: string, message: string): PaymentError =>
  new PaymentError('provider', fill(['支付平台拒绝了请求：{0}', 'The payment provider refused the request: {0}'], message || code), {
    code,
  });

export const noReply = (details: Details): PaymentError =>
  new PaymentError('network', ['支付平台未给出结果，请稍后查询', 'No result from the payment provider. Check again later.'], details);

/** An authentic reply with invalid content. */
export const unreadable = (what: string): PaymentError =>
  new PaymentError('provider', ['支付平台的应答无法识别', 'The reply of the payment provider is not readable'], { code: what });
