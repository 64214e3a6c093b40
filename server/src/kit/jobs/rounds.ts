import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import type { JobKinds } from './job.ts';

/**
 * Rounds of the periodic kinds. The result makes the jobs of rounds that have begun, by one statement. A round has one key, so several
 * processes make only one job. Most rounds have no work and make none.
 */
export const openRounds = (deps: Deps, kinds: JobKinds) => {
  const periodic = Object.entries(kinds).flatMap(([kind, { everyS, isDue }]) => (everyS === undefined ? [] : [{ kind, everyS, isDue }]));
  const begun = new Map<string, number>();
  return async (): Promise<void> => {
    const now = deps.clock.now();
    const rounds = periodic
      .map(({ kind, everyS, isDue }) => ({ kind, everyS, isDue, round: Math.floor(now / everyS) }))
      .filter(({ kind, round }) => begun.get(kind) !== round);
    if (rounds.length === 0) return;
    const values = rounds.map(
      ({ kind, everyS, isDue, round }) => sql`(${kind}, ${`${kind}:${everyS}:${round}`}, ${isDue?.(deps) ?? sql.lit(true)})`,
    );
    await sql`insert into job (kind, payload, key, run_at, create_at)
      select kind, '{}', key, ${now}::bigint, ${now}::bigint from (values ${sql.join(values)}) as r(kind, key, is_due) where is_due
      on conflict (key) do nothing`.execute(deps.db);
    for (const { kind, round } of rounds) begun.set(kind, round);
  };
};
