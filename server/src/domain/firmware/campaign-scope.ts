import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SessionInfo } from '../../db/column-types.ts';
import { hasDeviceInScope } from '../../kit/list/device-scope.ts';
import { inScope } from '../../kit/list/scope.ts';

export const targetsOf = (id: RawBuilder<unknown>) => sql`select u.device_id as id from upgrade_device u where u.campaign_id = ${id}`;

/** Campaigns that a session may read: of its branch, with a device of its role. */
export const campaignScope = (me: SessionInfo): RawBuilder<SqlBool> =>
  sql<SqlBool>`${inScope(me, 'upgrade_campaign.agent_id')} and ${hasDeviceInScope(me, targetsOf(sql.ref('upgrade_campaign.id')))}`;
