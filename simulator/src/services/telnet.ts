import type { Duplex } from 'node:stream';
import type { GatewayInternals } from '../gateway-internals.ts';

const iac = 255;
const dont = 254;
const doo = 253;
const wont = 252;
const will = 251;
const sb = 250;
const se = 240;
const echo = 1;
const goAhead = 3;
const terminal = 24;
const windowSize = 31;
const maxTries = 3;
const maxLine = 500;

/** A command line behind a telnet terminal. */
export interface Console {
  readonly login: string;
  readonly prompt: string;
  readonly welcome: string;
  /** Without this check there is no login: the caller is already authenticated. */
  readonly mayEnter?: (account: string, password: string) => boolean;
  /** Executes one line; 'end': the user logs out. */
  run(line: string, write: (text: string) => void): Promise<'end' | undefined>;
}

/** Telnet negotiation and login, then the command line. */
export const telnet = (gateway: GatewayInternals, channel: Duplex, console: Console) => {
  let line = '';
  let account = '';
  let tries = 0;
  let state: 'login' | 'password' | 'shell' = console.mayEnter ? 'login' : 'shell';
  let escaped: number[] = [];
  const write = (text: string) => channel.write(text.replaceAll('\n', '\r\n'));
  const prompts = { login: console.login, password: 'Password: ', shell: console.prompt };
  const prompt = () => write(prompts[state]);

  const checkPassword = (password: string) => {
    const ok = console.mayEnter?.(account, password) === true;
    gateway.event('login', { acc: account.slice(0, 64) || '-', ok, ip: '127.0.0.1' });
    state = ok ? 'shell' : 'login';
    write(ok ? `\n${console.welcome}\n` : '\nLogin incorrect\n');
    if (!ok && ++tries >= maxTries) channel.end();
  };

  const enter = async (text: string) => {
    if (state === 'login') {
      account = text;
      if (text !== '') state = 'password';
    } else if (state === 'password') checkPassword(text);
    else if ((await console.run(text, write)) === 'end') return void channel.end('Bye\r\n');
    if (channel.writable) prompt();
  };

  // Lines typed during a running command wait.
  let queue: Promise<void> = Promise.resolve();
  const key = (byte: number) => {
    if (byte === 13 || byte === 10) {
      const text = line.trim();
      line = '';
      write('\n');
      queue = queue.then(() => enter(text)).catch(() => void channel.destroy());
    } else if (byte === 127 || byte === 8) {
      if (line.length > 0 && state !== 'password') write('\b \b');
      line = line.slice(0, -1);
    } else if (byte === 3 || byte === 4) {
      if (state === 'shell' && byte === 4) channel.end('Bye\r\n');
      else {
        write('\n');
        prompt();
      }
      line = '';
    } else if (byte >= 32 && line.length < maxLine) {
      line += String.fromCharCode(byte);
      if (state !== 'password') channel.write(Buffer.from([byte]));
    }
  };

  /** Refuses options of the peer, except those that we requested. Reads a subnegotiation to its end. */
  const command = (byte: number) => {
    escaped.push(byte);
    const [, verb, option = 0] = escaped;
    if (verb === sb) {
      if (escaped.at(-2) === iac && byte === se) escaped = [];
      return;
    }
    if (verb === iac) {
      escaped = [];
      return;
    }
    if (escaped.length < 3 && verb !== undefined && verb >= will) return;
    if (verb === doo && ![echo, goAhead].includes(option)) channel.write(Buffer.from([iac, wont, option]));
    if (verb === will && ![terminal, windowSize, goAhead].includes(option)) channel.write(Buffer.from([iac, dont, option]));
    escaped = [];
  };

  let last = 0;
  channel.on('data', (chunk: Buffer) => {
    for (const byte of chunk) {
      if (escaped.length > 0) command(byte);
      else if (byte === iac) escaped = [iac];
      // CR LF and CR NUL count as one key.
      else if (!(last === 13 && (byte === 10 || byte === 0))) key(byte);
      last = byte;
    }
  });
  channel.write(Buffer.from([iac, will, echo, iac, will, goAhead, iac, doo, terminal, iac, doo, windowSize]));
  if (!console.mayEnter) write(`${console.welcome}\n`);
  prompt();
};
