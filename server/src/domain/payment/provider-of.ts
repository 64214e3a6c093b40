import type { Deps } from '../../kit/deps.ts';
import type { AlipayConfig } from './alipay/alipay-client.ts';
import { alipayProvider } from './alipay/alipay-provider.ts';
import { badConfig } from './payment-error.ts';
import type { PaymentProvider } from './provider.ts';
import { type ChannelRow, openSecrets, type Secrets } from './secrets.ts';
import type { WechatConfig } from './wechat/wechat-client.ts';
import { wechatProvider } from './wechat/wechat-provider.ts';

type Row = Pick<ChannelRow, 'merchant_id' | 'app_id' | 'gateway'>;

const incomplete = () => badConfig(['支付渠道尚未配置完整', 'The payment channel is not fully configured']);
const requireText = (text: string | null | undefined): string => {
  if (!text) throw incomplete();
  return text;
};

export const alipayConfig = (row: Row, secrets: Secrets): AlipayConfig => ({
  merchant_id: requireText(row.merchant_id),
  app_id: requireText(row.app_id),
  private_key: requireText(secrets.private_key?.text),
  app_cert: requireText(secrets.app_cert?.text),
  alipay_cert: requireText(secrets.alipay_cert?.text),
  root_cert: requireText(secrets.root_cert?.text),
  ...(row.gateway !== null && { gateway: row.gateway }),
});

export const wechatConfig = (row: Row, secrets: Secrets): WechatConfig => ({
  merchant_id: requireText(row.merchant_id),
  app_id: requireText(row.app_id),
  api_key: requireText(secrets.api_key?.text),
  ...(secrets.private_key && { private_key: secrets.private_key.text }),
  ...(secrets.cert && { cert: secrets.cert.text }),
  ...(secrets.public_key && { public_key: secrets.public_key.text }),
  ...(secrets.public_key_id && { public_key_id: secrets.public_key_id.text }),
  ...(row.gateway !== null && { gateway: row.gateway }),
});

const cached = new WeakMap<Deps, Map<number, { readonly version: number; readonly provider: PaymentProvider }>>();

/** Caches one provider per channel version, because it caches downloaded certificates. */
export const providerOf = (deps: Deps, row: ChannelRow): PaymentProvider => {
  const known = cached.get(deps) ?? new Map();
  cached.set(deps, known);
  const stored = known.get(row.id);
  if (stored?.version === row.version) return stored.provider;
  const secrets = openSecrets(deps.config.secretKey, row.secrets);
  const { clock } = deps;
  const provider =
    row.channel === 'alipay'
      ? alipayProvider(alipayConfig(row, secrets), { clock })
      : wechatProvider(wechatConfig(row, secrets), { clock });
  known.set(row.id, { version: row.version, provider });
  return provider;
};

/** Channel of an order, with its current settings. */
export const loadChannel = async (deps: Deps, id: number | null): Promise<{ row: ChannelRow; provider: PaymentProvider }> => {
  const row = await deps.db.selectFrom('payment_channel').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw incomplete();
  return { row, provider: providerOf(deps, row) };
};
