import { X509Certificate } from 'node:crypto';
import { readFile, statfs } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { ProcessCertificate, ProcessFigures, ProcessListener } from './domain/system-status/process-figures.ts';
import type { Config } from './env/config.ts';
import type { FieldListener } from './field/field.ts';
import type { Deps } from './kit/deps.ts';

/** Listeners of this process. */
interface Listeners {
  readonly field?: FieldListener | undefined;
  readonly broker?: (FieldListener & { listens(): boolean }) | undefined;
}

const loopResolutionMs = 20;

const nameIn = ({ subjectAltName = '', subject }: X509Certificate) =>
  /DNS:([^,\s]+)/.exec(subjectAltName)?.[1] ?? /^CN=(.+)$/m.exec(subject)?.[1] ?? '';

const certificateOf = (use: ProcessCertificate['use'], pem: string | Buffer): ProcessCertificate => {
  const certificate = new X509Certificate(pem);
  return { use, host: nameIn(certificate) || use, expire_at: Math.floor(Date.parse(certificate.validTo) / 1000) };
};

/** Certificates that this process serves from files. Those of domains are in the database. */
const certificatesOf = async ({ roles, https, mqtt, radius }: Config): Promise<ProcessCertificate[]> => {
  const found: ProcessCertificate[] = [];
  if (roles.includes('api') && https?.tls) found.push(certificateOf('https', https.tls.cert));
  if (roles.includes('field') && mqtt.tls) found.push(certificateOf('mqtt', await readFile(mqtt.tls.cert)));
  if (roles.includes('radius') && radius.radsecTls) found.push(certificateOf('radsec', radius.radsecTls.cert));
  return found;
};

const diskOf = async (folder: string): Promise<ProcessFigures['disk']> => {
  try {
    const { bsize, blocks, bavail } = await statfs(folder);
    return { free_bytes: bavail * bsize, total_bytes: blocks * bsize };
  } catch {
    return null;
  }
};

interface MessageCounts {
  readonly accepted: number;
  readonly refused: number;
}

const countOf = ({ field: { counts } }: FieldListener): MessageCounts => ({
  accepted: counts.accepted,
  refused: Object.values(counts.refused).reduce((sum, n) => sum + n, 0),
});

const perSecond = (gain: number, seconds: number) => Math.round((10 * gain) / Math.max(seconds, 0.1)) / 10;

/** Figures of this process since the last read, for its heartbeat. */
export const openProcessFigures = (deps: Pick<Deps, 'pool' | 'config' | 'log'>, { field, broker }: Listeners) => {
  const loop = monitorEventLoopDelay({ resolution: loopResolutionMs });
  loop.enable();
  const listeners = [
    ...(field ? [{ transport: 'endpoint' as const, listener: field, isConnected: () => true }] : []),
    ...(broker ? [{ transport: 'broker' as const, listener: broker, isConnected: () => broker.listens() }] : []),
  ];
  let at = performance.now();
  let cpu = process.cpuUsage();
  let before = listeners.map(({ listener }) => countOf(listener));
  // The certificates of this process were read at its start.
  const certificates = certificatesOf(deps.config).catch((err: unknown) => {
    deps.log.warn({ err }, 'certificate not read');
    return [];
  });

  const listenerFigures = (seconds: number): ProcessListener[] => {
    const now = listeners.map(({ listener }) => countOf(listener));
    const last = before;
    before = now;
    return listeners.map(({ transport, listener, isConnected }, i) => ({
      transport,
      is_connected: isConnected(),
      gateways: listener.connections(),
      waiting: listener.field.waiting(),
      accepted_per_s: perSecond((now[i]?.accepted ?? 0) - (last[i]?.accepted ?? 0), seconds),
      refused_per_s: perSecond((now[i]?.refused ?? 0) - (last[i]?.refused ?? 0), seconds),
    }));
  };

  const read = async (): Promise<ProcessFigures> => {
    const { pool, config } = deps;
    const seconds = (performance.now() - at) / 1000;
    const used = process.cpuUsage(cpu);
    const loopMs = Math.max(0, loop.max / 1e6 - loopResolutionMs);
    loop.reset();
    at = performance.now();
    cpu = process.cpuUsage();
    return {
      loop_ms: Math.round(loopMs),
      cpu_percent: Math.round((used.user + used.system) / 1e4 / Math.max(seconds, 0.1)),
      memory_bytes: process.memoryUsage.rss(),
      pool: { used: pool.totalCount - pool.idleCount, waiting: pool.waitingCount, max: pool.options.max },
      disk: await diskOf(config.dataDir),
      certificates: await certificates,
      listeners: listenerFigures(seconds),
    };
  };
  return { read, close: () => loop.disable() };
};
