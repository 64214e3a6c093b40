import { type ConfigNode, configCalls as calls, type ShadowState } from '@farlink/contract/config/config.ts';
import { isApplyOpen } from '@farlink/contract/protocol/apply.ts';
import { mayCall } from '@farlink/contract/rights.ts';
import { isSection } from '@farlink/gateway/kit/page.ts';
import { gatewayMenu } from '@farlink/gateway/menu.ts';
import { shadowState } from '@farlink/gateway/protocol/shadow.ts';
import { sql } from 'kysely';
import { grantOfPage, seenApply } from '../../../domain/config/access.ts';
import { isUnread } from '../../../domain/config/documents.ts';
import { findTarget, type Target } from '../../../domain/config/target.ts';
import { applyColumns, applyOperator, applyView } from '../../../domain/config/wait-reason.ts';
import type { Ctx } from '../../../kit/ctx.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { operatorName } from '../../../kit/list/operator-name.ts';

/** A finished apply is shown for this long, so a returning operator sees the result. */
const recentS = 600;

interface StateRow {
  readonly section: string;
  /** Null: there is no desired revision. */
  readonly rev: number | null;
  readonly hash: string;
  readonly sent_at: number | null;
  readonly reported_rev: number | null;
  readonly reported_hash: string | null;
  readonly ok: boolean;
  readonly local: boolean;
  readonly has_doc: boolean;
}

/** State of each section, without its document. */
const statesOf = async (ctx: Ctx, deviceId: number): Promise<Map<string, ShadowState>> => {
  const { rows } = await sql<StateRow>`
    select coalesce(d.section, r.section) as section, d.rev, d.hash, d.sent_at, r.rev as reported_rev, r.hash as reported_hash, r.ok, r.local,
      r.doc is not null or exists (
        select from config_revision v where v.device_id = r.device_id and v.section = r.section and v.hash = r.hash
      ) as has_doc
    from (select * from desired_section where device_id = ${deviceId}) d
    full join (select * from reported_section where device_id = ${deviceId}) r on r.section = d.section`.execute(ctx.db);
  return new Map(
    rows.map(({ rev, ...row }) => {
      if (rev === null) return [row.section, isUnread(row.section, row.reported_hash, row.has_doc) ? 'unread' : 'none'];
      const reported =
        row.reported_rev === null ? undefined : { rev: row.reported_rev, hash: row.reported_hash, ok: row.ok, local: row.local };
      return [row.section, shadowState({ ...row, rev }, reported)];
    }),
  );
};

const newestApply = async (ctx: Ctx, device: Target) => {
  const row = await ctx.db
    .selectFrom('config_apply')
    .select(applyColumns)
    .select(operatorName<string | null>(ctx, 'operator', applyOperator).as('operator'))
    .where('device_id', '=', device.id)
    .orderBy('create_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const now = ctx.now();
  return row && (isApplyOpen(row.state) || (row.finish_at ?? 0) > now - recentS) ? seenApply(ctx.me, applyView(row, device, now)) : null;
};

export const readTree: Handler<typeof calls.tree> = async (ctx, { device_id }) => {
  const device = await findTarget(ctx, device_id);
  const states = await statesOf(ctx, device.id);
  const drafts = await ctx.db
    .selectFrom('config_draft')
    .select('section')
    .where('device_id', '=', device.id)
    .where('uid', '=', ctx.me.uid)
    .execute();
  const drafted = new Set(drafts.map(({ section }) => section));
  const mayWrite = mayCall(calls.draft, ctx.me);
  const groups = gatewayMenu.map(({ key, title: [zh, en], pages }) => ({
    key,
    zh,
    en,
    pages: pages.flatMap((page): ConfigNode[] => {
      const grant = grantOfPage(ctx.me, page);
      if (grant === '00') return [];
      return [
        {
          key: page.key,
          zh: page.title[0],
          en: page.title[1],
          kind: page.kind,
          writable: grant === '11' && mayWrite,
          hidden: page.hidden === true,
          quick: page.quick ?? null,
          state: isSection(page) ? (states.get(page.key) ?? 'none') : null,
          draft: drafted.has(page.key),
        },
      ];
    }),
  }));
  return {
    device: { id: device.id, name: device.name, sn: device.sn, online_state: device.online_state, network: device.network },
    groups: groups.filter(({ pages }) => pages.length > 0),
    apply: await newestApply(ctx, device),
  };
};
