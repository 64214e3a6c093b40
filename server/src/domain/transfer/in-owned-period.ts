import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Ctx } from '../../kit/ctx.ts';
import { inScope } from '../../kit/list/scope.ts';

interface Period {
  readonly start: number;
  readonly end: number | null;
}

/** Periods in which the device belonged to a VNO outside the scope; same rule as device_owner(). */
const foreignPeriods = (ctx: Ctx, deviceId: number) => sql<Period>`
  with transfers as (select from_agent_id, finish_at from device_transfer where device_id = ${deviceId} and state = 'done')
  select "start", "end" from (
    select from_agent_id as agent_id, lag(finish_at, 1, 0::bigint) over (order by finish_at) as "start", finish_at as "end" from transfers
    union all
    select agent_id, (select coalesce(max(finish_at), 0) from transfers), null from device where id = ${deviceId}
  ) period where not (${inScope(ctx.me, 'period.agent_id')})`;

/**
 * Condition on the time of rows that store no owner: the device belonged to a VNO in scope at that time, so a transferred device does not
 * reveal earlier rows.
 */
export const inOwnedPeriod = async (ctx: Ctx, deviceId: number): Promise<(time: string) => RawBuilder<SqlBool>> => {
  const { rows } = await foreignPeriods(ctx, deviceId).execute(ctx.db);
  return (time) => {
    const at = sql.ref(time);
    const outside = rows.map(({ start, end }) => sql`(${at} < ${start} or ${at} >= coalesce(${end}::bigint, ${at} + 1))`);
    return sql<SqlBool>`${sql.join([sql`true`, ...outside], sql` and `)}`;
  };
};
