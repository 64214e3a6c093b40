import type { FastifyPluginAsync } from 'fastify';
import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Database } from '../db/tables.ts';
import type { Config } from '../env/config.ts';
import type { Clock } from './clock.ts';

export type Db = Kysely<Database>;

/** Where gateways bring tunnels to this process, and browsers see what is behind them. */
export interface RemoteAccess {
  readonly node: string;
  readonly ssh: { readonly host: string; readonly port: number; readonly fingerprint: string };
  /** Where a web session shall be for a browser that knows the console as this host; undefined: there is no room. */
  address(consoleHost: string): Promise<{ readonly port: number | null; origin(label: string): string } | undefined>;
  /** The terminal, on the console's own origin. */
  readonly routes: FastifyPluginAsync;
}

/** What the process has and every part may use. */
export interface Deps {
  readonly db: Db;
  readonly pool: Pool;
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  /** Absent where this process gives no remote access. */
  readonly remote?: RemoteAccess | undefined;
}
