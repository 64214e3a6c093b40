import { type ApplySource, applySource } from '@farlink/contract/config/apply.ts';
import type { configCalls as calls } from '@farlink/contract/config/config.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { rollbackTimer } from '@farlink/contract/protocol/rollback.ts';
import type { ConfigProblem } from '@farlink/gateway/kit/problem.ts';
import { isRisky } from '@farlink/gateway/kit/risk.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import { hashOf } from '@farlink/gateway/protocol/shadow.ts';
import { requireSection } from '../../../domain/config/access.ts';
import { applySections } from '../../../domain/config/apply.ts';
import { checkChange, docsOf, inForce, type SectionDoc, type SectionDocs } from '../../../domain/config/documents.ts';
import { type Draft, draftsOf, dropDrafts, lockDrafts } from '../../../domain/config/drafts.ts';
import { inheritedOfAll } from '../../../domain/config/inherited.ts';
import { loggedApply, type PageChange } from '../../../domain/config/logged-apply.ts';
import { ownPathsAfter } from '../../../domain/config/own-values.ts';
import { missingFiles } from '../../../domain/config/stored-files.ts';
import { lockTarget, type Target } from '../../../domain/config/target.ts';
import { applyOperator } from '../../../domain/config/wait-reason.ts';
import type { Ctx } from '../../../kit/ctx.ts';
import { fail, failAt } from '../../../kit/fail.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { operatorName } from '../../../kit/list/operator-name.ts';
import { record } from '../../../kit/log/record.ts';

const noDraft: Text = ['所选页面没有草稿', 'A selected page has no draft'];

type Drafts = ReadonlyMap<string, Draft>;

/** Refuses drafts whose base revision is outdated, so the changes of another operator are not overwritten unseen. */
const refuseStale = async (ctx: Ctx, device: Target, drafts: Drafts, docs: SectionDocs) => {
  const stale = [...drafts].filter(([section, { base_rev }]) => base_rev < (docs.get(section)?.rev ?? 0)).map(([section]) => section);
  const [first] = stale;
  if (first === undefined) return;
  const rows = await ctx.db
    .selectFrom('config_revision as v')
    .innerJoin('desired_section as d', (join) =>
      join.onRef('d.device_id', '=', 'v.device_id').onRef('d.section', '=', 'v.section').onRef('d.rev', '=', 'v.rev'),
    )
    .innerJoin('config_apply', 'config_apply.id', 'v.apply_id')
    .select(['v.section', 'v.rev', 'v.source', 'v.create_at', operatorName(ctx, 'v.operator', applyOperator).as('operator')])
    .where('v.device_id', '=', device.id)
    .where('v.section', 'in', stale)
    .execute();
  const of = new Map(rows.map((row) => [row.section, row]));
  const source = applySource.find(({ id }) => id === of.get(first)?.source)?.label ?? ['他人', 'someone else'];
  throw fail('config_conflict', {
    args: [gatewayPages.get(first)?.title ?? first, of.get(first)?.operator ?? source],
    data: { pages: rows.map(({ section, rev, operator, create_at }) => ({ page: section, rev, operator, create_at })) },
  });
};

export const refuseConfig = (problems: readonly ConfigProblem[]) => {
  if (problems.length === 0) return;
  const fields = problems.toReversed().map(({ section, path, text }): [string, Text] => [`${section}.${path}`, text]);
  throw fail('bad_input', { fields: Object.fromEntries(fields) });
};

/** Unchanged sections are not sent, to save bytes. A section that the gateway does not have counts as changed. */
const isChanged = (now: SectionDoc | undefined, { doc }: Draft) => !now || now.hash !== hashOf(doc) || now.appliedDoc !== undefined;

/** If all drafts have the same source, the apply has it too; otherwise it is an edit. */
const sourceOf = (sources: readonly ApplySource[]): ApplySource => {
  const [first, ...others] = new Set(sources);
  return first !== undefined && others.length === 0 ? first : 'edit';
};

export const apply: Handler<typeof calls.apply> = async (ctx, { device_id, pages, keep, note, force }) => {
  const device = await lockTarget(ctx, device_id);
  for (const key of pages) requireSection(ctx.me, key, 'write');
  const { secretKey } = ctx.deps.config;
  await lockDrafts(ctx.db, device.id, ctx.me.uid);
  const all = await draftsOf(ctx.db, device.id, ctx.me.uid, secretKey);
  if (pages.some((key) => !all.has(key))) throw failAt('pages', noDraft);
  const drafts = new Map([...all].filter(([section]) => pages.includes(section)));
  const docs = await docsOf(ctx.db, device.id, 'all', secretKey);
  if (!force) await refuseStale(ctx, device, drafts, docs);
  const changedDrafts = [...drafts].filter(([section, draft]) => isChanged(docs.get(section), draft));
  if (changedDrafts.length === 0) throw fail('unchanged');
  const changed = new Map(changedDrafts.map(([section, { doc }]) => [section, doc]));
  refuseConfig(checkChange(docs, changed));
  const own = new Map<string, string[]>();
  const changes = new Map<string, PageChange>();
  const inherited = await inheritedOfAll(ctx.db, device.id, [...changed.keys()], secretKey);
  for (const [section, doc] of changed) {
    const page = gatewayPages.get(section);
    const now = docs.get(section);
    if (!page || !now) continue;
    own.set(section, ownPathsAfter(page, now.own, now.doc, doc, inherited(page).doc));
    changes.set(section, { before: inForce(now), after: doc });
    const lost = await missingFiles(ctx, page, doc, [now.doc, ...(now.local ? [now.local] : [])]);
    refuseConfig(lost.map((problem) => ({ ...problem, section })));
  }
  const made = await applySections(ctx.db, {
    device: device.id,
    docs: changed,
    own,
    source: sourceOf(changedDrafts.map(([, { source }]) => source)),
    keep: keep ?? (changedDrafts.some(([section]) => isRisky(section)) ? rollbackTimer.default : 0),
    by: ctx.me,
    note: note ?? null,
    now: ctx.now(),
    secretKey,
  });
  await dropDrafts(ctx.db, device.id, ctx.me.uid, [...drafts.keys()]);
  const line = await loggedApply(device, ['下发', 'Applied'], changes, note);
  record(ctx, line.content, line);
  return made;
};
