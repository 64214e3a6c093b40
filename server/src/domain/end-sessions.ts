import { sql } from 'kysely';
import type { Db } from '../kit/deps.ts';
import { forgetSessions } from '../kit/session-cache.ts';

/** Decisions §4: a password change, a disabled account, another role: whatever changes the rights of a session ends it. */
export const endSessionsOfCustomer = async (db: Db, customerId: number) => {
  await db.deleteFrom('session').where('customer_id', '=', customerId).execute();
  await db.deleteFrom('remember_token').where('customer_id', '=', customerId).execute();
  forgetSessions();
};

/** A VNO's mode, role or place concerns everybody in its branch. */
export const endSessionsOfBranch = async (db: Db, path: string) => {
  await sql`delete from session where agent_id in (select id from agent where path like ${`${path}%`})`.execute(db);
  forgetSessions();
};

/** A role of staff concerns who holds it; a role of VNOs also the branches of the VNOs that hold it. */
export const endSessionsOfRole = async (db: Db, roleId: number) => {
  await sql`delete from session s using customer c where c.id = s.customer_id and c.role_id = ${roleId}`.execute(db);
  await sql`delete from session s using agent held, agent a
    where held.role_id = ${roleId} and a.path like held.path || '%' and s.agent_id = a.id`.execute(db);
  forgetSessions();
};
