import { type Env, number, optional, setting, url } from './setting.ts';

/** Settings of the read replica. */
export const replicaSettings = {
  databaseReadUrl: setting(
    'DATABASE_READ_URL',
    'postgres:// URL of a streaming replica of DATABASE_URL, for lists of logs, traffic and audit data and for exports; default: none',
    optional(url('postgres:', 'postgresql:')),
  ),
  databaseReadPool: setting(
    'DATABASE_READ_POOL',
    'Largest number of connections of this process to DATABASE_READ_URL',
    number(2, 500),
    '10',
  ),
};

export const replicaConfig = (env: Env) => ({
  databaseReadUrl: replicaSettings.databaseReadUrl.in(env),
  databaseReadPool: replicaSettings.databaseReadPool.in(env),
});
