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

/**
 * Statements whose plan cannot depend on their parameters: an insert of values, a change of one row by its id. Kysely writes them in this
 * form.
 */
const isFixed = (text: string) =>
  /^insert into "\w+" \([^()]*\) values \(/.test(text) ||
  /^(update|delete from|select) [^?]* where "(\w+"\.")?id" = \$\d+( returning [^()]*)?( for update)?$/.test(text);

/** Uses before such a statement is prepared: a bulk insert has another text for each number of rows. */
const usesBefore = 8;
/** Statements that are prepared without a mark. Each takes memory in every connection. */
const mostFixed = 150;
const longestFixed = 3000;

const uses = new Map<string, number>();
let fixed = 0;

const isOftenFixed = (text: string): boolean => {
  const seen = uses.get(text) ?? 0;
  if (seen >= usesBefore) return seen === Number.POSITIVE_INFINITY;
  if (seen === 0 && (text.length > longestFixed || !isFixed(text))) return false;
  // Texts that are seen once or twice are forgotten, so the map stays small.
  if (uses.size >= 2000) for (const [known, n] of uses) if (n < usesBefore) uses.delete(known);
  const isOften = seen + 1 >= usesBefore && fixed < mostFixed;
  if (isOften) fixed++;
  uses.set(text, isOften ? Number.POSITIVE_INFINITY : seen + 1);
  return isOften;
};

const isPrepared = (text: string, values: unknown) =>
  text.startsWith(preparedByIds) ||
  (text.startsWith(prepared) && !(Array.isArray(values) && values.some(Array.isArray))) ||
  isOftenFixed(text);

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
