import type { Db, Deps, ReadReplica } from '../deps.ts';
import { primaryPosition, readReplayed } from './positions.ts';

/** A replica further behind is not used. */
export const longestLagS = 10;
/** Positions of the primary that are remembered while the replica lags. */
const maxSeen = 100;

type ReplicaState = ReadReplica['state'];

const unused: ReplicaState = { is_used: false, lag_s: null };

const reasonIn = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Seconds since the primary was first seen at a position that is not replayed. An idle primary gives no lag. */
const openLag = () => {
  let seen: { readonly at: number; readonly lsn: number }[] = [];
  return (target: number, replayed: number): number => {
    seen = [...seen, { at: performance.now(), lsn: target }].filter(({ lsn }) => lsn > replayed);
    if (seen.length > maxSeen) seen.splice(1, 1);
    return seen[0] ? (performance.now() - seen[0].at) / 1000 : 0;
  };
};

/** Decides whether the replica is used, and knows how far it is. */
export const watchReplica = ({ db: primary, log }: Pick<Deps, 'db' | 'log'>, replica: Db) => {
  const lagOf = openLag();
  let state: ReplicaState | undefined;
  let replayed = 0;

  const set = (next: ReplicaState, reason: string) => {
    if (next.is_used && !state?.is_used) log.info({ lag_s: next.lag_s }, 'read replica used');
    if (!next.is_used && state?.is_used !== false) log.warn({ lag_s: next.lag_s, reason }, 'read replica not used');
    state = next;
  };

  const assess = async (): Promise<readonly [ReplicaState, string]> => {
    // Before the replica, so that the position can be replayed meanwhile.
    const target = await primaryPosition(primary);
    const found = await readReplayed(replica);
    if (!found?.is_standby) return [unused, 'not a standby'];
    const own = await primary.selectFrom('installation').select('key_mark').executeTakeFirst();
    if (own && found.mark !== null && found.mark !== own.key_mark) return [unused, 'a standby of another installation'];
    replayed = found.lsn ?? 0;
    const lag_s = lagOf(target, replayed);
    return [{ is_used: lag_s <= longestLagS, lag_s }, 'too far behind'];
  };

  const failed = (error: unknown) => set(unused, reasonIn(error));
  return {
    failed,
    check: () => assess().then((found) => set(...found), failed),
    /** True if the replica has this position. */
    hasReplayed: async (lsn: number): Promise<boolean> => {
      if (replayed < lsn) replayed = Math.max(replayed, (await readReplayed(replica))?.lsn ?? 0);
      return replayed >= lsn;
    },
    get state(): ReplicaState {
      return state ?? unused;
    },
  };
};
