import { sql } from 'kysely';
import { boundedBytes } from '../../../db/bounded.ts';
import type { Db } from '../../../kit/deps.ts';
import type { MeterState } from '../engine/types.ts';

interface Metered {
  readonly id: number;
  readonly before: MeterState;
  readonly after: MeterState;
}

/** Stores the changed holdings and the meters of these accounts. */
export const saveMeters = async (db: Db, accounts: readonly Metered[]) => {
  const holdings = accounts.flatMap(({ before, after }) => after.holdings.filter((holding, i) => holding !== before.holdings[i]));
  const rows = holdings.map(({ id, activated_at, used, cycles, first_cycle }) => ({
    id,
    activated_at,
    bytes: boundedBytes(used.bytes),
    seconds: used.seconds,
    cycles,
    first_cycle,
  }));
  if (rows.length > 0)
    await sql`
      update holding h set activated_at = u.activated_at, used_flow = u.bytes, used_time = u.seconds, cycles = u.cycles, first_cycle = u.first_cycle
      from json_to_recordset(${JSON.stringify(rows)}::json) as u(id bigint, activated_at bigint, bytes bigint, seconds bigint, cycles jsonb, first_cycle integer)
      where h.id = u.id`.execute(db);
  const meters = accounts.map(({ id, after }) => ({
    id,
    clock: after.clock,
    bytes: boundedBytes(after.overrun.bytes),
    seconds: after.overrun.seconds,
  }));
  await sql`
    insert into meter (subscriber_id, clock, overrun_bytes, overrun_seconds)
    select u.id, u.clock, u.bytes, u.seconds
    from json_to_recordset(${JSON.stringify(meters)}::json) as u(id bigint, clock bigint, bytes bigint, seconds bigint)
    on conflict (subscriber_id) do update set clock = excluded.clock, overrun_bytes = excluded.overrun_bytes,
      overrun_seconds = excluded.overrun_seconds`.execute(db);
};
