import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { one, type ProcessSource } from '../processor.ts';
import { killAtExit, raised } from './limits.ts';

/** One process that gateways connect to. It keeps its port when it is started again. */
export interface Member {
  readonly port: number;
  /** Base URL with /healthz and /metrics, if it has one. */
  readonly health?: string;
  readonly pid: () => number;
  readonly start: () => Promise<void>;
  readonly kill: () => Promise<void>;
}

/** A member that is also stopped in an orderly way. */
export interface OwnMember extends Member {
  readonly stop: () => Promise<void>;
}

/** What the gateways connect to: several field processes, or several brokers. */
export interface Target {
  readonly name: string;
  readonly members: readonly Member[];
  /** Domain of the user names, if the broker needs one. */
  readonly domain?: string;
  /** Ratios of the comparison refer to this one. */
  readonly isReference?: boolean;
  /** Processes of its database; none for a broker. */
  readonly database: ProcessSource;
  /** Messages that the subscriber of the brokers has received. */
  readonly received?: () => Promise<number>;
  readonly close: () => Promise<void>;
}

export const processesOf =
  (members: readonly Member[]): ProcessSource =>
  () =>
    members.flatMap((member) => one(member.pid())());

interface Program {
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Text that it prints when it accepts connections, or the port that is tried. */
  readonly ready: string | number;
}

const untilOpen = async (port: number, isRunning: () => boolean) => {
  while (isRunning()) {
    const socket = connect({ host: '127.0.0.1', port });
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await pause(50);
  }
};

/** A program with raised limits that can be killed and started again. */
export const startable = ({ command, env, ready }: Program) => {
  let child: ChildProcess | undefined;
  const start = async () => {
    const [shell, args] = raised(command);
    const started = spawn(shell, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    child = started;
    killAtExit(started);
    let output = '';
    await new Promise<void>((resolve, reject) => {
      const read = (chunk: Buffer) => {
        output = (output + chunk.toString()).slice(-4000);
        if (typeof ready === 'string' && output.includes(ready)) resolve();
      };
      started.stdout.on('data', read);
      started.stderr.on('data', read);
      started.once('exit', () => reject(new Error(`${command[0]} ended: ${output}`)));
      if (typeof ready === 'number') untilOpen(ready, () => started.exitCode === null).then(resolve, reject);
    });
  };
  const end = async (signal: NodeJS.Signals) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  };
  return { start, kill: () => end('SIGKILL'), stop: () => end('SIGTERM'), pid: () => child?.pid ?? 0 };
};
