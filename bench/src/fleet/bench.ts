import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { addDevices, countOnline } from '../field/fleet.ts';
import { openTestServer } from '../test-server.ts';
import { type ClientProcesses, openClientProcesses } from './client-processes.ts';
import { type Compared, compare } from './compare.ts';
import { measureConnect } from './connect-phase.ts';
import { hasEjabberd, openEjabberds } from './ejabberd-target.ts';
import { openFieldProcesses } from './field-target.ts';
import { killChildren, limitsOf } from './limits.ts';
import { hasMosquitto, openMosquittos } from './mosquitto-target.ts';
import { lines, printLine, thousands } from './report.ts';
import { type Settings, settingsOf } from './settings.ts';
import { measureKill, measureStorm } from './storm-phase.ts';
import { measureSweep } from './sweep.ts';
import type { Target } from './target.ts';
import { verifyStored } from './verify.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;

const printLimits = (limits: ReturnType<typeof limitsOf>, { gateways, gatewaysPerProcess, processes }: Settings, clients: number) =>
  lines(`fleet of ${thousands(gateways)} gateways: limits of this machine`, [
    ['cores, load average', `${limits.cores}, ${limits.load}`],
    ['memory, available', `${thousands(limits.totalMb)} / ${thousands(limits.availableMb)} MB`],
    [
      'descriptors of a process, soft / hard',
      `${thousands(limits.soft)} / ${thousands(limits.hard)}; servers and clients run with the hard one`,
    ],
    ['gateways per process', thousands(gatewaysPerProcess)],
    ['server processes', `${processes}, so that ${processes - 1} can take all gateways after one is killed`],
    ['client processes, ports of each source address', `${clients}, ${thousands(limits.ports)}`],
    ['backlog of a listener', thousands(limits.backlog)],
  ]);

/** All phases with one kind of server. A phase that fails ends the measurement of this server, not the bench. */
const measureTarget = async (
  target: Target,
  clientProcesses: ClientProcesses,
  settings: Settings,
  isOver: () => boolean,
): Promise<Compared> => {
  const connected = await measureConnect(target, clientProcesses, settings);
  const { online } = connected;
  const { name, isReference = false } = target;
  if (settings.storms > 0) {
    for (let k = 0; k < settings.storms; k++) await measureStorm(target, clientProcesses, online);
    return { name, isReference, connected, steps: [] };
  }
  const steps = await measureSweep(target, clientProcesses, settings, online, isOver);
  if (isOver()) {
    printLine('Kill and storm are not measured: the time of the bench is over.');
    return { name, isReference, connected, steps };
  }
  const kill = await measureKill(target, clientProcesses, online);
  const storm = await measureStorm(target, clientProcesses, online);
  return { name, isReference, connected, steps, kill, storm };
};

const measureFields = async (clientProcesses: ClientProcesses, settings: Settings, isOver: () => boolean) => {
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
      const compared = await measureTarget(target, clientProcesses, settings, isOver);
      printLine(`\nOnline by the database: ${thousands(await countOnline(pool))}.`);
      if ((await verifyStored(pool, clientProcesses)) > 0) process.exitCode = 1;
      return compared;
    } finally {
      await clientProcesses.open();
      await target.close();
    }
  } finally {
    await pool.end();
    await testServer.close();
    for (const signal of signals) process.off(signal, closeAtSignal);
  }
};

const measureBrokers = async (
  open: (folder: string) => Promise<Target>,
  clientProcesses: ClientProcesses,
  settings: Settings,
  isOver: () => boolean,
) => {
  const folder = mkdtempSync(join(tmpdir(), 'farlink-bench-'));
  try {
    const target = await open(folder);
    try {
      return await measureTarget(target, clientProcesses, settings, isOver);
    } finally {
      await clientProcesses.open();
      await target.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const measureMosquitto = async (clientProcesses: ClientProcesses, settings: Settings, isOver: () => boolean) => {
  if (hasMosquitto())
    return measureBrokers((folder) => openMosquittos(settings.processes, folder, settings.isPersistent), clientProcesses, settings, isOver);
  printLine('\nNo Mosquitto to compare with: install the Debian package, or set MOSQUITTO to its path.');
  return undefined;
};

/** Shorter than the others, to stay within the time. */
const measureEjabberd = async (clientProcesses: ClientProcesses, settings: Settings, isOver: () => boolean) => {
  if (!hasEjabberd()) {
    printLine('\nejabberd is not measured: it is not installed. RabbitMQ of Debian 12 and Aedes of npm have no MQTT 5.');
    return undefined;
  }
  if (isOver()) {
    printLine('\nejabberd is not measured: the time of the bench is over.');
    return undefined;
  }
  const short = {
    ...settings,
    stepS: Math.ceil(settings.stepS / 2),
    idleS: Math.ceil(settings.idleS / 2),
    firstRate: settings.firstRate * 4,
  };
  return measureBrokers((folder) => openEjabberds(settings.processes, folder), clientProcesses, short, isOver);
};

/**
 * npm run bench -- fleet: BENCH_GATEWAYS gateways on several field processes, then on the same number of Mosquitto and
 * ejabberd brokers, with the same clients. settings.ts has the other settings.
 */
export const benchFleet = async () => {
  const limits = limitsOf();
  const settings = settingsOf(limits);
  const endAt = performance.now() + settings.minutes * 60_000;
  const isOver = () => performance.now() > endAt;
  const clientProcesses = await openClientProcesses(settings.gateways, settings.gatewaysPerProcess);
  const results: Compared[] = [];
  try {
    printLimits(limits, settings, clientProcesses.count);
    for (const measure of settings.storms > 0 ? [measureFields] : [measureFields, measureMosquitto, measureEjabberd]) {
      try {
        const compared = await measure(clientProcesses, settings, isOver);
        if (compared) results.push(compared);
      } catch (error) {
        process.exitCode = 1;
        printLine(`\nMeasurement failed: ${error instanceof Error ? error.stack : String(error)}`);
      }
    }
    compare(results, settings.limitMs);
  } finally {
    clientProcesses.close();
  }
};
