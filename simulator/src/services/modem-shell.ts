import type { Box } from '../box.ts';
import { dishOf, satelliteOf } from '../pages/satellites.ts';
import { Scene } from '../pages/scene.ts';
import { type Command, runLine } from './shell.ts';
import { factory } from './site.ts';
import type { Console } from './telnet.ts';

const commands: Readonly<Record<string, Command>> = {
  'rx snr': (box) => `Rx SNR: ${dishOf(new Scene(box), 'global', box.now()).snr.toFixed(2)} dB`,
  'tx power': (box) => `Tx Power: ${dishOf(new Scene(box), 'global', box.now()).modem === 'in_network' ? '-21.50' : 'off'} dBm`,
  remotestate: (box) => `NMS state: ${dishOf(new Scene(box), 'global', box.now()).modem}`,
  'beamselector list': (box) => {
    const { beam, satellite, slot } = satelliteOf(new Scene(box), 'global');
    return `${beam} is currently selected\n${beam} = ${satellite} ${slot}E`;
  },
  'options show': (box) =>
    `[OPTIONS_FILE]\n\tmodem_sn = ${box.sn}\n[SATELLITE]\n\tlongitude = ${satelliteOf(new Scene(box), 'global').slot}`,
  help: () => 'rx snr\ntx power\nremotestate\nbeamselector list\noptions show\nhelp\nexit',
};

/** The console of the satellite modem. */
export const modemConsole = (box: Box, signed: boolean): Console => ({
  login: 'Username: ',
  prompt: '> ',
  welcome: 'iDirect Evolution. Try help.',
  ...(!signed && { mayEnter: (account: string, password: string) => account === factory.account && password === factory.password }),
  run: (line, write) => runLine(box, commands, line, write),
});
