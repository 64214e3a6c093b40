import type { templateCalls as calls, TemplateLevel, TemplatePart } from '@farlink/contract/config/config-template.ts';
import type { InputOf } from '@farlink/contract/kit/endpoint.ts';
import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { isSection } from '@farlink/gateway/kit/page.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import { canonical } from '@farlink/gateway/protocol/canonical.ts';
import { document, type JsonObject, parse } from '@farlink/gateway/protocol/shape.ts';
import { sql } from 'kysely';
import { mayChangePage, maySeePage } from '../../../domain/config/access.ts';
import { titleOf } from '../../../domain/config/page-title.ts';
import { isTemplatePart, readTemplatePart } from '../../../domain/config/read-template-part.ts';
import { maskTemplatePart, openTemplatePart, sealTemplatePart } from '../../../domain/config/template-part.ts';
import { inTemplateScope } from '../../../domain/config/template-scope.ts';
import type { Ctx } from '../../../kit/ctx.ts';
import { fail, failAt } from '../../../kit/fail.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { inScope, seesOwnVno } from '../../../kit/list/scope.ts';
import { record } from '../../../kit/log/record.ts';
import { lockTemplate, templatePartsOf } from './template-query.ts';

type Input = InputOf<typeof calls.create>;
type TemplateParts = ReadonlyMap<string, TemplatePart>;

const texts = {
  platformOnly: ['只有平台可以维护平台模板', 'Only the platform can maintain platform templates'],
  vno: ['请选择有效的VNO', 'Please select a valid VNO'],
  group: ['请选择有效的设备组', 'Please select a valid device group'],
  page: ['没有配置页 {0}', 'Page {0} not found'],
  shape: ['配置页“{0}”的内容格式不正确', 'The content of page "{0}" is malformed'],
  denied: ['您无权修改配置页“{0}”', 'You do not have permission to change page "{0}"'],
  empty: ['请至少设置一个配置页', 'Please set at least one page'],
  placed: ['层级和作用范围创建后不能更改', 'Level and scope cannot be changed after creation'],
} as const satisfies Record<string, Text>;

interface TemplateScope {
  readonly agent_id: number;
  readonly device_group_id: number | null;
}

const scopeOf = async (ctx: Ctx, { level, vno_id, device_group_id }: Input): Promise<TemplateScope> => {
  if (level === 'platform') {
    if (ctx.me.agent_level !== 0 || !seesOwnVno(ctx.me)) throw failAt('level', texts.platformOnly);
    return { agent_id: ctx.me.agent_id, device_group_id: null };
  }
  if (level === 'vno') {
    const vno = await ctx.db
      .selectFrom('agent')
      .select('id')
      .where('id', '=', vno_id ?? 0)
      .where('agent_level', '>', 0)
      .where(inScope(ctx.me, 'agent.id'))
      .executeTakeFirst();
    if (!vno) throw failAt('vno_id', texts.vno);
    return { agent_id: vno.id, device_group_id: null };
  }
  const group = await ctx.db
    .selectFrom('device_group')
    .select(['id', 'agent_id'])
    .where('id', '=', device_group_id ?? 0)
    .where(inScope(ctx.me, 'device_group.agent_id'))
    .executeTakeFirst();
  if (!group) throw failAt('device_group_id', texts.group);
  return { agent_id: group.agent_id, device_group_id: group.id };
};

const same = (a: TemplatePart, b: TemplatePart) => canonical(asJson(a)) === canonical(asJson(b));
const asJson = (part: object): JsonObject => JSON.parse(JSON.stringify(part));

