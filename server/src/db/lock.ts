import { sql } from 'kysely';

/** Advisory locks `(7206, n)`. Each purpose has its own number: work that waits for another purpose may wait for hours. */
export const lockGroup = 7206;
export const locks = { brokerLeader: 1, portalDispatch: 2, portalBundles: 3, fileDispatch: 4, dpiDispatch: 5, systemBackup: 61 } as const;

/**
 * For transactions that only one process may run at a time. The database ends the transaction of a paused process, so another process takes
 * over and the paused one cannot commit later.
 */
const setting = 'idle_in_transaction_session_timeout';
export const idleLimit = sql`set_config(${sql.lit(setting)}, '20s', true)`;
export const beginLimited = `begin; set local ${setting} = '20s'`;
