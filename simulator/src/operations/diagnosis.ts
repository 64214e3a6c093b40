import { gzipSync } from 'node:zlib';
import { int, obj, str } from '@farlink/gateway/protocol/shape.ts';
import { lanAddress } from '../config/reachable-links.ts';
import { upload } from '../upload.ts';
import { source } from './files.ts';
import { operation, type Run } from './operation.ts';
import { done, fail } from './result.ts';

const ping = operation(obj({}, { host: str(255), count: int(1, 10) }), (gateway, { count: sent = 4 }) => {
  const { random } = gateway;
  const base = gateway.rtt();
  const times = Array.from({ length: sent }, () => (random.chance(0.02) ? null : Math.round(base * random.between(0.95, 1.3))));
  return done({ sent, received: times.filter((t) => t !== null).length, rtt: times });
});

const trace = operation(obj({ host: str(255) }), async (gateway, { host }, act) => {
  const hops: { hop: number; ip: string; rtt: number }[] = [];
  for (let hop = 1; hop <= 6; hop++) {
    await gateway.wait(1);
    act.report({ st: 'run', pct: hop * 15 });
    const rtt = hop === 1 ? 1 : Math.round(gateway.rtt() * gateway.random.between(1, 1.2)) + hop;
    hops.push({ hop, ip: hop === 1 ? lanAddress(gateway.sections) : `10.${hop}.${gateway.random.int(0, 255)}.1`, rtt });
  }
  return done({ host, hops });
});

/** A valid capture file without packets: 24 bytes of header. */
const emptyCapture = () => {
  const header = Buffer.alloc(24);
  header.writeUInt32LE(0xa1b2c3d4, 0);
  header.writeUInt16LE(2, 4);
  header.writeUInt16LE(4, 6);
  header.writeUInt32LE(65_535, 16);
  header.writeUInt32LE(1, 20);
  return header;
};

const capture = operation(obj({ put: source.url }, { seconds: int(1, 300) }), async (gateway, { put, seconds = 10 }) => {
  await gateway.wait(seconds);
  try {
    return done({ name: `${gateway.sn}.pcap.gz`, ...(await upload(gateway, put, gzipSync(emptyCapture()))) });
  } catch (error) {
    return fail(`upload: ${error instanceof Error ? error.message : String(error)}`, 200);
  }
});

export const diagnosisOperations: Readonly<Record<string, Run>> = { 'diag.ping': ping, 'diag.trace': trace, 'diag.capture': capture };
