import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { leanClient } from '../lean-client.ts';

/** Loads the first page of the device list again and again. On request it reports the response times. */
const { base, token }: { base: string; token: string } = workerData;
const { get, close } = leanClient(base, token);
const times: number[] = [];
let isOver = false;
const stopped = parentPort && once(parentPort, 'message').then(() => (isOver = true));
while (!isOver) {
  const began = performance.now();
  await get('device?lang=zh&limit=20');
  times.push(performance.now() - began);
  await pause(100);
}
await stopped;
close();
parentPort?.postMessage(times.sort((a, b) => a - b));
