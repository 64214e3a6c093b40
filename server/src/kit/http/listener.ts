import type { Pool, PoolClient } from 'pg';

export interface Listener {
  /** Listens, if it does not already: a broken connection is replaced at the next call. True: it is a new one, so notices may be lost. */
  ensure(): Promise<boolean>;
  /** Nothing that was told since the last `ensure` has been missed. */
  hears(): boolean;
  close(): void;
}

export const openListener = (pool: Pool, channel: string, heard: (text: string) => void): Listener => {
  let client: PoolClient | undefined;
  let closed = false;
  let hearing = false;
  const drop = () => {
    const gone = client;
    client = undefined;
    hearing = false;
    gone?.release(true);
  };
  return {
    ensure: async () => {
      if (client || closed) return false;
      const opened = await pool.connect();
      if (client || closed) {
        opened.release();
        return false;
      }
      client = opened;
      opened.on('error', drop);
      opened.on('end', drop);
      opened.on('notification', (n) => heard(n.payload ?? ''));
      await opened.query(`listen ${channel}`).catch((error) => {
        drop();
        throw error;
      });
      hearing = client === opened;
      return true;
    },
    hears: () => hearing,
    close: () => {
      closed = true;
      drop();
    },
  };
};
