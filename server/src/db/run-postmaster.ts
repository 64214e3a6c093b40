import { spawn, spawnSync } from 'node:child_process';
import { closeSync, fstatSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { StartError } from '../env/start-error.ts';
import type { Home } from './make-cluster.ts';
import { isPostgres, type Postmaster, readPostmaster, runningPostmaster } from './postmaster.ts';

export type RunOptions = { readonly fsync?: boolean; readonly print?: (sentence: string) => void };

/** Time that the remains of a killed postmaster may block a new one. */
const remainsMs = 20_000;
const slowMs = 10_000;

/** Connection URL with password, stored in the folder. A new port is stored as well. */
export const urlAt = (home: Home, port?: number): string => {
  const url = new URL(readFileSync(home.url, 'utf8').trim());
  if (port !== undefined && url.port !== String(port)) {
    url.port = String(port);
    writeFileSync(`${home.url}.new`, `${url.href}\n`, { mode: 0o600 });
    renameSync(`${home.url}.new`, home.url);
  }
  return url.href;
};

const listening = (port: number) =>
  new Promise<number | undefined>((done) => {
    const probe = createServer();
    probe.once('error', () => done(undefined));
    probe.listen(port, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => done(address && typeof address === 'object' ? address.port : undefined));
    });
  });

/** The previous port if it is free, so that saved addresses stay valid. */
const freePort = async (home: Home): Promise<number> => {
  const port = (await listening(Number(new URL(urlAt(home)).port))) ?? (await listening(0));
  if (port === undefined) throw new StartError('No free port on 127.0.0.1 for the embedded database.');
  return port;
};

const serverOptions = (port: number, fsync: boolean) =>
  Object.entries({
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    shared_buffers: fsync ? '256MB' : '128MB',
    max_wal_size: '1GB',
    jit: 'off',
    // Random reads on an SSD cost little more than sequential ones.
    random_page_cost: 1.1,
    log_checkpoints: 'off',
    ...(fsync ? {} : { fsync: 'off', full_page_writes: 'off' }),
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

type Child = { readonly ended: () => boolean; readonly output: () => string };

/** Detached, with a log file: PostgreSQL survives the end of this process and is adopted by the next start. */
const launchPostgres = (home: Home, port: number, fsync: boolean): Child => {
  const log = openSync(home.log, 'a', 0o600);
  const before = fstatSync(log).size;
  const { file, args, options } = home.launch(home.programs.postgres, ['-D', home.cluster, ...serverOptions(port, fsync)]);
  const child = spawn(file, args, { ...options, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  let ended = false;
  child.once('exit', () => {
    ended = true;
  });
  child.once('error', () => {
    ended = true;
  });
  child.unref();
  return { ended: () => ended, output: () => readFileSync(home.log).subarray(before).toString() };
};

/** Temporary conditions: remains of a killed postmaster, or a parallel start that was faster. Both are checked again. */
const passes = /lock file .* already exists|still in use|Address already in use|Only one usage of each socket/;

const lastLines = (output: string) =>
  output
    .split('\n')
    .findLast((line) => /FATAL|ERROR|PANIC/.test(line))
    ?.replace(/^.*?(FATAL|ERROR|PANIC):\s*/, '') ?? 'no error message';

/** Returns when a postmaster in this folder accepts clients, even if another process started it. */
export const bringUp = async (home: Home, { fsync = true, print }: RunOptions): Promise<Postmaster> => {
  const startedAt = Date.now();
  let child: Child | undefined;
  let isLogged = false;
  for (;;) {
    const running = runningPostmaster(home.cluster);
    if (running?.ready) return running;
    if (!running && (!child || child.ended())) {
      if (child && (!passes.test(child.output()) || Date.now() - startedAt > remainsMs)) {
        throw new StartError(`The embedded database did not start: ${lastLines(child.output())} (see ${home.log}).`);
      }
      if (child) await pause(200);
      child = launchPostgres(home, await freePort(home), fsync);
    }
    if (!isLogged && Date.now() - startedAt > slowMs) {
      isLogged = true;
      print?.('The database is recovering after a crash; this can take some minutes.');
    }
    await pause(25);
  }
};

/** SIGINT is PostgreSQL's fast shutdown: clients are disconnected and all data is written. */
export const interrupt = (home: Home) => {
  const postmaster = readPostmaster(home.cluster);
  if (!postmaster || !isPostgres(postmaster.pid)) return;
  if (process.platform === 'win32') spawnSync(home.programs.pgCtl, ['kill', 'INT', String(postmaster.pid)]);
  else process.kill(postmaster.pid, 'SIGINT');
};
