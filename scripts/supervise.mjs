import { setTimeout as pause } from 'node:timers/promises';
import { npmEnded, printLine, run } from './run.mjs';

/** Restart delay: one second at first, doubled up to a minute; reset after a crash that follows a minute of service. */
const usual = { firstPauseMs: 1000, longestPauseMs: 60_000, calmMs: 60_000 };

/**
 * Runs the server and restarts it when it ends unexpectedly. A clean stop, a signal, and a failed first start (a wrong
 * setting, a busy port) are final. The server sends `ready` over its IPC channel.
 * @param {string} file
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @param {Partial<typeof usual>} [timing]
 * @returns {Promise<number>} the exit code
 */
export const supervise = async (file, args, options = {}, timing = {}) => {
  const { firstPauseMs, longestPauseMs, calmMs } = { ...usual, ...timing };
  let wasReady = false;
  let isStopping = false;
  let crashes = 0;
  let readyAt = 0;
  const events = {
    signal: () => {
      isStopping = true;
    },
    /** @param {unknown} message */
    message: (message) => {
      if (message !== 'ready') return;
      wasReady = true;
      readyAt = Date.now();
    },
  };
  for (;;) {
    readyAt = Infinity;
    const code = await run(file, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], ...options }, events);
    if (code === 0 || isStopping || !wasReady) return code;
    // A slow start, such as a recovery of the database, is not yet service.
    if (Date.now() - readyAt >= calmMs) crashes = 0;
    const pauseMs = Math.min(firstPauseMs * 2 ** crashes++, longestPauseMs);
    printLine(`The server ended unexpectedly (exit code ${code}). It starts again in ${pauseMs / 1000} s.`);
    await pause(pauseMs);
    // The operator has stopped npm.
    if (npmEnded()) return code;
  }
};
