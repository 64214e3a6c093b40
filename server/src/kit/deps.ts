import type { FastifyPluginAsync } from 'fastify';
import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Database } from '../db/tables.ts';
import type { Config } from '../env/config.ts';
import type { Clock } from './clock.ts';

export type Db = Kysely<Database>;

/** Endpoint for gateway tunnels and for the browser pages behind them. */
export interface RemoteAccess {
  readonly node: string;
  readonly ssh: { readonly host: string; readonly port: number; readonly fingerprint: string };
  /** Origin of a web session for a browser that uses this console host. Undefined: no port is free. */
  address(consoleHost: string): Promise<{ readonly port: number | null; origin(label: string): string } | undefined>;
  /** Terminal routes, on the console's own origin. */
  readonly routes: FastifyPluginAsync;
}

/** A streaming replica of the database, for reads (server/src/kit/replica). */
export interface ReadReplica {
  /** The replica if it has everything that this session has written, else undefined. */
  dbFor(sessionId: number): Promise<Db | undefined>;
  /** The replica if it has, or soon has, everything that is committed now. */
  poolForExport(): Promise<Pool | undefined>;
  /** Notes a committed write of the session. */
  noteWrite(sessionId: number): Promise<void>;
  /** A read failed: the replica is not used until a check succeeds. */
  failed(error: unknown): void;
  /** At the last check; the lag is null if it is not known. */
  readonly state: { readonly is_used: boolean; readonly lag_s: number | null };
}

export interface Deps {
  readonly db: Db;
  readonly pool: Pool;
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  /** Row of this process in `process_node`. Undefined in tools and tests that are not a server. */
  readonly processId?: string | undefined;
  /** Undefined without DATABASE_READ_URL. */
  readonly replica?: ReadReplica | undefined;
  /** Undefined if this process offers no remote access. */
  readonly remote?: RemoteAccess | undefined;
}
