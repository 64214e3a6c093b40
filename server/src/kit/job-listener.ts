import type { Pool, PoolClient } from 'pg';
import { jobChannel } from './job.ts';

export interface Listener {
  /** Listens, if it does not already: a broken connection is replaced at the next call. */
  ensure(): Promise<void>;
  close(): void;
}

export const openListener = (pool: Pool, heard: (message: string) => void): Listener => {
  let client: PoolClient | undefined;
  let closed = false;
  const drop = () => {
    const gone = client;
    client = undefined;
    gone?.release(true);
  };
  const ensure = async () => {
    if (client || closed) return;
    const fresh = await pool.connect();
    if (client || closed) return fresh.release();
    client = fresh;
    fresh.on('error', drop);
    fresh.on('notification', (n) => heard(n.payload ?? ''));
    await fresh.query(`listen ${jobChannel}`).catch((error) => {
      drop();
      throw error;
    });
  };
  return {
    ensure,
    close: () => {
      closed = true;
      drop();
    },
  };
};
