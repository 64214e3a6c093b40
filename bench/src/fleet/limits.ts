import { type ChildProcess, execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { ProcessSource } from '../processor.ts';

const read = (path: string) => readFileSync(path, 'utf8').trim();
const limitOf = (flag: string) => Number(execFileSync('/bin/sh', ['-c', `ulimit -${flag}n`], { encoding: 'utf8' })) || 1_048_576;

/** The same command with the largest number of descriptors that this user may have. */
export const raised = (command: readonly string[]): [string, string[]] => [
  '/bin/sh',
  ['-c', 'ulimit -Sn "$(ulimit -Hn)"; exec "$@"', 'sh', ...command],
];

export const memory = () => {
  const kb = (name: string) => Number(read('/proc/meminfo').match(new RegExp(`^${name}:\\s+(\\d+)`, 'm'))?.[1] ?? 0);
  return { totalMb: kb('MemTotal') / 1024, availableMb: kb('MemAvailable') / 1024 };
};

export const limitsOf = () => {
  const [low = 0, high = 0] = read('/proc/sys/net/ipv4/ip_local_port_range').split(/\s+/).map(Number);
  return {
    soft: limitOf('S'),
    hard: limitOf('H'),
    ports: high - low + 1,
    backlog: Number(read('/proc/sys/net/core/somaxconn')),
    cores: availableParallelism(),
    load: read('/proc/loadavg').split(' ').slice(0, 3).join(' '),
    ...memory(),
  };
};

/** Proportional memory in MB: shared pages are divided among the processes that use them. */
export const memoryOf = (processes: ProcessSource): number =>
  processes().reduce((sum, found) => {
    try {
      return sum + (found ? Number(read(`/proc/${found.pid}/smaps_rollup`).match(/^Pss:\s+(\d+)/m)?.[1] ?? 0) / 1024 : 0);
    } catch {
      // The process has ended.
      return sum;
    }
  }, 0);

/** Kernel memory of all TCP buffers in MB. */
export const socketMb = () => (Number(read('/proc/net/sockstat').match(/^TCP:.* mem (\d+)/m)?.[1] ?? 0) * 4096) / 1_048_576;

/** Share of the processor time of the machine that was used since the call. */
export const busyness = () => {
  const times = () => (read('/proc/stat').split('\n')[0] ?? '').split(/\s+/).slice(1, 9).map(Number);
  const before = times();
  return () => {
    const spent = times().map((n, k) => n - (before[k] ?? 0));
    const idle = (spent[3] ?? 0) + (spent[4] ?? 0);
    return (
      1 -
      idle /
        Math.max(
          1,
          spent.reduce((a, b) => a + b, 0),
        )
    );
  };
};

/** Descriptors that a process has open. */
export const descriptorsOf = (pid: number): number => {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
};

const children = new Set<ChildProcess>();
export const killChildren = () => children.forEach((child) => void child.kill('SIGKILL'));
process.on('exit', killChildren);

/** Kills the child when this process ends for any reason that Node sees. */
export const killAtExit = (child: ChildProcess) => {
  children.add(child);
  child.once('exit', () => children.delete(child));
};
