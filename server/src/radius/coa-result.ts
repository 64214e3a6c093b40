import { sql } from 'kysely';
import { orderDisconnect } from '../domain/radius/coa-task.ts';
import type { Db } from '../kit/deps.ts';

/** A change that was refused or not answered is sent again after these seconds. */
const retryS = [5, 20, 60];

interface Change {
  readonly session_id: number;
  readonly subscriber_id: number;
  readonly agent_id: number;
  readonly nas_id: number;
  readonly nas_name: string;
  readonly end_refused: boolean;
  readonly state: 'acked' | 'refused' | 'no_answer';
  readonly error_cause: number | null;
  readonly tries: number;
  readonly grant_up: number;
  readonly grant_down: number;
  readonly grant_bytes: number | null;
  /** The service that the NAS confirmed last. */
  readonly old_up: number | null;
  readonly old_down: number | null;
  readonly not_enforced_at: number | null;
}

/** The change, if its session is open and no newer change was ordered. Locks the session. */
const currentChange = async (db: Db, taskId: number): Promise<Change | undefined> => {
  const { rows } = await sql<Change>`
    select o.id as session_id, o.subscriber_id, o.agent_id, n.id as nas_id, n.name as nas_name, n.end_refused, t.state, t.error_cause, t.tries,
      coalesce(t.grant_up, 0) as grant_up, coalesce(t.grant_down, 0) as grant_down, t.grant_bytes, o.grant_up as old_up, o.grant_down as old_down,
      o.not_enforced_at
    from coa_task t join online_session o on o.id = t.session_id join nas n on n.id = t.nas_id
    where t.id = ${taskId} and o.logout_at is null
      and not exists (select from coa_task newer where newer.session_id = o.id and newer.kind = 'change' and newer.id > t.id)
    for update of o`.execute(db);
  return rows[0];
};

const recordEvent = (db: Db, kind: 'enforced' | 'not_enforced', change: Change, now: number) =>
  db
    .insertInto('service_event')
    .values({
      subscriber_id: change.subscriber_id,
      agent_id: change.agent_id,
      kind,
      limit_up: change.grant_up,
      limit_down: change.grant_down,
      reason: kind === 'enforced' ? null : change.state,
      nas_name: change.nas_name,
      error_cause: kind === 'enforced' ? null : change.error_cause,
      at: now,
      create_at: now,
    })
    .execute();

/** The NAS serves the session as ordered from now on. What it passed on beyond the limit before stays visible. */
export const confirmChange = async (db: Db, taskId: number, now: number) => {
  const change = await currentChange(db, taskId);
  if (!change) return;
  const { session_id, grant_up, grant_down, grant_bytes, old_up, old_down, not_enforced_at } = change;
  await sql`
    update online_session set overshoot_bytes = overshoot_bytes + greatest(0, up_bytes + down_bytes - coalesce(grant_bytes, up_bytes + down_bytes)),
      grant_up = ${grant_up}, grant_down = ${grant_down}, grant_bytes = ${grant_bytes}, limit_at = null, not_enforced_at = null, not_enforced_cause = null
    where id = ${session_id}`.execute(db);
  if (old_up !== grant_up || old_down !== grant_down || not_enforced_at !== null) await recordEvent(db, 'enforced', change, now);
};

const isSlower = (before: number | null, after: number) => after > 0 && (before === null || before === 0 || after < before);

/** A change that the NAS refused or did not answer is sent again; in the end the session is marked, and ended where the NAS allows it. */
export const refuseChange = async (db: Db, taskId: number, now: number) => {
  const change = await currentChange(db, taskId);
  if (!change) return;
  const { session_id, nas_id, state, error_cause, tries, end_refused, not_enforced_at, old_up, old_down, grant_up, grant_down } = change;
  const wait = retryS[tries - 1];
  if (wait !== undefined) {
    await db
      .updateTable('coa_task')
      .set({ state: 'waiting', due_at: now + wait, finish_at: null })
      .where('id', '=', taskId)
      .execute();
    return;
  }
  const since = not_enforced_at ?? now;
  await db
    .updateTable('online_session')
    .set({ not_enforced_at: since, not_enforced_cause: error_cause })
    .where('id', '=', session_id)
    .execute();
  if (not_enforced_at === null) await recordEvent(db, 'not_enforced', change, now);
  // A NAS that answers can end the session; one that does not answer would not answer this either.
  if (state !== 'refused' || !end_refused) return;
  const isReduced = isSlower(old_up, grant_up) || isSlower(old_down, grant_down);
  await orderDisconnect(db, { id: session_id, nas_id }, isReduced ? 'quota' : 'kick', { now });
};
