import { randomUUID } from 'node:crypto';
import { flushCompileCache } from 'node:module';
import { buildApp } from './app.ts';
import { checkSecretKey } from './db/check-secret-key.ts';
import { openDatabase } from './db/connect.ts';
import { startEmbedded } from './db/embedded.ts';
import { migrate } from './db/migrate.ts';
import { checkSpread } from './db/spread/check.ts';
import { startSimulation } from './demo/field.ts';
import { startPaymentStandIn } from './demo/payment-stand-in.ts';
import { prepareWorld } from './demo/prepare.ts';
import { auditAtStart } from './domain/ledger/audit-at-start.ts';
import { startMetering } from './domain/start-metering.ts';
import { statusGauges } from './domain/system-status/gauges.ts';
import { readConfig } from './env/config.ts';
import { StartError } from './env/start-error.ts';
import { gaugesOf } from './field/gauges.ts';
import { startBroker, startField } from './field/start.ts';
import { guardProcess } from './guard-process.ts';
import { startWorker } from './jobs.ts';
import { openCorrectedClock } from './kit/clock.ts';
import { drain } from './kit/http/drain.ts';
import { openHealth } from './kit/http/health.ts';
import { createLog } from './kit/log/log.ts';
import { smsWarning } from './kit/messages/sms.ts';
import { addressOf, openNode } from './kit/process/process-node.ts';
import { openReplica } from './kit/replica/read-replica.ts';
import { choosePorts, listenOn } from './listen.ts';
import { radiusGauges, startRadius } from './radius/start.ts';
import { openProcessFigures } from './read-process-figures.ts';
import { startRemote } from './remote/start.ts';
import { onDrain, onShutdown, shutdown, stopOnSignal } from './shutdown.ts';

const print = (line: string) => process.stdout.write(`${line}\n`);

const failStart = (error: unknown) =>
  shutdown(() => {
    process.stderr.write(`${error instanceof StartError ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
    return 1;
  });
const guard = guardProcess(failStart);

const start = async () => {
  const configured = readConfig(process.env);
  const config = configured.roles.includes('api') ? await choosePorts(configured) : configured;
  const log = createLog(config.logLevel);

  let { databaseUrl } = config;
  if (databaseUrl === undefined) {
    const starting = startEmbedded(config.dataDir, { print });
    onShutdown({ close: async () => (await starting).stop(), abandon: async () => (await starting).abandon(), isStorage: true });
    databaseUrl = (await starting).url;
  }
  const { db, pool, close } = await openDatabase(databaseUrl, { max: config.databasePool, name: config.processName });
  pool.on('error', (error) => pool.ending || log.warn({ reason: error.message }, 'idle database connection lost'));
  onShutdown({ close, isStorage: true });
  await migrate(pool);
  await checkSpread(pool, (reason) => log.warn({ reason }, 'citus setting'));
  const clock = openCorrectedClock();
  await checkSecretKey(db, config.secretKey, clock.now());

  const replica = config.databaseReadUrl
    ? openReplica({ db, log, clock: clock }, config.databaseReadUrl, config.databaseReadPool)
    : undefined;
  onShutdown({ close: async () => replica?.close(), isStorage: true });
  const core = { db, pool, replica, config, log, clock, processId: randomUUID() };
  // Registered before any work that takes a lease, and removed after it.
  const node = await openNode(core, { id: core.processId, measured: clock.correct });
  onShutdown({ close: () => node.close() });
  const remote = config.roles.includes('api') ? await startRemote(core, print) : undefined;
  onShutdown({ close: async () => remote?.close() });
  const deps = { ...core, remote: remote?.access };
  const admin = await prepareWorld(deps);
  // Started before the jobs that query it about orders.
  const standIn = config.roles.includes('api') ? await startPaymentStandIn(deps) : undefined;
  onShutdown({ close: async () => standIn?.stop() });
  if (config.roles.includes('worker')) {
    void auditAtStart(deps);
    const worker = startWorker(deps);
    onShutdown({ close: () => worker.stop() });
    const metering = startMetering(deps);
    onShutdown({ close: () => metering.stop() });
  }
  const field = config.roles.includes('field') ? await startField(deps, print) : undefined;
  if (field) {
    onShutdown({ close: () => field.close() });
    const simulation = config.simulate > 0 ? await startSimulation(deps, field.port, print) : undefined;
    onShutdown({ close: async () => simulation?.stop() });
  }
  const broker = config.roles.includes('field') ? await startBroker(deps) : undefined;
  onShutdown({ close: async () => broker?.close() });
  const radius = config.roles.includes('radius') ? await startRadius(deps, print) : undefined;
  onShutdown({ close: async () => radius?.close() });
  const gauges = [...gaugesOf(...[field, broker].filter((listener) => listener !== undefined)), ...radiusGauges(radius)];
  const metrics = [...gauges, ...statusGauges(deps), ...(replica?.gauges ?? [])];
  const health =
    config.healthPort === undefined ? undefined : await openHealth(deps, { host: config.host, port: config.healthPort }, metrics);
  onShutdown({ close: async () => health?.close() });
  const { read: figures } = openProcessFigures(deps, { field, broker });
  if (!config.roles.includes('api')) {
    await node.publish({ gauges, figures });
    guard.started(log);
    return print('Farlink is working.');
  }
  const app = await buildApp(deps, metrics);
  onDrain(() => drain(deps));
  onShutdown({ close: () => app.close() });
  const address = await listenOn(app, config);
  await node.publish({ address: addressOf(config), remoteWebPort: remote?.webPort, gauges, figures });
  guard.started(log);
  const warning = smsWarning(config);
  if (warning) print(warning);
  print(`Farlink is ready.\nAddress:  ${address}\nAccount:  ${admin.account}\nPassword: ${admin.password}`);
};

stopOnSignal(print);
try {
  await start();
  // Flushed now, because a killed process does not flush.
  flushCompileCache();
} catch (error) {
  await failStart(error);
}
