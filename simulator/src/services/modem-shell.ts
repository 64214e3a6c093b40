import type { GatewayInternals } from '../gateway-internals.ts';
import { GatewaySnapshot } from '../pages/gateway-snapshot.ts';
import { dishOf, satelliteOf } from '../pages/satellites.ts';
import { type Command, runLine } from './shell.ts';
import { factory } from './site.ts';
import type { Console } from './telnet.ts';

const commands: Readonly<Record<string, Command>> = {
  'rx snr': (gateway) => `Rx SNR: ${dishOf(new GatewaySnapshot(gateway), 'global', gateway.now()).snr.toFixed(2)} dB`,
  'tx power': (gateway) =>
    `Tx Power: ${dishOf(new GatewaySnapshot(gateway), 'global', gateway.now()).modem === 'in_network' ? '-21.50' : 'off'} dBm`,
  remotestate: (gateway) => `NMS state: ${dishOf(new GatewaySnapshot(gateway), 'global', gateway.now()).modem}`,
  'beamselector list': (gateway) => {
    const { beam, satellite, slot } = satelliteOf(new GatewaySnapshot(gateway), 'global');
    return `${beam} is currently selected\n${beam} = ${satellite} ${slot}E`;
  },
  'options show': (gateway) =>
    `[OPTIONS_FILE]\n\tmodem_sn = ${gateway.sn}\n[SATELLITE]\n\tlongitude = ${satelliteOf(new GatewaySnapshot(gateway), 'global').slot}`,
  help: () => 'rx snr\ntx power\nremotestate\nbeamselector list\noptions show\nhelp\nexit',
};

/** Command line of the satellite modem. */
export const modemConsole = (gateway: GatewayInternals, signed: boolean): Console => ({
  login: 'Username: ',
  prompt: '> ',
  welcome: 'iDirect Evolution. Try help.',
  ...(!signed && { mayEnter: (account: string, password: string) => account === factory.account && password === factory.password }),
  run: (line, write) => runLine(gateway, commands, line, write),
});
