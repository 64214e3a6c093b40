import { Worker } from 'node:worker_threads';
import type { Member } from './target.ts';

/** One subscriber for each broker, in a separate thread, receives every message with QoS 1, as the console does. */
export const openSubscribers = (members: readonly Member[], username: string): Worker => {
  const worker = new Worker(new URL('./subscriber.ts', import.meta.url), {
    workerData: { ports: members.map(({ port }) => port), username },
  });
  worker.on('error', (error) => process.stderr.write(`subscriber failed: ${error}\n`));
  return worker;
};
