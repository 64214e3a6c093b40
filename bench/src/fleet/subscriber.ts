import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { connectPacket, kinds, pingPacket, pubackPacket, publishId, readFrames, subscribePacket } from './packets.ts';

/** Receives the messages of all gateways from each broker, acknowledges and ignores them. Reconnects to a broker that was restarted. */
const { ports, username }: { readonly ports: readonly number[]; readonly username: string } = workerData;
const keepAliveS = 60;
const retryMs = 200;
let received = 0;
const subscribed = new Set<number>();

const ready = (port: number) => {
  const before = subscribed.size;
  subscribed.add(port);
  if (before < ports.length && subscribed.size === ports.length) parentPort?.postMessage(0);
};

const open = (port: number) => {
  let rest: Buffer | undefined;
  const login = { clientId: `subscriber-${port}`, username, password: username && 'any' };
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  const timer = setInterval(() => socket.write(pingPacket), (keepAliveS * 1000) / 2);
  socket.on('data', (chunk) => {
    const acks: Buffer[] = [];
    rest = readFrames(rest ? Buffer.concat([rest, chunk]) : chunk, (frame) => {
      if (frame.kind === kinds.connack) socket.write(subscribePacket(1, 'gw/1/+/up/#'));
      if (frame.kind === kinds.suback) ready(port);
      const id = frame.kind === kinds.publish ? publishId(frame) : undefined;
      if (frame.kind === kinds.publish) received++;
      if (id !== undefined) acks.push(pubackPacket(id));
    });
    if (acks.length > 0) socket.write(Buffer.concat(acks));
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    clearInterval(timer);
    setTimeout(() => open(port), retryMs);
  });
  socket.write(connectPacket({ ...login, keepAliveS, receiveMaximum: 1000 }));
};

for (const port of ports) open(port);
parentPort?.on('message', () => parentPort?.postMessage(received));
