import { linkState } from '@farlink/contract/device/choices.ts';
import { linkStatusColorCalls as calls } from '@farlink/contract/device/link-status-color.ts';
import type { Option } from '@farlink/contract/kit/field.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { network } from '@farlink/contract/protocol/network.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { operatorName } from '../../kit/list/operator-name.ts';
import { pageOf } from '../../kit/list/page.ts';
import { record } from '../../kit/log/record.ts';

export const listColors: Handler<typeof calls.list> = (ctx, input) =>
  pageOf(
    ctx.db,
    calls.list,
    input,
    ctx.db
      .selectFrom('wan_color')
      .select(['id', 'version', 'network', 'link_state', 'color', 'description', 'update_at'])
      .select(operatorName<string | null>(ctx, 'operator').as('operator')),
  );

const labelOf = (options: readonly Option[], id: string): Text => options.find((o) => o.id === id)?.label ?? [id, id];

/** All VNOs share the table, so only the platform may change it. */
export const changeColor: Handler<typeof calls.update> = async (ctx, { id, version, color, description = null }) => {
  if (ctx.me.agent_level !== 0) throw fail('denied');
  const row = await ctx.db.selectFrom('wan_color').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (!row) throw fail('not_found');
  if (row.version !== version) throw fail('stale');
  const next = color.toUpperCase();
  if (next === row.color.toUpperCase() && description === row.description) throw fail('unchanged');
  await ctx.db
    .updateTable('wan_color')
    .set({ color: next, description, operator: ctx.me.name, update_at: ctx.now(), version: version + 1 })
    .where('id', '=', id)
    .execute();
  const [zh, en] = [labelOf(network, row.network), labelOf(linkState, row.link_state)].reduce<[string, string]>(
    (all, [z, e]) => [`${all[0]} ${z}`, `${all[1]} ${e}`],
    ['', ''],
  );
  record(ctx, [`修改链路颜色${zh}`, `Changed the link colour${en}`], {
    before: { color: row.color, description: row.description },
    after: { color: next, description },
  });
};
