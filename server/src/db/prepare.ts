import { createHash } from 'node:crypto';
import { type Compilable, CompiledQuery, type Kysely, type QueryResult } from 'kysely';
import type { Pool } from 'pg';

/**
 * A statement that starts with this mark is planned once per connection. Use it for frequent statements whose plan does not depend on their
 * parameters: the page of a list without filters, not a search.
 */
export const prepared = '/* prepared */' as const;

/**
 * Same for a statement whose arrays are row ids. Other arrays are the scope of a VNO: a generic plan would guess their size, so a marked
 * statement with such an array is planned each time. PostgreSQL itself plans again if the array is short; JSON text avoids it.
 */
export const preparedByIds = '/* prepared by ids */' as const;

/** Runs a built query as a prepared statement. */
export const runPrepared = <DB, T>(
  db: Kysely<DB>,
  query: Compilable<T>,
  mark: typeof prepared | typeof preparedByIds = prepared,
): Promise<QueryResult<T>> => {
  const { sql, parameters } = query.compile();
  return db.executeQuery<T>(CompiledQuery.raw(mark + sql, [...parameters]));
};

const isPrepared = (text: string, values: unknown) =>
  text.startsWith(preparedByIds) || (text.startsWith(prepared) && !(Array.isArray(values) && values.some(Array.isArray)));

const names = new Map<string, string>();
const nameOf = (text: string): string => {
  const name = names.get(text) ?? createHash('sha1').update(text).digest('base64url');
  names.set(text, name);
  return name;
};

/** The same pool, with named prepared statements for marked queries. */
export const preparing = (pool: Pool): Pool => {
  pool.on('connect', (client) => {
    const query = client.query.bind(client);
    Object.assign(client, {
      query: (text: unknown, ...rest: unknown[]) =>
        typeof text === 'string' && isPrepared(text, rest[0])
          ? Reflect.apply(query, client, [{ name: nameOf(text), text, values: rest[0] }, ...rest.slice(1)])
          : Reflect.apply(query, client, [text, ...rest]),
    });
  });
  return pool;
};
