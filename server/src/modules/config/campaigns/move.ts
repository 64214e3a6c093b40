import { type configCampaignCalls as calls, campaignState, reasonTexts, retryStates } from '@farlink/contract/config/campaign.ts';
import { applyState } from '@farlink/contract/protocol/apply.ts';
import { sql } from 'kysely';
import { requireSection } from '../../../domain/config/access.ts';
import { deliverAll } from '../../../domain/config/apply.ts';
import { enqueueCampaign } from '../../../domain/config/campaign/campaign-job.ts';
import { releaseJoined, restoreSections } from '../../../domain/config/restore.ts';
import type { Ctx } from '../../../kit/ctx.ts';
import { fail } from '../../../kit/fail.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { cancelJob } from '../../../kit/jobs/job.ts';
import { inScope } from '../../../kit/list/scope.ts';
import { record } from '../../../kit/log/record.ts';
import { notifyChange } from '../../../orders/notify.ts';

const lockCampaign = async (ctx: Ctx, id: number) => {
  const row = await ctx.db
    .selectFrom('config_campaign as c')
    .selectAll()
    .where('c.id', '=', id)
    .where(inScope(ctx.me, 'c.agent_id'))
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  for (const section of row.pages) requireSection(ctx.me, section, 'write');
  // An operator who manages only some of the devices cannot decide for the others.
  const { rows: others } = await sql`
    select from config_campaign_device t where t.campaign_id = ${id} and not (${inScope(ctx.me, 't.agent_id', 't.device_id')}) limit 1`.execute(
    ctx.db,
  );
  if (others.length > 0) throw fail('denied');
  return row;
};

/** Withdraws changes that were not sent to any gateway. Lock order as for gateway replies: devices, sections, applies. */
const withdrawAll = async (ctx: Ctx, campaignId: number): Promise<number> => {
  const waiting = sql.lit(applyState.ids.waiting);
  const open = sql`select t.device_id from config_campaign_device t join config_apply p on p.id = t.apply_id
    where t.campaign_id = ${campaignId} and t.state = 'waiting' and p.state = ${waiting} and p.handed_at is null and p.campaign_id = t.campaign_id`;
  const { rows: devices } = await sql<{ id: number }>`
    select id from device where id in (${open}) order by id for no key update`.execute(ctx.db);
  const ids = devices.map(({ id }) => id);
  await sql`select from desired_section where device_id = any(${ids}::bigint[]) order by device_id, section for no key update`.execute(
    ctx.db,
  );
  const { rows: unheard } = await sql<{ id: number }>`
    select id from config_apply
    where device_id = any(${ids}::bigint[]) and campaign_id = ${campaignId} and state = ${waiting} and handed_at is null order by id for update`.execute(
    ctx.db,
  );
  const gone = unheard.map(({ id }) => id);
  const joined = await releaseJoined(ctx.db, gone, campaignId);
  await sql`update config_apply set state = ${sql.lit(applyState.ids.withdrawn)}, finish_at = ${ctx.now()} where id = any(${gone}::bigint[])`.execute(
    ctx.db,
  );
  await restoreSections(ctx.db, gone);
  await deliverAll(ctx.db, joined);
  await notifyChange(ctx.db, 'section', ids);
  return gone.length;
};

export const stopCampaign: Handler<typeof calls.stop> = async (ctx, { id }) => {
  const row = await lockCampaign(ctx, id);
  if (!campaignState.can('stop', row.state)) throw fail('config_campaign_ended');
  const now = ctx.now();
  await ctx.db.updateTable('config_campaign').set({ state: 'stopped', finish_at: now }).where('id', '=', id).execute();
  if (row.job_id !== null) await cancelJob(ctx.db, now, row.job_id);
  await sql`update config_campaign_device set state = 'stopped', reason_zh = ${reasonTexts.stopped[0]}, reason_en = ${reasonTexts.stopped[1]}, update_at = ${now}
    where campaign_id = ${id} and state = 'queued'`.execute(ctx.db);
  const withdrawn = await withdrawAll(ctx, id);
  record(ctx, [`停止配置下发任务 ${row.title_zh}`, `Stopped the configuration campaign ${row.title_en}`], {
    before: { state: row.state },
    after: { state: 'stopped', withdrawn, campaign_id: id },
  });
  return null;
};

export const retryCampaign: Handler<typeof calls.retry> = async (ctx, { id }) => {
  const row = await lockCampaign(ctx, id);
  if (!campaignState.can('retry', row.state)) throw fail('config_campaign_preparing');
  const now = ctx.now();
  const { numAffectedRows } = await sql`
    update config_campaign_device set state = 'queued', apply_id = null, page = null, path = null, reason_zh = null, reason_en = null, update_at = ${now}
    where campaign_id = ${id} and state = any(${[...retryStates]}::text[]) and device_id is not null`.execute(ctx.db);
  const count = Number(numAffectedRows ?? 0);
  if (count === 0) throw fail('config_campaign_nothing_failed');
  const job_id = await enqueueCampaign(ctx, id);
  await ctx.db
    .updateTable('config_campaign')
    .set({ state: 'preparing', job_id, finish_at: null, message_zh: null, message_en: null })
    .where('id', '=', id)
    .execute();
  record(
    ctx,
    [`重试配置下发任务 ${row.title_zh}，共 ${count} 台设备`, `Retried the configuration campaign ${row.title_en}: ${count} devices`],
    {
      before: { state: row.state },
      after: { state: 'preparing', device_count: count, campaign_id: id },
    },
  );
  return null;
};
