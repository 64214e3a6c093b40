import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { Agent, request as requestTls } from 'node:https';
import { createServer } from 'node:net';

/** Programs of Debian that run the files of deploy/. `npm test` installs or unpacks them, and prints what could not run. */
export const programs = {
  haproxy: process.env.HAPROXY ?? '/usr/sbin/haproxy',
  nginx: process.env.NGINX_PROGRAM ?? '/usr/sbin/nginx',
  promtool: process.env.PROMTOOL ?? '/usr/bin/promtool',
};
export const has = (name: keyof typeof programs) => existsSync(programs[name]);

export const deployFolder = new URL('../../deploy/', import.meta.url);
export const deployed = (name: string) => readFileSync(new URL(name, deployFolder), 'utf8');

/** Runs a program to its end. */
export const runToEnd = (file: string, args: readonly string[], cwd?: string) => {
  const { status, stdout, stderr, error } = spawnSync(file, args, { encoding: 'utf8', cwd });
  return { status, output: `${error?.message ?? ''}${stdout}${stderr}` };
};

const frontPorts = [80, 443, 1883, 8883, 2083, 2221, 2222, 8405] as const;
const backPorts = [8080, 8091, 1883, 2083, 2222, 9181] as const;

export type PortMap = ReadonlyMap<number, number>;

const isFree = (port: number) =>
  new Promise<boolean>((done) => {
    const probe = createServer().once('error', () => done(false));
    probe.listen(port, '0.0.0.0', () => probe.close(() => done(true)));
  });

/** Below the ephemeral range, so that no connection of another test takes a port before the program opens it. */
const quietPort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
};

const portsFor = async (ports: readonly number[]): Promise<PortMap> => {
  const chosen = new Map<number, number>();
  for (const port of ports) {
    let free = await quietPort();
    while ([...chosen.values()].includes(free)) free = await quietPort();
    chosen.set(port, free);
  }
  return chosen;
};

export const chooseFrontPorts = () => portsFor(frontPorts);
/** Both processes use these ports, each on its own loopback address. */
export const chooseBackPorts = () => portsFor(backPorts);
export const portOf = (ports: PortMap, port: number) => ports.get(port) ?? 0;

/** Machine 1 of each role is 127.0.0.11, machine 2 is 127.0.0.12. One process has the roles api, field and radius. */
export const machines = ['127.0.0.11', '127.0.0.12'] as const;

/** The configuration with the addresses and ports of the test. Health checks of all roles ask the one process. */
export const withAddresses = (text: string, back: PortMap) =>
  text
    .replace(
      /10\.0\.0\.([123])([12]):(\d+)/g,
      (_, _role, machine, port) => `${machines[Number(machine) - 1]}:${portOf(back, Number(port))}`,
    )
    .replace(/check port \d+/g, `check port ${portOf(back, 9181)}`);

export interface Running {
  readonly child: ChildProcess;
  readonly output: () => string;
}

export const startProgram = (file: string, args: readonly string[]): Running => {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return { child, output: () => output };
};

export const stopProgram = async ({ child }: Pick<Running, 'child'>, signal: NodeJS.Signals = 'SIGTERM') => {
  const gone = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
  child.kill(signal);
  await gone;
};

export interface HttpReply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

export interface HttpRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

/** A browser in front of a proxy. With a CA it uses HTTPS and keeps its connections. */
export const openBrowser = (port: number, ca?: string) => {
  const agent = ca === undefined ? undefined : new Agent({ ca, keepAlive: true, maxSockets: 8 });
  const send = (path: string, { method = 'GET', headers = {}, body }: HttpRequest = {}) =>
    new Promise<IncomingMessage>((done, fail) => {
      const options = { host: '127.0.0.1', port, path, method, headers: { host: 'localhost', ...headers } };
      const sent = agent ? requestTls({ ...options, servername: 'localhost', agent }, done) : request(options, done);
      sent.once('error', fail);
      sent.end(body);
    });
  const call = async (path: string, options?: HttpRequest): Promise<HttpReply> => {
    const response = await send(path, options);
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    return { status: response.statusCode ?? 0, headers: response.headers, text };
  };
  /** Status of a request for a WebSocket. */
  const upgrade = (path: string, headers: Readonly<Record<string, string>>) =>
    new Promise<number>((done, fail) => {
      const sent = requestTls({ host: '127.0.0.1', port, path, ca, servername: 'localhost', headers: { host: 'localhost', ...headers } });
      sent.once('upgrade', (response, socket) => {
        socket.destroy();
        done(response.statusCode ?? 0);
      });
      sent.once('response', (response) => done(response.statusCode ?? 0));
      sent.once('error', fail);
      sent.end();
    });
  return { send, call, upgrade, close: () => agent?.destroy() };
};
