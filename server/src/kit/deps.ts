import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Database } from '../db/tables.ts';
import type { Clock } from './clock.ts';

export type Db = Kysely<Database>;

/** What the process has and every part may use. */
export interface Deps {
  readonly db: Db;
  readonly pool: Pool;
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
}
