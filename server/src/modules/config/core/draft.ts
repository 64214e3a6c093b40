import type { configCalls as calls } from '@farlink/contract/config/config.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { readDocumentInSteps } from '@farlink/gateway/kit/document.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { pastTimes } from '@farlink/gateway/kit/past-times.ts';
import type { Problem } from '@farlink/gateway/kit/problem.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { requireSection } from '../../../domain/config/access.ts';
import { loggedChangeOfMany } from '../../../domain/config/differences.ts';
import { docsOf, type SectionDoc } from '../../../domain/config/documents.ts';
import { draftsOf, dropDrafts, saveDraft } from '../../../domain/config/drafts.ts';
import { hashInSteps } from '../../../domain/config/hash-in-steps.ts';
import { withKeptSecrets } from '../../../domain/config/kept-secrets.ts';
import { missingFiles } from '../../../domain/config/stored-files.ts';
import { calledOf, findTarget, subjectOf, type Target } from '../../../domain/config/target.ts';
import type { Ctx } from '../../../kit/ctx.ts';
import { fail } from '../../../kit/fail.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { takeSteps } from '../../../kit/jobs/take-steps.ts';
import { record } from '../../../kit/log/record.ts';
import { notifyChange } from '../../../orders/notify.ts';

export const refuseProblems = (problems: readonly Problem[]) => {
  if (problems.length === 0) return;
  // The first problem of a field wins.
  throw fail('bad_input', { fields: Object.fromEntries(problems.toReversed().map(({ path, text }): [string, Text] => [path, text])) });
};

/** A draft equal to the applied document is not needed, unless the section failed or drifted. */
const isChanged = async (now: SectionDoc, doc: JsonObject) =>
  (await takeSteps(hashInSteps(doc))) !== now.hash || now.state === 'failed' || now.state === 'drifted';

const logDraft = (ctx: Ctx, device: Target, page: GatewayPage, actionText: Text, change: { before: object; after: object }) => {
  const name = calledOf(device);
  const [zh, en] = page.title;
  record(ctx, [`${actionText[0]}：设备 ${name} 的网关配置“${zh}”`, `${actionText[1]}: ${en} of device ${name}`], {
    before: { [page.key]: change.before },
    after: { [page.key]: change.after },
    subject: subjectOf(device),
  });
};

export const putDraft: Handler<typeof calls.draft> = async (ctx, input) => {
  const device = await findTarget(ctx, input.device_id);
  const page = requireSection(ctx.me, input.page, 'write');
  const { secretKey } = ctx.deps.config;
  const now = (await docsOf(ctx.db, device.id, [page.key], secretKey)).get(page.key);
  if (!now) throw fail('not_found');
  if (now.state === 'unread') throw fail('config_unread');
  const draft = (await draftsOf(ctx.db, device.id, ctx.me.uid, secretKey)).get(page.key);
  const bases = [draft?.doc, now.doc, now.local].filter((doc) => doc !== undefined);
  const kept = withKeptSecrets(page, input.doc, bases);
  const { doc, problems } = await takeSteps(readDocumentInSteps(page, kept.values));
  refuseProblems([
    ...kept.problems,
    ...problems,
    ...pastTimes(page, doc, bases, ctx.now()),
    ...(await missingFiles(ctx, page, doc, bases)),
  ]);
  if (!(await isChanged(now, doc))) {
    if (!draft) throw fail('unchanged');
    await dropDrafts(ctx.db, device.id, ctx.me.uid, [page.key]);
  } else {
    const by = { uid: ctx.me.uid, name: ctx.me.name };
    const base_rev = Math.min(input.base_rev, now.rev);
    await saveDraft(ctx.db, { device: device.id, section: page.key, by, doc, base_rev, source: 'edit', now: ctx.now(), secretKey });
  }
  await notifyChange(ctx.db, 'section', [device.id]);
  logDraft(ctx, device, page, ['保存草稿', 'Saved a draft'], await loggedChangeOfMany(page, draft?.doc ?? now.doc, doc));
};

export const dropDraft: Handler<typeof calls.discard> = async (ctx, { device_id, page }) => {
  const device = await findTarget(ctx, device_id);
  const gone = await dropDrafts(ctx.db, device.id, ctx.me.uid, page ? [page] : 'all');
  if (gone.length === 0) throw fail('not_found');
  await notifyChange(ctx.db, 'section', [device.id]);
  const pages = gone.flatMap((key) => gatewayPages.get(key) ?? []);
  const name = calledOf(device);
  record(
    ctx,
    [
      `放弃草稿：设备 ${name} 的网关配置“${pages.map((one) => one.title[0]).join('、')}”`,
      `Discarded drafts: ${pages.map((one) => one.title[1]).join(', ')} of device ${name}`,
    ],
    { subject: subjectOf(device) },
  );
};
