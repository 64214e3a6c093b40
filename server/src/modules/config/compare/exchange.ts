import type { exchangeCalls as calls } from '@farlink/contract/config/exchange.ts';
import { errors } from '@farlink/contract/errors.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { factoryDocs } from '@farlink/gateway/kit/config.ts';
import { readDocument } from '@farlink/gateway/kit/document.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import { hashOf } from '@farlink/gateway/protocol/shadow.ts';
import { mayChangePage, maySeePage, requireSection } from '../../../domain/config/access.ts';
import { docsOf, type SectionDoc } from '../../../domain/config/documents.ts';
import { saveDraft } from '../../../domain/config/drafts.ts';
import { readFile, writeFile } from '../../../domain/config/exchange.ts';
import { fillSecrets } from '../../../domain/config/fill-secrets.ts';
import { missingFiles } from '../../../domain/config/stored-files.ts';
import { calledOf, findTarget, subjectOf } from '../../../domain/config/target.ts';
import { fail } from '../../../kit/fail.ts';
import { FileResponse } from '../../../kit/files/file-response.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { record } from '../../../kit/log/record.ts';
import { notifyChange } from '../../../orders/notify.ts';

const stampOf = (now: number) => new Date(now * 1000).toISOString().slice(0, 19).replace(/\D/g, '');

export const exportConfig: Handler<typeof calls.export> = async (ctx, { device_id, pages, password }) => {
  const device = await findTarget(ctx, device_id);
  for (const section of pages ?? []) requireSection(ctx.me, section, 'read');
  const isChosen = pages !== undefined && pages !== null && pages.length > 0;
  const all = await docsOf(ctx.db, device.id, isChosen ? pages : 'all', ctx.deps.config.secretKey);
  // An operator with read-only access to a page cannot export its secrets.
  const mine = [...all].filter(([section]) => (password ? mayChangePage : maySeePage)(ctx.me, section));
  if (isChosen && mine.some(([, { state }]) => state === 'unread')) throw fail('config_unread');
  // A full export skips pages that still have factory values, and pages that are not read.
  const isExported = (section: string, { hash, state }: SectionDoc) =>
    state !== 'unread' && (isChosen || hash !== hashOf(factoryDocs.get(section) ?? {}));
  const docs = new Map(mine.filter(([section, now]) => isExported(section, now)).map(([section, { doc }]) => [section, doc]));
  const { name, sn, model, version } = device;
  const file = await writeFile({ device: { name, sn, model, version }, at: ctx.now() }, docs, password);
  record(
    ctx,
    [
      `导出设备 ${calledOf(device)} 的网关配置${password ? '（含加密的保密内容）' : ''}`,
      `Exported the configuration of device ${calledOf(device)}${password ? ' with encrypted secrets' : ''}`,
    ],
    { after: { pages: [...docs.keys()] }, subject: subjectOf(device) },
  );
  return new FileResponse({
    body: `${JSON.stringify(file, null, 2)}\n`,
    type: 'application/octet-stream',
    name: `${sn}-config-${stampOf(ctx.now())}.json`,
  });
};

/** One invalid value rejects the whole file; each problem is reported at its page and field. */
export const importConfig: Handler<typeof calls.import> = async (ctx, { device_id, content, password, pages }) => {
  const device = await findTarget(ctx, device_id);
  const { docs, bare } = await readFile(content, password, pages ?? []);
  const { secretKey } = ctx.deps.config;
  const mine = [...docs].filter(([section]) => mayChangePage(ctx.me, section));
  const now = await docsOf(ctx.db, device.id, [...docs.keys()], secretKey);
  const faults: [string, Text][] = [];
  const changed: string[] = [];
  for (const [section, { page, doc: imported }] of mine) {
    const current = now.get(section);
    if (!current) continue;
    if (current.state === 'unread') {
      faults.push([section, errors.config_unread.text]);
      continue;
    }
    const filled = bare ? fillSecrets(page, imported, current.doc) : imported;
    if (hashOf(filled) === current.hash) continue;
    const { doc, problems } = readDocument(page, filled);
    const lost = problems.length > 0 ? [] : await missingFiles(ctx, page, doc, [current.doc]);
    for (const { path, text } of [...problems, ...lost]) faults.push([`${section}.${path}`, text]);
    if (faults.length > 0 || hashOf(doc) === current.hash) continue;
    changed.push(section);
    const by = { uid: ctx.me.uid, name: ctx.me.name };
    await saveDraft(ctx.db, { device: device.id, section, by, doc, base_rev: current.rev, source: 'import', now: ctx.now(), secretKey });
  }
  // The first problem of a field wins.
  if (faults.length > 0) throw fail('bad_input', { fields: Object.fromEntries(faults.toReversed()) });
  if (mine.length === 0) throw fail('denied');
  await notifyChange(ctx.db, 'section', [device.id]);
  const titles = (lang: 0 | 1) =>
    changed.map((section) => gatewayPages.get(section)?.title[lang] ?? section).join(lang === 0 ? '、' : ', ');
  record(
    ctx,
    [
      `导入网关配置到设备 ${calledOf(device)}，形成草稿：${titles(0) || '无变化'}`,
      `Imported a configuration to device ${calledOf(device)} as drafts: ${titles(1) || 'no changes'}`,
    ],
    { after: { pages: changed }, subject: subjectOf(device) },
  );
  const denied = [...docs.keys()].filter((section) => !mayChangePage(ctx.me, section));
  return { pages: changed, unchanged: mine.length - changed.length, denied };
};
