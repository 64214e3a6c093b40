import { createHmac } from 'node:crypto';
import { type Insertable, sql } from 'kysely';
import { runPrepared } from '../../db/prepare.ts';
import type { Database } from '../../db/tables.ts';
import type { Db } from '../../kit/deps.ts';
import { seal } from '../../kit/session/secret.ts';

type Row = Insertable<Database['subscriber']>;

/** A new account with unsealed secrets. */
export type NewSubscriber = Omit<
  Row,
  'id' | 'id_number' | 'id_number_hash' | 'balance' | 'package_id' | 'package_status' | 'package_due_at' | 'version' | 'update_at'
> & { readonly id_number?: string | null };

/** Keyed hash: the same number gives the same value, but only with the key. */
export const idNumberMark = (key: Buffer, idNumber: string): string =>
  createHmac('sha256', key).update(`id_number:${idNumber.toUpperCase()}`).digest('base64url');

/** Columns of the ID number: sealed value and keyed hash. */
export const sealedIdNumber = (key: Buffer, idNumber: string | null | undefined) =>
  idNumber ? { id_number: seal(key, idNumber), id_number_hash: idNumberMark(key, idNumber) } : { id_number: null, id_number_hash: null };

/** Rows per statement; PostgreSQL allows 65,535 parameters. */
const chunk = 1000;

/**
 * Opens accounts, in the caller's transaction. Each account belongs to the opening configuration of its type and follows its default
 * policy.
 */
export const insertSubscribers = async (db: Db, key: Buffer, subscribers: readonly NewSubscriber[]): Promise<number[]> => {
  const ids: number[] = [];
  for (let at = 0; at < subscribers.length; at += chunk) {
    const rows = subscribers.slice(at, at + chunk).map(({ id_number, ...row }) => ({
      ...row,
      password: seal(key, String(row.password)),
      ...sealedIdNumber(key, id_number),
      config_id: sql<number>`(select id from open_config where agent_id = ${row.agent_id} and account_type = ${row.account_type})`,
      update_at: row.create_at,
    }));
    const insert = db.insertInto('subscriber').values(rows).returning('id');
    // Only the statement of one account is repeated.
    const inserted = rows.length === 1 ? (await runPrepared(db, insert)).rows : await insert.execute();
    ids.push(...inserted.map(({ id }) => id));
  }
  return ids;
};
