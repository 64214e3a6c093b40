import type { Logger } from 'pino';
import { noteInternalError } from './kit/http/internal-error.ts';

/**
 * The last resort: an error that nothing caught is logged and counted, and the process goes on for everybody else. Before `started`
 * it fails the start instead.
 */
export const guardProcess = (failStart: (error: unknown) => void) => {
  let log: Logger | undefined;
  const caught = (error: unknown) => (log ? noteInternalError(log, 'process', error) : failStart(error));
  process.on('uncaughtException', caught);
  process.on('unhandledRejection', caught);
  // The reader of our output may be gone; that is no reason to fail.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  return {
    started: (running: Logger) => {
      log = running;
      // `npm start` restarts a server that was ready once.
      process.send?.('ready');
    },
  };
};
