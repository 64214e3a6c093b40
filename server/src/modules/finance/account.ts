import { type Selectable, sql } from 'kysely';
import type { SubscriberTable } from '../../db/tables.ts';
import type { Sale } from '../../domain/ledger/post-sale.ts';
import { postSale } from '../../domain/ledger/post-sale.ts';
import type { MeterState } from '../../domain/metering/engine/types.ts';
import { loadMeters } from '../../domain/metering/store/load-meters.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import { inScope } from '../../kit/list/scope.ts';

const columns = [
  'id',
  'agent_id',
  'account',
  'name',
  'account_type',
  'account_source',
  'status',
  'device_id',
  'device_group_id',
  'whole_vno',
  'balance',
] as const;

export interface Account extends Pick<Selectable<SubscriberTable>, (typeof columns)[number]> {
  readonly bind_name: string | null;
}

export interface Selection {
  readonly accounts: ReadonlyMap<number, Account>;
  /** Throws `not_found` for an account outside the scope of the session. */
  get(id: number): { readonly account: Account; readonly state: MeterState };
}

const visible = (ctx: Ctx, ids: readonly number[]) =>
  ctx.db
    .selectFrom('subscriber')
    .select(columns)
    .select(
      sql<string | null>`coalesce((select d.name from device d where d.id = subscriber.device_id),
        (select g.name from device_group g where g.id = subscriber.device_group_id))`.as('bind_name'),
    )
    .where('id', 'in', [...ids, 0])
    .where(inScope(ctx.me, 'subscriber.agent_id', 'subscriber.device_id'))
    .execute();

const selectionOf = async (ctx: Ctx, rows: readonly Account[]): Promise<Selection> => {
  const accounts = new Map(rows.map((row) => [row.id, row]));
  const states = await loadMeters(ctx.db, [...accounts.keys()]);
  const get = (id: number) => {
    const account = accounts.get(id);
    const state = states.get(id);
    if (!account || !state) throw fail('not_found');
    return { account, state };
  };
  return { accounts, get };
};

/** Reads the selected accounts and their holdings for a quote, without locks. */
export const readSelection = async (ctx: Ctx, ids: readonly number[]): Promise<Selection> => selectionOf(ctx, await visible(ctx, ids));

/**
 * Locks the selected accounts in id order and reads them with their holdings. The lock uses ids only, and the rows are read again: with a
 * scope subquery in the same statement, PostgreSQL may lose a row it had to wait for.
 */
export const lockSelection = async (ctx: Ctx, ids: readonly number[]): Promise<Selection> => {
  const found = (await visible(ctx, ids)).map(({ id }) => id);
  await ctx.db
    .selectFrom('subscriber')
    .select('id')
    .where('id', 'in', [...found, 0])
    .orderBy('id')
    .forUpdate()
    .execute();
  return selectionOf(ctx, await visible(ctx, found));
};

/** Names of refused rows for the operator log; an account out of scope has no name. */
export const namedBy =
  ({ accounts }: Selection, [zh, en]: readonly [string, string]) =>
  (id: number) => {
    const account = accounts.get(id)?.account ?? `#${id}`;
    return {
      content: [`${zh} ${account}`, `${en} ${account}`] as const,
      ...(accounts.has(id) ? { subject: `subscriber:${id}` } : { missing: true }),
    };
  };

type Terms = Omit<Sale, 'cause' | 'channel' | 'buyer' | 'bind_name'>;

/** Posts a counter sale to the ledger of the VNO of the account. A retry of the request is the same sale. */
export const sellTo = (ctx: Ctx, verb: string, account: Account, terms: Terms) =>
  postSale(
    ctx.db,
    { agent_id: account.agent_id, customer_id: ctx.me.uid, operator: ctx.me.name },
    { ...terms, cause: `${verb}:${ctx.request.id}:${account.id}`, channel: 'counter', buyer: account, bind_name: account.bind_name },
    ctx.now(),
  );
