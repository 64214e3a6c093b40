import type { Pool, PoolClient } from 'pg';
import { lockGroup, locks } from '../../db/lock.ts';

/** Leader election between console processes: a database lock that is released when its holder disconnects. */
export const openLeaderLock = (pool: Pool) => {
  let client: PoolClient | undefined;
  const drop = () => {
    const previous = client;
    client = undefined;
    previous?.release(true);
  };
  return {
    /** Takes the lock if it is free. False: another process is the leader. */
    acquire: async (): Promise<'held' | 'taken' | false> => {
      if (client) return 'held';
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
      return 'taken';
    },
    /** Ends the connection of the leader, and with it the lock. */
    terminateHolder: async () => {
      await pool.query(
        `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = $1::int::oid and objid = $2::int::oid and objsubid = 2
           and granted and database = (select oid from pg_database where datname = current_database())`,
        [lockGroup, locks.brokerLeader],
      );
    },
    release: drop,
  };
};
