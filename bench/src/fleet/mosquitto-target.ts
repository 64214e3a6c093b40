import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../field/fleet.ts';
import { openSubscribers } from './subscribers.ts';
import { type OwnMember, startable, type Target } from './target.ts';

const program = process.env.MOSQUITTO ?? '/usr/sbin/mosquitto';

export const hasMosquitto = () => existsSync(program);

/** Mosquitto saves its state at this interval, not before the PUBACK. */
const autosaveS = 5;

const settingsOf = (port: number, folder: string, isPersistent: boolean) => [
  `listener ${port} 127.0.0.1`,
  'allow_anonymous true',
  ...(isPersistent
    ? ['persistence true', `persistence_location ${folder}/`, `persistence_file mosquitto-${port}.db`, `autosave_interval ${autosaveS}`]
    : ['persistence false']),
  'max_queued_messages 0',
  'max_inflight_messages 0',
  'set_tcp_nodelay true',
  // As root Mosquitto switches to another user, which cannot read this folder.
  ...(process.getuid?.() === 0 ? ['user root'] : []),
  'log_dest stderr',
  'log_type error',
  'log_type warning',
  'log_type information',
  'connection_messages false',
  '',
];

/** Brokers without authentication. */
export const openMosquittos = async (count: number, folder: string, isPersistent: boolean): Promise<Target> => {
  const programs: OwnMember[] = [];
  for (let k = 0; k < count; k++) {
    const port = await freePort();
    const path = join(folder, `mosquitto-${port}.conf`);
    writeFileSync(path, settingsOf(port, folder, isPersistent).join('\n'));
    const broker = startable({ command: [program, '-c', path], ready: 'running' });
    await broker.start();
    programs.push({ port, ...broker });
  }
  const subscribers = await openSubscribers(programs, '');
  return {
    name: `${count} Mosquitto brokers, persistence ${isPersistent ? 'on' : 'off'}`,
    members: programs,
    isReference: true,
    database: () => [],
    received: subscribers.received,
    close: async () => {
      await subscribers.close();
      await Promise.all(programs.map(({ stop }) => stop()));
    },
  };
};
