import type { Box } from '../box.ts';
import { factory } from './site.ts';
import type { Console } from './telnet.ts';

export type Command = (
  box: Box,
  args: readonly string[],
  write: (text: string) => void,
) => string | undefined | Promise<string | undefined>;

const pad = (cells: readonly unknown[]) =>
  cells
    .map((c) => String(c).padEnd(12))
    .join('')
    .trimEnd();

const showVersion: Command = (box) =>
  [`Model     ${box.model}`, `SN        ${box.sn}`, `Firmware  ${box.firmware.version}`, `Previous  ${box.firmware.previous ?? '-'}`].join(
    '\n',
  );

const showLinks: Command = (box) => {
  const states = ['off', 'on', 'abnormal'];
  const rows = box.view().links.map((l) => [l.i, states[l.s], l.r === undefined ? '-' : `${l.r} ms`, l.q === undefined ? '-' : `${l.q} %`]);
  return [['LINK', 'STATE', 'RTT', 'QUALITY'], ...rows, ['in use:', box.current ?? 'none']].map(pad).join('\n');
};

const showUsers: Command = (box) => [['ACCOUNT', 'IP', 'MAC'], ...box.users.sessions.map((s) => [s.acc, s.ip, s.mac])].map(pad).join('\n');

const ping: Command = async (box, [host = '8.8.8.8'], write) => {
  write(`PING ${host}\n`);
  let back = 0;
  for (let seq = 1; seq <= 4; seq++) {
    const lost = box.current === undefined || box.random.chance(0.02);
    const time = Math.round(box.rtt() * box.random.between(0.95, 1.3));
    await box.wait(1);
    write(lost ? `seq=${seq} timeout\n` : `seq=${seq} time=${time} ms\n`);
    if (!lost) back++;
  }
  return `4 sent, ${back} received`;
};

const commands: Readonly<Record<string, Command>> = {
  'show version': showVersion,
  'show links': showLinks,
  'show users': showUsers,
  ping,
  help: () => 'show version\nshow links\nshow users\nping HOST\nhelp\nexit',
};

/** Executes one line of a shell that knows these commands. */
export const runLine = async (
  box: Box,
  known: Readonly<Record<string, Command>>,
  line: string,
  write: (text: string) => void,
): Promise<'end' | undefined> => {
  const words = line.split(/\s+/).filter(Boolean);
  const [first = '', second = ''] = words;
  if (first === '') return undefined;
  if (first === 'exit' || first === 'quit') return 'end';
  const [name, args] = Object.hasOwn(known, `${first} ${second}`) ? [`${first} ${second}`, words.slice(2)] : [first, words.slice(1)];
  const run = Object.hasOwn(known, name) ? known[name] : undefined;
  const answer = run ? await run(box, args, write) : `${line}: command not found`;
  if (answer) write(`${answer}\n`);
  return undefined;
};

export const gatewayConsole = (box: Box): Console => ({
  login: `${box.sn} login: `,
  prompt: `${box.model}> `,
  welcome: `Welcome to ${box.model}, firmware ${box.firmware.version}. Try help.`,
  mayEnter: (account, password) => account === factory.account && password === factory.password,
  run: (line, write) => runLine(box, commands, line, write),
});
