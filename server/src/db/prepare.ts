import { createHash } from 'node:crypto';
import type { Pool } from 'pg';

/**
 * A statement that begins with this mark is planned once for each connection. It is for those that many ask and that one plan serves
 * whatever their parameters are: the page of a list without filters, not a search.
 */
export const prepared = '/* prepared */';

/**
 * The same for a statement whose arrays are ids of rows to read. Elsewhere an array is the scope of a VNO: a plan that serves every
 * branch would guess its size, so a marked statement with such an array is planned each time.
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

/** The same pool, whose clients ask for a marked statement by name. */
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
