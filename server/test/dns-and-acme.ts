import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './mosquitto.ts';
import { makeTestAuthority } from './test-authority.ts';

/** Independent programs of Debian: a DNS server and an ACME server. */
const programs = { dnsmasq: process.env.DNSMASQ ?? '/usr/sbin/dnsmasq', pebble: process.env.PEBBLE ?? '/usr/bin/pebble' };
/** `npm test` installs missing programs where it may, and prints what could not run. */
export const hasPeers = (...names: (keyof typeof programs)[]) => names.every((name) => existsSync(programs[name]));

const run = async (program: string, args: readonly string[], env: NodeJS.ProcessEnv, isReady: RegExp): Promise<ChildProcess> => {
  const child = spawn(program, args, { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const ready = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (isReady.test(output)) ready.resolve();
    });
  child.once('error', ready.reject);
  child.once('exit', () => ready.reject(new Error(`${program} ended:\n${output}`)));
  await ready.promise;
  return child;
};

const end = async (child: ChildProcess) => {
  const gone = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
  child.kill('SIGKILL');
  await gone;
};

/** dnsmasq that resolves names below example.com to this machine, none below example.net, and knows these TXT records. */
export const openDnsmasq = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'farlink-dnsmasq-'));
  const port = await freePort();
  const file = join(folder, 'dnsmasq.conf');
  let child: ChildProcess | undefined;
  const start = async (records: Readonly<Record<string, string>>) => {
    if (child) await end(child);
    const txt = Object.entries(records).map(([name, value]) => `txt-record=${name},"v=spf1 -all"\ntxt-record=${name},"${value}"`);
    const user = process.getuid?.() === 0 ? ['user=root', 'group=root'] : [];
    const own = ['no-resolv', 'no-hosts', 'bind-interfaces', 'listen-address=127.0.0.1', `port=${port}`];
    const names = ['address=/example.com/127.0.0.1', 'local=/example.com/', 'local=/example.net/'];
    writeFileSync(file, [...own, ...names, ...user, ...txt, ''].join('\n'));
    const plain = ['--keep-in-foreground', '--log-facility=-', `--pid-file=${join(folder, 'pid')}`, `--conf-file=${file}`];
    child = await run(programs.dnsmasq, plain, {}, /started/);
  };
  await start({});
  return {
    address: `127.0.0.1:${port}`,
    /** Restarts it with these records. */
    start,
    close: async () => {
      if (child) await end(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** Pebble, the ACME server of Let's Encrypt for tests. It validates over HTTP at `httpPort`, and refuses some nonces on purpose. */
export const openPebble = async (dns: string, httpPort: number) => {
  const folder = mkdtempSync(join(tmpdir(), 'farlink-pebble-'));
  const port = await freePort();
  const managementPort = await freePort();
  const tlsPort = await freePort();
  const authority = makeTestAuthority(Math.floor(Date.now() / 1000));
  const { key, chain } = authority.issue(['localhost', '127.0.0.1']);
  const at = (name: string) => join(folder, name);
  const certificate = at('cert.pem');
  const privateKey = at('key.pem');
  const caFile = at('ca.pem');
  writeFileSync(certificate, chain);
  writeFileSync(privateKey, key);
  writeFileSync(caFile, authority.root);
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    certificate,
    privateKey,
    httpPort,
    tlsPort,
    ocspResponderURL: '',
    externalAccountBindingRequired: false,
  };
  writeFileSync(at('config.json'), JSON.stringify({ pebble }));
  const env = { PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '20', PEBBLE_AUTHZREUSE: '0' };
  const child = await run(programs.pebble, ['-config', at('config.json'), '-dnsserver', dns], env, /listening on/i);
  return {
    directory: `https://127.0.0.1:${port}/dir`,
    caFile,
    close: async () => {
      await end(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
