import { fenceStatusSendCalls as calls } from '@farlink/contract/device/fence-status-send.ts';
import { fieldText } from '@farlink/contract/log/field-texts.ts';
import { sql } from 'kysely';
import type { Handler } from '../../kit/http/serve.ts';
import { pageOf } from '../../kit/list/page.ts';
import { inScope } from '../../kit/list/scope.ts';

/** Five decimals: about one metre. */
const degrees = (column: 'longitude' | 'latitude') => sql<string | null>`to_char(${sql.ref(`fence_change.${column}`)}, 'FM990.00000')`;

export const listFenceChanges: Handler<typeof calls.list> = async (ctx, input) => {
  const listing = await pageOf(
    ctx.db,
    calls.list,
    input,
    ctx.db
      .selectFrom('fence_change')
      .leftJoin('agent', 'agent.id', 'fence_change.agent_id')
      .leftJoin('device', (join) =>
        join.onRef('device.id', '=', 'fence_change.device_id').on(inScope(ctx.me, 'device.agent_id', 'device.id')),
      )
      .select([
        'fence_change.id',
        'fence_change.device_id',
        'device.name as device_name',
        'fence_change.sn',
        'fence_change.fence_name',
        'fence_change.fence_state',
        'fence_change.action',
        'fence_change.network',
        'fence_change.create_at',
        'fence_change.agent_id as vno_id',
        'agent.name as agent_name',
        degrees('longitude').as('longitude'),
        degrees('latitude').as('latitude'),
      ])
      .where(inScope(ctx.me, 'fence_change.agent_id', 'fence_change.device_id')),
    ctx.db.selectFrom('fence_change').where(inScope(ctx.me, 'fence_change.agent_id', 'fence_change.device_id')),
  );
  return { ...listing, list: listing.list.map((row) => ({ ...row, action: fieldText(row.action, ctx.lang) })) };
};
