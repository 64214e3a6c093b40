import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { cents } from '@farlink/contract/kit/money.ts';
import { sql } from 'kysely';
import type { AlipayConfig } from '../domain/payment/alipay/alipay-client.ts';
import { notifyPath } from '../domain/payment/notify-path.ts';
import { certNames, type Secrets, sealSecrets } from '../domain/payment/secrets.ts';
import type { WechatConfig } from '../domain/payment/wechat/wechat-client.ts';
import type { Deps } from '../kit/deps.ts';
import { standInGateway } from './payments.ts';
import { startProgram } from './simulator-program.ts';

/** What the stand-in for Alipay and WeChat Pay prints when it listens. */
interface StandIn {
  readonly url: string;
  readonly credentials: { readonly alipay: AlipayConfig; readonly wechat: WechatConfig };
}

/** Orders from before this start, because the stand-in stores nothing. */
const ordersOf = async ({ db, config }: Deps) => {
  const rows = await db
    .selectFrom('pay_order')
    .innerJoin('payment_channel', 'payment_channel.id', 'pay_order.channel_id')
    .select(['payment_channel.channel', 'order_no', 'amount', 'user_name', 'pay_url', 'trade_no', 'pay_at', 'expire_at', 'channel_id'])
    .where('payment_channel.gateway', 'like', `${standInGateway}%`)
    .where('pay_order.state', 'in', ['waiting', 'paid'])
    .execute();
  return rows.map(({ channel, order_no, amount, user_name, pay_url, trade_no, pay_at, expire_at, channel_id }) => {
    const token = pay_url?.split('/').at(-1);
    const base = config.publicUrl ?? `http://127.0.0.1:${config.port}`;
    return {
      channel,
      order_no,
      cents: Number(cents(amount)),
      subject: user_name ?? order_no,
      notify_url: `${base}${notifyPath({ channel, id: channel_id ?? 0 })}`,
      expire_at,
      paid_at: pay_at,
      ...(token && { token }),
      ...(trade_no !== null && { trade_no }),
    };
  });
};

const secretsOf = ({ credentials: { alipay, wechat } }: StandIn, channel: 'wechat' | 'alipay'): Secrets =>
  channel === 'alipay'
    ? {
        private_key: { text: alipay.private_key, name: 'app_private.key' },
        app_cert: { text: alipay.app_cert, name: 'appCertPublicKey.crt' },
        alipay_cert: { text: alipay.alipay_cert, name: 'alipayCertPublicKey_RSA2.crt' },
        root_cert: { text: alipay.root_cert, name: 'alipayRootCert.crt' },
      }
    : {
        api_key: { text: wechat.api_key },
        app_secret: { text: wechat.api_key },
        private_key: { text: wechat.private_key ?? '', name: 'apiclient_key.key' },
        cert: { text: wechat.cert ?? '', name: 'apiclient_cert.crt' },
      };

/** Updates the channels and the waiting payment URLs to the current address and keys of the stand-in. */
const attach = async ({ db, config }: Deps, standIn: StandIn) => {
  const rows = await db
    .selectFrom('payment_channel')
    .select(['id', 'channel', 'version'])
    .where('gateway', 'like', `${standInGateway}%`)
    .execute();
  for (const { id, channel, version } of rows) {
    const { merchant_id, app_id, gateway = null } = standIn.credentials[channel];
    const secrets = secretsOf(standIn, channel);
    const cert_names = certNames(secrets);
    await db
      .updateTable('payment_channel')
      .set({ merchant_id, app_id, gateway, cert_names, secrets: sealSecrets(config.secretKey, secrets), version: version + 1 })
      .where('id', '=', id)
      .execute();
    await db
      .updateTable('pay_order')
      .set({ pay_url: sql<string>`${standIn.url}::text || substring(pay_url from '/pay/.*')` })
      .where('channel_id', '=', id)
      .where('state', '=', 'waiting')
      .execute();
  }
};

/** Runs the stand-in of the simulator in a child process, if the settings have a port for it. */
export const startPaymentStandIn = async (deps: Deps) => {
  const { payStandInPort: port, dataDir } = deps.config;
  if (port === 0) return undefined;
  const { child, stop } = startProgram('payment/main.ts', ['--port', String(port), '--keys', join(dataDir, 'stand-in.json')]);
  child.stdin.write(`${JSON.stringify(await ordersOf(deps))}\n`);
  const output = createInterface({ input: child.stdout });
  const failure = once(child, 'exit').then(() => {
    throw new Error('the payment stand-in did not start');
  });
  const [line] = await Promise.race([once(output, 'line'), failure]);
  const standIn: StandIn = JSON.parse(line);
  await attach(deps, standIn);
  return { url: standIn.url, stop };
};
