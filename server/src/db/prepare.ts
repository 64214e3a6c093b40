import { createHash } from 'node:crypto';
import type { Pool } from 'pg';

/**
 * A statement that starts with this mark is planned once per connection. Use it for frequent statements whose plan does not depend on their
 * parameters: the page of a list without filters, not a search.
 */
export const prepared = '/* prepared */';

/**
 * Same for a statement whose arrays are row ids. Other arrays are the scope of a VNO: a generic plan would guess their size, so a marked
 * statement with such an array is planned each time.
 */
export const preparedByIds = '/* prepared by ids */';

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
