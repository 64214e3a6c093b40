import { CompiledQuery } from 'kysely';
import type { Pool, PoolClient, QueryResultRow } from 'pg';
import type { Db } from '../../kit/deps.ts';

/** Runs one statement of a transaction. */
export type Query = <R extends QueryResultRow>(text: string, values?: readonly unknown[]) => Promise<R[]>;

/** Statements in the transaction of a call. */
export const dbQuery =
  (db: Db): Query =>
  async <R extends QueryResultRow>(text: string, values: readonly unknown[] = []) =>
    (await db.executeQuery<R>(CompiledQuery.raw(text, [...values]))).rows;

/** Runs the work in one transaction. A connection whose transaction failed is closed, so nothing of it remains. */
export const inTransaction = async <T>(pool: Pool, begin: string, work: (query: Query, client: PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query(begin);
    const result = await work(async <R extends QueryResultRow>(text: string, values: readonly unknown[] = []) => {
      const { rows } = await client.query<R>(text, [...values]);
      return rows;
    }, client);
    await client.query('commit');
    broken = false;
    return result;
  } finally {
    client.release(broken);
  }
};

/** All statements see one state of the database. */
export const snapshot = 'begin isolation level repeatable read read only';
