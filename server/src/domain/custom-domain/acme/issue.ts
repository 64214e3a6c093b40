import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Selectable } from 'kysely';
import type { AcmeOrderTable } from '../../../db/tables.ts';
import type { Deps } from '../../../kit/deps.ts';
import { open, seal } from '../../../kit/session/secret.ts';
import { makeRequest } from '../../../kit/tls/certificate.ts';
import { readCertificate } from '../read-certificate.ts';
import { type AcmeClient, AcmeError, type AcmeOrder, openAcme } from './acme-client.ts';
import { keyAuthorization } from './jws.ts';

export type OrderRow = Selectable<AcmeOrderTable>;

/** The order cannot succeed any more. */
class OrderFailed extends Error {}

const maxAttempts = 3;
const pollMs = 1000;
const maxPolls = 30;

export const newSealedKey = (secretKey: Buffer) => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return seal(secretKey, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
};

const change = ({ db, clock }: Deps, id: number, values: Partial<OrderRow>) =>
  db
    .updateTable('acme_order')
    .set({ ...values, update_at: clock.now() })
    .where('id', '=', id)
    .where('state', 'in', ['new', 'validating', 'finalizing'])
    .execute();

/** Key and client of the account at the configured authority. The key is stored before the account is created with it. */
export const openAccount = async (deps: Deps): Promise<{ readonly key: KeyObject; readonly client: AcmeClient }> => {
  const { db, config, clock } = deps;
  if (!config.acme) throw new Error('no certificate authority is configured');
  const { directory, contact, ca } = config.acme;
  await db
    .insertInto('acme_account')
    .values({ directory, key: newSealedKey(config.secretKey), create_at: clock.now() })
    .onConflict((oc) => oc.doNothing())
    .execute();
  const account = await db.selectFrom('acme_account').selectAll().where('directory', '=', directory).executeTakeFirstOrThrow();
  const key = createPrivateKey(open(config.secretKey, account.key));
  const client = await openAcme({ directory, ca, key, account: account.account_url ?? undefined });
  if (account.account_url === null) {
    const account_url = await client.register(contact);
    await db.updateTable('acme_account').set({ account_url }).where('directory', '=', directory).execute();
  }
  return { key, client };
};

interface Issue {
  readonly deps: Deps;
  readonly client: AcmeClient;
  readonly accountKey: KeyObject;
  readonly signal: AbortSignal | undefined;
}

/** Creates the order and stores its challenge, so that every process can answer before the authority requests it. */
const create = async ({ deps, client, accountKey }: Issue, row: OrderRow): Promise<Partial<OrderRow>> => {
  if (row.attempts >= maxAttempts) throw new OrderFailed('the order could not be created');
  await change(deps, row.id, { attempts: row.attempts + 1 });
  const order = await client.newOrder(row.domain);
  const [url = ''] = order.authorizations;
  const { challenge } = await client.readAuthorization(url);
  return {
    state: 'validating',
    order_url: order.url,
    ...(challenge && { token: challenge.token, key_authorization: keyAuthorization(challenge.token, accountKey) }),
  };
};

/** Reads the order until it leaves the given states. */
const pollOrder = async ({ client, signal }: Issue, url: string, waiting: readonly string[]): Promise<AcmeOrder> => {
  for (let polls = 0; ; polls++) {
    const order = await client.readOrder(url);
    if (!waiting.includes(order.status)) return order;
    if (polls === maxPolls) throw new Error(`the order is still ${order.status}`);
    await pause(pollMs, undefined, { signal });
  }
};

const refuseInvalid = (order: AcmeOrder, cause?: string) => {
  if (order.status === 'invalid') throw new OrderFailed(cause ?? order.error ?? 'the authority refused the order');
};

const validate = async (issue: Issue, row: OrderRow): Promise<Partial<OrderRow>> => {
  const { client, signal } = issue;
  for (let polls = 0; ; polls++) {
    const order = await client.readOrder(row.order_url ?? '');
    const [url = ''] = order.authorizations;
    if (order.status === 'pending') {
      const { status, challenge, error } = await client.readAuthorization(url);
      if (status === 'invalid') throw new OrderFailed(error ?? 'the challenge failed');
      if (challenge?.status === 'pending') await client.respond(challenge.url);
    } else {
      refuseInvalid(order, (await client.readAuthorization(url)).error);
      return { state: 'finalizing' };
    }
    if (polls === maxPolls) throw new Error('the challenge is still pending');
    await pause(pollMs, undefined, { signal });
  }
};

