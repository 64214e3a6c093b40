import type { GatewayInternals } from '../gateway-internals.ts';
import { factory } from './site.ts';
import type { Console } from './telnet.ts';

export type Command = (
  gateway: GatewayInternals,
  args: readonly string[],
  write: (text: string) => void,
) => string | undefined | Promise<string | undefined>;

const pad = (cells: readonly unknown[]) =>
  cells
    .map((c) => String(c).padEnd(12))
    .join('')
    .trimEnd();

const showVersion: Command = (gateway) =>
  [
    `Model     ${gateway.model}`,
    `SN        ${gateway.sn}`,
    `Firmware  ${gateway.firmware.version}`,
    `Previous  ${gateway.firmware.previous ?? '-'}`,
  ].join('\n');

const showLinks: Command = (gateway) => {
  const states = ['off', 'on', 'abnormal'];
  const rows = gateway
    .view()
    .links.map((l) => [l.i, states[l.s], l.r === undefined ? '-' : `${l.r} ms`, l.q === undefined ? '-' : `${l.q} %`]);
  return [['LINK', 'STATE', 'RTT', 'QUALITY'], ...rows, ['in use:', gateway.current ?? 'none']].map(pad).join('\n');
};

const showUsers: Command = (gateway) =>
  [['ACCOUNT', 'IP', 'MAC'], ...gateway.users.sessions.map((s) => [s.acc, s.ip, s.mac])].map(pad).join('\n');

const ping: Command = async (gateway, [host = '8.8.8.8'], write) => {
  write(`PING ${host}\n`);
  let back = 0;
  for (let seq = 1; seq <= 4; seq++) {
    const lost = gateway.current === undefined || gateway.random.chance(0.02);
    const time = Math.round(gateway.rtt() * gateway.random.between(0.95, 1.3));
    await gateway.wait(1);
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

/** Executes one line with these commands. */
export const runLine = async (
  gateway: GatewayInternals,
  known: Readonly<Record<string, Command>>,
  line: string,
  write: (text: string) => void,
): Promise<'end' | undefined> => {
  const tokens = line.split(/\s+/).filter(Boolean);
  const [first = '', second = ''] = tokens;
  if (first === '') return undefined;
  if (first === 'exit' || first === 'quit') return 'end';
  const [name, args] = Object.hasOwn(known, `${first} ${second}`) ? [`${first} ${second}`, tokens.slice(2)] : [first, tokens.slice(1)];
  const run = Object.hasOwn(known, name) ? known[name] : undefined;
  const reply = run ? await run(gateway, args, write) : `${line}: command not found`;
  if (reply) write(`${reply}\n`);
  return undefined;
};

export const gatewayConsole = (gateway: GatewayInternals): Console => ({
  login: `${gateway.sn} login: `,
  prompt: `${gateway.model}> `,
  welcome: `Welcome to ${gateway.model}, firmware ${gateway.firmware.version}. Try help.`,
  mayEnter: (account, password) => account === factory.account && password === factory.password,
  run: (line, write) => runLine(gateway, commands, line, write),
});
