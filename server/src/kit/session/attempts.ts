import { sql } from 'kysely';
import type { Db } from '../deps.ts';

export interface AttemptLimit {
  readonly name: string;
  readonly max: number;
  /** Attempts are forgotten after this time without another one. */
  readonly windowS: number;
  /** Above the limit, one attempt is allowed in this time. Without it, none is. */
  readonly pauseS?: number;
}

export interface CountedAttempt {
  readonly limit: AttemptLimit;
  /** Attempts of this window. Refused ones are counted above the limit. */
  readonly count: number;
  /** Seconds until an attempt is allowed again; 0: this one is allowed. */
  readonly waitS: number;
}

/**
 * Counts an attempt before it is checked, so parallel guesses cannot pass the limit. Refused attempts do not extend the lock. Pass the
 * pool, not a transaction: a rollback would undo the count.
 */
export const countAttempt = async (db: Db, limit: AttemptLimit, now: number): Promise<CountedAttempt> => {
  const { name, max, windowS, pauseS = windowS } = limit;
  const isOver = sql`attempt.count >= ${max}::int and attempt.update_at > ${now - pauseS}::bigint`;
  const { rows } = await sql<{ count: number; update_at: number }>`
    insert into attempt (name, count, update_at) values (${name}, 1, ${now})
    on conflict (name) do update set
      count = case
        when attempt.update_at <= ${now - windowS}::bigint then 1
        when ${isOver} or attempt.count < ${max}::int then attempt.count + 1
        else ${max}::int end,
      update_at = case when ${isOver} then attempt.update_at else ${now}::bigint end
    returning count, update_at`.execute(db);
  const { count, update_at } = rows[0] ?? { count: 1, update_at: now };
  return { limit, count, waitS: count > max ? Math.max(1, update_at + pauseS - now) : 0 };
};

/** Gives an attempt back that was not a wrong guess. */
export const returnAttempt = (db: Db, { name, max }: AttemptLimit) =>
  sql`update attempt set count = least(count, ${max}::int) - 1 where name = ${name} and count > 0`.execute(db);

/** Clears the attempts of these names after a correct one. */
export const clearAttempts = (db: Db, names: readonly string[]) => db.deleteFrom('attempt').where('name', 'in', names).execute();
