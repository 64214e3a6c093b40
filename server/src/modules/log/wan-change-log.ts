import { linkName } from '@farlink/contract/device/link-name.ts';
import { linkSwitchSend } from '@farlink/contract/device/link-switch-send.ts';
import { fieldText } from '@farlink/contract/log/field-texts.ts';
import { wanChangeLogCalls as calls, wanChangeLog } from '@farlink/contract/log/wan-change-log.ts';
import { mayOpen } from '@farlink/contract/rights.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { operatorName } from '../../kit/list/operator-name.ts';
import { pageOf } from '../../kit/list/page.ts';
import { inScope } from '../../kit/list/scope.ts';

const pageOfSource = { send: linkSwitchSend, wan: wanChangeLog } as const;
const sources = ['send', 'wan'] as const;

const nameOf = (link: string | null) => link && linkName(link);

/** Each of the two pages gives access to its source only. */
export const listWanChanges: Handler<typeof calls.list> = async (ctx, { source, ...input }) => {
  const open = sources.filter((s) => mayOpen(pageOfSource[s], ctx.me));
  if (source && !open.includes(source)) throw fail('denied');
  const listing = await pageOf(
    ctx.db,
    calls.list,
    input,
    ctx.db
      .selectFrom('wan_change')
      .leftJoin('agent', 'agent.id', 'wan_change.agent_id')
      .leftJoin('device', (join) =>
        join.onRef('device.id', '=', 'wan_change.device_id').on(inScope(ctx.me, 'device.agent_id', 'device.id')),
      )
      .select([
        'wan_change.id',
        'wan_change.device_id',
        'device.name as device_name',
        'wan_change.sn',
        'wan_change.source',
        'wan_change.from_link',
        'wan_change.to_link',
        'wan_change.network',
        'wan_change.link_state',
        'wan_change.change_mode',
        'wan_change.link_lock',
        'wan_change.reason',
        'wan_change.result',
        operatorName<string | null>(ctx, 'wan_change.operator').as('operator'),
        'wan_change.create_at',
        'wan_change.agent_id as vno_id',
        'agent.name as agent_name',
      ])
      .where('wan_change.source', 'in', source ? [source] : open)
      .where(inScope(ctx.me, 'wan_change.agent_id', 'wan_change.device_id')),
    ctx.db
      .selectFrom('wan_change')
      .where('wan_change.source', 'in', source ? [source] : open)
      .where(inScope(ctx.me, 'wan_change.agent_id', 'wan_change.device_id')),
  );
  return {
    ...listing,
    list: listing.list.map((row) => ({
      ...row,
      from_link: nameOf(row.from_link),
      to_link: nameOf(row.to_link),
      reason: fieldText(row.reason, ctx.lang),
    })),
  };
};
