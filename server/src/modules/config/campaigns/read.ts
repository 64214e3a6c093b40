import {
  type CampaignView,
  configCampaignCalls as calls,
  onItsWay,
  retryStates,
  type TargetState,
} from '@farlink/contract/config/campaign.ts';
import { readRefusal, refusalText } from '@farlink/contract/config/refusal.ts';
import { waitReason } from '@farlink/contract/device/shadow.ts';
import { say, type Text } from '@farlink/contract/kit/text.ts';
import { applyState } from '@farlink/contract/protocol/apply.ts';
import type { Network } from '@farlink/contract/protocol/network.ts';
import type { Authorization } from '@farlink/gateway/protocol/authorization.ts';
import { sql } from 'kysely';
import { campaignScope } from '../../../domain/config/campaign/campaign-scope.ts';
import { titleOf } from '../../../domain/config/page-title.ts';
import { waitOfBundle } from '../../../domain/config/wait-reason.ts';
import type { Ctx } from '../../../kit/ctx.ts';
import { fail } from '../../../kit/fail.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { operatorName } from '../../../kit/list/operator-name.ts';
import { pageOf } from '../../../kit/list/page.ts';
import { inScope } from '../../../kit/list/scope.ts';

/** Subqueries in the select list, so only the rows of the page are counted. */
const campaignQuery = (ctx: Ctx) => {
  const text = (name: 'title' | 'message') => sql<string>`${sql.ref(`c.${name}_${ctx.lang}`)}`;
  const countOf = (...states: readonly TargetState[]) =>
    sql<number>`(select count(*) from config_campaign_device t where t.campaign_id = c.id and t.state = any(${states}::text[]))`;
  return ctx.db
    .selectFrom('config_campaign as c')
    .leftJoin('agent as a', 'a.id', 'c.agent_id')
    .select([
      'c.id',
      'c.kind',
      'c.state',
      'c.device_count',
      operatorName(ctx, 'c.operator').as('operator'),
      'c.note',
      'c.keep',
      'c.pages',
      'c.create_at',
      'c.finish_at',
      'c.agent_id as vno_id',
      'a.name as agent_name',
      // The title of a copy names the source device, which may be outside a device scope.
      (ctx.me.rights.device_ids ? sql<string>`case when c.kind = 'copy' then '-' else ${text('title')} end` : text('title')).as('title'),
      sql<string | null>`coalesce(${text('message')}, c.note)`.as('message'),
      countOf('applied').as('applied_count'),
      countOf('waiting').as('waiting_count'),
      countOf('refused', 'invalid', 'lost').as('failed_count'),
      countOf('unchanged').as('unchanged_count'),
      countOf(...retryStates).as('retry_count'),
      sql<number>`case when c.device_count = 0 then 100 else (100 * ${countOf('unchanged', 'applied', 'refused', 'invalid', 'lost', 'stopped')}
        / c.device_count)::int end`.as('progress'),
    ])
    .where(campaignScope(ctx.me));
};

export const listCampaigns: Handler<typeof calls.list> = (ctx, input) => pageOf(ctx.db, calls.list, input, campaignQuery(ctx));

export const readCampaign: Handler<typeof calls.read> = async (ctx, { id }): Promise<CampaignView> => {
  const row = await campaignQuery(ctx).where('c.id', '=', id).executeTakeFirst();
  if (!row) throw fail('not_found');
  const { rows } = await sql<{ state: TargetState; n: number }>`
    select state, count(*)::int as n from config_campaign_device where campaign_id = ${id} group by state`.execute(ctx.db);
  const of = new Map(rows.map(({ state, n }) => [state, n]));
  const count = (state: TargetState) => of.get(state) ?? 0;
  return {
    ...row,
    pages: row.pages.map((section) => say(titleOf(section), ctx.lang)),
    counts: {
      queued: count('queued'),
      unchanged: count('unchanged'),
      waiting: count('waiting'),
      applied: count('applied'),
      refused: count('refused'),
      invalid: count('invalid'),
      lost: count('lost'),
      stopped: count('stopped'),
    },
  };
};

interface Waiting {
  readonly online_state: 0 | 1 | null;
  readonly network: Network | null;
  readonly auth_status: Authorization | null;
  readonly auth_expire_at: number | null;
  readonly apply_state: number | null;
  readonly bytes: number | null;
  readonly sections: number | null;
}

/** Reason from the gateway, with the page and field that it names. */
const gatewayReason = (err: string) => {
  const refusal = readRefusal(err);
  if (refusal.kind === 'field') return { page: refusal.page, path: refusal.path, reason: [refusal.text, refusal.text] as const };
  return { page: null, path: null, reason: refusalText(refusal, titleOf) };
};

/** Reason why a device waits: a dispatch rule, or no reply from the gateway yet. */
const waitText = (row: Waiting, now: number): Text | undefined => {
  if (row.apply_state !== applyState.ids.waiting) return onItsWay;
  const { online_state, network, auth_status, auth_expire_at, bytes, sections } = row;
  if (online_state === null || network === null || auth_status === null) return undefined;
  const wait = waitOfBundle({ online_state, network, auth_status, auth_expire_at }, bytes ?? 0, sections ?? 1, now);
  return waitReason.find(({ id }) => id === wait)?.label;
};

export const listTargets: Handler<typeof calls.devices> = async (ctx, input) => {
  const campaign = await campaignQuery(ctx).clearSelect().select('c.id').where('c.id', '=', input.id).executeTakeFirst();
  if (!campaign) throw fail('not_found');
  const query = ctx.db
    .selectFrom('config_campaign_device as t')
    .leftJoin('agent as a', 'a.id', 't.agent_id')
    .leftJoin('device as d', 'd.id', 't.device_id')
    .leftJoin('config_apply as p', 'p.id', 't.apply_id')
    .select([
      't.id',
      't.device_id',
      't.device_name',
      't.sn',
      't.state',
      't.page',
      't.path',
      't.update_at',
      'a.name as agent_name',
      'd.online_state',
      'd.network',
      'd.auth_status',
      'd.auth_expire_at',
      'p.state as apply_state',
      'p.bytes',
      sql<number | null>`cardinality(p.pages)`.as('sections'),
      sql<string | null>`${sql.ref(`t.reason_${ctx.lang}`)}`.as('reason'),
    ])
    .where('t.campaign_id', '=', input.id)
    .where(inScope(ctx.me, 't.agent_id', 't.device_id'));
  const found = await pageOf(ctx.db, calls.devices, input, query);
  return {
    ...found,
    list: found.list.map((row) => {
      const { id, device_id, device_name, sn, state, path, update_at, agent_name } = row;
      const gatewayText = (state === 'refused' || state === 'lost') && row.reason !== null ? gatewayReason(row.reason) : undefined;
      const waits = state === 'waiting' ? waitText(row, ctx.now()) : undefined;
      const page = gatewayText?.page ?? row.page;
      return {
        id,
        device_id,
        device_name,
        sn,
        state,
        update_at,
        agent_name,
        page_name: page === null ? null : say(titleOf(page), ctx.lang),
        path: gatewayText?.path ?? path,
        reason: (waits ?? gatewayText) ? say(waits ?? gatewayText?.reason ?? ['', ''], ctx.lang) : row.reason,
      };
    }),
  };
};
