import { campaignCalls as calls, campaignState, upgradeReasons, upgradeState } from '@farlink/contract/firmware/campaign.ts';
import { say, type Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { type RawBuilder, sql } from 'kysely';
import { advance } from '../../domain/firmware/advance.ts';
import type { Campaign } from '../../domain/firmware/begin-devices.ts';
import { campaignScope, targetsOf } from '../../domain/firmware/campaign-scope.ts';
import { wavesOf } from '../../domain/firmware/waves.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { hasOnlyDevicesInScope } from '../../kit/list/device-scope.ts';
import { operatorName } from '../../kit/list/operator-name.ts';
import { pageOf } from '../../kit/list/page.ts';
import { inScope } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';
import { cancelCommand } from '../../orders/command.ts';

const countOf = (states: readonly string[]) => sql<number>`(
  select count(*)::int from upgrade_device u where u.campaign_id = upgrade_campaign.id and u.state = any(${states}::text[]))`;

const open = [upgradeState.id('queued'), upgradeState.id('sending'), upgradeState.id('verifying')];
const failed = [upgradeState.id('failed'), upgradeState.id('rolled_back')];

const campaignQuery = (ctx: Ctx) =>
  ctx.db
    .selectFrom('upgrade_campaign')
    .leftJoin('agent_branch', 'agent_branch.id', 'upgrade_campaign.agent_id')
    .select([
      'upgrade_campaign.id',
      'upgrade_campaign.version',
      'upgrade_campaign.kind',
      'upgrade_campaign.state',
      'upgrade_campaign.wave as wave_no',
      'upgrade_campaign.device_count',
      'upgrade_campaign.send_mode',
      'upgrade_campaign.send_at',
      operatorName(ctx, 'upgrade_campaign.operator').as('operator'),
      'upgrade_campaign.remark',
      'upgrade_campaign.create_at',
      'upgrade_campaign.finish_at',
      'upgrade_campaign.agent_id as vno_id',
      'agent_branch.name as agent_name',
      sql<string | null>`${sql.ref(`upgrade_campaign.note_${ctx.lang}`)}`.as('message'),
      countOf([upgradeState.id('success')]).as('success_count'),
      countOf(failed).as('fail_count'),
      countOf(open).as('open_count'),
    ])
    .where(campaignScope(ctx.me));

type CampaignRow = Awaited<ReturnType<ReturnType<typeof campaignQuery>['executeTakeFirstOrThrow']>>;

const shown = ({ wave_no, ...row }: CampaignRow) => ({
  ...row,
  wave: `${wave_no} / ${wavesOf(row.device_count).length}`,
  progress: row.device_count === 0 ? 0 : Math.floor(((row.device_count - row.open_count) / row.device_count) * 100),
});

export const listCampaigns: Handler<typeof calls.list> = async (ctx, input) => {
  const { list, ...rest } = await pageOf(ctx.db, calls.list, input, campaignQuery(ctx));
  return { ...rest, list: list.map(shown) };
};

export const readCampaign: Handler<typeof calls.read> = async (ctx, { id }) => {
  const row = await campaignQuery(ctx).where('upgrade_campaign.id', '=', id).executeTakeFirst();
  if (!row) throw fail('not_found');
  return shown(row);
};

const findCampaign = async (ctx: Ctx, id: number): Promise<Campaign> => {
  const row = await ctx.db
    .selectFrom('upgrade_campaign')
    .selectAll()
    .where('id', '=', id)
    .where(campaignScope(ctx.me))
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  const { rows } = await sql<{ all: boolean }>`select ${hasOnlyDevicesInScope(ctx.me, targetsOf(sql`${id}`))} as all`.execute(ctx.db);
  if (rows[0]?.all !== true) throw fail('denied');
  return row;
};

/** Current reason why a device has not started; it is not stored. */
const waitsFor = (now: number): RawBuilder<string | null> => sql<string | null>`case
  when u.state not in ('queued', 'sending') then null
  when u.state = 'sending' and coalesce(c.state, 0) > 0 then null
  when p.state = 'waiting' and u.state = 'queued' then 'time'
  when p.state = 'stopped' and u.state = 'queued' then 'stopped'
  when d.auth_status not in ('formal', 'test') or d.auth_expire_at <= ${now} then 'unauthorized'
  when d.online_state = 0 then 'offline'
  when d.network = 'l_band' then 'l_band'
  when u.state = 'queued' then 'wave'
end`;

export const listCampaignDevices: Handler<typeof calls.devices> = async (ctx, input) => {
  const known = await ctx.db
    .selectFrom('upgrade_campaign')
    .select('id')
    .where('id', '=', input.id)
    .where(campaignScope(ctx.me))
    .executeTakeFirst();
  if (!known) throw fail('not_found');
  const { list, ...rest } = await pageOf(
    ctx.db,
    calls.devices,
    input,
    ctx.db
      .selectFrom('upgrade_device as u')
      .innerJoin('upgrade_campaign as p', 'p.id', 'u.campaign_id')
      .leftJoin('device as d', 'd.id', 'u.device_id')
      .leftJoin('device_command as c', 'c.id', 'u.command_id')
      .select([
        'u.id',
        'u.device_id',
        'u.device_name',
        'u.sn',
        'u.wave',
        'u.state',
        'u.progress',
        'u.from_version',
        'u.start_at',
        'u.finish_at',
        'u.detail',
        'd.version as current_version',
        'd.network',
        sql<keyof typeof upgradeReasons | null>`coalesce(u.reason, ${waitsFor(ctx.now())})`.as('reason'),
      ])
      .where('u.campaign_id', '=', input.id)
      .where(inScope(ctx.me, 'u.agent_id', 'u.device_id')),
  );
  const reasonText = (reason: keyof typeof upgradeReasons | null, detail: string | null) =>
    reason === null ? null : say(upgradeReasons[reason], ctx.lang).replace('{0}', detail ?? '');
  return { ...rest, list: list.map(({ detail, reason, ...row }) => ({ ...row, reason: reasonText(reason, detail) })) };
};

const nameOf = ({ kind, version, id }: Campaign): Text =>
  kind === 'upgrade'
    ? [`升级任务 ${version}（#${id}）`, `upgrade to ${version} (#${id})`]
    : [`回退任务 ${version}（#${id}）`, `rollback to ${version} (#${id})`];

const logChange = (ctx: Ctx, [zh, en]: Text, campaign: Campaign, after: Partial<Campaign>) => {
  const [nameZh, nameEn] = nameOf(campaign);
  record(ctx, [`${zh}${nameZh}`, `${en} ${nameEn}`], { before: { state: campaign.state }, after: { state: after.state } });
};

export const stopCampaign: Handler<typeof calls.stop> = async (ctx, { id }) => {
  const campaign = await findCampaign(ctx, id);
  if (!campaignState.can('stop', campaign.state)) throw fail('wrong_state');
  const to = { state: campaignState.to('stop'), note_zh: '操作员已暂停', note_en: 'Paused by an operator' };
  await ctx.db.updateTable('upgrade_campaign').set(to).where('id', '=', id).execute();
  logChange(ctx, ['暂停', 'Paused'], campaign, to);
  return null;
};

/** Earlier failures are reset, so only new failures can pause the campaign again. */
export const resumeCampaign: Handler<typeof calls.resume> = async (ctx, { id }) => {
  const campaign = await findCampaign(ctx, id);
  if (!campaignState.can('resume', campaign.state)) throw fail('wrong_state');
  const now = ctx.now();
  const { n } = await ctx.db
    .selectFrom('upgrade_device')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('campaign_id', '=', id)
    .where('wave', '=', campaign.wave)
    .where('state', 'in', failed)
    .executeTakeFirstOrThrow();
  const isEarly = campaign.wave === 0;
  const to = {
    // A campaign that was stopped before its start time still waits for it.
    state: isEarly ? campaignState.id('waiting') : campaignState.to('resume'),
    forgiven: n,
    note_zh: null,
    note_en: null,
    deadline: Math.max(campaign.send_at, now) + limits.upgradeWaitHours * 3600,
  };
  await ctx.db.updateTable('upgrade_campaign').set(to).where('id', '=', id).execute();
  logChange(ctx, ['继续', 'Continued'], campaign, to);
  await advance(ctx.db, ctx.deps.config, { ...campaign, ...to }, now);
  return null;
};

/** Commands that the gateway has not taken are cancelled; running upgrades finish. */
export const endCampaign: Handler<typeof calls.end> = async (ctx, { id }) => {
  const campaign = await findCampaign(ctx, id);
  if (!campaignState.can('end', campaign.state)) throw fail('wrong_state');
  const now = ctx.now();
  const rows = await ctx.db
    .selectFrom('upgrade_device')
    .select(['id', 'command_id'])
    .where('campaign_id', '=', id)
    .where('state', 'in', upgradeState.from('cancel'))
    .orderBy('id')
    .forUpdate()
    .execute();
  const called: number[] = [];
  for (const row of rows) if (row.command_id === null || (await cancelCommand(ctx.db, row.command_id, now))) called.push(row.id);
  await ctx.db
    .updateTable('upgrade_device')
    .set({ state: upgradeState.to('cancel'), reason: 'ended', finish_at: now })
    .where('id', 'in', [...called, -1])
    .execute();
  const to = { state: campaignState.to('end'), note_zh: '操作员已终止', note_en: 'Ended by an operator', finish_at: now };
  await ctx.db.updateTable('upgrade_campaign').set(to).where('id', '=', id).execute();
  logChange(ctx, ['终止', 'Ended'], campaign, to);
  return null;
};
