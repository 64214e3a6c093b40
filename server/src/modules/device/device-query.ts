import { dayNumber } from '@farlink/contract/kit/zone.ts';
import type { Network } from '@farlink/contract/protocol/network.ts';
import { sql } from 'kysely';
import type { SessionInfo } from '../../db/column-types.ts';
import { authorizationSql } from '../../domain/device/authorization-sql.ts';
import { latestVersion } from '../../domain/firmware/latest-version.ts';
import type { Db } from '../../kit/deps.ts';
import { inScope } from '../../kit/list/scope.ts';

/** Devices in the scope of the session. */
export const deviceScope = (me: SessionInfo) => inScope(me, 'device.agent_id', 'device.id');

/**
 * Selects each column and filter of the list under its name, and the initial values of its forms. The outer joins use unique ids, so they
 * run only for the rows of the page. `withDeviceTags` converts `links`, `lan` and `containers`.
 */
export const deviceColumns = (db: Db, now: number) =>
  db
    .selectFrom('device')
    .leftJoin('agent', 'agent.id', 'device.agent_id')
    .leftJoin('device_group', 'device_group.id', 'device.device_group_id')
    .leftJoin('portal', 'portal.id', 'device.portal_id')
    .leftJoin('device_status', 'device_status.device_id', 'device.id')
    .leftJoin('device_flow_day', 'device_flow_day.device_id', 'device.id')
    .select([
      'device.id',
      'device.revision',
      'device.name',
      'device.sn',
      'device.model',
      'device.merchant_code',
      'device.online_state',
      'device.status',
      'device.device_type',
      'device.device_group_id',
      'device_group.name as group_name',
      'device.agent_id as vno_id',
      'agent.name as agent_name',
      authorizationSql(now).as('auth_status'),
      // Same order, in a form that an index supports.
      'device.auth_status as auth_order',
      'device.auth_expire_at',
      'device.current_link',
      // An offline gateway has no current network, independent of its last report.
      sql<Network | null>`case when device.online_state = 1 then device.network end`.as('network'),
      'device.version',
      'device.version_past',
      latestVersion('device').as('latest_version'),
      sql<'queued' | 'sending' | 'verifying' | null>`(select u.state from upgrade_device u where u.device_id = device.id
        and u.state in ('queued', 'sending', 'verifying'))`.as('upgrade_state'),
      sql<number | null>`(select u.campaign_id from upgrade_device u where u.device_id = device.id
        and u.state in ('queued', 'sending', 'verifying'))`.as('campaign_id'),
      sql<0 | 1 | 2 | 3 | 4>`device.docker_status`.as('docker_status'),
      'device.fence',
      'device.billing_mode',
      sql<string | null>`case when device.key_hash is not null then '••••••••' || coalesce(device.key_hint, '') end`.as('device_key'),
      'device.portal_id',
      'portal.name as portal_name',
      'device.proxy_addr',
      'device.proxy_port',
      sql<number | null>`case when device.online_state = 1 then greatest(0, ${now}::bigint - device.boot_at) end`.as('run_time'),
      // Same order as `run_time`, in a form that an index supports.
      sql<number | null>`case when device.online_state = 1 then -device.boot_at end`.as('run_order'),
      'device.intranet_ip',
      'device.opt_status',
      'device.link_lock',
      'device.change_mode',
      'device.transfer_status',
      'device.account_count as user_count',
      'device.online_at',
      'device.offline_at',
      'device.access_at',
      // An offline gateway has no online users, independent of its last report.
      sql<number | null>`case when device.online_state = 1 then device_status.online_users else 0 end`.as('online_users'),
      sql<number>`case when device_flow_day.day = ${dayNumber(now)} then device_flow_day.bytes else 0 end`.as('flow_today'),
      sql<number | null>`greatest(device_status.seen_at, device.online_at, device.offline_at)`.as('seen_at'),
      'device.remark',
      'device_status.links',
      'device_status.lan',
      sql<unknown>`(select json_agg(json_build_array(c.name, c.status) order by c.name) from device_container c where c.device_id = device.id)`.as(
        'containers',
      ),
    ]);

export const deviceQuery = (db: Db, { me, now }: { readonly me: SessionInfo; readonly now: number }) =>
  deviceColumns(db, now).where(deviceScope(me));
