import { parentPort, workerData } from 'node:worker_threads';
import { Client } from '@farlink/simulator/client.ts';

/** Receives all messages and ignores them. */
const client = new Client({ host: '127.0.0.1', port: Number(workerData), clientId: 'listener', username: 'listener', password: '' });
await client.connect();
await client.subscribe('gw/1/+/up/#');
parentPort?.postMessage('listening');
