import { pipeline } from 'node:stream';
import type { WebSocket as BrowserSocket } from '@fastify/websocket';
import { createWebSocketStream, WebSocket } from 'ws';
import { forwardedHeader } from '../../kit/process/forward.ts';
import type { Peer } from '../../kit/process/peers.ts';

const [connectMs, pingMs] = [5000, 30_000];

/** The process that holds the tunnel sees only this connection, so a browser that is gone is found here. */
const endSilent = (browser: BrowserSocket) => {
  let isAnswered = true;
  const ping = setInterval(() => {
    if (!isAnswered) return browser.terminate();
    isAnswered = false;
    browser.ping();
  }, pingMs);
  browser.on('pong', () => {
    isAnswered = true;
  });
  browser.once('close', () => clearInterval(ping));
};

/** Passes a terminal to the process that holds its tunnel, with the first message. Frames keep their kind: text or binary. */
export const passOnTerminal = ({ host, port }: Peer, browser: BrowserSocket, first: Buffer): void => {
  const name = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const other = new WebSocket(`ws://${name}/agt/terminal`, {
    origin: `http://${name}`,
    headers: { [forwardedHeader]: '1' },
    handshakeTimeout: connectMs,
    perMessageDeflate: false,
  });
  // A text frame stays a string on its way.
  const frames = { readableObjectMode: true, decodeStrings: false };
  const [near, far] = [createWebSocketStream(browser, frames), createWebSocketStream(other, frames)];
  endSilent(browser);
  other.once('open', () => other.send(first, { binary: false }));
  pipeline(near, far, () => other.terminate());
  pipeline(far, near, (error) => error && browser.terminate());
};
