import type { Pool, PoolClient } from 'pg';

export interface Listener {
  /** Connects if necessary, and replaces a broken connection. Returns true for a new connection, because notifications may be lost. */
  ensure(): Promise<boolean>;
  /** True if no notification was lost since the last `ensure`. */
  hears(): boolean;
  close(): void;
}

type Heard = (text: string) => void;

/** The one connection of a pool on which all its listeners hear, so that a process needs one for all channels. */
interface Connection {
  readonly client: PoolClient;
  readonly channels: Map<string, Set<Heard>>;
  /** The last statement; a connection runs one at a time. */
  last: Promise<unknown>;
  isLost: boolean;
}

const connections = new WeakMap<Pool, Promise<Connection>>();

const open = async (pool: Pool): Promise<Connection> => {
  const client = await pool.connect();
  const connection: Connection = { client, channels: new Map(), last: Promise.resolve(), isLost: false };
  const lose = () => lost(pool, connection);
  client.on('error', lose);
  client.on('end', lose);
  client.on('notification', ({ channel, payload }) => {
    for (const heard of connection.channels.get(channel) ?? []) heard(payload ?? '');
  });
  return connection;
};

const lost = (pool: Pool, connection: Connection) => {
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

const join = async (pool: Pool, channel: string, heard: Heard): Promise<Connection> => {
  const connection = await connectionOf(pool);
  const { client, channels } = connection;
  const others = channels.get(channel) ?? new Set();
  channels.set(channel, others.add(heard));
  // Also for a second listener of a channel: the first one may still wait for the reply.
  const said = connection.last.then(() => client.query(`listen ${channel}`));
  connection.last = said.catch(() => lost(pool, connection));
  await said;
  return connection;
};

/** The last listener closes the connection. A channel without listeners may go on to be heard; its notifications are ignored. */
const leave = (pool: Pool, connection: Connection, channel: string, heard: Heard) => {
  const { channels } = connection;
  channels.get(channel)?.delete(heard);
  if (channels.get(channel)?.size === 0) channels.delete(channel);
  if (channels.size === 0) lost(pool, connection);
};

export const openListener = (pool: Pool, channel: string, heard: Heard): Listener => {
  let connection: Connection | undefined;
  let joining: Promise<Connection> | undefined;
  let closed = false;
  const hears = () => connection !== undefined && !connection.isLost;
  return {
    ensure: async () => {
      if (closed || hears()) return false;
      const isFirst = joining === undefined;
      joining ??= join(pool, channel, heard).finally(() => {
        joining = undefined;
      });
      const joined = await joining;
      if (!isFirst) return false;
      if (closed) {
        leave(pool, joined, channel, heard);
        return false;
      }
      connection = joined;
      return true;
    },
    hears,
    close: () => {
      closed = true;
      if (connection) leave(pool, connection, channel, heard);
      connection = undefined;
    },
  };
};
