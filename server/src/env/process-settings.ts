import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { type Env, flag, number, optional, setting, text } from './setting.ts';

/** Settings for installations with several processes. */
export const processSettings = {
  databasePool: setting('DATABASE_POOL', 'Largest number of database connections of this process', number(4, 500), '20'),
  filesShared: setting(
    'FILES_SHARED',
    'on: DATA_DIR/files is a folder that all processes with the roles api and worker share',
    flag,
    'off',
  ),
  healthPort: setting(
    'HEALTH_PORT',
    'TCP port with /healthz and /metrics of this process, for any role; default: none, the role api serves both on PORT',
    optional(number(0, 65_535)),
  ),
  processName: setting('PROCESS_NAME', 'Name of this process on the status page; default: host name and process id', optional(text)),
  processAddress: setting(
    'PROCESS_ADDRESS',
    'Host name or IP address at which other processes reach this one; default: HOST, or the first address of the machine',
    optional(text),
  ),
  drainSeconds: setting(
    'DRAIN_SECONDS',
    'Seconds between SIGTERM and the end of the listeners, in which /healthz answers 503 and calls are still served; set it behind a proxy',
    number(0, 60),
    '0',
  ),
  handshakeSeconds: setting(
    'HANDSHAKE_SECONDS',
    'Seconds in which a new connection to any port must finish its handshake, login or first request',
    number(1, 300),
    '30',
  ),
  handshakeConnections: setting(
    'HANDSHAKE_CONNECTIONS',
    'Largest number of connections of one port that have not done so; half of them from one address; default: 10000, or an eighth of the open files allowed',
    optional(number(2, 1_000_000)),
  ),
};

/** Open files that the system allows this process. Other systems than Linux do not tell. */
const allowedFiles = (): number => {
  try {
    return Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Infinity);
  } catch {
    return Infinity;
  }
};

const usualUnfinished = 10_000;

export const processConfig = (env: Env) => ({
  databasePool: processSettings.databasePool.in(env),
  healthPort: processSettings.healthPort.in(env),
  processName: processSettings.processName.in(env) ?? `${hostname()}-${process.pid}`,
  processAddress: processSettings.processAddress.in(env),
  drainSeconds: processSettings.drainSeconds.in(env),
  unfinished: Object.freeze({
    timeoutMs: processSettings.handshakeSeconds.in(env) * 1000,
    total: processSettings.handshakeConnections.in(env) ?? Math.min(usualUnfinished, Math.floor(allowedFiles() / 8)),
  }),
});

/** A file of one process must be found by the other: a worker writes an export, and the api serves its download. */
export const processFaults = (env: Env, roles: readonly string[]): string[] => {
  if (processSettings.filesShared.fault(env).length > 0) return [];
  const isSplit = roles.includes('api') !== roles.includes('worker');
  if (!isSplit || env.FILES_URL?.trim() || processSettings.filesShared.in(env)) return [];
  return ['ROLES with only one of api and worker needs FILES_URL, or FILES_SHARED=on if DATA_DIR/files is a shared folder.'];
};
