import type { Authorization } from '@farlink/gateway/protocol/authorization.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** Authorization now: the row of an expired one is changed by a sweep, some seconds later. Same rule as `authorizationAt`. */
export const authorizationSql = (now: number): RawBuilder<Authorization> =>
  sql<Authorization>`case when device.auth_status in ('formal', 'test') and device.auth_expire_at <= ${now} then 'expired' else device.auth_status end`;

/** Filter by authorization. The planner has statistics of both columns, but none of `authorizationSql`. */
export const authorizationRows = (wanted: unknown, now: number): RawBuilder<SqlBool> => {
  if (wanted === undefined) return sql<SqlBool>`true`;
  if (wanted === 'expired')
    return sql<SqlBool>`(device.auth_status = 'expired' or (device.auth_status in ('formal', 'test') and device.auth_expire_at <= ${now}))`;
  // Each has its own plan.
  if (wanted === 'formal' || wanted === 'test')
    return sql<SqlBool>`(device.auth_status = ${sql.lit(wanted)} and (device.auth_expire_at is null or device.auth_expire_at > ${now}))`;
  return sql<SqlBool>`device.auth_status = ${wanted}`;
};
