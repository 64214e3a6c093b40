import { isRecord } from '@farlink/contract/kit/values.ts';
import type { WebSocket } from '@fastify/websocket';
import type { Deps } from '../../kit/deps.ts';
import type { ChannelStream } from '../channel-stream.ts';
import type { Hub } from '../hub.ts';
import type { RemoteSession } from '../session.ts';
import { Charset } from './charset.ts';
import { Recording } from './recording.ts';
import { draftPath } from './store-recording.ts';
import { Telnet } from './telnet.ts';

export interface Size {
  readonly cols: number;
  readonly rows: number;
}

/** Limits of unsent browser data at which the device is paused and resumed. */
const high = 512 * 1024;
const low = 128 * 1024;
const pingMs = 30_000;

const isCount = (n: unknown): n is number => typeof n === 'number' && Number.isInteger(n) && n >= 1 && n <= 1000;

export const readSize = (message: object): Size | undefined =>
  'cols' in message && 'rows' in message && isCount(message.cols) && isCount(message.rows)
    ? { cols: message.cols, rows: message.rows }
    : undefined;

/** One terminal over a web socket: binary frames are keys and screen, text frames are status messages. */
export class Terminal {
  readonly #deps: Deps;
  readonly #hub: Hub;
  readonly #session: RemoteSession;
  readonly #socket: WebSocket;
  #size: Size;
  readonly #charset: Charset;
  #stream: ChannelStream | undefined;
  #telnet: Telnet | undefined;
  #recording: Recording | undefined;
  #hasStarted = false;
  #unsent = 0;
  #hasPonged = true;

  constructor(deps: Deps, hub: Hub, session: RemoteSession, socket: WebSocket, size: Size) {
    this.#deps = deps;
    this.#hub = hub;
    this.#session = session;
    this.#socket = socket;
    this.#size = size;
    this.#charset = new Charset(session.facts.encoding);
  }

  run() {
    const socket = this.#socket;
    const unwatch = this.#session.watch(() => this.#follow());
    const ping = setInterval(() => {
      if (!this.#hasPonged) return socket.terminate();
      this.#hasPonged = false;
      socket.ping();
    }, pingMs);
    socket.on('pong', () => {
      this.#hasPonged = true;
    });
    socket.on('message', (data, isBinary) => this.#onMessage(Buffer.isBuffer(data) ? data : Buffer.alloc(0), isBinary));
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      clearInterval(ping);
      unwatch();
      void this.#hub.end(this.#session, 'closed');
    });
    this.#follow();
  }

  #sendState(state: 'opening' | 'open' | 'ended') {
    const { ended } = this.#session;
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.send(JSON.stringify({ state, ...(ended && { reason: ended.reason, message: ended.message }) }));
  }

  #follow() {
    const { state } = this.#session;
    if (state === 'ended') {
      this.#sendState('ended');
      this.#socket.close(1000);
    } else if (state === 'opening') this.#sendState('opening');
    else if (!this.#hasStarted) {
      this.#hasStarted = true;
      this.#start().catch((error: Error) => void this.#hub.end(this.#session, 'refused', error.message));
    }
  }

  async #start() {
    const session = this.#session;
    const { id, device_name, sn } = session.facts;
    const head = { ...this.#size, now: this.#deps.clock.now(), title: `${device_name} (${sn})` };
    const failed = (error: Error) => void this.#hub.end(session, 'record', error.message);
    const recording = await Recording.open(draftPath(this.#deps.config, id), head, failed);
    session.beforeCompletion(async () => {
      await recording.finish();
    });
    const stream = await session.tunnel?.open(session.meter);
    if (!stream || session.ended) return stream?.destroy();
    this.#recording = recording;
    this.#telnet = new Telnet(this.#size.cols, this.#size.rows);
    this.#stream = stream;
    stream.on('data', (chunk: Buffer) => this.#fromDevice(stream, chunk));
    stream.on('error', () => {});
    stream.on('close', () => void this.#hub.end(session, 'finished'));
    stream.on('end', () => stream.destroy());
    this.#sendState('open');
  }

  #fromDevice(stream: ChannelStream, chunk: Buffer) {
    const input = this.#telnet?.receive(chunk);
    if (!input) return;
    if (input.reply.length > 0) stream.write(input.reply);
    this.#show(this.#charset.shown(input.shown));
  }

  #show(bytes: Buffer) {
    if (bytes.length === 0) return;
    this.#recording?.shown(bytes);
    this.#unsent += bytes.length;
    if (this.#unsent > high) this.#stream?.pause();
    this.#socket.send(bytes, () => {
      this.#unsent -= bytes.length;
      if (this.#unsent < low && this.#stream?.isPaused()) this.#stream.resume();
    });
  }

  #onMessage(data: Buffer, isBinary: boolean) {
    if (isBinary) return this.#type(data);
    const message = parseObject(data);
    const size = message && readSize(message);
    if (!size) return;
    this.#size = size;
    const command = this.#telnet?.resize(size.cols, size.rows);
    if (command && command.length > 0) this.#stream?.write(command);
    this.#recording?.resized(size.cols, size.rows);
  }

  #type(keys: Buffer) {
    if (this.#session.facts.read_only) return;
    const stream = this.#stream;
    const typed = this.#telnet?.type(this.#charset.typed(keys));
    if (!stream || !typed) return;
    this.#show(this.#charset.shown(typed.shown));
    if (stream.write(typed.sent)) return;
    this.#socket.pause();
    stream.once('drain', () => this.#socket.resume());
  }
}

export const parseObject = (data: Buffer): object | undefined => {
  try {
    const message: unknown = JSON.parse(data.toString());
    return isRecord(message) ? message : undefined;
  } catch {
    return undefined;
  }
};
