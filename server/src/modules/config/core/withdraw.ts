import type { configCalls as calls } from '@farlink/contract/config/config.ts';
import { applyState, isApplyOpen } from '@farlink/contract/protocol/apply.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import { sql } from 'kysely';
import { requireSection } from '../../../domain/config/access.ts';
import { restoreSections } from '../../../domain/config/restore.ts';
import { calledOf, lockTarget, subjectOf } from '../../../domain/config/target.ts';
import { fail } from '../../../kit/fail.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { record } from '../../../kit/log/record.ts';
import { notifyChange } from '../../../orders/notify.ts';

/** Possible only until the apply is sent. After that, another apply must undo it. */
export const withdraw: Handler<typeof calls.withdraw> = async (ctx, { device_id, id }) => {
  const device = await lockTarget(ctx, device_id);
  await sql`select from desired_section where device_id = ${device.id} order by section for no key update`.execute(ctx.db);
  const row = await ctx.db
    .selectFrom('config_apply')
    .select(['id', 'state', 'handed_at', 'pages'])
    .where('id', '=', id)
    .where('device_id', '=', device.id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  for (const key of row.pages) requireSection(ctx.me, key, 'write');
  if (!isApplyOpen(row.state)) throw fail('wrong_state');
  if (row.state !== applyState.ids.waiting || row.handed_at !== null) throw fail('config_on_its_way');
  await ctx.db.updateTable('config_apply').set({ state: applyState.ids.withdrawn, finish_at: ctx.now() }).where('id', '=', id).execute();
  await restoreSections(ctx.db, [id]);
  await notifyChange(ctx.db, 'section', [device.id]);
  const name = calledOf(device);
  const titles = (lang: 0 | 1) => row.pages.map((key) => gatewayPages.get(key)?.title[lang] ?? key).join(lang === 0 ? '、' : ', ');
  record(ctx, [`撤回下发：设备 ${name} 的网关配置“${titles(0)}”`, `Withdrew: ${titles(1)} of device ${name}`], {
    before: { apply: id, pages: row.pages },
    subject: subjectOf(device),
  });
};
