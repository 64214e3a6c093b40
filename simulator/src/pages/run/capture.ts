import { gzipSync } from 'node:zlib';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { type App, apps } from '../apps.ts';
import type { ActionRun, RunHandler } from './action-run.ts';
import { stampOf, uploadFile } from './upload-file.ts';

interface Packet {
  readonly at: number;
  readonly src: string;
  readonly dst: string;
  readonly sport: number;
  readonly dport: number;
  readonly udp: boolean;
  readonly size: number;
}

const header = () => {
  const head = Buffer.alloc(24);
  head.writeUInt32LE(0xa1b2c3d4, 0);
  head.writeUInt16LE(2, 4);
  head.writeUInt16LE(4, 6);
  head.writeUInt32LE(65_535, 16);
  head.writeUInt32LE(1, 20);
  return head;
};

/** Ethernet, IPv4 and the first bytes of TCP or UDP, enough for a packet viewer. */
const frame = ({ src, dst, sport, dport, udp }: Packet): Buffer => {
  const bytes = Buffer.alloc(udp ? 42 : 54);
  bytes.writeUInt16BE(0x0800, 12);
  bytes.writeUInt8(0x45, 14);
  bytes.writeUInt16BE(bytes.length - 14, 16);
  bytes.writeUInt8(64, 22);
  bytes.writeUInt8(udp ? 17 : 6, 23);
  for (const [i, part] of [...src.split('.'), ...dst.split('.')].entries()) bytes.writeUInt8(Number(part), 26 + i);
  bytes.writeUInt16BE(sport, 34);
  bytes.writeUInt16BE(dport, 36);
  if (udp) bytes.writeUInt16BE(8, 38);
  else bytes.writeUInt16BE(0x5010, 46);
  return bytes;
};

export const captureFile = (packets: readonly Packet[]): Buffer =>
  Buffer.concat([
    header(),
    ...packets.flatMap((packet) => {
      const body = frame(packet);
      const head = Buffer.alloc(16);
      head.writeUInt32LE(Math.floor(packet.at), 0);
      head.writeUInt32LE(Math.round((packet.at % 1) * 1e6), 4);
      head.writeUInt32LE(body.length, 8);
      head.writeUInt32LE(packet.size, 12);
      return [head, body];
    }),
  ]);

const lineOf = ({ at, src, dst, sport, dport, udp, size }: Packet) =>
  `${new Date(at * 1000).toISOString().slice(11, 23)} IP ${src}.${sport} > ${dst}.${dport}: ${udp ? `UDP, length ${size}` : `Flags [.], length ${size}`}`;

/** Whether the capture filter matches this traffic. */
const matchesFilter = (run: ActionRun, app: App, ip: string): boolean => {
  const protocol = run.text('protocol') || 'any';
  if (protocol !== 'any' && !protocol.split('_').includes(app.protocol)) return false;
  if (run.args.port !== undefined && run.number('port') !== app.port) return false;
  const host = run.text('host');
  return host === '' || host === ip || host === app.ip;
};

const linesOfSecond = 6;

export const capture: RunHandler = async (run) => {
  const { random, gateway } = run;
  const secs = run.number('duration', 60);
  const max = Math.min(run.number('max_packets', 10_000), (run.number('max_size', 10) * 1_000_000) / 90);
  const hosts = run.snapshot.hosts;
  run.print(`listening on ${run.text('interface')}, snapshot length ${run.number('snaplen', 128)} bytes`, 1);
  const packets: Packet[] = [];
  for (let second = 0; second < secs && packets.length < max; second++) {
    await run.wait(1);
    const newPackets = Array.from({ length: random.int(2, 14) }, (_, i) => ({
      app: random.pick(apps),
      host: hosts[random.int(0, hosts.length - 1)],
      i,
    })).flatMap(({ app, host, i }): Packet[] =>
      host && matchesFilter(run, app, host.ip)
        ? [
            {
              at: gateway.now() + i / 20,
              src: host.ip,
              dst: app.ip,
              sport: random.int(32_768, 60_999),
              dport: app.port,
              udp: app.protocol === 'udp',
              size: random.int(40, 1400),
            },
          ]
        : [],
    );
    const added = newPackets.slice(0, Math.max(0, Math.floor(max) - packets.length));
    packets.push(...added);
    const shown = added.slice(0, linesOfSecond).map(lineOf);
    if (shown.length > 0) run.print(shown.join('\n'), ((second + 1) / secs) * 100);
  }
  const bytes = packets.reduce((sum, { size }) => sum + size, 0);
  run.print(`${packets.length} packets captured, 0 dropped`);
  const file: JsonObject = run.flag('upload')
    ? { file: await uploadFile(run, `${stampOf(run)}.pcap.gz`, gzipSync(captureFile(packets))) }
    : {};
  const result: JsonObject = { interface: run.text('interface'), packets: packets.length, bytes, ...file };
  return result;
};
