import { defaultPasswordRule } from '@farlink/contract/kit/password-rule.ts';
import type { Rule } from '@farlink/contract/kit/rule.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { isRecord, type Values } from '@farlink/contract/kit/values.ts';
import { limits } from '@farlink/contract/limits.ts';
import { sealedPhones } from '@farlink/contract/phone.ts';
import { rules } from '@farlink/contract/rules.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { maskIdentity } from '../../domain/audit/mask.ts';
import { blindIndex, hmac, indexKeyOf } from '../../domain/audit/sealed-values.ts';
import { fail, failAt } from '../../kit/fail.ts';
import { open, seal } from '../../kit/session/secret.ts';

type Condition = RawBuilder<SqlBool>;

/** Filters of a list that are answered by an index on the whole value. Others are conditions of the kit. */
export interface Search {
  /** By filter: the condition of a value in clear. */
  readonly plain: Readonly<Record<string, (value: string) => Condition>>;
  /** Plain filters whose values are masked in logs. */
  readonly masked?: readonly string[];
  /** By filter: the condition of its blind indexes, separated by commas. */
  readonly blind?: Readonly<Record<string, (indexes: string) => Condition>>;
  /** Time column of the range, and days of the range if none is given. */
  readonly time: 'create_at' | 'last_at';
  readonly defaultDays: number;
}

const env = { passwordRule: defaultPasswordRule };
const refuseUnless = (field: string, rule: Rule, value: unknown, values: Values = {}) => {
  if (!rule.test(value, values, env)) throw failAt(field, typeof rule.text === 'function' ? rule.text(env, value) : rule.text);
};

const indexesOf = (indexKey: Buffer, field: string, value: string) =>
  (field === 'phone' ? sealedPhones(value) : [value]).map((one) => blindIndex(indexKey, field, one)).join(',');

export const equal = (column: string) => (value: string) => sql<SqlBool>`${sql.ref(`a.${column}`)} = ${value}`;
export const equalIndex = (column: string) => (indexes: string) =>
  sql<SqlBool>`${sql.ref(`a.${column}`)} = any(string_to_array(${indexes}, ',')::bigint[])`;
export const account = (value: string) => sql<SqlBool>`lower(a.account) = ${value.toLowerCase()}`;
export const mac = (value: string) => {
  refuseUnless('mac', rules.mac, value);
  return sql<SqlBool>`a.mac = ${value.toLowerCase()}`;
};
export const ip = (value: string) => {
  refuseUnless('ip', rules.ipv4, value);
  return sql<SqlBool>`a.ip = ${value}`;
};

const noHost: Text = [
  '请输入包含域名的地址，如 http://example.com/path',
  'Enter an address with its host, such as http://example.com/path',
];

/** The start of an address. Its host is searched by the index. */
export const urlStart = (value: string) => {
  const host = value.match(/^(?:https?:\/\/)?([^/:?#\s]+\.[^/:?#\s]+)/i)?.[1];
  if (!host) throw failAt('url', noHost);
  const pattern = `${value.replace(/[\\%_]/g, '\\$&')}%`;
  return sql<SqlBool>`a.host = ${host.toLowerCase()} and (a.url like ${pattern} or a.url like ${`http://${pattern}`})`;
};

const daySeconds = 86_400;

/** The period of a query: as given, otherwise the last days. At most three months. */
const periodOf = ({ time, defaultDays }: Search, filters: Values, now: number): Values => {
  const from = `${time}_start`;
  const to = `${time}_end`;
  const start = filters[from];
  const end = filters[to];
  if (start === undefined) return { [from]: (end === undefined ? now : Number(end)) - defaultDays * daySeconds };
  if (end === undefined) refuseUnless(from, rules.query_range('start', limits.queryMonths), now, { start });
  return {};
};

/** Filters of a query in a form that can be stored: no value that is sealed in the data is in clear. */
export interface StoredSearch {
  /** Filters for the kit and for texts. Sealed values are `***`, masked values are masked. */
  readonly filters: Values;
  /** Filters on plain columns, sealed by the secret key. */
  readonly plain: string;
  readonly blind: Readonly<Record<string, string>>;
}

const textsOf = (raw: unknown): Record<string, string> =>
  isRecord(raw) ? Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, String(value)])) : {};

const pickFilters = (filters: Values, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (filters[name] === undefined ? [] : [[name, String(filters[name])] as const])));

/** Completes the period and hides sealed values. */
export const storedSearch = (search: Search, filters: Values, secretKey: Buffer, now: number): StoredSearch => {
  const plain = pickFilters(filters, Object.keys(search.plain));
  const indexKey = indexKeyOf(secretKey);
  const typed = pickFilters(filters, Object.keys(search.blind ?? {}));
  return {
    filters: {
      ...filters,
      ...periodOf(search, filters, now),
      ...Object.fromEntries(
        (search.masked ?? []).flatMap((name) => (plain[name] === undefined ? [] : [[name, maskIdentity(plain[name])]])),
      ),
      ...Object.fromEntries(Object.keys(typed).map((name) => [name, '***'])),
    },
    plain: seal(secretKey, JSON.stringify(plain)),
    blind: Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, indexesOf(indexKey, name, value)])),
  };
};

/** Reads a stored search back. */
export const isStoredSearch = (raw: unknown): raw is StoredSearch =>
  isRecord(raw) && isRecord(raw.filters) && typeof raw.plain === 'string' && isRecord(raw.blind);

export interface Conditions {
  readonly where: Condition;
  /** Filters that the kit applies. */
  readonly rest: Values;
}

/** A row is stored after its event; a gateway clock may be ahead by less than this. */
export const skewS = daySeconds;

export const conditionsOf = (search: Search, stored: StoredSearch, secretKey: Buffer): Conditions => {
  const own = { ...search.plain, ...search.blind };
  const texts: unknown = JSON.parse(open(secretKey, stored.plain));
  const conditions = [
    ...Object.entries(textsOf(texts)).map(([name, value]) => search.plain[name]?.(value)),
    ...Object.entries(stored.blind).map(([name, index]) => search.blind?.[name]?.(index)),
  ];
  if (conditions.some((condition) => condition === undefined)) throw fail('bad_input');
  const start = Number(stored.filters[`${search.time}_start`]);
  // Partitions are by the time of storing.
  if (search.time === 'create_at') conditions.push(sql<SqlBool>`a.stored_at >= ${start - skewS}`);
  const known = conditions.filter((condition) => condition !== undefined);
  return {
    where: known.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${sql.join(known, sql` and `)}`,
    rest: Object.fromEntries(Object.entries(stored.filters).filter(([name]) => !(name in own))),
  };
};

/** Identifies equal filters without storing their values. */
export const hashOf = (filters: Values, secretKey: Buffer): string =>
  hmac(indexKeyOf(secretKey), Buffer.from(JSON.stringify(Object.entries(filters).toSorted(([a], [b]) => (a < b ? -1 : 1))))).toString(
    'base64url',
  );
