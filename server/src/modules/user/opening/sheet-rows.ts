import { check } from '@farlink/contract/kit/check.ts';
import type { Field } from '@farlink/contract/kit/field.ts';
import type { Env } from '@farlink/contract/kit/rule.ts';
import { fill, type Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { zoneSeconds } from '@farlink/contract/kit/zone.ts';
import { limits } from '@farlink/contract/limits.ts';
import { type AccountType, accountType } from '@farlink/contract/user/choices.ts';
import { idType } from '@farlink/contract/user/id-document.ts';
import { importFields } from '@farlink/contract/user/import-user.ts';
import { fullAccount, type Prefix, tooLong } from '../../../domain/subscriber/account-prefix.ts';
import { fail, failAt } from '../../../kit/fail.ts';
import type { Upload } from '../../../kit/files/upload.ts';
import { readSheet } from '../../../kit/formats/read-sheet.ts';
import { NotASheet, type SheetRow, SheetTooLarge } from '../../../kit/formats/sheet.ts';
import type { Account, Candidate } from './terms.ts';

export type ImportColumn = keyof typeof importFields;
export const importColumns = Object.keys(importFields).filter((name): name is ImportColumn => name in importFields);

/** Columns added by the server; the import ignores them. */
export const noteLabel: Text = ['填写说明', 'Notes'];
export const reasonLabel: Text = ['失败原因', 'Reason'];
/** Marks the example rows of the template. */
export const exampleMark: Text = ['示例行，导入时忽略。', 'Example, ignored by the import. '];

const plain = (text: string) =>
  text
    .replace(/[*＊\s]+$/u, '')
    .trim()
    .toLowerCase();
const isOneOf = (cell: string, text: Text) => text.some((word) => plain(word) === plain(cell));

/** Field of each column; null for a column that the import ignores. */
type Header = readonly (ImportColumn | null)[];

const notTemplate = (why: Text) => fail('wrong_media', { fields: { file: why } });

const readHeader = (cells: readonly string[]): Header => {
  const header = cells.map((cell) => {
    if (cell.trim() === '' || isOneOf(cell, noteLabel) || isOneOf(cell, reasonLabel)) return null;
    const column = importColumns.find((name) => isOneOf(cell, importFields[name].label));
    if (!column)
      throw notTemplate(fill(['请使用导入模板：不认识的列“{0}”', 'Use the import template: unknown column "{0}"'], cell.slice(0, 25)));
    return column;
  });
  const missing = importColumns.find((name) => importFields[name].required && !header.includes(name));
  if (missing)
    throw notTemplate(
      fill(['请使用导入模板：缺少列“{0}”', 'Use the import template: column "{0}" is missing'], importFields[missing].label),
    );
  return header;
};

export interface ImportRow {
  readonly line: number;
  /** Cells in the order of the template. */
  readonly cells: readonly string[];
}

const isExample = (row: SheetRow) => row.cells.some((cell) => exampleMark.some((mark) => cell.startsWith(mark)));

/** Rows of the file in the column order of the template. */
export const readRows = async ({ path, extension }: Upload): Promise<ImportRow[]> => {
  const rows: ImportRow[] = [];
  let header: Header | undefined;
  try {
    for await (const row of readSheet(path, extension)) {
      if (!header) header = readHeader(row.cells);
      else if (!isExample(row)) {
        const columns = header;
        rows.push({ line: row.line, cells: importColumns.map((name) => row.cells[columns.indexOf(name)]?.trim() ?? '') });
      }
      if (rows.length > limits.importRows)
        throw failAt('file', fill(['一次最多导入{0}行', 'At most {0} rows per import'], limits.importRows));
    }
  } catch (error) {
    if (error instanceof SheetTooLarge) throw failAt('file', error.text);
    if (error instanceof NotASheet) throw notTemplate(['文件已损坏或不是导入模板', 'The file is damaged or is not the import template']);
    throw error;
  }
  if (rows.length === 0) throw notTemplate(['文件中没有数据', 'The file has no data']);
  return rows;
};

const daySeconds = 86_400;
/** 1970-01-01 as an Excel serial day number. */
const excelEpoch = 25_569;

/**
 * Last second of a day in UTC+8, for all common date formats. Other text is returned as text that is no number, so validation refuses it.
 */
export const dayIn = (cell: string): number | string => {
  const serial = /^\d{5}(\.\d+)?$/.test(cell) ? Math.floor(Number(cell)) : undefined;
  const [, y, m, d] = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[ T].*)?$/.exec(cell) ?? [];
  const day = serial === undefined ? Date.UTC(Number(y), Number(m) - 1, Number(d)) / 1000 : (serial - excelEpoch) * daySeconds;
  const kept = serial !== undefined || new Date(day * 1000).getUTCDate() === Number(d);
  return Number.isFinite(day) && kept ? day + daySeconds - 1 - zoneSeconds : `?${cell}`;
};

/** Value of a cell in the API format. */
const rawOf = (field: Field, cell: string): unknown => {
  if (cell === '') return undefined;
  if (field.kind === 'date') return dayIn(cell);
  if (field.kind === 'choice') return field.options?.find((o) => o.id === cell || isOneOf(cell, o.label))?.id ?? cell;
  return cell;
};

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
  const raw: Record<string, unknown> = Object.fromEntries(
    importColumns.map((name, i) => [name, rawOf(importFields[name], cells[i] ?? '')]),
  );
  const type = isAccountType(raw.account_type) ? raw.account_type : 'personal';
  raw.account_type ??= type;
  raw.allow_logins ??= defaults.allow_logins;
  const { values, errors } = check(importFields, { ...raw, realname: defaults.realname[type] }, env);
  const faults = Object.entries(errors).map(([name, text]): Text => {
    const label = importColumns.find((column) => column === name);
    return label ? fill(['{0}：{1}', '{0}: {1}'], importFields[label].label, text) : text;
  });
  if (typeof values.expire_at === 'number' && values.expire_at <= env.now) faults.push(past);
  if (type === 'temp_card' && defaults.periodic) faults.push(periodicText);
  const typed = cells[importColumns.indexOf('account')] ?? '';
  const account = fullAccount(defaults.prefixes.get(type)?.prefix ?? '', typed);
  if (account === null) faults.push(fill(['{0}：{1}', '{0}: {1}'], importFields.account.label, tooLong));
  const fault: Text | null = faults.length > 0 ? [faults.map((f) => f[0]).join('；'), faults.map((f) => f[1]).join('; ')] : null;
  const desired = fault || account === null ? null : accountOf(values, account, type, defaults, env.now);
  return { row: line, account: account ?? typed, desired, fault, cells };
};
