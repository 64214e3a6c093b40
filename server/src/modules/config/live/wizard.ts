import type { wizardCalls as calls } from '@farlink/contract/config/wizard.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { readDocument } from '@farlink/gateway/kit/document.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import { problemsOfGuide, writeGuide } from '@farlink/gateway/pages/guide/writes/guides.ts';
import { hashOf } from '@farlink/gateway/protocol/shadow.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { newestBackup } from '../../../domain/backup/restore-job.ts';
import { requirePage, requireSection } from '../../../domain/config/access.ts';
import { checkChange, docsOf, inForce } from '../../../domain/config/documents.ts';
import { draftsOf, saveDraft } from '../../../domain/config/drafts.ts';
import { titleOf } from '../../../domain/config/page-title.ts';
import { calledOf, findTarget, subjectOf, type Target } from '../../../domain/config/target.ts';
import type { Ctx } from '../../../kit/ctx.ts';
import { fail, failAt } from '../../../kit/fail.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { record } from '../../../kit/log/record.ts';
import { notifyChange } from '../../../orders/notify.ts';
import { refuseProblems } from '../core/draft.ts';
import { openArgs, readValues } from './run.ts';

/** Documents in their stored form. */
const readAll = (docs: ReadonlyMap<string, JsonObject>): Map<string, JsonObject> =>
  new Map(
    [...docs].map(([section, doc]) => {
      const page = gatewayPages.get(section);
      return [section, page ? readDocument(page, doc).doc : doc];
    }),
  );

const noBackup: Text = ['平台上没有该设备的备份', 'The platform has no backup of this device'];

/** A backup to restore after the binding must exist when the binding is requested. */
const requireBackup = async (ctx: Ctx, device: Target, page: GatewayPage, values: JsonObject) => {
  if (page.key !== 'guide_platform_binding' || values.restore_backup !== true) return;
  if (!(await newestBackup(ctx.db, device.id, device.agent_id))) throw failAt('restore_backup', noBackup);
};

/** Writes drafts of all pages of the wizard, based on the current documents and drafts of this operator. */
export const writeWizard: Handler<typeof calls.write> = async (ctx, input) => {
  const device = await findTarget(ctx, input.device_id);
  const page = requirePage(ctx.me, input.page, 'write');
  if (page.kind !== 'wizard') throw fail('not_found');
  const values = await readValues(ctx, device, page, input.values);
  await requireBackup(ctx, device, page, values);
  const { secretKey } = ctx.deps.config;
  const docs = await docsOf(ctx.db, device.id, 'all', secretKey);
  const drafts = await draftsOf(ctx.db, device.id, ctx.me.uid, secretKey);
  const docOf = (section: string): JsonObject => {
    const now = docs.get(section);
    return drafts.get(section)?.doc ?? (now ? inForce(now) : {});
  };
  const written = writeGuide(page.key, values, docOf);
  if (!written) throw fail('not_found');
  for (const section of written.docs.keys()) requireSection(ctx.me, section, 'write');
  const [first = ''] = Object.keys(page.fields);
  const drafted = new Map([...drafts].map(([section, { doc }]) => [section, doc]));
  const isWritten = ({ section }: { readonly section: string }) => written.docs.has(section);
  refuseProblems(problemsOfGuide(checkChange(docs, new Map([...drafted, ...written.docs])).filter(isWritten), written, first));
  const changed = [...readAll(written.docs)].filter(([section, doc]) => hashOf(doc) !== hashOf(docOf(section)) || drafts.has(section));
  if (changed.length === 0) throw fail('unchanged');
  const by = { uid: ctx.me.uid, name: ctx.me.name };
  for (const [section, doc] of changed) {
    const base_rev = drafts.get(section)?.base_rev ?? docs.get(section)?.rev ?? 0;
    await saveDraft(ctx.db, { device: device.id, section, by, doc, base_rev, source: 'wizard', now: ctx.now(), secretKey });
  }
  await notifyChange(ctx.db, 'section', [device.id]);
  const [zh, en] = page.title;
  const titles = changed.map(([section]) => titleOf(section));
  record(
    ctx,
    [
      `由向导“${zh}”生成草稿：设备 ${calledOf(device)} 的网关配置“${titles.map(([name]) => name).join('、')}”`,
      `Drafts created by the guide ${en}: ${titles.map(([, name]) => name).join(', ')} of device ${calledOf(device)}`,
    ],
    { after: { [page.key]: openArgs(page, values) }, subject: subjectOf(device) },
  );
  return { pages: changed.map(([section]) => section) };
};
