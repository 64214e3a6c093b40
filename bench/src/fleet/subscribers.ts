import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Member } from './target.ts';

/** One subscriber for each broker, in a separate thread, receives every message with QoS 1, as the console does. */
export const openSubscribers = async (members: readonly Member[], username: string) => {
  const worker = new Worker(new URL('./subscriber.ts', import.meta.url), {
    workerData: { ports: members.map(({ port }) => port), username },
  });
  worker.on('error', (error) => process.stderr.write(`subscriber failed: ${error}\n`));
  // All are subscribed.
  await once(worker, 'message');
  const received = async (): Promise<number> => {
    worker.postMessage('count');
    const [count]: number[] = await once(worker, 'message');
    return count ?? 0;
  };
  return { received, close: () => worker.terminate() };
};
