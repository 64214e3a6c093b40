import type { Pool, PoolClient } from 'pg';

export interface Listener {
  /** Connects if necessary, and replaces a broken connection. Returns true for a new connection, because notifications may be lost. */
  ensure(): Promise<boolean>;
  /** True if no notification was lost since the last `ensure`. */
  isListening(): boolean;
  /** Takes a lock of the database until `unlock` or the loss of the connection. False: not connected, or the lock is taken. */
  tryLock(lock: number): Promise<boolean>;
  unlock(lock: number): Promise<void>;
  close(): void;
}

type OnNotification = (text: string) => void;

/** All listeners of a pool share one connection, so a process needs one for all channels. */
interface Connection {
  readonly client: PoolClient;
  readonly channels: Map<string, Set<OnNotification>>;
  /** The last statement; a connection runs one at a time. */
  last: Promise<unknown>;
  isLost: boolean;
}

const connections = new WeakMap<Pool, Promise<Connection>>();

const open = async (pool: Pool): Promise<Connection> => {
  const client = await pool.connect();
  const connection: Connection = { client, channels: new Map(), last: Promise.resolve(), isLost: false };
  const lose = () => dropConnection(pool, connection);
  client.on('error', lose);
  client.on('end', lose);
  client.on('notification', ({ channel, payload }) => {
    for (const onNotification of connection.channels.get(channel) ?? []) onNotification(payload ?? '');
  });
  return connection;
};

const dropConnection = (pool: Pool, connection: Connection) => {
  if (connection.isLost) return;
  connection.isLost = true;
  connections.delete(pool);
  connection.client.release(true);
};

const connectionOf = (pool: Pool): Promise<Connection> => {
  const known = connections.get(pool);
  if (known) return known;
  const opening = open(pool);
  connections.set(pool, opening);
  opening.catch(() => connections.delete(pool));
  return opening;
};

/** Runs a statement after those before it. A failure drops the connection. */
const runNext = <T>(pool: Pool, connection: Connection, run: (client: PoolClient) => Promise<T>): Promise<T> => {
  const result = connection.last.then(() => run(connection.client));
  connection.last = result.catch(() => dropConnection(pool, connection));
  return result;
};

const subscribe = async (pool: Pool, channel: string, onNotification: OnNotification): Promise<Connection> => {
  const connection = await connectionOf(pool);
  const { channels } = connection;
  const others = channels.get(channel) ?? new Set();
  channels.set(channel, others.add(onNotification));
  // Also for a second listener of a channel: the first one may still wait for the reply.
  await runNext(pool, connection, (client) => client.query(`listen ${channel}`));
  return connection;
};

/** The last listener closes the connection. Notifications of a channel without listeners are ignored. */
const unsubscribe = (pool: Pool, connection: Connection, channel: string, onNotification: OnNotification) => {
  const { channels } = connection;
  channels.get(channel)?.delete(onNotification);
  if (channels.get(channel)?.size === 0) channels.delete(channel);
  if (channels.size === 0) dropConnection(pool, connection);
};

export const openListener = (pool: Pool, channel: string, onNotification: OnNotification): Listener => {
  let connection: Connection | undefined;
  let joining: Promise<Connection> | undefined;
  let closed = false;
  const isListening = () => connection !== undefined && !connection.isLost;
  return {
    ensure: async () => {
      if (closed || isListening()) return false;
      const isFirst = joining === undefined;
      joining ??= subscribe(pool, channel, onNotification).finally(() => {
        joining = undefined;
      });
      const joined = await joining;
      if (!isFirst) return false;
      if (closed) {
        unsubscribe(pool, joined, channel, onNotification);
        return false;
      }
      connection = joined;
      return true;
    },
    isListening,
    tryLock: async (lock) => {
      if (!connection || connection.isLost) return false;
      const { rows } = await runNext(pool, connection, (client) =>
        client.query<{ ok: boolean }>('select pg_try_advisory_lock($1) as ok', [lock]),
      );
      return rows[0]?.ok === true;
    },
    unlock: async (lock) => {
      if (!connection || connection.isLost) return;
      await runNext(pool, connection, (client) => client.query('select pg_advisory_unlock($1)', [lock]));
    },
    close: () => {
      closed = true;
      if (connection) unsubscribe(pool, connection, channel, onNotification);
      connection = undefined;
    },
  };
};
