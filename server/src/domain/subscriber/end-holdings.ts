import { sql } from 'kysely';
import type { Db } from '../../kit/deps.ts';
import type { HoldingEnd } from './plan-change.ts';

/** Ends holdings at the given times. */
export const endHoldings = async (db: Db, ends: readonly HoldingEnd[]) => {
  if (ends.length === 0) return;
  await sql`update holding h set expire_at = v.at from json_to_recordset(${JSON.stringify(ends)}::json) as v(id bigint, at bigint)
    where h.id = v.id`.execute(db);
};
