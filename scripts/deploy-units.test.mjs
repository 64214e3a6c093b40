/** @module-tag all */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig } from '../server/src/env/config.ts';
import { root, serverArguments } from './run.mjs';

const program = process.env.SYSTEMD_ANALYZE ?? '/usr/bin/systemd-analyze';
const folder = mkdtempSync(join(tmpdir(), 'farlink-units-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** @param {string} name */
const deployed = (name) => readFileSync(join(root, 'deploy', name), 'utf8');

const units = ['farlink.service', 'farlink@.service'];
for (const name of units) {
  const text = deployed(name)
    .replaceAll('/opt/farlink', root)
    .replaceAll('/etc/farlink', join(root, 'deploy'))
    .replace(/^(User|Group)=farlink$/gm, `$1=${userInfo().username}`);
  writeFileSync(join(folder, name.replace('@.', '@api.')), text);
}

test.each(units)('%s runs the server with the arguments of npm start', (name) => {
  expect(deployed(name)).toContain(`/bin/node ${serverArguments.join(' ')}\n`);
});

describe.skipIf(!existsSync(program))('deploy: systemd', () => {
  test.each(['farlink.service', 'farlink@api.service'])('%s is valid', (name) => {
    const { status, stdout, stderr } = spawnSync(program, ['verify', '--recursive-errors=no', '--man=no', join(folder, name)], {
      encoding: 'utf8',
    });
    expect([status, `${stdout}${stderr}`]).toEqual([0, '']);
  });

  test.each(['farlink.service', 'farlink@api.service'])('%s is exposed little', (name) => {
    const { stdout, stderr } = spawnSync(program, ['security', '--offline=yes', '--no-pager', join(folder, name)], { encoding: 'utf8' });
    const level = Number(/exposure level for \S+: ([\d.]+)/.exec(`${stdout}${stderr}`)?.[1]);
    expect(level).toBeLessThan(2.5);
  });
});

/** As systemd reads it. @param {string} text */
const readEnv = (text) =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

describe('deploy: settings', () => {
  mkdirSync(join(folder, 'data'));
  const fixed = { DATA_DIR: join(folder, 'data'), NODE_ENV: 'production' };

  test('of one machine are valid', () => {
    expect(readConfig({ ...fixed, ...readEnv(deployed('farlink.env')) })).toMatchObject({
      production: true,
      demo: false,
      databaseUrl: undefined,
    });
  });

  test.each(['api', 'worker', 'field', 'radius'])('of the role %s are valid with a database, a key and a file store', (role) => {
    const cluster = {
      DATABASE_URL: 'postgres://farlink@db/farlink',
      SECRET_KEY: 'ab'.repeat(32),
      FILES_URL: 'https://s3.example.com/farlink',
      S3_ACCESS_KEY: 'a',
      S3_SECRET_KEY: 'b',
    };
    const config = readConfig({
      ...fixed,
      ROLES: role,
      ...readEnv(deployed('farlink.env')),
      ...cluster,
      ...readEnv(deployed(`${role}.env`)),
    });
    expect(config).toMatchObject({ roles: [role], healthPort: expect.any(Number) });
    const port = String(config.healthPort);
    // The proxy and Prometheus ask the same ports.
    if (role !== 'worker') expect(deployed('haproxy.cfg')).toContain(`check port ${port}`);
    if (role !== 'api') expect(deployed('prometheus.yml')).toContain(`:${port}"`);
  });
});
