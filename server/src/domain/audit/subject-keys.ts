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

/** Sorted, so that all processes insert in the same order. An existing key is read by the next statement. */
const insertSql = `
  insert into audit_key (subject, month, wrapped, create_at)
  select u.subject, u.month, u.wrapped, $2 from json_to_recordset($1::json) as u(subject text, month integer, wrapped text)
  order by u.subject collate "C", u.month on conflict (subject, month) where unusable_at is null do nothing`;
const readSql = `
  select k.id, k.subject, k.month, k.wrapped from audit_key k
    join json_to_recordset($1::json) as u(subject text, month integer) on k.subject = u.subject and k.month = u.month
  where k.unusable_at is null`;
/** Kept: its rows can be read again with the right secret key. */
const unusableSql = 'update audit_key set unusable_at = $2 where id = any($1::bigint[]) and unusable_at is null';

const keyBytes = 32;

/** Undefined if it was wrapped by another secret key or is damaged. */
export const unwrapKey = (secretKey: Buffer, wrapped: string): KeyObject | undefined => {
  try {
    const bytes = Buffer.from(open(secretKey, wrapped), 'base64');
    return bytes.length === keyBytes ? createSecretKey(bytes) : undefined;
  } catch {
    return undefined;
  }
};

/** Unwrapped keys of the last minutes by their wrapped form. A key that was deleted is no longer read, so it is not used either. */
const cacheS = 300;
const maxCached = 20_000;
const unwrappedKeys = new WeakMap<Buffer, { readonly since: number; readonly keys: Map<string, KeyObject> }>();

const unwrapCached = (secretKey: Buffer, wrapped: string): KeyObject | undefined => {
  const now = Math.floor(performance.now() / 1000);
  let cache = unwrappedKeys.get(secretKey);
  if (!cache || now - cache.since >= cacheS || cache.keys.size >= maxCached) {
    cache = { since: now, keys: new Map() };
    unwrappedKeys.set(secretKey, cache);
  }
  const key = cache.keys.get(wrapped) ?? unwrapKey(secretKey, wrapped);
  if (key) cache.keys.set(wrapped, key);
  return key;
};

export const keyName = ({ subject, month }: SubjectMonth): string => `${month} ${subject}`;

/** A key can be deleted or found unusable between two statements. */
const maxTries = 3;

/**
 * Keys of subjects, created where missing. They are read each time, because a deleted key must not be used again. A key that cannot be
 * unwrapped is reported and replaced, so that storing continues.
 */
export const subjectKeys = async (
  query: Query,
  secretKey: Buffer,
  now: number,
  requested: readonly SubjectMonth[],
  unusable?: (key: SubjectMonth & { readonly id: number }) => void,
): Promise<Map<string, SubjectKey>> => {
  const distinct = [...new Map(requested.map((one) => [keyName(one), { subject: one.subject, month: one.month }])).values()];
  const keys = new Map<string, SubjectKey>();
  let missing = distinct;
  for (let tries = 0; missing.length > 0 && tries < maxTries; tries++) {
    if (tries > 0) {
      const created = missing.map((one) => ({ ...one, wrapped: seal(secretKey, randomBytes(keyBytes).toString('base64')) }));
      await query('audit_keys_new', insertSql, [JSON.stringify(created), now]);
    }
    const rows = await query<SubjectMonth & { readonly id: number; readonly wrapped: string }>('audit_keys', readSql, [
      JSON.stringify(missing),
    ]);
    const broken: number[] = [];
    for (const { id, subject, month, wrapped } of rows) {
      const key = unwrapCached(secretKey, wrapped);
      if (key) keys.set(keyName({ subject, month }), { id, subject, month, key });
      else {
        broken.push(id);
        unusable?.({ id, subject, month });
      }
    }
    if (broken.length > 0) await query('audit_keys_unusable', unusableSql, [broken, now]);
    missing = missing.filter((one) => !keys.has(keyName(one)));
  }
  return keys;
};
