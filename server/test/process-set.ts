import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programEnv } from './program-env.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const haproxyConfig = fileURLToPath(new URL('../../deploy/haproxy.cfg', import.meta.url));

export const roles = ['api', 'worker', 'field', 'radius'] as const;
export type Role = (typeof roles)[number];

/** Each process has a separate loopback address, so that all use the same ports, as on separate machines. */
const addressOf = (role: Role, n: number) => `127.0.1.${roles.indexOf(role) * 10 + n + 1}`;
const front = '127.0.0.1';

const portNames = ['http', 'https', 'health', 'mqtt', 'ssh1', 'ssh2', 'web', 'radsec', 'auth', 'acct', 'pay'] as const;
export type Ports = Readonly<Record<(typeof portNames)[number], number>>;

const isFree = async (port: number) => {
  const probe = createServer().listen(port, '0.0.0.0');
  const opened = await Promise.race([once(probe, 'listening').then(() => true), once(probe, 'error').then(() => false)]);
  await new Promise((done) => probe.close(done));
  return opened;
};

/** Consecutive free ports below the ephemeral range. */
const freePorts = async (): Promise<Ports> => {
  for (;;) {
    const first = 20_000 + Math.floor(Math.random() * 10_000);
    const ports = portNames.map((_, i) => first + i);
    const free = await Promise.all(ports.map(isFree));
    if (!free.every(Boolean)) continue;
    const portOf = (name: (typeof portNames)[number]) => first + portNames.indexOf(name);
    return {
      http: portOf('http'),
      https: portOf('https'),
      health: portOf('health'),
      mqtt: portOf('mqtt'),
      ssh1: portOf('ssh1'),
      ssh2: portOf('ssh2'),
      web: portOf('web'),
      radsec: portOf('radsec'),
      auth: portOf('auth'),
      acct: portOf('acct'),
      pay: portOf('pay'),
    };
  }
};

export interface SetProcess {
  readonly role: Role;
  readonly name: string;
  readonly host: string;
  readonly child: ChildProcess;
  output(): string;
}

export interface ProcessSet {
  /** Address of the console at the balancer. */
  readonly base: string;
  readonly ports: Ports;
  process(role: Role, n: number): SetProcess;
  kill(role: Role, n: number): Promise<void>;
  start(role: Role, n: number): Promise<void>;
  stop(): Promise<void>;
}

export interface SetOptions {
  readonly databaseUrl: string;
  readonly folder: string;
  readonly count: number;
  readonly env?: NodeJS.ProcessEnv;
  /** haproxy; undefined: no balancer. */
  readonly haproxy?: string | undefined;
  /** Without the headers of a proxy: SMS codes are shown only to a direct caller on this machine, and stories read them. */
  readonly isDirect?: boolean;
}

/** The configuration of `deploy/`, with the addresses of this set, without certificates and without the cookie that keeps a browser at one process. */
const configFor = (ports: Ports, { count, isDirect = false }: SetOptions): string => {
  const servers: Readonly<Record<string, number>> = { '8080': ports.http, '8091': ports.web, '1883': ports.mqtt, '2083': ports.radsec };
  const binds: Readonly<Record<string, number | undefined>> = { '443': ports.http, '1883': ports.mqtt, '2083': ports.radsec };
  const lines = readFileSync(haproxyConfig, 'utf8')
    // Tunnels of gateways reach each api directly here.
    .replaceAll(/^listen ssh_\d\n(?: .*\n)+/gm, '')
    .replace(/^frontend http\n(?: .*\n)+/m, '')
    .replace(/^frontend metrics\n(?: .*\n?)+/m, '')
    .replaceAll('.remote.example.com', '.remote.localhost')
    .split('\n')
    .flatMap((line) => {
      if (/^ +(user|group|cookie|maxconn) /.test(line) || /bind :8883/.test(line)) return [];
      if (isDirect && /set-header X-Forwarded/.test(line)) return [];
      const bind = /^ +bind :(\d+)/.exec(line)?.[1];
      if (bind) return binds[bind] === undefined ? [] : [`    bind ${front}:${binds[bind]}`];
      const [, name, n, port] = /^ +server ([a-z]+)(\d) [\d.]+:(\d+)/.exec(line) ?? [];
      if (!name || !n || !port) return [line.replace('balance leastconn', 'balance roundrobin')];
      const role = roles.find((one) => one === name);
      return role && Number(n) <= count
        ? [`    server ${name}${n} ${addressOf(role, Number(n) - 1)}:${servers[port]} check port ${ports.health}`]
        : [];
    });
  // Domains of VNOs: TLS ends at the api processes, which have the certificates.
  const apis = Array.from(
    { length: count },
    (_, n) => `    server api${n + 1} ${addressOf('api', n)}:${ports.https} check port ${ports.health}`,
  );
  const domains = ['listen domains', `    bind ${front}:${ports.https}`, '    mode tcp', '    balance roundrobin', ...apis];
  return [...lines, ...domains, ''].join('\n');
};