/** Stores the certificate, if the row still has this domain and its proof. */
const store = async ({ deps }: Issue, row: OrderRow, key: string, chain: string) => {
  const { db, clock, config } = deps;
  const now = clock.now();
  const read = readCertificate({ cert: Buffer.from(chain), key: Buffer.from(key), domain: row.domain, now, isFromAuthority: true });
  if ('field' in read) throw new OrderFailed(read.text[1]);
  await db.transaction().execute(async (inside) => {
    const domain = await inside.selectFrom('domain').selectAll().where('id', '=', row.domain_id).forUpdate().executeTakeFirst();
    const isCurrent = domain?.domain === row.domain && domain.cert_source === 'acme' && domain.proven_at !== null;
    if (domain && isCurrent)
      await inside
        .updateTable('domain')
        .set({
          cert_name: read.issuer || 'ACME',
          cert: read.cert,
          cert_key: seal(config.secretKey, read.key),
          cert_sha256: read.sha256,
          cert_begin_at: read.beginAt,
          cert_expire_at: read.expireAt,
          cert_error: null,
          https_at: domain.https ? (domain.https_at ?? now) : null,
        })
        .where('id', '=', domain.id)
        .execute();
    await change({ ...deps, db: inside }, row.id, { state: 'done', token: null, key_authorization: null, error: null });
  });
};

const finalize = async (issue: Issue, row: OrderRow) => {
  const { client, deps } = issue;
  const key = open(deps.config.secretKey, row.key);
  const order = await pollOrder(issue, row.order_url ?? '', ['pending']);
  refuseInvalid(order);
  if (order.status === 'ready') await client.finalize(order, makeRequest(createPrivateKey(key), [row.domain]));
  const valid = await pollOrder(issue, order.url, ['ready', 'processing']);
  refuseInvalid(valid);
  if (!valid.certificate) throw new Error(`the order is ${valid.status} without a certificate`);
  await store(issue, row, key, await client.download(valid.certificate));
};

/** Continues an order from its stored state to its end. A crash at any point leaves a state from which the next run continues. */
const advance = async (issue: Issue, row: OrderRow): Promise<void> => {
  if (row.state === 'finalizing') return finalize(issue, row);
  const next = row.state === 'new' ? await create(issue, row) : await validate(issue, row);
  await change(issue.deps, row.id, next);
  return advance(issue, { ...row, ...next });
};

/** Refusals that another attempt with the same order cannot change. Faults of the network and of the authority are repeated. */
const isFinal = (error: unknown) =>
  error instanceof OrderFailed || (error instanceof AcmeError && error.status >= 400 && error.status < 500);

const longestOrderS = 86_400;

const fail = async (deps: Deps, row: OrderRow, reason: string) => {
  await deps.db.transaction().execute(async (db) => {
    await change({ ...deps, db }, row.id, { state: 'failed', token: null, key_authorization: null, error: reason });
    await db
      .updateTable('domain')
      .set({ cert_error: `ACME: ${reason}`.slice(0, 512) })
      .where('id', '=', row.domain_id)
      .where('domain', '=', row.domain)
      .execute();
  });
};

/** Runs one order that this worker has leased. */
export const runOrder = async (deps: Deps, row: OrderRow, signal?: AbortSignal): Promise<void> => {
  try {
    const { key, client } = await openAccount(deps);
    await advance({ deps, client, accountKey: key, signal }, row);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    deps.log.warn({ domain: row.domain, reason }, 'certificate not issued');
    if (error instanceof AcmeError && error.type === 'accountDoesNotExist')
      await deps.db
        .updateTable('acme_account')
        .set({ account_url: null })
        .where('directory', '=', deps.config.acme?.directory ?? '')
        .execute();
    else if (isFinal(error) || deps.clock.now() - row.create_at > longestOrderS) await fail(deps, row, reason);
  }
};