/** New parts of a template, with secrets opened. Pages that the session cannot see stay unchanged. */
const readTemplateParts = (ctx: Ctx, { sections, variables }: Input, before: TemplateParts): TemplateParts => {
  const secretKey = ctx.deps.config.secretKey;
  const declared = (variables ?? []).map(({ name }) => name);
  const parts = new Map<string, TemplatePart>();
  const problems: Record<string, Text> = {};
  for (const [section, raw] of Object.entries(sections)) {
    const page = gatewayPages.get(section);
    if (!page || !isSection(page) || !maySeePage(ctx.me, section)) throw failAt('sections', fill(texts.page, section));
    const parsed = parse(document, raw);
    if ('reason' in parsed || !isTemplatePart(page, parsed.value)) throw failAt('sections', fill(texts.shape, page.title));
    const read = readTemplatePart(page, parsed.value, { declared, was: before.get(section), secretKey, now: ctx.now() });
    for (const { path, text } of read.problems) problems[`sections.${section}.${path}`] ??= text;
    parts.set(section, read.part);
  }
  if (Object.keys(problems).length > 0) throw fail('bad_input', { fields: problems });
  for (const [section, part] of before) {
    const page = gatewayPages.get(section);
    if (!page) continue;
    const was = openTemplatePart(page, part, secretKey);
    const now = parts.get(section);
    if (!maySeePage(ctx.me, section)) parts.set(section, was);
    else if (!mayChangePage(ctx.me, section) && !(now && same(now, was))) throw failAt('sections', fill(texts.denied, page.title));
  }
  for (const section of parts.keys())
    if (!before.has(section) && !mayChangePage(ctx.me, section)) throw failAt('sections', fill(texts.denied, titleOf(section)));
  if (parts.size === 0) throw failAt('sections', texts.empty);
  return parts;
};

/** An action on all pages of a template needs write access to each of them. */
const requireAllPages = (ctx: Ctx, pages: readonly string[]) => {
  if (pages.some((section) => gatewayPages.has(section) && !mayChangePage(ctx.me, section))) throw fail('denied');
};

const writeTemplateParts = async (ctx: Ctx, id: number, parts: TemplateParts) => {
  await ctx.db.deleteFrom('config_template_part').where('template_id', '=', id).execute();
  const rows = [...parts].flatMap(([section, part]) => {
    const page = gatewayPages.get(section);
    return page ? [{ template_id: id, section, part: JSON.stringify(sealTemplatePart(page, part, ctx.deps.config.secretKey)) }] : [];
  });
  await ctx.db.insertInto('config_template_part').values(rows).execute();
};

const shownTemplateParts = (parts: TemplateParts) =>
  Object.fromEntries(
    [...parts].flatMap(([section, part]) => {
      const page = gatewayPages.get(section);
      return page ? [[section, maskTemplatePart(page, part)] as const] : [];
    }),
  );

const headOf = ({ name, enabled, rank, remark, variables }: Input) => ({
  name,
  enabled: enabled !== false,
  rank: rank ?? 100,
  remark: remark ?? null,
  variables: variables ?? [],
});

