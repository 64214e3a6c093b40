import { pino } from 'pino';
import { openDatabase } from '../src/db/connect.ts';
import { sealRound } from '../src/domain/audit/seal-job.ts';
import { readConfig } from '../src/env/config.ts';
import { storeAuditRows, urlRows } from './audit.ts';

/** A process that stores or seals audit data until it is killed: `store <device>` or `seal`. Each round prints a dot. */
const [role, device] = process.argv.slice(2);
const { db, pool } = await openDatabase(process.env.DATABASE_URL ?? '', { max: 2 });
const config = readConfig({ DATA_DIR: process.env.DATA_DIR, SECRET_KEY: process.env.SECRET_KEY });
// The sealer is ahead, so that each round finds completed minutes.
const clock = { now: () => Math.floor(Date.now() / 1000) + (role === 'seal' ? 120 : 0) };
const deps = { db, pool, config, clock, log: pino({ level: 'silent' }) };
for (;;) {
  if (role === 'seal') await sealRound(deps);
  else await storeAuditRows(deps, Number(device), 'a_url', urlRows(4, clock.now()));
  process.stdout.write('.');
}
