import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../kit/deps.ts';
import { forgetSessions } from '../kit/session/session-cache.ts';

/** Ends the sessions of accounts, including those in which they act as another account. `accounts` is a condition on `customer c`. */
const endSessions = async (db: Db, accounts: RawBuilder<unknown>) => {
  const names = sql`select c.username from customer c where ${accounts}`;
  await sql`delete from session where customer_id in (select c.id from customer c where ${accounts}) or acted_by in (${names})`.execute(db);
  await sql`delete from remote_token where acted_by in (${names})`.execute(db);
  forgetSessions();
};

/** Ends a session, and those in which its operator acts as another account. */
export const endSession = async (db: Db, sessionId: number) => {
  await sql`
    with recursive ended as (
      select ${sessionId}::bigint as id union select s.id from session s join ended on s.actor_session_id = ended.id
    ), tokens as (delete from remote_token where actor_session_id in (select id from ended))
    delete from session where id in (select id from ended)`.execute(db);
  forgetSessions();
};

/** Decisions §4: any change of the rights of a session ends it, for example a new password, role or status. */
export const endSessionsOfCustomer = async (db: Db, customerId: number) => {
  await endSessions(db, sql`c.id = ${customerId}`);
  await db.deleteFrom('remember_token').where('customer_id', '=', customerId).execute();
};

/** A change of mode, role or position of a VNO affects all accounts of its branch. */
export const endSessionsOfBranch = (db: Db, path: string) =>
  endSessions(db, sql`c.agent_id in (select a.id from agent a where a.path like ${`${path}%`})`);

/** A staff role affects its holders; a VNO role also affects the branches of its holders. */
export const endSessionsOfRole = (db: Db, roleId: number) =>
  endSessions(
    db,
    sql`(c.role_id = ${roleId} or c.agent_id in
      (select a.id from agent held join agent a on a.path like held.path || '%' where held.role_id = ${roleId}))`,
  );
