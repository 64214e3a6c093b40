import { check } from '@farlink/contract/kit/check.ts';
import type { Env } from '@farlink/contract/kit/rule.ts';
import { fill, type Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { type AccountType, accountType } from '@farlink/contract/user/choices.ts';
import { idType } from '@farlink/contract/user/id-document.ts';
import { importFields } from '@farlink/contract/user/import-user.ts';
import { accountFault, withPrefix } from '@farlink/contract/user/prefix.ts';
import type { Prefix } from '../../../domain/subscriber/account-prefix.ts';
import { columnsOf, daySeconds, faultOf, type ImportRow, joinFaults, rawValues } from '../../../kit/formats/import-sheet.ts';
import type { Account, Candidate } from './terms.ts';

export type ImportColumn = keyof typeof importFields;
export const importColumns = columnsOf(importFields);

/** Defaults from the settings and configurations of the VNO, for empty cells. */
export interface Defaults {
  readonly allow_logins: number;
  readonly realname: Readonly<Record<AccountType, boolean>>;
  readonly valid_days: Readonly<Record<AccountType, number>>;
  readonly prefixes: ReadonlyMap<AccountType, Prefix>;
  /** The package is periodic; a temporary card cannot have it. */
  readonly periodic: boolean;
}

const past: Text = ['到期时间须晚于当前时间', 'The expiry must be later than now'];
const periodicText: Text = ['临时卡账号不支持周期套餐', 'Temporary card accounts do not support periodic packages'];

const isAccountType = (value: unknown): value is AccountType => accountType.some((t) => t.id === value);
const textOr = (value: unknown) => (typeof value === 'string' ? value : null);
const numberOr = (value: unknown) => (typeof value === 'number' ? value : null);

const accountOf = (values: Values, account: string, type: AccountType, defaults: Defaults, now: number): Account => ({
  account,
  prefix_id: defaults.prefixes.get(type)?.prefix_id ?? null,
  password: String(values.password),
  account_type: type,
  name: String(values.name),
  phone: String(values.phone),
  id_type: idType.find(({ id }) => id === values.id_type)?.id ?? 'id_card',
  id_number: textOr(values.id_number),
  email: textOr(values.email),
  cert_start_at: numberOr(values.cert_start_at),
  cert_end_at: numberOr(values.cert_end_at),
  issuing_authority: textOr(values.issuing_authority),
  allow_logins: numberOr(values.allow_logins) ?? defaults.allow_logins,
  bind_ip: textOr(values.bind_ip),
  bind_mac: textOr(values.bind_mac)?.toLowerCase() ?? null,
  vlan_id: numberOr(values.vlan_id),
  expire_at: numberOr(values.expire_at) ?? now + defaults.valid_days[type] * daySeconds,
  remark: textOr(values.remark),
});

/** Validates a row with the fields of the single form; reports each problem with its column. */
export const validateRow = ({ line, cells }: ImportRow, defaults: Defaults, env: Env & { readonly now: number }): Candidate => {
  const raw = rawValues(importFields, { line, cells });
  const type = isAccountType(raw.account_type) ? raw.account_type : 'personal';
  raw.account_type ??= type;
  raw.allow_logins ??= defaults.allow_logins;
  const { values, errors } = check(importFields, { ...raw, realname: defaults.realname[type] }, env);
  const wrong = faultOf(importFields, errors);
  const faults: Text[] = wrong ? [wrong] : [];
  if (typeof values.expire_at === 'number' && values.expire_at <= env.now) faults.push(past);
  if (type === 'temp_card' && defaults.periodic) faults.push(periodicText);
  const typed = cells[importColumns.indexOf('account')] ?? '';
  const prefix = defaults.prefixes.get(type)?.prefix ?? '';
  const wrongLength = errors.account ? undefined : accountFault(prefix, typed);
  if (wrongLength) faults.push(fill(['{0}：{1}', '{0}: {1}'], importFields.account.label, wrongLength));
  const account = withPrefix(prefix, typed);
  const fault = joinFaults(faults);
  const desired = fault ? null : accountOf(values, account, type, defaults, env.now);
  return { row: line, account: wrongLength ? typed : account, desired, fault, cells };
};
