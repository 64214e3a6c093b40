import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { freePort } from './fleet.ts';

const program = process.env.MOSQUITTO ?? '/usr/sbin/mosquitto';

/** A Mosquitto broker without storage and authentication, and one subscriber in a separate thread that receives every message. */
export const openPlainBroker = async (folder: string) => {
  if (!existsSync(program)) throw new Error(`No Mosquitto at ${program}: set MOSQUITTO to its path.`);
  const port = await freePort();
  const settings = [
    `listener ${port} 127.0.0.1`,
    'allow_anonymous true',
    'persistence false',
    'max_queued_messages 0',
    'set_tcp_nodelay true',
  ];
  // As root Mosquitto switches to another user, which cannot read this folder.
  const path = join(folder, 'baseline-broker.conf');
  writeFileSync(path, [...settings, ...(process.getuid?.() === 0 ? ['user root'] : []), 'log_dest stderr', ''].join('\n'));
  const child = spawn(program, ['-c', path], { stdio: ['ignore', 'ignore', 'pipe'] });
  await new Promise<void>((ready, broken) => {
    let output = '';
    child.once('exit', () => broken(new Error(`Mosquitto ended: ${output}`)));
    child.stderr.on('data', (text: Buffer) => {
      output = (output + String(text)).slice(-2000);
      if (output.includes('running')) ready();
    });
  });
  const listener = new Worker(new URL('./listener.ts', import.meta.url), { workerData: port });
  await once(listener, 'message');
  const close = async () => {
    await listener.terminate();
    const gone = once(child.removeAllListeners('exit'), 'exit');
    child.kill('SIGTERM');
    await gone;
  };
  return { port, pid: child.pid ?? 0, close };
};
