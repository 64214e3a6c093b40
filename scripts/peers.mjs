import { join } from 'node:path';
import { aptUnpack, findProgram, mayUnpack, unpacked } from './debian.mjs';
import { printLine } from './run.mjs';

const dictionary = ['-D', join(unpacked, 'usr/share/freeradius')];

/**
 * Independent programs that the tests run against the server, with their Debian packages.
 * @typedef {{ name: string, packages: readonly string[], paths: readonly string[], options?: readonly string[], isOptional?: boolean }} Peer
 * @type {Record<string, Peer>}
 */
const peers = {
  RADCLIENT: {
    name: 'radclient',
    packages: ['freeradius-utils', 'freeradius-common', 'libfreeradius3'],
    paths: ['/usr/bin/radclient', '/opt/homebrew/bin/radclient'],
    options: dictionary,
  },
  RADSECPROXY: { name: 'radsecproxy', packages: ['radsecproxy'], paths: ['/usr/sbin/radsecproxy', '/opt/homebrew/sbin/radsecproxy'] },
  FREERADIUS: {
    name: 'freeradius',
    packages: ['freeradius', 'freeradius-common', 'libfreeradius3'],
    paths: ['/usr/sbin/freeradius', '/opt/homebrew/sbin/radiusd'],
    options: dictionary,
  },
  DNSMASQ: { name: 'dnsmasq', packages: ['dnsmasq-base'], paths: ['/usr/sbin/dnsmasq', '/opt/homebrew/sbin/dnsmasq'] },
  PEBBLE: { name: 'pebble', packages: ['pebble'], paths: ['/usr/bin/pebble'] },
  HAPROXY: { name: 'haproxy', packages: ['haproxy'], paths: ['/usr/sbin/haproxy'] },
  // nginx itself reads a variable NGINX.
  NGINX_PROGRAM: { name: 'nginx', packages: ['nginx', 'libnginx-mod-stream'], paths: ['/usr/sbin/nginx'] },
  PROMTOOL: { name: 'promtool', packages: ['prometheus'], paths: ['/usr/bin/promtool'] },
  // Part of the system, therefore never installed.
  SYSTEMD_ANALYZE: { name: 'systemd-analyze', packages: ['systemd'], paths: ['/usr/bin/systemd-analyze'], isOptional: true },
};

const found = () =>
  Object.entries(peers).map(([variable, peer]) => ({
    ...peer,
    variable,
    path: process.env[variable] ?? findProgram([...peer.paths, ...peer.paths.map((path) => join(unpacked, path))], [peer.name]),
  }));

const unpackMissing = async () => {
  const missing = found().filter(({ path, isOptional }) => !path && !isOptional);
  if (missing.length === 0 || !mayUnpack()) return;
  printLine(`Unpacking programs for the tests: ${missing.map(({ name }) => name).join(', ')}…`);
  await aptUnpack(missing);
};

/** Finds the programs for the tests, or unpacks them where it can. Returns what cannot run without them. */
export const ensurePeers = async () => {
  await unpackMissing().catch((error) => printLine(`Programs not unpacked: ${error.message}`));
  for (const { variable, path } of found()) process.env[variable] = path ?? '';
  return found()
    .filter(({ path }) => !path)
    .map(({ name, packages, variable }) => `tests against ${name} (Debian package ${packages.join(', ')}, or set ${variable})`);
};
