import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { open, seal } from '../../kit/session/secret.ts';

/** The subject of a sealed row: the subscriber, else the account on its device, else the MAC. */
export const subjectOf = (row: {
  readonly device_id: number;
  readonly subscriber_id: number | null;
  readonly account: string | null;
  readonly mac: string | null;
}): string => {
  if (row.subscriber_id !== null) return `s:${row.subscriber_id}`;
  if (row.account) return `a:${row.device_id}:${row.account.toLowerCase()}`;
  return `m:${row.mac ?? ''}`;
};

/** Year * 100 + month, UTC+8. */
export const monthOf = (at: number): number => {
  const day = new Date((at + 8 * 3600) * 1000);
  return day.getUTCFullYear() * 100 + day.getUTCMonth() + 1;
};

export interface SubjectMonth {
  readonly subject: string;
  readonly month: number;
}

export interface SubjectKey extends SubjectMonth {
  readonly id: number;
  readonly key: KeyObject;
}

type Query = <R extends object>(name: string, text: string, values: readonly unknown[]) => Promise<R[]>;

/** Sorted, so that all processes insert in the same order. An existing key is read by the second statement. */
const insertSql = `
  insert into audit_key (subject, month, wrapped, create_at)
  select u.subject, u.month, u.wrapped, $2 from json_to_recordset($1::json) as u(subject text, month integer, wrapped text)
  order by u.subject collate "C", u.month on conflict (subject, month) do nothing`;
const readSql = `
  select k.id, k.subject, k.month, k.wrapped from audit_key k
    join json_to_recordset($1::json) as u(subject text, month integer) on k.subject = u.subject and k.month = u.month`;

const unwrap = (secretKey: Buffer, wrapped: string): KeyObject => createSecretKey(Buffer.from(open(secretKey, wrapped), 'base64'));

export const keyName = ({ subject, month }: SubjectMonth): string => `${month} ${subject}`;

/** Keys of subjects, created where missing. Unwrapped keys are not cached: a deleted key must not be used again. */
export const subjectKeys = async (
  query: Query,
  secretKey: Buffer,
  now: number,
  wanted: readonly SubjectMonth[],
): Promise<Map<string, SubjectKey>> => {
  const distinct = [...new Map(wanted.map((one) => [keyName(one), { subject: one.subject, month: one.month }])).values()];
  if (distinct.length === 0) return new Map();
  type Row = SubjectMonth & { readonly id: number; readonly wrapped: string };
  const read = async () => query<Row>('audit_keys', readSql, [JSON.stringify(distinct)]);
  let rows = await read();
  if (rows.length < distinct.length) {
    const known = new Set(rows.map(keyName));
    const missing = distinct.filter((one) => !known.has(keyName(one)));
    const made = missing.map((one) => ({ ...one, wrapped: seal(secretKey, randomBytes(32).toString('base64')) }));
    await query('audit_keys_new', insertSql, [JSON.stringify(made), now]);
    rows = await read();
  }
  return new Map(
    rows.map(({ id, subject, month, wrapped }) => [keyName({ subject, month }), { id, subject, month, key: unwrap(secretKey, wrapped) }]),
  );
};
