import type { Pool, PoolClient } from 'pg';

/** One process of the console at a time, the others stand by: a lock that the database frees when its holder is gone. */
export const openLeaderLock = (pool: Pool) => {
  let client: PoolClient | undefined;
  const drop = () => {
    const gone = client;
    client = undefined;
    gone?.release(true);
  };
  return {
    /** Whether this process has the lead, which it takes where nobody has it. */
    hold: async (): Promise<boolean> => {
      if (client) return true;
      const opened = await pool.connect();
      try {
        const { rows } = await opened.query<{ mine: boolean }>('select pg_try_advisory_lock(7206, 1) as mine');
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
