import type { Pool } from 'pg';
import { snOf } from '../field/fleet.ts';
import type { ClientProcesses } from './client-processes.ts';
import { lines, thousands } from './report.ts';

/** Every acknowledged status is stored, or a newer one of the same gateway. */
const lostStatuses = async (pool: Pool, acked: readonly number[]) => {
  const { rows } = await pool.query<{ lost: number; rows: number }>(
    `select count(*) filter (where a.n > coalesce(s.n, 0))::int as lost, count(s.device_id)::int as rows
      from unnest($1::text[], $2::bigint[]) as a(sn, n) join device d on d.sn = a.sn left join device_status s on s.device_id = d.id where a.n > 0`,
    [acked.map((_, i) => snOf(i)), acked],
  );
  return rows[0] ?? { lost: acked.length, rows: 0 };
};

/** `numbers`: gateway and event, alternating. */
const foundEvents = async (pool: Pool, numbers: readonly number[]) => {
  const gateways = numbers.filter((_, k) => k % 2 === 0).map(snOf);
  const ids = numbers.filter((_, k) => k % 2 === 1).map((n) => `bench1-${n}`);
  const { rows } = await pool.query<{ found: number; stored: number }>(
    `select (select count(*)::int from unnest($1::text[], $2::text[]) as a(sn, id) join device_event e using (sn, id)) as found,
      (select count(*)::int from device_event where kind = 'port') as stored`,
    [gateways, ids],
  );
  return { acked: ids.length, ...(rows[0] ?? { found: 0, stored: 0 }) };
};

/** Compares what was acknowledged with the rows of the database. Returns the number of lost messages. */
export const verifyStored = async (pool: Pool, clientProcesses: ClientProcesses): Promise<number> => {
  const status = await lostStatuses(pool, await clientProcesses.acked());
  const events = await foundEvents(pool, await clientProcesses.ackedEvents());
  lines('PUBACK after COMMIT: acknowledged messages and rows of the database', [
    ['gateways with an acknowledged status, rows', thousands(status.rows)],
    ['… whose newest acknowledged status is missing', `${thousands(status.lost)} (target 0)`],
    ['events acknowledged during the kill / found', `${thousands(events.acked)} / ${thousands(events.found)}`],
    ['… lost', `${thousands(events.acked - events.found)} (target 0)`],
    ['events stored without an acknowledgement', thousands(events.stored - events.found)],
  ]);
  return status.lost + events.acked - events.found;
};
