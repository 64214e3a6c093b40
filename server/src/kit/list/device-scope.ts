import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SessionInfo } from '../../db/column-types.ts';
import type { Ctx } from '../ctx.ts';
import { fail } from '../fail.ts';
import { inScope } from './scope.ts';

/** Objects that concern a whole VNO are changed only by roles without a limit to devices. */
export const refuseDeviceScope = ({ me }: Ctx) => {
  if (me.rights.device_ids) throw fail('denied');
};

/**
 * Scope of rows that belong to several devices (groups, packages, campaigns), for a role limited to devices. `devices` selects the device
 * ids of a row as `id`.
 */

/** At least one device is in scope, so the row may be shown. */
export const hasDeviceInScope = (me: SessionInfo, devices: RawBuilder<unknown>): RawBuilder<SqlBool> => {
  const { device_ids } = me.rights;
  return device_ids
    ? sql<SqlBool>`exists (select from (${devices}) reach where reach.id = any(${device_ids}::bigint[]))`
    : sql<SqlBool>`true`;
};

/** All devices are in scope, so a change of the row affects no other device. */
export const hasOnlyDevicesInScope = (me: SessionInfo, devices: RawBuilder<unknown>): RawBuilder<SqlBool> => {
  const { device_ids } = me.rights;
  return device_ids
    ? sql<SqlBool>`not exists (select from (${devices}) reach where reach.id is null or reach.id <> all(${device_ids}::bigint[]))`
    : sql<SqlBool>`true`;
};

const devicesOfGroup = (group: string) => sql`select member.id from device member where member.device_group_id = ${sql.ref(`${group}.id`)}`;

/** Groups that a session may use: those of its branch that contain a device of its role. */
export const groupScope = (me: SessionInfo, group = 'device_group'): RawBuilder<SqlBool> =>
  sql<SqlBool>`${inScope(me, `${group}.agent_id`)} and ${hasDeviceInScope(me, devicesOfGroup(group))}`;

/** Groups that something may be bound to, because the binding affects all their devices. */
export const wholeGroupScope = (me: SessionInfo, group = 'device_group'): RawBuilder<SqlBool> =>
  sql<SqlBool>`${groupScope(me, group)} and ${hasOnlyDevicesInScope(me, devicesOfGroup(group))}`;
