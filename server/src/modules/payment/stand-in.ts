import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cents } from '@farlink/contract/kit/money.ts';
import { sql } from 'kysely';
import { readObject } from '../../domain/payment/json.ts';
import { notifyPath } from '../../domain/payment/notify-path.ts';
import { certNames, type Secrets, sealSecrets } from '../../domain/payment/secrets.ts';
import { makeStandInKeys, type StandInKeys } from '../../domain/payment/stand-in/keys.ts';
import type { KnownOrder } from '../../domain/payment/stand-in/order-book.ts';
import { type StandIn, type StandInOptions, startStandIn } from '../../domain/payment/stand-in/stand-in.ts';
import type { Deps } from '../../kit/deps.ts';

/** Payment providers of the demo: local fakes of WeChat Pay and Alipay. */
export const standInGateway = 'http://127.0.0.1:';

const keyNames = ['our_key', 'their_key', 'root_cert', 'app_cert', 'alipay_cert', 'merchant_cert', 'platform_cert', 'api_key'] as const;

const readKeys = (text: string): StandInKeys | undefined => {
  const known = readObject(text);
  const isWhole = (value: typeof known): value is typeof known & StandInKeys => keyNames.every((name) => typeof value[name] === 'string');
  return isWhole(known) ? known : undefined;
};

/** Keeps the keys of the first start, so downloaded certificates stay valid. */
const storedKeys = async ({ config, clock }: Deps): Promise<StandInKeys> => {
  const file = join(config.dataDir, 'stand-in.json');
  const stored = await readFile(file, 'utf8').catch(() => '{}');
  const known = readKeys(stored);
  if (known) return known;
  const keys = await makeStandInKeys(clock.now());
  await writeFile(`${file}.new`, JSON.stringify(keys), { mode: 0o600 });
  await rename(`${file}.new`, file);
  return keys;
};

/** Orders from before this start, because the stand-in stores nothing. */
const ordersOf = async ({ db, config }: Deps): Promise<KnownOrder[]> => {
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

const isPortInUse = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES');

/** Listens on the configured port, or on any free port if it is in use. */
const listen = async (options: StandInOptions): Promise<StandIn> => {
  try {
    return await startStandIn(options);
  } catch (error) {
    if (!isPortInUse(error)) throw error;
    return startStandIn({ ...options, port: 0 });
  }
};

const secretsOf = ({ keys }: StandIn, channel: 'wechat' | 'alipay'): Secrets =>
  channel === 'alipay'
    ? {
        private_key: { text: keys.our_key, name: 'app_private.key' },
        app_cert: { text: keys.app_cert, name: 'appCertPublicKey.crt' },
        alipay_cert: { text: keys.alipay_cert, name: 'alipayCertPublicKey_RSA2.crt' },
        root_cert: { text: keys.root_cert, name: 'alipayRootCert.crt' },
      }
    : {
        api_key: { text: keys.api_key },
        app_secret: { text: keys.api_key },
        private_key: { text: keys.our_key, name: 'apiclient_key.key' },
        cert: { text: keys.merchant_cert, name: 'apiclient_cert.crt' },
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

/** Starts the stand-in if it is enabled in the settings. */
export const startPayStandIn = async (deps: Deps): Promise<StandIn | undefined> => {
  const { payStandInPort: port } = deps.config;
  if (port === 0) return undefined;
  const { clock } = deps;
  const standIn = await listen({ port, clock, keys: await storedKeys(deps), orders: await ordersOf(deps) });
  await attach(deps, standIn);
  return standIn;
};
