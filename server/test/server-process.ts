import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { toBase64 } from '@farlink/contract/kit/obfuscate.ts';
import { programEnv } from './program-env.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const password = 'Farlink2026';

export interface ServerProcess {
  readonly child: ChildProcess;
  readonly base: string;
  /** Token of the platform administrator. */
  readonly token: string;
}

const logIn = async (base: string): Promise<string> => {
  const captcha = await fetch(`${base}/agt/v1/captcha`);
  const cookie = captcha.headers
    .getSetCookie()
    .map((c) => c.split(';')[0])
    .join('; ');
  const body = JSON.stringify({ username: 'admin', password: toBase64(password), verifycode: '8888' });
  const login = await fetch(`${base}/agt/v1/login`, { method: 'POST', headers: { 'content-type': 'application/json', cookie }, body });
  const { data }: { data: { token: string } } = JSON.parse(await login.text());
  return data.token;
};

/** Starts the server as a separate process that can be killed, on any free port. Resolves when it is ready. */
export const startProcess = async (folder: string, more: NodeJS.ProcessEnv = {}, program = main): Promise<ServerProcess> => {
  const env = {
    ...programEnv,
    DATA_DIR: folder,
    HOST: '127.0.0.1',
    PORT: '0',
    ADMIN_PASSWORD: password,
    CAPTCHA_FIXED: '8888',
    LOG_LEVEL: 'error',
    ...more,
  };
  const child = spawn(process.execPath, [program], { env });
  const base = await new Promise<string>((ready, broken) => {
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const address = output.match(/Address: +(\S+)/)?.[1];
        if (address) ready(address.replace('localhost', '127.0.0.1'));
      });
    child.once('exit', () => broken(new Error(`the server ended: ${output}`)));
  });
  return { child, base, token: await logIn(base) };
};
