import { pipeline } from 'node:stream';
import type { WebSocket as BrowserSocket } from '@fastify/websocket';
import { createWebSocketStream, WebSocket } from 'ws';
import { forwardedHeader } from '../../kit/process/forward.ts';
import type { Peer } from '../../kit/process/peers.ts';

const connectMs = 5000;
const pingMs = 30_000;

/** The process that holds the tunnel sees only this connection, so a lost browser is detected here. */
const endSilent = (browser: BrowserSocket) => {
  let hasPonged = true;
  const ping = setInterval(() => {
    if (!hasPonged) return browser.terminate();
    hasPonged = false;
    browser.ping();
  }, pingMs);
  browser.on('pong', () => {
    hasPonged = true;
  });
  browser.once('close', () => clearInterval(ping));
};

/** Forwards a terminal to the process that holds its tunnel, with the first message. Frames keep their kind: text or binary. */
export const forwardTerminal = ({ host, port }: Peer, browser: BrowserSocket, first: Buffer): void => {
  const name = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const other = new WebSocket(`ws://${name}/agt/terminal`, {
    origin: `http://${name}`,
    headers: { [forwardedHeader]: '1' },
    handshakeTimeout: connectMs,
    perMessageDeflate: false,
  });
  // Text frames are forwarded as strings.
  const frames = { readableObjectMode: true, decodeStrings: false };
  const near = createWebSocketStream(browser, frames);
  const far = createWebSocketStream(other, frames);
  endSilent(browser);
  other.once('open', () => other.send(first, { binary: false }));
  pipeline(near, far, () => other.terminate());
  pipeline(far, near, (error) => error && browser.terminate());
};
