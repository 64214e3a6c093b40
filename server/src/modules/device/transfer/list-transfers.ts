import { transferCalls as calls } from '@farlink/contract/device/transfer.ts';
import { sql } from 'kysely';
import type { Handler } from '../../../kit/http/serve.ts';
import { operatorName } from '../../../kit/list/operator-name.ts';
import { pageOf } from '../../../kit/list/page.ts';
import { inScope } from '../../../kit/list/scope.ts';
import { findDevice } from '../find-device.ts';

const counts = ['accounts_moved', 'accounts_left', 'packages', 'cards', 'templates'] as const;

/** Shows transfers from or to VNOs in scope. The old VNO and the objects left there are shown only if that VNO is in scope. */
export const listTransfers: Handler<typeof calls.list> = async (ctx, input) => {
  const { id } = await findDevice(ctx, input.device_id);
  const isOldVnoInScope = inScope(ctx.me, 'device_transfer.from_agent_id');
  const query = ctx.db
    .selectFrom('device_transfer')
    .leftJoin('agent as giver', 'giver.id', 'device_transfer.from_agent_id')
    .leftJoin('agent as taker', 'taker.id', 'device_transfer.to_agent_id')
    .select([
      'device_transfer.id',
      'device_transfer.create_at',
      'device_transfer.finish_at',
      'device_transfer.state',
      operatorName(ctx, 'device_transfer.operator', 'device_transfer.operator_agent_id').as('operator'),
      'device_transfer.remark',
      'taker.name as to_name',
      sql<string | null>`case when ${isOldVnoInScope} then giver.name end`.as('from_name'),
      sql<string | null>`${sql.ref(ctx.lang === 'en' ? 'device_transfer.reason_en' : 'device_transfer.reason_zh')}`.as('reason'),
      ...counts.map((name) =>
        sql<number | null>`case when ${isOldVnoInScope} then (device_transfer.residue ->> ${sql.lit(name)})::int end`.as(name),
      ),
    ])
    .where('device_transfer.device_id', '=', id)
    .where((eb) => eb.or([isOldVnoInScope, inScope(ctx.me, 'device_transfer.to_agent_id')]));
  return pageOf(ctx.db, calls.list, input, query);
};
