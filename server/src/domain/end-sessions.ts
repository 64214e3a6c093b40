import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../kit/deps.ts';
import { forgetSessions } from '../kit/session/session-cache.ts';

/** Ends what accounts have open, in their own name and in that of others. `who` are the accounts, as ids of `customer c`. */
const endSessions = async (db: Db, who: RawBuilder<unknown>) => {
  const names = sql`select c.username from customer c where ${who}`;
  await sql`delete from session where customer_id in (select c.id from customer c where ${who}) or acted_by in (${names})`.execute(db);
  await sql`delete from remote_token where acted_by in (${names})`.execute(db);
  forgetSessions();
};

/** Decisions §4: a password change, a disabled account, another role: whatever changes the rights of a session ends it. */
export const endSessionsOfCustomer = async (db: Db, customerId: number) => {
  await endSessions(db, sql`c.id = ${customerId}`);
  await db.deleteFrom('remember_token').where('customer_id', '=', customerId).execute();
};

/** A VNO's mode, role or place concerns everybody in its branch. */
export const endSessionsOfBranch = (db: Db, path: string) =>
  endSessions(db, sql`c.agent_id in (select a.id from agent a where a.path like ${`${path}%`})`);

/** A role of staff concerns who holds it; a role of VNOs also the branches of the VNOs that hold it. */
export const endSessionsOfRole = (db: Db, roleId: number) =>
  endSessions(
    db,
    sql`(c.role_id = ${roleId} or c.agent_id in
      (select a.id from agent held join agent a on a.path like held.path || '%' where held.role_id = ${roleId}))`,
  );
