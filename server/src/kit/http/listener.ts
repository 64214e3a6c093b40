import type { Pool, PoolClient } from 'pg';

export interface Listener {
  /** Connects if necessary, and replaces a broken connection. Returns true for a new connection, because notifications may be lost. */
  ensure(): Promise<boolean>;
  /** True if no notification was lost since the last `ensure`. */
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
