import type { Server, Socket } from 'node:net';

const usualGraceMs = 2000;

/**
 * Limits the time a server needs to close: idle, half-closed and upgraded sockets would keep it open. Call the result when closing starts.
 * Sockets still open after the grace time are destroyed.
 */
export const limitClosing = (server: Server, graceMs = usualGraceMs): (() => void) => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return () => {
    setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, graceMs).unref();
  };
};
