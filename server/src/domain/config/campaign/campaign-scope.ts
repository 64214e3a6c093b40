import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SessionInfo } from '../../../db/column-types.ts';
import { hasDeviceInScope } from '../../../kit/list/device-scope.ts';
import { inScope } from '../../../kit/list/scope.ts';

/** Campaigns `c` that a session may read: of its branch, with a device of its role. */
export const campaignScope = (me: SessionInfo): RawBuilder<SqlBool> =>
  sql<SqlBool>`${inScope(me, 'c.agent_id')}
    and ${hasDeviceInScope(me, sql`select t.device_id as id from config_campaign_device t where t.campaign_id = c.id`)}`;
