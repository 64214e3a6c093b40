import { fileURLToPath } from 'node:url';
import type { Pool } from 'pg';
import { freePort } from '../field/fleet.ts';
import { postgresOf } from '../processor.ts';
import { password } from '../test-server.ts';
import { type OwnMember, startable, type Target } from './target.ts';

const main = fileURLToPath(new URL('../../../server/src/main.ts', import.meta.url));
/** The embedded PostgreSQL allows 100 connections. */
const maxConnections = 80;

/** Field processes on one database, each with its own ports. */
export const openFieldProcesses = async (count: number, url: string, folder: string, pool: Pool): Promise<Target> => {
  const programs: OwnMember[] = [];
  for (let k = 0; k < count; k++) {
    const port = await freePort();
    const healthPort = await freePort();
    const env = {
      ROLES: 'field',
      DEMO: 'off',
      LOG_LEVEL: 'error',
      HOST: '127.0.0.1',
      MQTT_HOST: '127.0.0.1',
      MQTT_PORT: String(port),
      HEALTH_PORT: String(healthPort),
      DATABASE_URL: url,
      DATABASE_POOL: String(Math.max(4, Math.min(20, Math.floor(maxConnections / count)))),
      DATA_DIR: folder,
      FILES_SHARED: 'on',
      ADMIN_PASSWORD: password,
    };
    const program = startable({ command: [process.execPath, main], env, ready: 'Farlink is working.' });
    // One after the other, because the first one migrates the database.
    await program.start();
    programs.push({ port, health: `http://127.0.0.1:${healthPort}`, ...program });
  }
  return {
    name: `${count} field processes`,
    members: programs,
    database: await postgresOf(pool),
    close: async () => void (await Promise.all(programs.map((program) => program.stop()))),
  };
};
