import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDnsServer } from './support/dns-server.ts';
import { openSmsStandIn } from './support/sms-stand-in.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Server settings that every test relies on. */
const testSettings = { DEMO: 'on', CAPTCHA_FIXED: '8888', ADMIN_PASSWORD: 'Farlink2026' };
/** Free ports, so that several servers can run on one machine. */
const ports = { REMOTE_SSH_PORT: '0', REMOTE_WEB_PORT: '0' };
const listenAddresses = { HOST: '127.0.0.1', MQTT_HOST: '127.0.0.1', RADIUS_HOST: '127.0.0.1', REMOTE_SSH_HOST: '127.0.0.1' };

/**
 * A free port below those that the system gives to outgoing connections: the server listens only after it has filled the demo world, and
 * another program could have taken the port by then.
 */
const freePort = async (): Promise<string> => {
  const port = 20_000 + Math.floor(Math.random() * 12_000);
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch {
    return freePort();
  }
  server.close();
  await once(server, 'close');
  return String(port);
};

interface Program {
  /** The value after the label. */
  readonly found: Promise<string>;
  readonly stop: () => Promise<void>;
}

/** Runs a program until it prints `label: value`. Later output goes to the test output. */
const launch = (name: string, args: readonly string[], env: NodeJS.ProcessEnv, label: string): Program => {
  const child: ChildProcess = spawn(process.execPath, args, { cwd: root, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  const found = Promise.withResolvers<string>();
  let output = '';
  let running = false;
  for (const stream of streams)
    stream.setEncoding('utf8').on('data', (text: string) => {
      if (running) return void process.stderr.write(text);
      output += text;
      const value = output.match(new RegExp(`^${label}: +(\\S+)$`, 'm'))?.[1];
      if (value === undefined) return;
      running = true;
      found.resolve(value);
    });
  exited.then(() => found.reject(new Error(`${name} did not start:\n${output}`)));
  const stop = async () => {
    for (const stream of streams) stream.removeAllListeners('data').resume();
    child.kill('SIGTERM');
    await exited;
  };
  return { found: found.promise, stop };
};

interface Started {
  readonly url: string;
  readonly mqttPort: string;
  readonly httpsPort: string;
  readonly stop: () => Promise<void>;
}

/** One process with all roles, as `npm start` runs it. */
const startOne = async (folder: string, more: NodeJS.ProcessEnv): Promise<Started> => {
  const mqttPort = await freePort();
  const httpsPort = await freePort();
  // File URLs for gateways contain the port, so it is chosen before the start.
  const env = {
    DATA_DIR: folder,
    PORT: await freePort(),
    MQTT_PORT: mqttPort,
    HTTPS_PORT: httpsPort,
    RADIUS_AUTH_PORT: await freePort(),
    RADIUS_ACCT_PORT: await freePort(),
    RADSEC_PORT: await freePort(),
    ...ports,
    ...listenAddresses,
    ...more,
  };
  const server = launch('The server', [join(root, 'server/src/main.ts')], env, 'Address');
  try {
    return { url: await server.found, mqttPort, httpsPort, stop: server.stop };
  } catch (error) {
    await server.stop();
    throw error;
  }
};

/** Several processes of each role behind haproxy; FARLINK_PROCESSES is their number. */
const startSeveral = async (folder: string, count: string, more: NodeJS.ProcessEnv): Promise<Started> => {
  const env = { HAPROXY: process.env.HAPROXY || '/usr/sbin/haproxy', ...more };
  const server = launch('The processes', [join(root, 'server/test/run-process-set.ts'), folder, count], env, 'Set');
  try {
    const [url = '', mqttPort = '', httpsPort = ''] = (await server.found).split(',');
    return { url, mqttPort, httpsPort, stop: server.stop };
  } catch (error) {
    await server.stop();
    throw error;
  }
};

/**
 * Starts the real server on a new database, with the built console, and a simulator in which tests create gateways. E2E_URL uses a running
 * server instead, E2E_SIMULATOR the control server of a running simulator, E2E_HTTPS the HTTPS port of the server, E2E_DNS the folder of
 * records of its DNS server, E2E_SMS its SMS service. E2E_SIMULATE is the number of gateways that run with the demo data, none for tests.
 * FARLINK_PROCESSES=2 starts two processes of each role behind haproxy instead of one process. E2E_DATABASE is the URL of an empty
 * database, such as the coordinator of Citus, instead of the embedded one.
 */
export default async () => {
  if (process.env.E2E_URL) return;
  const folder = mkdtempSync(join(tmpdir(), 'farlink-e2e-'));
  // Without the settings of this program. The cache of compiled code saves each start some seconds.
  const { PATH, NODE_COMPILE_CACHE, E2E_SIMULATE = 'off' } = process.env;
  const plain = { PATH, SIMULATE: E2E_SIMULATE, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) };
  const records = join(folder, 'dns');
  mkdirSync(records);
  const dns = await openDnsServer(records);
  const sms = await openSmsStandIn();
  const { E2E_DATABASE, FARLINK_PROCESSES: count } = process.env;
  const env = { ...plain, DNS_SERVERS: dns.address, ...sms.env, ...testSettings, ...(E2E_DATABASE && { DATABASE_URL: E2E_DATABASE }) };
  const { url, mqttPort, httpsPort, stop: stopServer } = await (count ? startSeveral(folder, count, env) : startOne(folder, env));
  // Simulated work takes 1% of its time, so that tests do not wait for restarts.
  const options = ['--gateways', '0', '--port', mqttPort, '--state', join(folder, 'simulator'), '--pace', '0.01', '--control', '0'];
  const simulator = launch('The simulator', [join(root, 'simulator/src/main.ts'), ...options, '--with-parent'], plain, 'Control');
  const stop = async () => {
    await Promise.all([simulator.stop(), stopServer()]);
    dns.close();
    sms.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const control = await simulator.found;
    process.env.E2E_URL = url;
    process.env.E2E_SIMULATOR = control;
    process.env.E2E_HTTPS = httpsPort;
    process.env.E2E_DNS = records;
    process.env.E2E_SMS = sms.url;
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
};
