import type { configCampaignCalls as calls } from '@farlink/contract/config/campaign.ts';
import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { rollbackTimer } from '@farlink/contract/protocol/rollback.ts';
import { readFields, rowsOf } from '@farlink/gateway/kit/document.ts';
import { pastTimes } from '@farlink/gateway/kit/past-times.ts';
import { isRisky } from '@farlink/gateway/kit/risk.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import type { Json, JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { maskDoc } from '../../../config-doc/sealed.ts';
import { requireSection } from '../../../domain/config/access.ts';
import { enqueueCampaign } from '../../../domain/config/campaign/campaign-job.ts';
import { type CampaignSpec, sealSpec, sectionsOf } from '../../../domain/config/campaign/campaign-spec.ts';
import { docsOf } from '../../../domain/config/documents.ts';
import { readFile } from '../../../domain/config/exchange.ts';
import { withKeptSecrets } from '../../../domain/config/kept-secrets.ts';
import { calledOf, findTarget } from '../../../domain/config/target.ts';
import type { Ctx } from '../../../kit/ctx.ts';
import { fail, failAt } from '../../../kit/fail.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { inScope } from '../../../kit/list/scope.ts';
import { record } from '../../../kit/log/record.ts';
import { addTargets, type Range } from './targets.ts';

interface ApplyOptions {
  readonly keep?: number | null;
  readonly force?: boolean | null;
  readonly note?: string | null;
}

interface Order {
  readonly spec: CampaignSpec;
  readonly title: Text;
  readonly template_id?: number;
  readonly range: Range;
  readonly options: ApplyOptions;
  /** For the log, without secrets. */
  readonly about: Readonly<Record<string, unknown>>;
  readonly actionText: Text;
}

const begin = async (ctx: Ctx, { spec, title, template_id, range, options, about, actionText }: Order) => {
  const sections = sectionsOf(spec);
  for (const section of sections) requireSection(ctx.me, section, 'write');
  const { id } = await ctx.db
    .insertInto('config_campaign')
    .values({
      kind: spec.kind,
      agent_id: ctx.me.agent_id,
      title_zh: title[0],
      title_en: title[1],
      operator: ctx.me.name,
      template_id: template_id ?? null,
      spec: sealSpec(spec, ctx.deps.config.secretKey),
      pages: [...sections],
      force: options.force === true,
      keep: options.keep ?? (sections.some(isRisky) ? rollbackTimer.default : 0),
      note: options.note ?? null,
      create_at: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const device_count = await addTargets(ctx, id, range);
  if (device_count === 0) throw fail('config_campaign_no_device');
  const job_id = await enqueueCampaign(ctx, id);
  await ctx.db.updateTable('config_campaign').set({ device_count, job_id }).where('id', '=', id).execute();
  record(ctx, [`${actionText[0]} ${title[0]}，共 ${device_count} 台设备`, `${actionText[1]} ${title[1]}: ${device_count} devices`], {
    after: { ...about, campaign_id: id, device_count, pages: sections, note: options.note },
  });
  return { id };
};

export const startTemplate: Handler<typeof calls.start> = async (ctx, { id, target, vno_id, device_group_id, device_ids, ...options }) => {
  const template = await ctx.db
    .selectFrom('config_template as t')
    .selectAll()
    .where('t.id', '=', id)
    .where(inScope(ctx.me, 't.agent_id'))
    .forShare()
    .executeTakeFirst();
  if (!template) throw fail('not_found');
  return begin(ctx, {
    spec: { kind: 'template', template_id: id, sections: template.past_pages.filter((section) => gatewayPages.has(section)) },
    title: [template.name, template.name],
    template_id: id,
    range: { target, vno_id, device_group_id, device_ids, template_id: id },
    options,
    about: { template: template.name, enabled: template.enabled },
    actionText: ['下发配置模板', 'Applied configuration template'],
  });
};

const texts = {
  field: ['没有此字段', 'Field not found'],
  row: ['请选择行', 'Please choose a row'],
  source: ['源设备不能是唯一的目标', 'The source device cannot be the only target'],
} as const satisfies Record<string, Text>;

const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value ?? null));

