import { join } from 'node:path';
import { aptInstall, aptUnpack, findProgram, mayApt, mayUnpack, unpacked } from './debian.mjs';
import { printLine } from './run.mjs';

/**
 * Independent programs that the tests run against the server, with their Debian packages.
 * @typedef {{ name: string, packages: readonly string[], paths: readonly string[], runsUnpacked?: boolean, isOptional?: boolean }} Peer
 * @type {Record<string, Peer>}
 */
const peers = {
  RADCLIENT: { name: 'radclient', packages: ['freeradius-utils'], paths: ['/usr/bin/radclient', '/opt/homebrew/bin/radclient'] },
  RADSECPROXY: { name: 'radsecproxy', packages: ['radsecproxy'], paths: ['/usr/sbin/radsecproxy', '/opt/homebrew/sbin/radsecproxy'] },
  FREERADIUS: { name: 'freeradius', packages: ['freeradius'], paths: ['/usr/sbin/freeradius', '/opt/homebrew/sbin/radiusd'] },
  DNSMASQ: { name: 'dnsmasq', packages: ['dnsmasq-base'], paths: ['/usr/sbin/dnsmasq', '/opt/homebrew/sbin/dnsmasq'] },
  PEBBLE: { name: 'pebble', packages: ['pebble'], paths: ['/usr/bin/pebble'] },
  HAPROXY: { name: 'haproxy', packages: ['haproxy'], paths: ['/usr/sbin/haproxy'], runsUnpacked: true },
  // nginx itself reads a variable NGINX.
  NGINX_PROGRAM: { name: 'nginx', packages: ['nginx', 'libnginx-mod-stream'], paths: ['/usr/sbin/nginx'], runsUnpacked: true },
  PROMTOOL: { name: 'promtool', packages: ['prometheus'], paths: ['/usr/bin/promtool'], runsUnpacked: true },
  // Part of the system, therefore never installed.
  SYSTEMD_ANALYZE: { name: 'systemd-analyze', packages: ['systemd'], paths: ['/usr/bin/systemd-analyze'], isOptional: true },
};

const found = () =>
  Object.entries(peers).map(([variable, peer]) => ({
    ...peer,
    variable,
    path: process.env[variable] ?? findProgram([...peer.paths, ...peer.paths.map((path) => join(unpacked, path))], [peer.name]),
  }));

const install = async () => {
  const missing = found().filter(({ path, isOptional }) => !path && !isOptional);
  if (missing.length === 0) return;
  const packages = missing.flatMap((peer) => peer.packages);
  if (mayApt()) {
    printLine(`Installing programs for the tests: ${packages.join(', ')}…`);
    return aptInstall(packages, ['--no-install-recommends']);
  }
  const movable = missing.filter(({ runsUnpacked }) => runsUnpacked);
  if (movable.length === 0 || !mayUnpack()) return;
  printLine(`Unpacking programs for the tests: ${movable.map(({ name }) => name).join(', ')}…`);
  await aptUnpack(
    movable.flatMap((peer) => peer.packages),
    movable.flatMap((peer) => peer.paths),
  );
};

/** Finds the programs for the tests, or installs or unpacks them if allowed. Returns what cannot run without them. */
export const ensurePeers = async () => {
  await install().catch((error) => printLine(`Programs not installed: ${error.message}`));
  for (const { variable, path } of found()) process.env[variable] = path ?? '';
  return found()
    .filter(({ path }) => !path)
    .map(({ name, packages, variable }) => `tests against ${name} (Debian package ${packages.join(', ')}, or set ${variable})`);
};
