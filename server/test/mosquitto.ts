import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const documented = (name: string) => readFileSync(new URL(`../../docs/mosquitto/${name}`, import.meta.url), 'utf8');

const program = () => {
  const path = process.env.MOSQUITTO ?? '/usr/sbin/mosquitto';
  try {
    accessSync(path, constants.X_OK);
    return path;
  } catch {
    throw new Error(
      'This test needs the MQTT broker Mosquitto: install it (Debian: apt-get install mosquitto) or set MOSQUITTO to its path.',
    );
  }
};

export const freePort = async () => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  await new Promise((done) => probe.close(done));
  return address && typeof address === 'object' ? address.port : 0;
};

interface Certificates {
  readonly ca: string;
  readonly certFile: string;
  readonly keyFile: string;
}

/**
 * A Mosquitto with the documented configuration, on separate ports and in its own folder. With certificates it uses the lines that are
 * commented out there, else no TLS.
 */
export const openMosquitto = async (certificates?: Certificates) => {
  const folder = mkdtempSync(join(tmpdir(), 'farlink-mosquitto-'));
  const port = await freePort();
  const consolePort = await freePort();
  const passwordFile = join(folder, 'passwords');
  const replacements: Readonly<Record<string, string | undefined>> = {
    'listener 8883': `listener ${port} 127.0.0.1`,
    'listener 8884': `listener ${consolePort} 127.0.0.1`,
    certfile: certificates && `certfile ${certificates.certFile}`,
    keyfile: certificates && `keyfile ${certificates.keyFile}`,
    cafile: certificates && `cafile ${certificates.ca}`,
    password_file: `password_file ${passwordFile}`,
    acl_file: `acl_file ${join(folder, 'acl')}`,
    persistence_location: `persistence_location ${folder}/`,
  };
  const lines = documented('mosquitto.conf')
    .split('\n')
    .map((line) => (certificates ? line.replace(/^#(?! )/, '') : line))
    .filter((line) => certificates || !/^(certfile|keyfile) /.test(line))
    .map((line) => replacements[line] ?? replacements[line.split(' ')[0] ?? ''] ?? line);
  // As root it would switch to another user, which cannot read our folder.
  const user = process.getuid?.() === 0 ? ['user root'] : [];
  writeFileSync(join(folder, 'mosquitto.conf'), [...lines, ...user, 'log_dest stderr', ''].join('\n'));
  writeFileSync(join(folder, 'acl'), documented('farlink.acl'));
  writeFileSync(passwordFile, '');
  let child: ChildProcess | undefined;
  let output = '';
  let reloading = Promise.resolve();

  const start = async () => {
    output = '';
    const started = spawn(program(), ['-c', join(folder, 'mosquitto.conf')], { stdio: ['ignore', 'ignore', 'pipe'] });
    child = started;
    started.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    await waitForOutput(/running/);
  };
  const waitForOutput = (what: RegExp) =>
    new Promise<void>((ready, broken) => {
      const check = () => {
        if (what.test(output)) ready();
        else if (child?.exitCode !== null) broken(new Error(`Mosquitto ended: ${output}`));
        else setTimeout(check, 10);
      };
      check();
    });
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  };
  // If the start fails, the caller cannot close it.
  const end = () => child?.kill('SIGKILL');
  process.once('exit', end);
  await start();
  return {
    port,
    consolePort: certificates ? consolePort : port,
    passwordFile,
    start,
    stop,
    /** Deletes its stored sessions. */
    forget: () => rmSync(join(folder, 'mosquitto.db'), { force: true }),
    /** Reloads its password file. */
    reload: () => {
      reloading = reloading.then(async () => {
        output = '';
        // A signal during a reload is lost.
        const signal = setInterval(() => child?.kill('SIGHUP'), 50);
        await waitForOutput(/Reloading config/).finally(() => clearInterval(signal));
      });
      return reloading;
    },
    close: async () => {
      await stop('SIGKILL');
      process.off('exit', end);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
