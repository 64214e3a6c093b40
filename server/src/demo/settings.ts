import { sql } from 'kysely';
import type { Db } from '../kit/deps.ts';

/** Visitors of the demo are not behind a gateway, so its VNOs register accounts for all their gateways. */
export const seedSettings = (db: Db, now: number) =>
  sql`insert into setting (agent_id, name, value, operator, update_at)
    select id, 'register_place', '"vno"', name, ${now} from agent where agent_level = 1`.execute(db);
