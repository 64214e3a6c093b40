import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeAuthority } from '../../test/certificates.ts';
import { freePort } from '../../test/mosquitto.ts';
import { openRadiusWorld } from '../../test/radius.ts';
import { type ServiceDeps, serviceDeps } from '../../test/setup/service-deps.ts';
import type { Radius } from './radius.ts';

/** Independent programs of Debian: radclient, radsecproxy and FreeRADIUS, with the documented configurations. */
const programs = {
  radclient: process.env.RADCLIENT ?? '/usr/bin/radclient',
  radsecproxy: process.env.RADSECPROXY ?? '/usr/sbin/radsecproxy',
  freeradius: process.env.FREERADIUS ?? '/usr/sbin/freeradius',
};
/** `npm test` installs missing programs where it may, and prints what could not run. */
const has = (...names: (keyof typeof programs)[]) => names.every((name) => existsSync(programs[name]));

let service: ServiceDeps;
let world: Awaited<ReturnType<typeof openRadiusWorld>>;
let radius: Radius;
const folder = mkdtempSync(join(tmpdir(), 'farlink-peers-'));
const authority = makeAuthority(folder, 'ca');
const started: ChildProcess[] = [];

beforeAll(async () => {
  // FreeRADIUS started as root reads its files as root; its folder must be private.
  chmodSync(folder, 0o700);
  service = await serviceDeps();
  const { cert, key } = authority.issue('server');
  const tls = { cert, key, ca: authority.caText };
  world = await openRadiusWorld(service.deps, service.me.agent_id, { radsec: { host: '127.0.0.1', port: 0, tls } });
  radius = await world.open();
});
afterAll(async () => {
  for (const child of started) {
    const exited = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
    child.kill('SIGKILL');
    await exited;
  }
  await radius.close();
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Sends one request with radclient and returns what it prints. */
const radclient = async (to: number, kind: 'auth' | 'acct', secret: string, lines: readonly string[], tries = 2) => {
  const child = spawn(programs.radclient, ['-x', '-r', String(tries), '-t', '2', `127.0.0.1:${to}`, kind, secret]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stdin.end(`${lines.join('\n')}\n`);
  await once(child, 'close');
  return output;
};

const run = async (program: string, args: readonly string[], isReady: RegExp) => {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  let output = '';
  await new Promise<void>((ready, failed) => {
    const collect = (text: string) => {
      output += text;
      if (isReady.test(output)) ready();
    };
    child.stdout.setEncoding('utf8').on('data', collect);
    child.stderr.setEncoding('utf8').on('data', collect);
    child.once('exit', () => failed(new Error(`${program} ended: ${output}`)));
  });
};

/** The documented configuration with the paths and ports of the test. */
const configOf = (name: string, changes: readonly (readonly [string | RegExp, string])[]) => {
  const text = readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');
  return changes.reduce((now, [from, to]) => {
    if (!(typeof from === 'string' ? now.includes(from) : from.test(now))) throw new Error(`${name} has no ${from}`);
    return now.replaceAll(from, to);
  }, text);
};

const nasSecret = 'a-secret-of-the-nas-with-32-bytes';

describe.runIf(has('radclient'))('radclient', () => {
  it('logs in by PAP and CHAP, is rejected with a text, and accounts 64-bit counters', async () => {
    const nas = await world.makeNas({ chap: true });
    await radius.reload();
    const { account } = await world.makeAccount({ allow_logins: 9 });
    const lines = (more: readonly string[]) => [`User-Name = "${account}"`, `NAS-Identifier = "${nas.identifier}"`, ...more];
    const signed = 'Message-Authenticator = 0x00';
    const port = radius.authPort ?? 0;
    const good = await radclient(port, 'auth', nas.secret, lines([`User-Password = "${world.password}"`, signed]));
    expect(good).toContain('Received Access-Accept');
    expect(good).toMatch(/Class = 0x666c312e/);
    expect(await radclient(port, 'auth', nas.secret, lines([`CHAP-Password = "${world.password}"`, signed]))).toContain('Access-Accept');
    const bad = await radclient(port, 'auth', nas.secret, lines(['User-Password = "wrong"', signed]));
    expect(bad).toContain('Received Access-Reject');
    expect(bad).toContain('密码错误');
    const acct = ['Acct-Session-Id = "rc1"', 'Acct-Status-Type = Interim-Update', 'Acct-Input-Octets = 7', 'Acct-Input-Gigawords = 1'];
    expect(await radclient(radius.acctPort ?? 0, 'acct', nas.secret, lines(acct))).toContain('Received Accounting-Response');
  });

  it('without a signature gets no reply', async () => {
    const nas = await world.makeNas();
    await radius.reload();
    const { account } = await world.makeAccount();
    const lines = [`User-Name = "${account}"`, `NAS-Identifier = "${nas.identifier}"`, `User-Password = "${world.password}"`];
    const output = await radclient(radius.authPort ?? 0, 'auth', nas.secret, lines, 1);
    // Newer versions of radclient sign each request by themselves.
    expect(output.includes('No reply') || /Sent Access-Request[\s\S]*Message-Authenticator/.test(output)).toBe(true);
  });
});

describe.runIf(has('radclient', 'radsecproxy'))('radsecproxy', () => {
  it('connects by certificate and forwards a login and accounting', async () => {
    const nas = await world.makeNas({ transport: 'radsec' });
    await radius.reload();
    const { certFile, keyFile } = authority.issue(nas.identifier);
    const port = await freePort();
    const file = join(folder, 'radsecproxy.conf');
    const text = configOf('radsecproxy/radsecproxy.conf', [
      ['ListenUDP 127.0.0.1:1812', `ListenUDP 127.0.0.1:${port}`],
      ['port 2083', `port ${radius.radsecPort}`],
      ['/etc/radsecproxy/farlink-ca.pem', authority.ca],
      ['/etc/radsecproxy/farlink-client.pem', certFile],
      ['/etc/radsecproxy/farlink-client.key', keyFile],
      ['change-this-secret-of-the-nas', nasSecret],
    ]);
    writeFileSync(file, text);
    await run(programs.radsecproxy, ['-f', '-d', '3', '-c', file], /TLS connection to .* up|tlsconnect: .*up/i);
    const { id, account } = await world.makeAccount();
    const name = `User-Name = "${account}"`;
    const login = [name, `User-Password = "${world.password}"`, 'Message-Authenticator = 0x00'];
    expect(await radclient(port, 'auth', nasSecret, login)).toContain('Received Access-Accept');
    const acct = [name, 'Acct-Session-Id = "rp1"', 'Acct-Status-Type = Start'];
    expect(await radclient(port, 'acct', nasSecret, acct)).toContain('Received Accounting-Response');
    expect(await world.sessions(id)).toMatchObject([{ nas_id: nas.id, session_id: 'rp1', logout_at: null }]);
  });
});

describe.runIf(has('radclient', 'freeradius'))('FreeRADIUS as a proxy', () => {
  it('forwards a login and accounting over RadSec with the documented configuration', async () => {
    const nas = await world.makeNas({ transport: 'radsec' });
    await radius.reload();
    const { certFile, keyFile } = authority.issue(nas.identifier);
    const auth = await freePort();
    const acct = await freePort();
    const text = configOf('freeradius/radiusd.conf', [
      ['port = 1812', `port = ${auth}`],
      ['port = 1813', `port = ${acct}`],
      ['port = 2083', `port = ${radius.radsecPort}`],
      ['ipaddr = *', 'ipaddr = 127.0.0.1'],
      ['ipaddr = 10.0.0.0/8', 'ipaddr = 127.0.0.0/8'],
      ['/etc/freeradius/farlink-ca.pem', authority.ca],
      ['/etc/freeradius/farlink-client.pem', certFile],
      ['/etc/freeradius/farlink-client.key', keyFile],
      ['change-this-secret-of-the-nas', nasSecret],
      ['/run/freeradius', folder],
      ['/var/log/freeradius', folder],
    ]);
    writeFileSync(join(folder, 'radiusd.conf'), text);
    await run(programs.freeradius, ['-f', '-X', '-d', folder, '-n', 'radiusd'], /Ready to process requests/);
    const { id, account } = await world.makeAccount();
    const name = `User-Name = "${account}"`;
    const login = [name, `User-Password = "${world.password}"`, 'Message-Authenticator = 0x00'];
    expect(await radclient(auth, 'auth', nasSecret, login, 5)).toContain('Received Access-Accept');
    const lines = [name, 'Acct-Session-Id = "fr1"', 'Acct-Status-Type = Start'];
    expect(await radclient(acct, 'acct', nasSecret, lines, 5)).toContain('Received Accounting-Response');
    expect(await world.sessions(id)).toMatchObject([{ nas_id: nas.id, session_id: 'fr1' }]);
  });
});
