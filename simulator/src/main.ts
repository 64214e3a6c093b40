import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { list, obj, parseJson, str } from '@farlink/gateway/protocol/shape.ts';
import { snPattern } from '@farlink/gateway/protocol/topic.ts';
import { readFaults } from './faults.ts';
import { Fleet } from './fleet.ts';

const help = `npm run simulate -- [options]
  --gateways N      how many, named SIM<seed>-00001… (12)
  --keys FILE       instead: gateways of a JSON file [{"sn":"…","key":"…"}]
  --code CODE       merchant code with which new gateways ask for their key (FARLINK)
  --host, --port    where the console listens for gateways (127.0.0.1, 1883); --tls for a TLS port
  --state FOLDER    where the keys they got are kept (data/simulator)
  --seed N          another world (1)
  --speed N         how much faster than ours its time runs (1)
  --connects N      new connections a second (100)
  --faults LIST     duplicate=0.1,reorder=0.1,cut=0.01,reboot=0.001,skew=86400,deaf,reject=wifi+qos
`;

const { values } = parseArgs({
  options: {
    gateways: { type: 'string', default: '12' },
    keys: { type: 'string' },
    code: { type: 'string', default: 'FARLINK' },
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '1883' },
    tls: { type: 'boolean', default: false },
    state: { type: 'string', default: join('data', 'simulator') },
    seed: { type: 'string', default: '1' },
    speed: { type: 'string', default: '1' },
    connects: { type: 'string', default: '100' },
    faults: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  process.stdout.write(help);
  process.exit(0);
}

const seed = Number(values.seed);
const stateFile = join(values.state, `keys-${seed}.json`);

const entries = list(obj({ sn: str(64, snPattern), key: str(128) }), 100_000);
const readKeys = (path: string) => {
  const read = parseJson(entries, readFileSync(path, 'utf8'));
  if ('reason' in read) throw new Error(`${path}: ${read.reason}`);
  return read.value;
};
const known = (): Map<string, string> => {
  try {
    return new Map(readKeys(stateFile).map(({ sn, key }) => [sn, key]));
  } catch {
    return new Map();
  }
};

const keys = known();
let unsaved = false;
const save = () => {
  if (!unsaved) return;
  unsaved = false;
  mkdirSync(values.state, { recursive: true });
  writeFileSync(stateFile, JSON.stringify([...keys].map(([sn, key]) => ({ sn, key }))), { mode: 0o600 });
};

const names = Array.from({ length: Number(values.gateways) }, (_, i) => `SIM${seed}-${String(i + 1).padStart(5, '0')}`);
const given = values.keys === undefined ? names.map((sn) => ({ sn, key: keys.get(sn) })) : readKeys(values.keys);
const fleet = new Fleet(
  given.map(({ sn, key }) => ({
    sn,
    key,
    seed,
    speed: Number(values.speed),
    host: values.host,
    port: Number(values.port),
    tls: values.tls,
    code: values.code,
    faults: readFaults(values.faults),
    enrolled: (name: string, fresh: string) => {
      keys.set(name, fresh);
      unsaved = true;
    },
  })),
  { speed: Number(values.speed), seed, connectsPerSecond: Number(values.connects) },
);
fleet.start();

const tell = () => {
  save();
  const { online, waiting, acked, refused } = fleet.counts();
  const mb = Math.round(process.memoryUsage().rss / 1_048_576);
  process.stdout.write(
    `${online} of ${given.length} gateways online, ${acked} messages taken, ${waiting} waiting, ${refused} refused, ${mb} MB\n`,
  );
};
const telling = setInterval(tell, 10_000);
const stop = () => {
  clearInterval(telling);
  fleet.stop();
  tell();
  setTimeout(() => process.exit(0), 300);
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
