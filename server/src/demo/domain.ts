import { sql } from 'kysely';
import type { Db } from '../kit/deps.ts';

/** A console and a portal domain of each VNO. Names below `.example` never exist, so they wait for their proof. */
export const seedDomains = async (db: Db, now: number) => {
  await sql`
    update domain set domain = case domain_type when 'console' then 'noc.' else 'wifi.' end || lower(replace(a.third_id, 'T-', '')) || '.example',
      update_at = ${now}::bigint - a.id * 7919 % 360000, version = 2
    from agent a where a.id = domain.agent_id and a.third_id is not null`.execute(db);
};
