import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openControl } from './control.ts';
import { readFaults } from './faults.ts';
import { Fleet } from './fleet.ts';
import { type FleetEntry, KeyRing, readFleet } from './fleet-file.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { profileOf } from './profile.ts';

const help = `npm run simulate -- [options]
  --gateways N      number of gateways, named SIM<seed>-00001… (12)
  --keys FILE       gateways of a JSON file instead: [{"sn":"…","key":"…","accounts":["…"],"passwords":{"…":"…"}}]
  --code CODE       merchant code with which new gateways request their key (FARLINK)
  --host, --port    address of the device endpoint (127.0.0.1, 1883); --tls for a TLS port
  --console URL     web address of the console, if gateways connect through a broker
  --state FOLDER    folder for the issued keys (data/simulator)
  --seed N          seed of the random values (1)
  --start TIME      start of the simulated time in epoch seconds (now)
  --speed N         simulated seconds per real second (1)
  --pace N          real seconds per second of work: downloads, restarts (1 / speed)
  --connects N      new connections per second (100)
  --audit N         rows of audit data per minute and gateway with users (3)
  --faults LIST     duplicate=0.1,reorder=0.1,cut=0.01,reboot=0.001,skew=86400,deaf,reject=wifi+qos,file=net
  --control PORT    control server on 127.0.0.1, 0 for any free port
  --portal PORT     first port of the portals on 127.0.0.1, 0 for any free ports
  --with-parent     ends when standard input is closed
`;

const { values } = parseArgs({
  options: {
    gateways: { type: 'string', default: '12' },
    keys: { type: 'string' },
    code: { type: 'string', default: 'FARLINK' },
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '1883' },
    tls: { type: 'boolean', default: false },
    console: { type: 'string' },
    state: { type: 'string', default: join('data', 'simulator') },
    seed: { type: 'string', default: '1' },
    start: { type: 'string' },
    speed: { type: 'string', default: '1' },
    pace: { type: 'string' },
    connects: { type: 'string', default: '100' },
    audit: { type: 'string', default: '3' },
    faults: { type: 'string', default: '' },
    control: { type: 'string' },
    portal: { type: 'string' },
    'with-parent': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  process.stdout.write(help);
  process.exit(0);
}

const number = (name: string, text: string, min: number): number => {
  const n = Number(text);
  if (text.trim() !== '' && Number.isFinite(n) && n >= min) return n;
  process.stderr.write(`--${name} must be a number from ${min}.\n`);
  process.exit(1);
};

const seed = number('seed', values.seed, 0);
const speed = number('speed', values.speed, 0.001);
const ring = new KeyRing(join(values.state, `keys-${seed}.json`));

const common = {
  host: values.host,
  port: number('port', values.port, 1),
  tls: values.tls,
  console: values.console?.replace(/\/$/, ''),
  seed,
  speed,
  workScale: values.pace === undefined ? 1 / speed : number('pace', values.pace, 0),
  audit: number('audit', values.audit, 0),
  configured: true,
  enrolled: (sn: string, key: string) => ring.set(sn, key),
};
const entries = (): FleetEntry[] => {
  if (values.keys !== undefined) return readFleet(values.keys);
  const names = Array.from({ length: number('gateways', values.gateways, 0) }, (_, i) => `SIM${seed}-${String(i + 1).padStart(5, '0')}`);
  return names.map((sn) => ({ sn, key: ring.get(sn) }));
};
const portalFrom = values.portal === undefined ? undefined : number('portal', values.portal, 0);
const portalPortOf = (n: number) => (portalFrom === undefined ? {} : { portalPort: portalFrom === 0 ? 0 : portalFrom + n });
const gatewayOptions = entries().map(
  (entry, n): GatewayOptions => ({
    ...portalPortOf(n),
    ...common,
    code: values.code,
    faults: readFaults(values.faults),
    ...profileOf(entry.sn, seed),
    ...entry,
  }),
);
const fleet = new Fleet(gatewayOptions, {
  speed,
  seed,
  connectsPerSecond: number('connects', values.connects, 0.01),
  startAt: values.start === undefined ? Math.floor(Date.now() / 1000) : number('start', values.start, 0),
});
// A gateway transferred at run time has a newer key than the file. The key of the file is valid if the console was restored from a backup.
for (const gateway of fleet.gateways) {
  const later = ring.get(gateway.sn);
  if (later !== undefined && !gateway.keys.all.includes(later)) gateway.keys.prepare(later);
}
fleet.start();

const report = () => {
  ring.save();
  const { all, online, waiting, acked, refused } = fleet.counts();
  const mb = Math.round(process.memoryUsage().rss / 1_048_576);
  process.stdout.write(`gateways online: ${online}/${all}, acked: ${acked}, queued: ${waiting}, refused: ${refused}, memory: ${mb} MB\n`);
};
const reporting = setInterval(values['with-parent'] ? () => ring.save() : report, 10_000);
const stop = () => {
  clearInterval(reporting);
  fleet.stop();
  ring.save();
  setTimeout(() => process.exit(0), 300);
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
if (values['with-parent']) process.stdin.once('end', stop).once('close', stop).resume();
if (values.control !== undefined) {
  const server = await openControl(fleet, { ...common, calm: true }, number('control', values.control, 0));
  const address = server.address();
  process.stdout.write(`Control:  http://127.0.0.1:${address && typeof address === 'object' ? address.port : ''}\n`);
}
