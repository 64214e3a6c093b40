import type { Fields } from '@farlink/contract/kit/field.ts';
import { defaultPasswordRule } from '@farlink/contract/kit/password-rule.ts';
import {
  isPlatformSetting,
  passwordComplex,
  registerPlace,
  type SettingKey,
  type SettingValues,
  settingFields,
} from '@farlink/contract/user/setting-fields.ts';
import type { Selectable } from 'kysely';
import type { SettingTable } from '../db/tables.ts';
import type { Config } from '../env/config.ts';
import type { Db } from '../kit/deps.ts';

const { register, passwordRule, login } = settingFields;
export const fieldOfSetting: Fields & Readonly<Record<SettingKey, Fields[string]>> = { ...register, ...passwordRule, ...login };
export const settingKeys = Object.keys(fieldOfSetting).filter((key): key is SettingKey => key in fieldOfSetting);

const booleanOr = (value: unknown, otherwise: boolean) => (typeof value === 'boolean' ? value : otherwise);
const count = (value: unknown, otherwise: number) => (typeof value === 'number' ? value : otherwise);
const textOr = (value: unknown, otherwise: string) => (typeof value === 'string' ? value : otherwise);

/** Stored values, with defaults for missing ones. */
const withDefaults = (stored: Partial<Record<SettingKey, unknown>>, { loginLock }: Pick<Config, 'loginLock'>): SettingValues => ({
  self_register: booleanOr(stored.self_register, true),
  register_place: registerPlace.find(({ id }) => id === stored.register_place)?.id ?? 'device',
  sms_verify: booleanOr(stored.sms_verify, true),
  realname: booleanOr(stored.realname, true),
  upload_photo: booleanOr(stored.upload_photo, false),
  default_config_id: typeof stored.default_config_id === 'number' ? stored.default_config_id : null,
  remind_days: count(stored.remind_days, 7),
  password_rule_range: textOr(stored.password_rule_range, defaultPasswordRule.password_rule_range),
  password_rule_special: textOr(stored.password_rule_special, defaultPasswordRule.password_rule_special),
  password_rule_complex:
    passwordComplex.find(({ id }) => id === stored.password_rule_complex)?.id ?? defaultPasswordRule.password_rule_complex,
  lock_count: count(stored.lock_count, loginLock.count),
  lock_time: count(stored.lock_time, loginLock.minutes),
  idle_timeout: count(stored.idle_timeout, 0),
  allow_logins: count(stored.allow_logins, 1),
});

/** VNO that set the value, and when. */
export type EffectiveSetting = Pick<Selectable<SettingTable>, 'agent_id' | 'operator' | 'update_at' | 'version'>;

export interface Effective {
  readonly values: SettingValues;
  /** Only values that are set; defaults have no source. */
  readonly sources: ReadonlyMap<SettingKey, EffectiveSetting>;
}

/** Settings of a VNO: its own value, else that of the nearest VNO above, else the default. */
export const effectiveSettings = async (db: Db, config: Pick<Config, 'loginLock'>, agentId: number): Promise<Effective> => {
  const rows = await db
    .selectFrom('setting')
    .innerJoin('agent', 'agent.id', 'setting.agent_id')
    .selectAll('setting')
    .select('agent.agent_level')
    .where((eb) => eb(eb.selectFrom('agent as me').select('me.path').where('me.id', '=', agentId), 'like', eb('agent.path', '||', '%')))
    .orderBy('agent.agent_level')
    .execute();
  const values: Partial<Record<SettingKey, unknown>> = {};
  const sources = new Map<SettingKey, EffectiveSetting>();
  for (const { name, value, agent_level, ...source } of rows) {
    const key = settingKeys.find((known) => known === name);
    if (!key || (agent_level > 0 && isPlatformSetting(key))) continue;
    values[key] = value;
    sources.set(key, source);
  }
  return { values: withDefaults(values, config), sources };
};

export const settingsOf = async (db: Db, config: Pick<Config, 'loginLock'>, agentId: number): Promise<SettingValues> =>
  (await effectiveSettings(db, config, agentId)).values;

/** Settings that are the same for all VNOs. */
export const lockSettings = async (db: Db, config: Pick<Config, 'loginLock'>): Promise<Pick<SettingValues, 'lock_count' | 'lock_time'>> => {
  const platform = await db.selectFrom('agent').select('id').where('agent_level', '=', 0).executeTakeFirstOrThrow();
  return settingsOf(db, config, platform.id);
};
