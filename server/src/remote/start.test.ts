import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServiceDeps, serviceDeps } from '../../test/setup/service-deps.ts';
import { readConfig } from '../env/config.ts';
import { StartError } from '../env/start-error.ts';
import { loadHostKey } from './host-key.ts';
import { startRemote } from './start.ts';

let service: ServiceDeps;
let other: Server;
let busy: number;

beforeAll(async () => {
  service = await serviceDeps({ REMOTE_SSH_PORT: '0', REMOTE_WEB_PORT: '0', REMOTE_SSH_HOST: '127.0.0.1', HOST: '127.0.0.1' });
  other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  busy = typeof address === 'object' ? (address?.port ?? 0) : 0;
});
afterAll(async () => {
  other.close();
  await service.close();
});

const startWith = async (remote: object) => {
  const { deps } = service;
  const output: string[] = [];
  const started = await startRemote({ ...deps, config: { ...deps.config, remote: { ...deps.config.remote, ...remote } } }, (line) =>
    output.push(line),
  );
  await started?.close();
  return { started: started !== undefined, output };
};

describe('a port that another program uses', () => {
  it('leaves the console without remote access if the port was not set', async () => {
    expect(await startWith({ sshPort: busy, isSshExplicit: false })).toEqual({
      started: false,
      output: [`Remote access is off: port ${busy} is already in use. Set REMOTE_SSH_PORT to another one.`],
    });
    expect((await startWith({ webPort: busy, isWebExplicit: false })).output).toEqual([
      `Remote access is off: port ${busy} is already in use. Set REMOTE_WEB_PORT to another one.`,
    ]);
    // The ports opened before the failure were closed again.
    expect((await startWith({})).started).toBe(true);
  });

  it('is an error if the port was set', async () => {
    await expect(startWith({ sshPort: busy, isSshExplicit: true })).rejects.toThrow(
      new StartError(`Port ${busy} is already in use: stop the program that uses it or set REMOTE_SSH_PORT to another one.`),
    );
  });
});

describe('the key of the server', () => {
  it('is created once, readable by its owner only', () => {
    const { dataDir } = service.deps.config;
    const file = join(dataDir, 'remote-ssh.key');
    const { fingerprint } = loadHostKey(dataDir);
    expect(fingerprint).toMatch(/^SHA256:[\w+/]{43}$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(loadHostKey(dataDir).fingerprint).toBe(fingerprint);
    const kept = readFileSync(file);
    writeFileSync(file, 'damaged');
    expect(() => loadHostKey(dataDir)).toThrow('does not contain a private key');
    writeFileSync(file, kept);
  });
});

describe('the settings', () => {
  const read = (env: Record<string, string>) => readConfig({ SECRET_KEY: 'ab'.repeat(32), ...env }).remote;

  it('have defaults, an SSH address for gateways, and a wildcard URL for browsers', () => {
    expect(read({})).toMatchObject({
      sshPort: 2222,
      isSshExplicit: false,
      webPort: 8091,
      isWebExplicit: false,
      webPorts: 16,
      webUrl: undefined,
    });
    const settings = read({ REMOTE_SSH_ADDRESS: 'hub.example:443', REMOTE_WEB_URL: 'https://*.remote.example/', REMOTE_SSH_PORT: '22' });
    expect(settings).toMatchObject({
      sshPort: 22,
      isSshExplicit: true,
      sshAddress: { host: 'hub.example', port: 443 },
      webUrl: 'https://*.remote.example',
    });
  });

  it('are refused if they are invalid', () => {
    expect(() => read({ REMOTE_WEB_URL: 'https://remote.example' })).toThrow(
      'REMOTE_WEB_URL must be an address such as https://*.remote.example.com.',
    );
    expect(() => read({ REMOTE_SSH_ADDRESS: 'a b' })).toThrow('REMOTE_SSH_ADDRESS must be a host, or a host and a port.');
  });
});
