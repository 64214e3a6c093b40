import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Starts a program of the simulator. It has no environment, and its input closes when this process ends, even after a crash. */
export const startProgram = (file: string, args: readonly string[]) => {
  const program = fileURLToPath(new URL(`../../../simulator/src/${file}`, import.meta.url));
  const child = spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'pipe', 'inherit'], env: {} });
  child.stdin.on('error', () => {});
  return {
    child,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
};
