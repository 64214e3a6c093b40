import { errors } from '@farlink/contract/errors.ts';
import { check, requiredText } from '@farlink/contract/kit/check.ts';
import type { Fields } from '@farlink/contract/kit/field.ts';
import type { Lang, Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import type { settingCalls as calls } from '@farlink/contract/user/setting.ts';
import { isPlatformSetting, type SettingKey, type SettingValues, settingFields } from '@farlink/contract/user/setting-fields.ts';
import { sql } from 'kysely';
import { type Effective, effectiveSettings, fieldOfSetting, settingKeys } from '../../../domain/settings.ts';
import type { Ctx } from '../../../kit/ctx.ts';
import { fail, failAt } from '../../../kit/fail.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { ownScope } from '../../../kit/list/scope.ts';
import { record } from '../../../kit/log/record.ts';
import { forgetPasswordRule, passwordRuleOf } from '../../../kit/session/password-rule.ts';
import { configNames, settingAt, shownValue } from './read-setting.ts';

type Change = Partial<Record<SettingKey, unknown>>;

/** The opening configuration must belong to the VNO of the session. */
const refuseForeignConfig = async (ctx: Ctx, field: string, id: unknown) => {
  if (typeof id !== 'number') return;
  const found = await ctx.db
    .selectFrom('open_config')
    .select('id')
    .where('id', '=', id)
    .where('agent_id', '=', ctx.me.agent_id)
    .executeTakeFirst();
  if (!found) throw failAt(field, ['请选择有效的开户配置', 'Please select a valid opening configuration']);
};

const noEffect: Text = ['在其他设置的当前值下，该设置不生效', 'Without effect with the current values of the other settings'];

/** Settings of the same form are checked together, also if only one of them is sent. */
const formOf = (key: SettingKey) => Object.values(settingFields).find((fields) => key in fields) ?? {};

/** Checks the sent values together with the stored ones, and returns them as they are stored. */
const checkedTogether = async (ctx: Ctx, stored: SettingValues, sent: Change, fieldOf: (key: SettingKey) => string): Promise<Change> => {
  const keys = settingKeys.filter((key) => sent[key] !== undefined);
  const fields: Fields = Object.assign({}, ...keys.map(formOf));
  const all = { ...stored, ...Object.fromEntries(keys.map((key) => [key, sent[key]])) };
  const { values, errors: refusals } = check(fields, all, { passwordRule: await passwordRuleOf(ctx.db), now: ctx.now() });
  const textOf = (key: SettingKey) => refusals[key] ?? (keys.includes(key) && values[key] === undefined ? noEffect : undefined);
  const refused = settingKeys.flatMap((key) => {
    const text = textOf(key);
    return text ? [[fieldOf(key), text] as const] : [];
  });
  if (refused.length > 0) throw fail('bad_input', { fields: Object.fromEntries(refused) });
  return Object.fromEntries(keys.map((key) => [key, values[key] ?? (fieldOfSetting[key].kind === 'option' ? null : '')]));
};

const differing = (values: SettingValues, change: Change): SettingKey[] =>
  settingKeys.filter((key) => change[key] !== undefined && change[key] !== values[key]);

/** `fieldOf` returns the form field of a setting. */
const apply = async (ctx: Ctx, { values }: Effective, change: Change, fieldOf: (key: SettingKey) => string) => {
  const changed = differing(values, change);
  if (changed.length === 0) throw fail('unchanged');
  const platformKeys = changed.filter((key) => isPlatformSetting(key));
  // spec §6: platform settings are visible to a VNO, but only the platform can change them.
  if (ctx.me.agent_level > 0 && platformKeys.length > 0)
    throw fail('platform_setting', { fields: Object.fromEntries(platformKeys.map((key) => [fieldOf(key), errors.platform_setting.text])) });
  await refuseForeignConfig(ctx, fieldOf('default_config_id'), changed.includes('default_config_id') ? change.default_config_id : null);
  for (const key of changed) {
    const row = { value: JSON.stringify(change[key] ?? null), operator: ctx.me.username, update_at: ctx.now() };
    await ctx.db
      .insertInto('setting')
      .values({ agent_id: ctx.me.agent_id, name: key, ...row })
      .onConflict((oc) => oc.columns(['agent_id', 'name']).doUpdateSet({ ...row, version: sql`setting.version + 1` }))
      .execute();
  }
  if (changed.some((key) => key.startsWith('password_rule'))) forgetPasswordRule(ctx.deps.db);
  const labels = changed.map((key) => fieldOfSetting[key].label);
  record(ctx, [`修改用户设置：${labels.map((l) => l[0]).join('、')}`, `Changed user settings: ${labels.map((l) => l[1]).join(', ')}`], {
    before: Object.fromEntries(changed.map((key) => [key, values[key]])),
    after: Object.fromEntries(changed.map((key) => [key, change[key] ?? null])),
  });
};

/** Locks the VNO, so its settings are changed one request at a time. */
const lockedSettings = async (ctx: Ctx): Promise<Effective> => {
  const vno = await ctx.db.selectFrom('agent').select('id').where(ownScope(ctx.me, 'agent.id')).forNoKeyUpdate().executeTakeFirst();
  if (!vno) throw fail('not_found');
  return effectiveSettings(ctx.db, ctx.deps.config, ctx.me.agent_id);
};

export const changeSettings: Handler<typeof calls.update> = async (ctx, input) => {
  const values: Values = input;
  const emptied = (key: SettingKey) =>
    key === 'default_config_id' || values[key] !== null ? values[key] : key === 'password_rule_special' ? '' : undefined;
  const effective = await lockedSettings(ctx);
  const sent: Change = Object.fromEntries(settingKeys.map((key) => [key, emptied(key)]));
  await apply(ctx, effective, await checkedTogether(ctx, effective.values, sent, (key) => key), (key) => key);
};

const boolTexts: readonly (readonly [value: boolean, spellings: readonly string[]])[] = [
  [true, ['开启', '开', '是', 'on', 'yes', 'true', '1']],
  [false, ['关闭', '关', '否', 'off', 'no', 'false', '0']],
];
const nothing = ['未设置', '无', 'not set', 'none'];

/** Parses typed text to the value of the field; `undefined` if it is not recognized. */
const parseValue = (key: SettingKey, text: string, configs: Readonly<Record<string, string>>): unknown => {
  const typed = text.trim().toLowerCase();
  const { kind, options } = fieldOfSetting[key];
  if (kind === 'bool') return boolTexts.find(([, known]) => known.includes(typed))?.[0];
  if (kind === 'choice')
    return options?.find((o) => typed === o.id || typed.startsWith(`${o.id} `) || o.label.some((l) => l.toLowerCase() === typed))?.id;
  if (nothing.includes(typed)) return kind === 'option' ? null : '';
  if (kind === 'option')
    return Number(Object.entries(configs).find(([id, name]) => id === typed || name.toLowerCase() === typed)?.[0]) || undefined;
  return key === 'idle_timeout' && ['不限制', 'unlimited'].includes(typed) ? 0 : text;
};

const hint: Record<string, Text> = {
  bool: ['请输入 开启 或 关闭', 'Please enter On or Off'],
  choice: ['请选择所列的复杂度', 'Please choose one of the listed options'],
  option: ['请输入本VNO开户配置的名称', 'Please enter the name of an opening configuration of this VNO'],
};

const ownConfigs = async (ctx: Ctx, lang: Lang) => {
  const rows = await ctx.db.selectFrom('open_config').select('id').where('agent_id', '=', ctx.me.agent_id).execute();
  return configNames(
    { db: ctx.db, lang },
    rows.map((r) => r.id),
  );
};

export const changeSetting: Handler<typeof calls.updateOne> = async (ctx, { id, value, version }) => {
  const key = settingAt(ctx.me.agent_id, id);
  if (!key) throw fail('not_found');
  const effective = await lockedSettings(ctx);
  const source = effective.sources.get(key);
  if ((source?.agent_id === ctx.me.agent_id ? source.version : 0) !== version) throw fail('stale');
  const field = fieldOfSetting[key];
  const configs = await ownConfigs(ctx, ctx.lang);
  if (value === shownValue(key, effective.values[key], { ...configs }, ctx.lang)) throw fail('unchanged');
  const parsed = parseValue(key, value, configs);
  if (parsed === undefined) throw failAt('value', hint[field.kind] ?? requiredText(field));
  const change = await checkedTogether(ctx, effective.values, { [key]: parsed }, () => 'value');
  await apply(ctx, effective, change, () => 'value');
};
