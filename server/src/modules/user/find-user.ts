import type { Text } from '@farlink/contract/kit/text.ts';
import type { Selectable } from 'kysely';
import type { SubscriberTable } from '../../db/tables.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import { nameObject } from '../../kit/log/record.ts';
import { userScope } from './user-query.ts';

export type UserRow = Selectable<SubscriberTable>;

/** Locks the account until the transaction ends. */
export const lockUser = async (ctx: Ctx, id: number): Promise<UserRow> => {
  const row = await ctx.db
    .selectFrom('subscriber')
    .selectAll()
    .where('id', '=', id)
    .where(userScope(ctx.me))
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  nameObject(ctx, row.account, subjectOf(row.id));
  return row;
};

export const findUser = async (ctx: Ctx, id: number): Promise<UserRow> => {
  const row = await ctx.db.selectFrom('subscriber').selectAll().where('id', '=', id).where(userScope(ctx.me)).executeTakeFirst();
  if (!row) throw fail('not_found');
  nameObject(ctx, row.account, subjectOf(row.id));
  return row;
};

export const subjectOf = (id: number) => `subscriber:${id}`;

/** Names of refused rows for the operator log; an account out of scope has no name. */
export const namesOf = async (ctx: Ctx, ids: readonly number[], actionText: Text) => {
  const rows = await ctx.db.selectFrom('subscriber').select(['id', 'account']).where('id', 'in', ids).where(userScope(ctx.me)).execute();
  const accounts = new Map(rows.map((row) => [row.id, row.account]));
  return (id: number) => {
    const account = accounts.get(id);
    const content: Text = [`${actionText[0]} ${account ?? `#${id}`}`, `${actionText[1]} ${account ?? `#${id}`}`];
    return account === undefined ? { content, missing: true } : { content, subject: subjectOf(id) };
  };
};
