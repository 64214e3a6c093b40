import { reasonTexts } from '@farlink/contract/config/campaign.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { isRecord, type Values } from '@farlink/contract/kit/values.ts';
import { sql } from 'kysely';
import type { Ctx } from '../../../kit/ctx.ts';
import type { Db } from '../../../kit/deps.ts';
import { type Job, type JobKind, type JobKinds, type JobRun, orderJob } from '../../../kit/jobs/job.ts';
import { jobOwnerOf } from '../../../kit/jobs/job-owner.ts';
import { prepareChunk } from './prepare.ts';

const kindName = 'config_campaign';
const workers = 2;
/** Retention of completed sweeps. */
const retentionS = 3600;

/** Part of the caller's transaction. The job runs with the language and rights of the caller. */
export const enqueueCampaign = (ctx: Ctx, campaignId: number): Promise<number> =>
  orderJob(ctx.db, ctx.now(), {
    kind: kindName,
    payload: { campaign_id: campaignId, ip: ctx.ip, user_agent: ctx.userAgent },
    me: ctx.me,
    lang: ctx.lang,
  });

const campaignOf = ({ id, payload }: Job): number => {
  if (!isRecord(payload) || !('campaign_id' in payload)) throw new Error(`job ${id} is no campaign`);
  return Number(payload.campaign_id);
};

/** Address and browser of the request; a job of an earlier version has none. */
const callerOf = ({ payload }: Job) => {
  const { ip, user_agent }: Values = isRecord(payload) ? payload : {};
  return { ip: String(ip ?? ''), userAgent: String(user_agent ?? '') };
};

const leftOf = async (db: Db, campaignId: number) => {
  const { rows } = await sql<{ total: number; queued: number }>`
    select count(*)::int as total, count(*) filter (where state = 'queued' and device_id is not null)::int as queued
    from config_campaign_device where campaign_id = ${campaignId}`.execute(db);
  return rows[0] ?? { total: 0, queued: 0 };
};

/** Ends the preparation: the campaign is running while devices wait, otherwise done. Deleted devices are stopped. */
const completeCampaign = async (db: Db, campaignId: number, now: number) => {
  await sql`update config_campaign_device set state = 'stopped', reason_zh = ${reasonTexts.moved[0]}, reason_en = ${reasonTexts.moved[1]}, update_at = ${now}
    where campaign_id = ${campaignId} and (state in ('queued', 'waiting') and device_id is null or state = 'waiting' and apply_id is null)`.execute(
    db,
  );
  await sql`update config_campaign c set state = s.state, finish_at = case when s.state = 'done' then ${now}::bigint end
    from (select case when exists (
      select from config_campaign_device where campaign_id = ${campaignId} and state = 'waiting') then 'running' else 'done' end as state) s
    where c.id = ${campaignId} and c.state in ('preparing', 'running') and c.state <> s.state
      and not exists (select from config_campaign_device where campaign_id = c.id and state = 'queued')`.execute(db);
};

const run = async (run: JobRun) => {
  const by = { me: await jobOwnerOf(run), ...callerOf(run.job) };
  const id = campaignOf(run.job);
  const { total, queued } = await leftOf(run.deps.db, id);
  let done = total - queued;
  const work = async (no: number) => {
    while (!run.cancelled()) {
      const moved = await prepareChunk(run.deps, id, by, { no, of: workers });
      if (moved === undefined) return;
      done += moved;
      await run.progress((100 * done) / Math.max(1, total));
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, no) => work(no)));
  run.signal.throwIfAborted();
  await run.commit(async (db) => {
    await completeCampaign(db, id, run.deps.clock.now());
    return undefined;
  });
};

const failed = async (db: Db, job: Job, why: Text, now: number) => {
  const id = campaignOf(job);
  await sql`update config_campaign set state = 'failed', message_zh = ${why[0]}, message_en = ${why[1]}, finish_at = ${now}
    where id = ${id} and state = 'preparing'`.execute(db);
  await sql`update config_campaign_device set state = 'stopped', reason_zh = ${why[0]}, reason_en = ${why[1]}, update_at = ${now}
    where campaign_id = ${id} and state = 'queued'`.execute(db);
};

const campaigns: JobKind = { run, failed };

/** Stopped campaigns are included, because changes already sent continue. */
const openCampaigns = sql`config_campaign c where c.state = 'running' or c.state in ('stopped', 'failed') and exists (
  select from config_campaign_device t where t.campaign_id = c.id and t.state = 'waiting' and (t.device_id is null or t.apply_id is null))`;

/** Handles cases without a gateway reply: deleted devices, and two final replies at the same moment. */
const sweep = async ({ deps }: JobRun) => {
  const now = deps.clock.now();
  const { rows } = await sql<{ id: number }>`select c.id from ${openCampaigns}`.execute(deps.db);
  for (const { id } of rows) await deps.db.transaction().execute((db) => completeCampaign(db, id, now));
};

const isDue = () => sql<boolean>`exists (select from ${openCampaigns})`;

export const configCampaignJobs: JobKinds = {
  [kindName]: campaigns,
  config_campaign_sweep: { run: sweep, everyS: 15, isDue, retentionS },
};
