import { fill, type Lang, say, type Text } from '@farlink/contract/kit/text.ts';
import { type AccountType, accountType } from '@farlink/contract/user/choices.ts';
import { settingCalls as calls } from '@farlink/contract/user/setting.ts';
import { isPlatformSetting, type SettingKey, type settingGroup } from '@farlink/contract/user/setting-fields.ts';
import { sql } from 'kysely';
import { type Effective, effectiveSettings, fieldOfSetting, settingsOf } from '../../../domain/settings.ts';
import type { Ctx } from '../../../kit/ctx.ts';
import { fail } from '../../../kit/fail.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { pageOf } from '../../../kit/list/page.ts';
import { seesOwnVno } from '../../../kit/list/scope.ts';
import { catalogue } from './catalogue.ts';

/** Id of a setting: the id of the VNO and the position in the catalogue. */
const perVno = 100;
export const settingId = (agentId: number, key: SettingKey) => agentId * perVno + catalogue.findIndex((entry) => entry.key === key) + 1;
export const settingAt = (agentId: number, id: number): SettingKey | undefined =>
  Math.floor(id / perVno) === agentId ? catalogue[(id % perVno) - 1]?.key : undefined;

const on: Text = ['开启', 'On'];
const off: Text = ['关闭', 'Off'];
const none: Text = ['未设置', 'Not set'];
const unlimited: Text = ['不限制', 'Unlimited'];

/** Value as display text; the same text is accepted as input. */
export const shownValue = (key: SettingKey, value: unknown, configs: Readonly<Record<string, string>>, lang: Lang): string => {
  const { kind, options } = fieldOfSetting[key];
  if (value === null || value === undefined || value === '') return say(none, lang);
  if (kind === 'bool') return say(value === true ? on : off, lang);
  if (kind === 'choice') return say(options?.find((o) => o.id === value)?.label ?? none, lang);
  if (kind === 'option') return configs[String(value)] ?? say(none, lang);
  return key === 'idle_timeout' && value === 0 ? say(unlimited, lang) : String(value);
};

const everywhere: Text = ['全平台', 'The whole platform'];
const below: Text = ['本VNO及未单独设置的下级VNO', 'This VNO and child VNOs without their own setting'];
const inherited: Text = ['沿用上级VNO“{0}”的设置', 'Inherited from the VNO "{0}" above'];
const byDefault: Text = ['系统默认值，本VNO及下级VNO', 'System default, for this VNO and its child VNOs'];

const scopeOf = (key: SettingKey, agentId: number, source: number | undefined, names: ReadonlyMap<number, string>): Text => {
  if (isPlatformSetting(key)) return everywhere;
  if (source === undefined) return byDefault;
  return source === agentId ? below : fill(inherited, names.get(source) ?? '');
};

const typeLabel = (type: AccountType): Text => accountType.find((t) => t.id === type)?.label ?? none;

/** Names of opening configurations by id. */
export const configNames = async (ctx: Pick<Ctx, 'db' | 'lang'>, ids: readonly number[]): Promise<Record<string, string>> => {
  const rows = await ctx.db
    .selectFrom('open_config')
    .select(['id', 'name', 'account_type'])
    .where('id', 'in', [...ids, 0])
    .execute();
  return Object.fromEntries(rows.map((row) => [row.id, row.name ?? say(typeLabel(row.account_type), ctx.lang)]));
};

interface Row {
  readonly id: number;
  readonly setting_id: number;
  /** Key that the console uses for editing. */
  readonly setting_key: SettingKey;
  readonly setting_group: (typeof settingGroup)[number]['id'];
  readonly name: string;
  readonly value: string;
  readonly scope: string;
  readonly description: string;
  readonly operator: string | null;
  readonly update_at: number | null;
  readonly version: number;
}

const rowsOf = async (ctx: Ctx, { values, sources }: Effective): Promise<Row[]> => {
  const { agent_id } = ctx.me;
  const configs = await configNames(ctx, values.default_config_id === null ? [] : [values.default_config_id]);
  const owners = [...sources.values()].map((s) => s.agent_id);
  const names = await ctx.db
    .selectFrom('agent')
    .select(['id', 'name'])
    .where('id', 'in', [...owners, 0])
    .execute();
  const nameOf = new Map(names.map(({ id, name }) => [id, name]));
  return catalogue.map(({ key, group, about }) => {
    const id = settingId(agent_id, key);
    const source = sources.get(key);
    return {
      id,
      setting_id: id,
      setting_key: key,
      setting_group: group,
      name: say(fieldOfSetting[key].label, ctx.lang),
      value: shownValue(key, values[key], configs, ctx.lang),
      scope: say(scopeOf(key, agent_id, source?.agent_id, nameOf), ctx.lang),
      description: say(about, ctx.lang),
      // The operator of a VNO above is not shown.
      operator: source?.agent_id === agent_id ? source.operator : null,
      update_at: source?.update_at ?? null,
      version: source?.agent_id === agent_id ? source.version : 0,
    };
  });
};

/** Default order: as in the catalogue. */
const { resource } = calls.list;
const numbered = {
  ...calls.list,
  resource: { ...resource, columns: [...resource.columns, 'setting_id'], orderby: 'setting_id asc' as const },
};

/** The rows are computed here, and the list handles them like a table. */
export const listSettings: Handler<typeof calls.list> = async (ctx, input) => {
  const rows = !seesOwnVno(ctx.me) ? [] : await rowsOf(ctx, await effectiveSettings(ctx.db, ctx.deps.config, ctx.me.agent_id));
  const table = sql<Row>`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)`.as<'s'>(
    sql`s(id bigint, setting_id bigint, setting_key text, setting_group text, name text, value text, scope text, description text, operator text, update_at bigint, version int)`,
  );
  return pageOf(ctx.db, numbered, input, ctx.db.selectFrom(table).selectAll());
};

export const readSettings: Handler<typeof calls.values> = async (ctx) => {
  if (!seesOwnVno(ctx.me)) throw fail('not_found');
  return settingsOf(ctx.db, ctx.deps.config, ctx.me.agent_id);
};

export const settingOptions: Handler<typeof calls.option> = async (ctx) =>
  Object.fromEntries(catalogue.map(({ key }) => [settingId(ctx.me.agent_id, key), say(fieldOfSetting[key].label, ctx.lang)]));
