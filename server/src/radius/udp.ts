import { createSocket, type Socket } from 'node:dgram';
import type { Pipeline } from './pipeline.ts';

/** An IPv4 address in an IPv6 socket has this prefix. */
export const plainAddress = (address: string) => address.replace(/^::ffff:/, '');

export interface UdpListener {
  readonly port: number;
  close(): Promise<void>;
}

/** Receive buffer for bursts while the event loop is busy. */
const receiveBytes = 4 * 1024 ** 2;

const bind = (socket: Socket, port: number, host: string) =>
  new Promise<number>((bound, failed) => {
    socket.once('error', failed);
    socket.bind({ port, address: host }, () => {
      socket.off('error', failed);
      bound(socket.address().port);
    });
  });

/** Opens one port. Rejects if it is in use. */
export const openUdp = async (
  pipeline: Pipeline,
  { host, port, accepts }: { readonly host: string; readonly port: number; readonly accepts: 'access' | 'accounting' },
): Promise<UdpListener> => {
  const socket = createSocket({ type: host.includes(':') ? 'udp6' : 'udp4', recvBufferSize: receiveBytes });
  const opened = await bind(socket, port, host);
  let isOpen = true;
  socket.on('error', () => {});
  socket.on('message', (bytes, { address, port: from }) => {
    const send = (reply: Buffer) => {
      if (isOpen) socket.send(reply, from, address, () => {});
    };
    pipeline.receive(bytes, { address: plainAddress(address), accepts, send });
  });
  return {
    port: opened,
    close: () =>
      new Promise((closed) => {
        isOpen = false;
        socket.close(() => closed());
      }),
  };
};
