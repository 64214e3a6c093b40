import { aptInstall, findProgram, mayApt } from './debian.mjs';
import { say } from './run.mjs';

/** Independent programs that the tests run against the server, with their Debian packages. */
const peers = {
  RADCLIENT: { name: 'radclient', package: 'freeradius-utils', paths: ['/usr/bin/radclient', '/opt/homebrew/bin/radclient'] },
  RADSECPROXY: { name: 'radsecproxy', package: 'radsecproxy', paths: ['/usr/sbin/radsecproxy', '/opt/homebrew/sbin/radsecproxy'] },
  FREERADIUS: { name: 'freeradius', package: 'freeradius', paths: ['/usr/sbin/freeradius', '/opt/homebrew/sbin/radiusd'] },
  DNSMASQ: { name: 'dnsmasq', package: 'dnsmasq-base', paths: ['/usr/sbin/dnsmasq', '/opt/homebrew/sbin/dnsmasq'] },
  PEBBLE: { name: 'pebble', package: 'pebble', paths: ['/usr/bin/pebble'] },
};

const found = () =>
  Object.entries(peers).map(([variable, { name, paths, ...peer }]) => ({
    ...peer,
    variable,
    name,
    path: process.env[variable] ?? findProgram(paths, [name]),
  }));

/** Finds the programs for the tests, or installs them if allowed. Returns what cannot run without them. */
export const ensurePeers = async () => {
  const missing = () => found().filter(({ path }) => !path);
  if (missing().length > 0 && mayApt()) {
    say('Installing RADIUS, DNS and ACME programs for the tests…');
    await aptInstall(missing().map((peer) => peer.package)).catch((error) => say(`Not installed: ${error.message}`));
  }
  for (const { variable, path } of found()) process.env[variable] = path ?? '';
  return missing().map((peer) => `tests against ${peer.name} (Debian package ${peer.package}, or set ${peer.variable})`);
};
