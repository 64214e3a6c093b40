import type { Pool, PoolClient } from 'pg';
import { lockGroup, locks } from '../../db/lock.ts';

/** Leader election between console processes: a database lock that is released when its holder disconnects. */
export const openLeaderLock = (pool: Pool) => {
  let client: PoolClient | undefined;
  const drop = () => {
    const gone = client;
    client = undefined;
    gone?.release(true);
  };
  return {
    /** Returns true if this process is the leader. Takes the lock if it is free. */
    hold: async (): Promise<boolean> => {
      if (client) return true;
      const opened = await pool.connect();
      try {
        const { rows } = await opened.query<{ mine: boolean }>('select pg_try_advisory_lock($1, $2) as mine', [
          lockGroup,
          locks.brokerLeader,
        ]);
        if (!rows[0]?.mine) {
          opened.release();
          return false;
        }
      } catch (error) {
        opened.release(true);
        throw error;
      }
      client = opened;
      opened.on('error', drop);
      opened.on('end', drop);
      return true;
    },
    release: drop,
  };
};
