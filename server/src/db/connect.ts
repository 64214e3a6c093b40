import { Kysely, PostgresDialect } from 'kysely';
import { type CustomTypesConfig, Pool, types } from 'pg';
import { reasonOf, StartError } from '../env/start-error.ts';
import { preparing } from './prepare.ts';
import type { Database } from './tables.ts';

const oldest = 15;

const safeInteger = (text: string): number => {
  const n = Number(text);
  if (!Number.isSafeInteger(n)) throw new RangeError(`${text} is too large for a number`);
  return n;
};

const { INT8, DATE } = types.builtins;
const int8Array = 1016;
const numericArray = 1231;
const dateArray = 1182;
const int4Array: number = 1007;
const textArray: number = 1009;

/**
 * Ids and epoch seconds fit a number, so int8 is parsed as one. Numeric stays text, because money must not use floating point. A date stays
 * text, because it has no time zone.
 */
const parsers: Record<number, (text: string) => unknown> = {
  [INT8]: safeInteger,
  [DATE]: String,
  [int8Array]: types.getTypeParser(int4Array),
  [numericArray]: types.getTypeParser(textArray),
  [dateArray]: types.getTypeParser(textArray),
};

const typeConfig: CustomTypesConfig = {
  getTypeParser: (oid: number, format: 'text' | 'binary' = 'text') =>
    (format === 'text' && parsers[oid]) || types.getTypeParser(oid, format),
};

/** Host, port and name of a URL, without its password. */
const shown = (url: string) => {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
};

/**
 * Days and hours in SQL mean the same on every server. The time limits release the locks of a machine that failed. Transactions that store
 * large files wait for them, so the limit for a transaction is long; leaders have a shorter one (`lock.ts`).
 */
const sessionSettings = `set timezone = 'UTC'; set idle_in_transaction_session_timeout = '10min';
  set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 2; set tcp_user_timeout = '20s'`;

export type OpenDatabase = {
  readonly pool: Pool;
  readonly db: Kysely<Database>;
  /** Kysely ends the pool only if it has used it. */
  readonly close: () => Promise<void>;
};

interface PoolOptions {
  readonly max?: number | undefined;
  /** Name of the process. */
  readonly name?: string | undefined;
  readonly connectMs?: number;
  /** Command-line options of each connection. */
  readonly options?: string;
}

/** A new connection costs 10 ms and plans its statements again, so connections outlive the pauses of an operator. */
const idleMs = 5 * 60_000;

/** A pool that connects on first use. */
export const makePool = (url: string, { max = 10, name, connectMs = 10_000, options }: PoolOptions = {}): Pool => {
  const pool = preparing(
    new Pool({
      connectionString: url,
      max,
      ...(options && { options }),
      types: typeConfig,
      connectionTimeoutMillis: connectMs,
      idleTimeoutMillis: idleMs,
      keepAlive: true,
      // Shown in pg_stat_activity.
      application_name: name === undefined ? 'farlink' : `farlink ${name}`,
      onConnect: async (client) => {
        await client.query(sessionSettings);
      },
    }),
  );
  // A broken connection fails the next query of its user. Without a listener the error would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
};

export const openDatabase = async (url: string, options: { max?: number; name?: string } = {}): Promise<OpenDatabase> => {
  const pool = makePool(url, options);
  try {
    const { rows } = await pool.query<{ server_version: string }>('show server_version');
    const version = rows[0]?.server_version ?? '0';
    if (Number.parseInt(version, 10) < oldest) {
      throw new StartError(`The database at ${shown(url)} is PostgreSQL ${version}: Farlink needs ${oldest} or newer.`);
    }
  } catch (error) {
    await pool.end();
    if (error instanceof StartError) throw error;
    throw new StartError(`The database at ${shown(url)} cannot be used: ${reasonOf(error)}.`);
  }
  return { pool, db: new Kysely<Database>({ dialect: new PostgresDialect({ pool }) }), close: () => pool.end() };
};
