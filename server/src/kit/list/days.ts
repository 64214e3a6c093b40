import { type Expression, sql } from 'kysely';
import type { Db } from '../deps.ts';
import { KeptFigures } from '../kept-figures.ts';

const daySeconds = 86_400;

interface Day {
  readonly day: number;
  readonly n: number;
  /** Rows of all later days. */
  readonly before: number;
}

const kept = new WeakMap<Db, KeptFigures<readonly Day[]>>();

const countDays = async (db: Db, ids: Expression<unknown>): Promise<readonly Day[]> => {
  const { rows } = await sql<Day>`select day, n, (sum(n) over (order by day desc) - n)::bigint as before
    from (select t.create_at / ${sql.lit(daySeconds)} as day, count(*) as n from ${ids} as t group by 1) as days order by day desc`.execute(
    db,
  );
  return rows;
};

/** Counts of a long list are kept for seconds: rows that were added or deleted since then shift a page, as they do between two pages. */
const daysOf = (db: Db, ids: Expression<unknown>): Promise<readonly Day[]> => {
  const figures = kept.get(db) ?? new KeptFigures(() => true);
  kept.set(db, figures);
  const { sql: text, parameters } = sql`${ids}`.compile(db);
  return figures.get({ scope: JSON.stringify([text, parameters]), now: performance.now() / 1000, read: () => countDays(db, ids) });
};

/** Start of the rest of a list, newest first: the day of the row after `offset` rows. Undefined: the list is shorter. */
export const dayAfter = async (db: Db, ids: Expression<unknown>, offset: number) => {
  const found = (await daysOf(db, ids)).findLast(({ before }) => before <= offset);
  if (!found || offset >= found.before + found.n) return undefined;
  return { before: (found.day + 1) * daySeconds, offset: offset - found.before };
};
