import { sql } from 'kysely';
import type { Db } from '../../kit/deps.ts';
import type { Limits } from './grant-attributes.ts';

export type CoaReason = 'kick' | 'quota' | 'expired' | 'change';

interface By {
  readonly now: number;
  readonly by?: { readonly uid: number; readonly name: string } | undefined;
}

interface Target {
  readonly id: number;
  readonly nas_id: number;
}

/** Asks the NAS to end a session, once. Part of the caller's transaction, which has locked the session. */
export const orderDisconnect = async (db: Db, { id, nas_id }: Target, reason: Exclude<CoaReason, 'change'>, { now, by }: By) => {
  await db.updateTable('online_session').set({ end_reason: reason }).where('id', '=', id).where('logout_at', 'is', null).execute();
  await sql`
    insert into coa_task (session_id, nas_id, kind, reason, operator, uid, create_at, due_at)
    select ${id}, ${nas_id}, 'disconnect', ${reason}, ${by?.name ?? null}, ${by?.uid ?? null}, ${now}::bigint, ${now}::bigint
    where not exists (select from coa_task where session_id = ${id} and kind = 'disconnect' and state in ('waiting', 'sent'))`.execute(db);
};

/** Asks the NAS to change speeds and quota of a session. A newer request replaces one that was not sent. */
export const orderChange = async (db: Db, { id, nas_id }: Target, grant: Limits, now: number) => {
  await sql`delete from coa_task where session_id = ${id} and kind = 'change' and state = 'waiting'`.execute(db);
  await db
    .insertInto('coa_task')
    .values({
      session_id: id,
      nas_id,
      kind: 'change',
      reason: 'change',
      create_at: now,
      due_at: now,
      grant_up: grant.up,
      grant_down: grant.down,
      grant_bytes: grant.bytes,
    })
    .execute();
};
