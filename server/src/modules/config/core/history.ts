import { configCalls as calls } from '@farlink/contract/config/config.ts';
import { readRefusal, refusalText } from '@farlink/contract/config/refusal.ts';
import { say } from '@farlink/contract/kit/text.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { maskDoc, openDoc } from '../../../config-doc/sealed.ts';
import { requireSection, seenApply } from '../../../domain/config/access.ts';
import { loggedChange, shownDifferences } from '../../../domain/config/differences.ts';
import { docsOf, inForce } from '../../../domain/config/documents.ts';
import { saveDraft } from '../../../domain/config/drafts.ts';
import { titleOf } from '../../../domain/config/page-title.ts';
import { calledOf, findTarget, subjectOf, type Target } from '../../../domain/config/target.ts';
import { applyOperator } from '../../../domain/config/wait-reason.ts';
import type { Ctx } from '../../../kit/ctx.ts';
import { fail } from '../../../kit/fail.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { operatorName } from '../../../kit/list/operator-name.ts';
import { pageOf } from '../../../kit/list/page.ts';
import { record } from '../../../kit/log/record.ts';
import { notifyChange } from '../../../orders/notify.ts';

export const listApplies: Handler<typeof calls.applies> = async (ctx, input) => {
  const device = await findTarget(ctx, input.device_id);
  const query = ctx.db
    .selectFrom('config_apply')
    .select(['id', 'source', 'state', 'pages', 'err', 'note', 'create_at', 'finish_at'])
    .select(operatorName(ctx, 'operator', applyOperator).as('operator'))
    .where('device_id', '=', device.id);
  const found = await pageOf(ctx.db, calls.applies, input, query);
  const errorText = (err: string | null) => err && say(refusalText(readRefusal(err), titleOf), ctx.lang);
  return {
    ...found,
    list: found.list.map((row) => {
      const seen = seenApply(ctx.me, row);
      return { ...seen, err: errorText(seen.err) };
    }),
  };
};

export const listRevisions: Handler<typeof calls.revisions> = async (ctx, input) => {
  const device = await findTarget(ctx, input.device_id);
  const page = requireSection(ctx.me, input.section, 'read');
  const query = ctx.db
    .selectFrom('config_revision as v')
    .innerJoin('config_apply', 'config_apply.id', 'v.apply_id')
    .select(['v.rev as id', 'v.rev', 'v.source', 'v.note', 'v.create_at', operatorName(ctx, 'v.operator', applyOperator).as('operator')])
    .where('v.device_id', '=', device.id)
    .where('v.section', '=', page.key);
  return pageOf(ctx.db, calls.revisions, input, query);
};

const findRevision = async (ctx: Ctx, device: Target, page: GatewayPage, rev: number): Promise<JsonObject> => {
  const row = await ctx.db
    .selectFrom('config_revision')
    .select('doc')
    .where('device_id', '=', device.id)
    .where('section', '=', page.key)
    .where('rev', '=', rev)
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  return openDoc(page, row.doc, ctx.deps.config.secretKey);
};

const sectionState = async (ctx: Ctx, device: Target, page: GatewayPage) => {
  const now = (await docsOf(ctx.db, device.id, [page.key], ctx.deps.config.secretKey)).get(page.key);
  if (!now) throw fail('not_found');
  return now;
};

export const readRevision: Handler<typeof calls.revision> = async (ctx, input) => {
  const device = await findTarget(ctx, input.device_id);
  const page = requireSection(ctx.me, input.page, 'read');
  const doc = await findRevision(ctx, device, page, input.rev);
  const now = await sectionState(ctx, device, page);
  return { doc: maskDoc(page, doc), differences: shownDifferences(page, inForce(now), doc) };
};

export const rollback: Handler<typeof calls.rollback> = async (ctx, input) => {
  const device = await findTarget(ctx, input.device_id);
  const page = requireSection(ctx.me, input.page, 'write');
  const doc = await findRevision(ctx, device, page, input.rev);
  const now = await sectionState(ctx, device, page);
  const change = loggedChange(page, inForce(now), doc);
  if (Object.keys(change.after).length === 0) throw fail('unchanged');
  const by = { uid: ctx.me.uid, name: ctx.me.name };
  const { secretKey } = ctx.deps.config;
  await saveDraft(ctx.db, {
    device: device.id,
    section: page.key,
    by,
    doc,
    base_rev: now.rev,
    source: 'rollback',
    now: ctx.now(),
    secretKey,
  });
  await notifyChange(ctx.db, 'section', [device.id]);
  const name = calledOf(device);
  record(
    ctx,
    [
      `将设备 ${name} 的网关配置“${page.title[0]}”第${input.rev}版存为草稿`,
      `Saved revision ${input.rev} as a draft: ${page.title[1]} of device ${name}`,
    ],
    { before: { [page.key]: change.before }, after: { [page.key]: change.after }, subject: subjectOf(device) },
  );
};