export const createTemplate: Handler<typeof calls.create> = async (ctx, input) => {
  const scope = await scopeOf(ctx, input);
  const parts = readTemplateParts(ctx, input, new Map());
  const head = headOf(input);
  const pages = [...parts.keys()];
  const now = ctx.now();
  const { id } = await ctx.db
    .insertInto('config_template')
    .values({
      ...head,
      ...scope,
      level: input.level,
      variables: JSON.stringify(head.variables),
      pages,
      past_pages: pages,
      operator: ctx.me.name,
      create_at: now,
      update_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await writeTemplateParts(ctx, id, parts);
  record(ctx, [`新增配置模板 ${head.name}`, `Created configuration template ${head.name}`], {
    after: { ...head, level: input.level, sections: shownTemplateParts(parts) },
  });
  return { id };
};

const isMoved = (row: { level: TemplateLevel; agent_id: number; device_group_id: number | null }, input: Input) =>
  input.level !== row.level ||
  (row.level === 'vno' && input.vno_id !== row.agent_id) ||
  (row.level === 'group' && input.device_group_id !== row.device_group_id);

export const updateTemplate: Handler<typeof calls.update> = async (ctx, input) => {
  const row = await lockTemplate(ctx, input.id);
  if (row.level === 'platform' && ctx.me.agent_level !== 0) throw fail('denied');
  if (row.version !== input.version) throw fail('stale');
  if (isMoved(row, input)) throw failAt('level', texts.placed);
  const before = await templatePartsOf(ctx, row.id);
  const parts = readTemplateParts(ctx, input, before);
  const head = headOf(input);
  const secretKey = ctx.deps.config.secretKey;
  const opened = new Map(
    [...before].flatMap(([section, part]) => {
      const page = gatewayPages.get(section);
      return page ? [[section, openTemplatePart(page, part, secretKey)] as const] : [];
    }),
  );
  const storedHead = { name: row.name, enabled: row.enabled, rank: row.rank, remark: row.remark, variables: row.variables };
  const isUnchanged =
    canonical(asJson(head)) === canonical(asJson(storedHead)) &&
    parts.size === opened.size &&
    [...parts].every(([section, part]) => same(part, opened.get(section) ?? {}));
  if (isUnchanged) throw fail('unchanged');
  const ofAll = ({ enabled, rank, variables }: typeof head | typeof storedHead) => canonical(asJson({ enabled, rank, variables }));
  if (ofAll(head) !== ofAll(storedHead)) requireAllPages(ctx, [...before.keys()]);
  const pages = [...parts.keys()];
  await ctx.db
    .updateTable('config_template')
    .set({
      ...head,
      variables: JSON.stringify(head.variables),
      pages,
      past_pages: [...new Set([...row.past_pages, ...pages])],
      operator: ctx.me.name,
      update_at: ctx.now(),
      version: row.version + 1,
    })
    .where('id', '=', row.id)
    .execute();
  await writeTemplateParts(ctx, row.id, parts);
  record(ctx, [`修改配置模板 ${row.name}`, `Changed configuration template ${row.name}`], {
    before: { ...storedHead, sections: shownTemplateParts(opened) },
    after: { ...head, sections: shownTemplateParts(parts) },
  });
};

export const enableTemplate: Handler<typeof calls.enable> = async (ctx, { id, enabled }) => {
  const row = await lockTemplate(ctx, id);
  requireAllPages(ctx, row.pages);
  if (row.enabled === enabled) throw fail('unchanged');
  await ctx.db
    .updateTable('config_template')
    .set({ enabled, operator: ctx.me.name, update_at: ctx.now(), version: row.version + 1 })
    .where('id', '=', id)
    .execute();
  const content: Text = enabled
    ? [`启用配置模板 ${row.name}`, `Enabled configuration template ${row.name}`]
    : [`停用配置模板 ${row.name}`, `Disabled configuration template ${row.name}`];
  record(ctx, content, { before: { enabled: row.enabled }, after: { enabled } });
};

export const removeTemplate: Handler<typeof calls.remove> = async (ctx, { id }) => {
  const row = await lockTemplate(ctx, id);
  requireAllPages(ctx, row.pages);
  const { rows } = await sql<{ devices: number; open: boolean }>`
    select (select count(*)::int from device d where ${inTemplateScope('d')}) as devices,
      exists (select from config_campaign c where c.template_id = t.id and c.state in ('preparing', 'running')) as open
    from config_template t join agent a on a.id = t.agent_id where t.id = ${id}`.execute(ctx.db);
  const [use] = rows;
  if (use?.open) throw fail('config_template_under_way');
  if (row.enabled && use && use.devices > 0) throw fail('config_template_in_use', { args: [use.devices] });
  const parts = await templatePartsOf(ctx, id);
  await ctx.db.deleteFrom('config_template').where('id', '=', id).execute();
  record(ctx, [`删除配置模板 ${row.name}`, `Deleted configuration template ${row.name}`], {
    before: { name: row.name, level: row.level, sections: shownTemplateParts(parts) },
  });
};