const envOf = (role: Role, n: number, { databaseUrl, folder, env }: SetOptions, ports: Ports): NodeJS.ProcessEnv => {
  const dataDir = join(folder, `${role}${n + 1}`);
  mkdirSync(dataDir, { recursive: true });
  mkdirSync(join(folder, 'files'), { recursive: true });
  // Only the folder of files is shared.
  try {
    symlinkSync(join(folder, 'files'), join(dataDir, 'files'));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const host = addressOf(role, n);
  return {
    ...programEnv,
    ROLES: role,
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    SECRET_KEY: 'ab'.repeat(32),
    FILES_SHARED: 'on',
    PROCESS_NAME: `${role}-${n + 1}`,
    HOST: host,
    PORT: String(ports.http),
    HEALTH_PORT: String(ports.health),
    PUBLIC_URL: `http://${front}:${ports.http}`,
    TRUST_PROXY: front,
    HTTPS_PORT: String(ports.https),
    DATABASE_POOL: '8',
    MQTT_HOST: host,
    MQTT_PORT: String(ports.mqtt),
    REMOTE_SSH_HOST: host,
    REMOTE_SSH_PORT: String(ports.ssh1),
    REMOTE_SSH_ADDRESS: `${host}:${ports.ssh1}`,
    REMOTE_WEB_PORT: String(ports.web),
    REMOTE_WEB_URL: `http://*.remote.localhost:${ports.http}`,
    RADIUS_HOST: host,
    RADSEC_PORT: String(ports.radsec),
    RADIUS_AUTH_PORT: String(ports.auth),
    RADIUS_ACCT_PORT: String(ports.acct),
    // The test provider of payments has its orders in memory.
    PAY_STANDIN_PORT: role === 'api' && n === 0 ? String(ports.pay) : '0',
    ADMIN_PASSWORD: 'Farlink2026',
    CAPTCHA_FIXED: '8888',
    LOG_LEVEL: 'error',
    DEMO: 'off',
    ...env,
  };
};

const isHealthy = async (host: string, port: number) =>
  fetch(`http://${host}:${port}/healthz`).then(
    (reply) => reply.ok,
    () => false,
  );

/** Waits while the process runs. */
const ready = async ({ child, host, name, output }: SetProcess, ports: Ports) => {
  while (!(await isHealthy(host, ports.health)) || !/Farlink is (ready|working)/.test(output())) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${name} ended: ${output()}`);
    await new Promise((done) => setTimeout(done, 50));
  }
};

const launch = (role: Role, n: number, options: SetOptions, ports: Ports): SetProcess => {
  const child = spawn(process.execPath, [main], { env: envOf(role, n, options, ports), stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-20_000);
    });
  return { role, name: `${role}-${n + 1}`, host: addressOf(role, n), child, output: () => text };
};

const end = async (child: ChildProcess, signal: NodeJS.Signals) => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  if (signal === 'SIGTERM') child.kill('SIGCONT');
  await ended;
};

const startBalancer = async (haproxy: string, ports: Ports, options: SetOptions) => {
  const file = join(options.folder, 'haproxy.cfg');
  writeFileSync(file, configFor(ports, options));
  const child = spawn(haproxy, ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-20_000);
    });
  while (!(await isHealthy(front, ports.http))) {
    if (child.exitCode !== null) throw new Error(`haproxy ended: ${text}`);
    await new Promise((done) => setTimeout(done, 50));
  }
  return child;
};

/** Processes of one installation: `count` of each role on one database, behind haproxy. */
export const startProcessSet = async (options: SetOptions): Promise<ProcessSet> => {
  const ports = await freePorts();
  const running = new Map<string, SetProcess>();
  const start = async (role: Role, n: number) => {
    const made = launch(role, n, options, ports);
    running.set(made.name, made);
    await ready(made, ports);
  };
  // The first creates the demo data, for which the others would wait.
  await start('api', 0);
  const others = roles.flatMap((role) => Array.from({ length: options.count }, (_, n) => [role, n] as const)).slice(1);
  let balancer: ChildProcess | undefined;
  const stop = async () => {
    if (balancer) await end(balancer, 'SIGKILL');
    await Promise.all([...running.values()].map(({ child }) => end(child, 'SIGTERM')));
  };
  const find = (role: Role, n: number): SetProcess => {
    const found = running.get(`${role}-${n + 1}`);
    if (!found) throw new Error(`no process ${role}-${n + 1}`);
    return found;
  };
  try {
    await Promise.all(others.map(([role, n]) => start(role, n)));
    if (options.haproxy) balancer = await startBalancer(options.haproxy, ports, options);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    base: `http://${front}:${ports.http}`,
    ports,
    process: find,
    kill: (role, n) => end(find(role, n).child, 'SIGKILL'),
    start,
    stop,
  };
};
