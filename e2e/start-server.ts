import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What every browser test may count on. */
const world = { DEMO: 'on', CAPTCHA_FIXED: '8888', ADMIN_PASSWORD: 'Farlink2026' };
/** Ports of its own, so that another server on this machine is in nobody's way. */
const ports = { REMOTE_SSH_PORT: '0', REMOTE_WEB_PORT: '0' };
const hosts = { HOST: '127.0.0.1', MQTT_HOST: '127.0.0.1', REMOTE_SSH_HOST: '127.0.0.1' };

const freePort = async () => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  await new Promise((done) => probe.close(done));
  return String(address && typeof address === 'object' ? address.port : 0);
};

interface Program {
  /** What it printed behind the label. */
  readonly found: Promise<string>;
  readonly stop: () => Promise<void>;
}

/** Runs a program until it has printed `label: value`. What it says afterwards belongs beside the test that made it say so. */
const launch = (name: string, args: readonly string[], env: NodeJS.ProcessEnv, label: string): Program => {
  const child: ChildProcess = spawn(process.execPath, args, { cwd: root, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  const found = Promise.withResolvers<string>();
  let [output, running] = ['', false];
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

/**
 * The real server on a database of its own, with the built console, and a simulator in which tests make gateways of their own.
 * E2E_URL names a running server instead, E2E_SIMULATOR a simulator's control.
 */
export default async () => {
  if (process.env.E2E_URL) return;
  const folder = mkdtempSync(join(tmpdir(), 'farlink-e2e-'));
  const { PATH } = process.env;
  const mqttPort = await freePort();
  // Gateways are told addresses of files there, so it is chosen before.
  const env = { PATH, DATA_DIR: folder, PORT: await freePort(), MQTT_PORT: mqttPort, ...ports, ...hosts, ...world };
  const server = launch('The server', [join(root, 'server/src/main.ts')], env, 'Address');
  // Work takes a hundredth of its time: nobody wants to watch a test restart a gateway.
  const options = ['--gateways', '0', '--port', mqttPort, '--state', join(folder, 'simulator'), '--pace', '0.01', '--control', '0'];
  const simulator = launch('The simulator', [join(root, 'simulator/src/main.ts'), ...options, '--with-parent'], { PATH }, 'Control');
  const stop = async () => {
    await Promise.all([simulator.stop(), server.stop()]);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const [url, control] = await Promise.all([server.found, simulator.found]);
    process.env.E2E_URL = url;
    process.env.E2E_SIMULATOR = control;
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
};