export const startBulk: Handler<typeof calls.bulk> = async (ctx, input) => {
  const page = requireSection(ctx.me, input.page, 'write');
  const field = Object.hasOwn(page.fields, input.field) ? page.fields[input.field] : undefined;
  if (!field || field.reported || input.field === page.keyField) throw failAt('field', texts.field);
  const isList = page.kind === 'list';
  if (isList && !input.row) throw failAt('row', texts.row);
  const raw = asJson(input.value.value);
  const { when: _, ...alone } = { ...field, required: false };
  const { doc, problems: faults } = raw === null ? { doc: {}, problems: [] } : readFields({ [input.field]: alone }, { [input.field]: raw });
  const asDoc = (values: JsonObject): JsonObject => (isList ? { rows: [values] } : values);
  // A bulk change cannot keep existing secrets, because each device has a different one.
  const kept = withKeptSecrets(page, asDoc({ [input.field]: raw }), []).problems;
  const past = pastTimes(page, asDoc(doc), [], ctx.now());
  const problems = [...faults, ...[...kept, ...past].map(({ path, text }) => ({ path: path.replace(/^rows\[0\]\./, ''), text }))];
  if (problems.length > 0)
    throw fail('bad_input', { fields: Object.fromEntries(problems.map(({ path, text }) => [path.replace(input.field, 'value'), text])) });
  const value = doc[input.field] ?? null;
  const masked = maskDoc(page, asDoc({ [input.field]: value }));
  const shown = (isList ? rowsOf(masked)[0] : masked)?.[input.field] ?? null;
  const { target, vno_id, device_group_id, device_ids, keep, force, note } = input;
  return begin(ctx, {
    spec: { kind: 'bulk', section: page.key, field: input.field, row: isList ? (input.row ?? '*') : null, value },
    title: fill(['{0} · {1}', '{0} · {1}'], page.title, field.label),
    range: { target, vno_id, device_group_id, device_ids },
    options: { keep, force, note },
    about: { [page.key]: { [isList ? `${input.row}.${input.field}` : input.field]: shown } },
    actionText: ['批量修改', 'Bulk edit of'],
  });
};

type CopySpec = Extract<CampaignSpec, { kind: 'copy' }>;

export const startCopy: Handler<typeof calls.copy> = async (ctx, input) => {
  const { target, vno_id, device_group_id, device_ids, keep, force, note } = input;
  const { spec, title, but } = input.source === 'device' ? await fromDevice(ctx, input.device_id ?? 0, input.pages) : await fromFile(input);
  return begin(ctx, {
    spec,
    title,
    range: { target, vno_id, device_group_id, device_ids, but },
    options: { keep, force, note },
    about: { source: title[1] },
    actionText: ['复制配置', 'Copied the configuration of'],
  });
};

const fromDevice = async (ctx: Ctx, id: number, pages: readonly string[]) => {
  const device = await findTarget(ctx, id);
  for (const section of pages) requireSection(ctx.me, section, 'read');
  const docs = await docsOf(ctx.db, device.id, pages, ctx.deps.config.secretKey);
  if ([...docs.values()].some(({ state }) => state === 'unread')) throw fail('config_unread');
  const name = calledOf(device);
  const spec: CopySpec = { kind: 'copy', docs: Object.fromEntries([...docs].map(([section, { doc }]) => [section, doc])), bare: false };
  return { spec, title: [name, name] as const, but: device.id };
};

const fromFile = async ({ content, password, pages }: Pick<Parameters<typeof startCopy>[1], 'content' | 'password' | 'pages'>) => {
  const { docs, bare } = await readFile(content ?? {}, password, pages);
  const plain: Record<string, JsonObject> = Object.fromEntries([...docs].map(([section, { doc }]) => [section, doc]));
  const spec: CopySpec = { kind: 'copy', docs: plain, bare };
  const title: Text = ['配置文件', 'a configuration file'];
  return { spec, title, but: undefined };
};
