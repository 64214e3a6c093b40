import type { BatchResult } from '@farlink/contract/kit/batch.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { kickSessions } from '../../domain/subscriber/kick-sessions.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import { eachOf } from '../../kit/list/batch.ts';
import { record } from '../../kit/log/record.ts';
import { aaaScope } from './aaa-user.ts';
import { subjectOf } from './find-user.ts';

const kickText: Text = ['强制下线', 'Kick offline'];

const findSessions = async (ctx: Ctx, ids: readonly number[]) => {
  const rows = await ctx.db
    .selectFrom('online_session')
    .innerJoin('subscriber', 'subscriber.id', 'online_session.subscriber_id')
    .select(['online_session.id', 'subscriber.id as user_id', 'subscriber.account'])
    .where('online_session.id', 'in', ids)
    .where('online_session.source', '=', 'aaa')
    .where(aaaScope(ctx))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
};

/** Ends AAA sessions by their ids. The reply of the NAS or gateway appears in the list. */
export const kickAaaSessions = async (ctx: Ctx, ids: readonly number[]): Promise<BatchResult> => {
  const found = await findSessions(ctx, ids);
  const nameOf = (id: number) => {
    const row = found.get(id);
    const content: Text = [`${kickText[0]} ${row?.account ?? `#${id}`}`, `${kickText[1]} ${row?.account ?? `#${id}`}`];
    return { content, missing: row === undefined, ...(row && { subject: subjectOf(row.user_id) }) };
  };
  return eachOf(ctx, ids, nameOf, async (row, id) => {
    const session = found.get(id);
    if (!session) throw fail('not_found');
    // Locks the account before its sessions, in the same order as accounting.
    await row.db.selectFrom('subscriber').select('id').where('id', '=', session.user_id).forUpdate().execute();
    const kicked = await kickSessions(row.db, { session: id }, { now: row.now(), by: row.me });
    if (kicked === 0) throw fail('user_offline');
    record(row, [`强制AAA用户 ${session.account} 下线`, `Kicked AAA user ${session.account} offline`], {
      subject: subjectOf(session.user_id),
    });
  });
};
