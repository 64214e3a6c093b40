import { createHash } from 'node:crypto';
import { type Compilable, CompiledQuery, type Kysely, type QueryResult } from 'kysely';
import { type ClientBase, DatabaseError, type Pool } from 'pg';

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

/** A migration of a newer version has changed the columns of `select *`. */
export const isStalePlan = (error: unknown) =>
  error instanceof DatabaseError && error.code === '0A000' && error.message.startsWith('cached plan must not change result type');

type Query = (config: object) => Promise<unknown>;

/** Runs a statement by name. A stale plan gets another name; outside a transaction the statement is run again at once. */
const namedQuery = (client: ClientBase) => {
  const query: Query = client.query.bind(client);
  const renewed = new Map<string, number>();
  const run = (text: string, values: unknown) => {
    const times = renewed.get(text);
    return query({ name: times === undefined ? nameOf(text) : `${nameOf(text)}_${times}`, text, values });
  };
  return async (text: string, values: unknown) => {
    const isAlone = client.getTransactionStatus() === 'I';
    try {
      return await run(text, values);
    } catch (error) {
      if (!isStalePlan(error)) throw error;
      renewed.set(text, (renewed.get(text) ?? 0) + 1);
      if (!isAlone) throw error;
      return run(text, values);
    }
  };
};

/** The same pool, with named prepared statements for marked queries. */
export const preparing = (pool: Pool): Pool => {
  pool.on('connect', (client) => {
    const query = client.query.bind(client);
    const named = namedQuery(client);
    Object.assign(client, {
      query: (text: unknown, ...rest: unknown[]) => {
        if (typeof text !== 'string' || !isPrepared(text, rest[0])) return Reflect.apply(query, client, [text, ...rest]);
        const result = named(text, rest[0]);
        const callback = rest[1];
        if (typeof callback !== 'function') return result;
        result.then(
          (found) => callback(null, found),
          (error: unknown) => callback(error),
        );
      },
    });
  });
  return pool;
};
