import type { Logger } from 'pino';
import { noteInternalError } from './kit/internal-error.ts';

/** Last resort: an uncaught error is logged and counted, and the process continues. Before `started` it fails the start instead. */
export const guardProcess = (failStart: (error: unknown) => void) => {
  let log: Logger | undefined;
  const caught = (error: unknown) => (log ? noteInternalError(log, 'process', error) : failStart(error));
  process.on('uncaughtException', caught);
  process.on('unhandledRejection', caught);
  // The reader of our output may have closed the pipe; this must not end the process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  return {
    started: (running: Logger) => {
      log = running;
      // `npm start` restarts a server that was ready once.
      process.send?.('ready');
    },
  };
};
