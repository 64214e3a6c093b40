import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SessionInfo } from '../../db/column-types.ts';
import { inScope } from './scope.ts';

/**
 * Rows that belong to several devices (groups, packages, campaigns), judged by a role that names devices.
 * `devices` selects the ids of a row's devices as `id`.
 */

/** One of the devices is in scope, so the row may be shown. */
export const reachesOne = (me: SessionInfo, devices: RawBuilder<unknown>): RawBuilder<SqlBool> => {
  const { device_ids } = me.rights;
  return device_ids
    ? sql<SqlBool>`exists (select from (${devices}) reach where reach.id = any(${device_ids}::bigint[]))`
    : sql<SqlBool>`true`;
};

/** None of the devices is out of scope, so a change of the row affects no other device. */
export const reachesOnly = (me: SessionInfo, devices: RawBuilder<unknown>): RawBuilder<SqlBool> => {
  const { device_ids } = me.rights;
  return device_ids
    ? sql<SqlBool>`not exists (select from (${devices}) reach where reach.id is null or reach.id <> all(${device_ids}::bigint[]))`
    : sql<SqlBool>`true`;
};

const devicesOfGroup = (group: string) => sql`select member.id from device member where member.device_group_id = ${sql.ref(`${group}.id`)}`;

/** The groups that a session may name: those of its branch, with one of the devices that its role names. */
export const groupScope = (me: SessionInfo, group = 'device_group'): RawBuilder<SqlBool> =>
  sql<SqlBool>`${inScope(me, `${group}.agent_id`)} and ${reachesOne(me, devicesOfGroup(group))}`;

/** The groups to which something may be bound: it would reach every device of them. */
export const wholeGroupScope = (me: SessionInfo, group = 'device_group'): RawBuilder<SqlBool> =>
  sql<SqlBool>`${groupScope(me, group)} and ${reachesOnly(me, devicesOfGroup(group))}`;
