import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { addDevices, countOnline } from '../field/fleet.ts';
import { openTestServer } from '../test-server.ts';
import { type Compared, compare } from './compare.ts';
import { measureConnect } from './connect-phase.ts';
import { hasEjabberd, openEjabberds } from './ejabberd-target.ts';
import { openFieldProcesses } from './field-target.ts';
import { type Holders, openHolders } from './holders.ts';
import { killChildren, limitsOf } from './limits.ts';
import { hasMosquitto, openMosquittos } from './mosquitto-target.ts';
import { lines, say, thousands } from './report.ts';
import { type Settings, settingsOf } from './settings.ts';
import { measureKill, measureStorm } from './storm-phase.ts';
import { measureSweep } from './sweep.ts';
import type { Target } from './target.ts';
import { verifyStored } from './verify.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;

const printLimits = (limits: ReturnType<typeof limitsOf>, { gateways, room, processes }: Settings, clients: number) =>
  lines(`fleet of ${thousands(gateways)} gateways: limits of this machine`, [
    ['cores, load average', `${limits.cores}, ${limits.load}`],
    ['memory, available', `${thousands(limits.totalMb)} / ${thousands(limits.availableMb)} MB`],
    [
      'descriptors of a process, soft / hard',
      `${thousands(limits.soft)} / ${thousands(limits.hard)}; servers and clients run with the hard one`,
    ],
    ['so a process holds', `${thousands(room)} gateways`],
    ['server processes', `${processes}, so that ${processes - 1} can hold all after one is killed`],
    ['client processes, ports of each source address', `${clients}, ${thousands(limits.ports)}`],
    ['backlog of a listener', thousands(limits.backlog)],
  ]);

/** All phases with one kind of server. A failing phase ends this server and not the bench. */
const measureTarget = async (target: Target, holders: Holders, settings: Settings, isOver: () => boolean): Promise<Compared> => {
  const connected = await measureConnect(target, holders, settings);
  const { online } = connected;
  const { name, isReference = false } = target;
  if (settings.storms > 0) {
    for (let k = 0; k < settings.storms; k++) await measureStorm(target, holders, online);
    return { name, isReference, connected, steps: [] };
  }
  const steps = await measureSweep(target, holders, settings, online, isOver);
  if (isOver()) {
    say('No kill and no storm: the time of the bench is over.');
    return { name, isReference, connected, steps };
  }
  const kill = await measureKill(target, holders, online);
  const storm = await measureStorm(target, holders, online);
  return { name, isReference, connected, steps, kill, storm };
};

const measureFields = async (holders: Holders, settings: Settings, isOver: () => boolean) => {
  const testServer = await openTestServer();
  const closeAtSignal = async () => {
    killChildren();
    await testServer.close();
    process.exit(1);
  };
  for (const signal of signals) process.once(signal, closeAtSignal);
  const pool = new Pool({ connectionString: testServer.url, max: 2 });
  try {
    const target = await openFieldProcesses(settings.processes, testServer.url, testServer.folder, pool);
    try {
      await addDevices(pool, settings.gateways);
      await pool.query('vacuum analyze device');
      const compared = await measureTarget(target, holders, settings, isOver);
      say(`\nOnline by the database: ${thousands(await countOnline(pool))}.`);
      if ((await verifyStored(pool, holders)) > 0) process.exitCode = 1;
      return compared;
    } finally {
      await holders.open();
      await target.close();
    }
  } finally {
    await pool.end();
    await testServer.close();
    for (const signal of signals) process.off(signal, closeAtSignal);
  }
};

const measureBrokers = async (open: (folder: string) => Promise<Target>, holders: Holders, settings: Settings, isOver: () => boolean) => {
  const folder = mkdtempSync(join(tmpdir(), 'farlink-bench-'));
  try {
    const target = await open(folder);
    try {
      return await measureTarget(target, holders, settings, isOver);
    } finally {
      await holders.open();
      await target.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const measureMosquitto = async (holders: Holders, settings: Settings, isOver: () => boolean) => {
  if (hasMosquitto())
    return measureBrokers((folder) => openMosquittos(settings.processes, folder, settings.isPersistent), holders, settings, isOver);
  say('\nNo Mosquitto to compare with: install the Debian package, or name the program in MOSQUITTO.');
  return undefined;
};

/** Shorter than the others, to stay within the time. */
const measureEjabberd = async (holders: Holders, settings: Settings, isOver: () => boolean) => {
  if (!hasEjabberd()) {
    say(
      '\nNo other broker: Debian has one more with MQTT 5, ejabberd, which is not installed. RabbitMQ of Debian 12 and Aedes of npm have none.',
    );
    return undefined;
  }
  if (isOver()) {
    say('\nejabberd is not measured: the time of the bench is over.');
    return undefined;
  }
  const short = {
    ...settings,
    stepS: Math.ceil(settings.stepS / 2),
    idleS: Math.ceil(settings.idleS / 2),
    firstRate: settings.firstRate * 4,
  };
  return measureBrokers((folder) => openEjabberds(settings.processes, folder), holders, short, isOver);
};

/**
 * npm run bench -- fleet: BENCH_GATEWAYS gateways on several field processes, then on as many Mosquitto and ejabberd brokers, with the same clients. See
 * settings.ts for the other settings.
 */
export const benchFleet = async () => {
  const limits = limitsOf();
  const settings = settingsOf(limits);
  const endAt = performance.now() + settings.minutes * 60_000;
  const isOver = () => performance.now() > endAt;
  const holders = await openHolders(settings.gateways, settings.room);
  const results: Compared[] = [];
  try {
    printLimits(limits, settings, holders.count);
    for (const measure of settings.storms > 0 ? [measureFields] : [measureFields, measureMosquitto, measureEjabberd]) {
      try {
        const compared = await measure(holders, settings, isOver);
        if (compared) results.push(compared);
      } catch (error) {
        process.exitCode = 1;
        say(`\nEnded early: ${error instanceof Error ? error.stack : String(error)}`);
      }
    }
    compare(results, settings.limitMs);
  } finally {
    holders.close();
  }
};
