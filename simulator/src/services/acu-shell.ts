import type { GatewayInternals } from '../gateway-internals.ts';
import { GatewaySnapshot } from '../pages/gateway-snapshot.ts';
import { dishOf } from '../pages/satellites.ts';
import { lookAngles } from './antenna.ts';
import { type Command, runLine } from './shell.ts';
import { factory } from './site.ts';
import type { Console } from './telnet.ts';

const commands: Readonly<Record<string, Command>> = {
  status: (gateway) => {
    const { acu, agc } = dishOf(new GatewaySnapshot(gateway), 'global', gateway.now());
    const { position } = gateway.view();
    const { azimuth, elevation } = lookAngles(position.lat, position.lon);
    return `ACU: ${acu}\nAGC: ${agc}\nAZ: ${azimuth.toFixed(1)}  EL: ${elevation.toFixed(1)}  HDG: ${position.cog.toFixed(1)}`;
  },
  gps: (gateway) => `GPS: ${gateway.view().position.lat.toFixed(5)} ${gateway.view().position.lon.toFixed(5)} fix 3D`,
  version: () => '天线控制单元 ACU v2.14',
  help: () => 'status\ngps\nversion\nhelp\nexit',
};

/** Command line of the antenna control unit. */
export const acuConsole = (gateway: GatewayInternals, signed: boolean): Console => ({
  login: 'ACU login: ',
  prompt: 'ACU# ',
  welcome: 'Antenna control unit. Try help.',
  ...(!signed && { mayEnter: (account: string, password: string) => account === factory.account && password === factory.password }),
  run: (line, write) => runLine(gateway, commands, line, write),
});
