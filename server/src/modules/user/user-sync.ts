import type { NoGateway, SyncState } from '@farlink/contract/user/choices.ts';
import type { AccountSync, GatewaySync } from '@farlink/contract/user/user-detail.ts';
import { sql } from 'kysely';
import { noAccountsOnAny } from '../../domain/access/no-gateway.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { inScope } from '../../kit/list/scope.ts';
import type { UserRow } from './find-user.ts';

/** Gateways of one account in a reply. */
const shown = 20;

/**
 * Gateways of an account. A change whose entry is not written yet counts as not confirmed, so the state is never too optimistic.
 */
const gatewaysOf = (ctx: Ctx, id: number) => sql`
  select g.device_id, device.name as device_name, g.refused as refusal, g.is_gone as is_leaving,
    case when is_open then y.round_at else y.acked_at end as since,
    case when not is_open and g.refused is not null then 'refused' when not is_open then 'synced' when device.online_state = 1 then 'pending'
      else 'offline' end as state
  from gateway_account g join device on device.id = g.device_id join account_sync y on y.device_id = g.device_id
    cross join lateral (
      select y.is_lost or g.rev > y.acked
        or exists (select from account_change c where c.subscriber_id = g.subscriber_id or c.device_id = g.device_id) as is_open
    ) o
  where g.subscriber_id = ${id} and ${inScope(ctx.me, 'device.agent_id', 'device.id')}`;

/** Why no gateway holds the account: nothing is bound, or all bound gateways cannot. */
const noneOf = async (ctx: Ctx, user: UserRow): Promise<NoGateway> => {
  if (user.device_id === null && user.device_group_id === null && !user.whole_vno) return 'unbound';
  const { rows } = await sql<{ billing_mode: number; caps: string[]; access_at: number | null }>`
    select distinct billing_mode, caps, access_at is null as is_new, min(access_at) as access_at from device
    where agent_id = ${user.agent_id} and (id = ${user.device_id} or (${user.device_id}::bigint is null and (device_group_id = ${user.device_group_id} or ${user.whole_vno})))
    group by 1, 2, 3`.execute(ctx.db);
  return rows.length === 0 && user.device_id === null ? 'empty_group' : noAccountsOnAny(rows);
};

/** State of the account at its gateways. */
export const syncOf = async (ctx: Ctx, user: UserRow): Promise<AccountSync> => {
  const counts: Record<SyncState, number> = { synced: 0, pending: 0, offline: 0, refused: 0 };
  const { rows: states } = await sql<{ state: SyncState; n: number }>`
    select state, count(*)::int as n from (${gatewaysOf(ctx, user.id)}) s group by state`.execute(ctx.db);
  for (const { state, n } of states) counts[state] = n;
  if (states.length === 0) return { counts, gateways: [], none: await noneOf(ctx, user) };
  const { rows: gateways } = await sql<GatewaySync>`
    select * from (${gatewaysOf(ctx, user.id)}) s
    order by array_position(array['refused', 'offline', 'pending', 'synced'], state), device_name, device_id limit ${shown}`.execute(
    ctx.db,
  );
  return { counts, gateways, none: null };
};
