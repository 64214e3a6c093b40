import { spawn, spawnSync } from 'node:child_process';
import { closeSync, fstatSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { StartError } from '../env/start-error.ts';
import type { Home } from './make-cluster.ts';
import { isPostgres, type Postmaster, readPostmaster, runningPostmaster } from './postmaster.ts';

export type RunOptions = { readonly fsync?: boolean; readonly notice?: (sentence: string) => void };

/** How long the remains of a killed postmaster may keep a new one from starting. */
const remainsMs = 20_000;
const slowMs = 10_000;

/** The address with the password, as it is kept in the folder; with a port, kept anew. */
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

/** The port of last time while it is free, so that addresses written down stay good. */
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
    // A page anywhere on an SSD costs little more than the next one.
    random_page_cost: 1.1,
    log_checkpoints: 'off',
    ...(fsync ? {} : { fsync: 'off', full_page_writes: 'off' }),
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

type Child = { readonly ended: () => boolean; readonly output: () => string };

/** Detached and with a file for its words: PostgreSQL outlives us, whatever ends us, and is adopted by the next start. */
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

/** Remains of a killed postmaster, or another start that was faster: both pass, and then a new look tells. */
const passes = /lock file .* already exists|still in use|Address already in use|Only one usage of each socket/;

const lastLines = (output: string) =>
  output
    .split('\n')
    .findLast((line) => /FATAL|ERROR|PANIC/.test(line))
    ?.replace(/^.*?(FATAL|ERROR|PANIC):\s*/, '') ?? 'it said nothing';

/** Returns when a postmaster on this folder is ready for clients, whoever started it. */
export const bringUp = async (home: Home, { fsync = true, notice }: RunOptions): Promise<Postmaster> => {
  const begun = Date.now();
  let child: Child | undefined;
  let isLogged = false;
  for (;;) {
    const running = runningPostmaster(home.cluster);
    if (running?.ready) return running;
    if (!running && (!child || child.ended())) {
      if (child && (!passes.test(child.output()) || Date.now() - begun > remainsMs)) {
        throw new StartError(`The embedded database did not start: ${lastLines(child.output())} (see ${home.log}).`);
      }
      if (child) await pause(200);
      child = launchPostgres(home, await freePort(home), fsync);
    }
    if (!isLogged && Date.now() - begun > slowMs) {
      isLogged = true;
      notice?.('The database is recovering after a crash; this can take some minutes.');
    }
    await pause(25);
  }
};

/** SIGINT is PostgreSQL's fast shutdown: clients are thrown off, everything is written. */
export const interrupt = (home: Home) => {
  const postmaster = readPostmaster(home.cluster);
  if (!postmaster || !isPostgres(postmaster.pid)) return;
  if (process.platform === 'win32') spawnSync(home.programs.pgCtl, ['kill', 'INT', String(postmaster.pid)]);
  else process.kill(postmaster.pid, 'SIGINT');
};
