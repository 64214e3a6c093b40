import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What every browser test may count on. */
const world = { DEMO: 'on', CAPTCHA_FIXED: '8888', ADMIN_PASSWORD: 'Farlink2026' };

/** The real server on a database of its own, with the built console. E2E_URL names a running one instead. */
export default async () => {
  if (process.env.E2E_URL) return;
  const folder = mkdtempSync(join(tmpdir(), 'farlink-e2e-'));
  const { PATH } = process.env;
  const server = spawn(process.execPath, [join(root, 'server/src/main.ts')], {
    cwd: root,
    env: { PATH, DATA_DIR: folder, HOST: '127.0.0.1', PORT: '0', ...world },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(server, 'exit');
  const stop = async () => {
    for (const stream of [server.stdout, server.stderr]) stream.removeAllListeners('data').resume();
    server.kill('SIGTERM');
    await exited;
    rmSync(folder, { recursive: true, force: true });
  };

  let output = '';
  const address = Promise.withResolvers<string>();
  for (const stream of [server.stdout, server.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      // Once it runs, what the server has to say belongs beside the test that made it say so.
      if (process.env.E2E_URL) process.stderr.write(text);
      else output += text;
      const found = output.match(/^Address: +(\S+)$/m)?.[1];
      if (found) address.resolve(found);
    });
  }
  exited.then(() => address.reject(new Error(`The server did not start:\n${output}`)));
  try {
    process.env.E2E_URL = await address.promise;
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
};
