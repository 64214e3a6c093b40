import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { ServerChannel } from 'ssh2';

export interface Meter {
  up(bytes: number): void;
  down(bytes: number): void;
}

/** Write buffer limit of the tunnel socket, above which senders are paused. */
const socketMark = 1024 * 1024;

/**
 * A connection to a service behind the gateway. It counts the bytes and applies back pressure: a slow reader closes the channel window, a
 * slow gateway fills the socket, and memory stays bounded.
 */
export class ChannelStream extends Duplex {
  readonly #channel: ServerChannel;
  readonly #socket: Socket;
  readonly #meter: Meter;

  constructor(channel: ServerChannel, socket: Socket, meter: Meter) {
    super({ allowHalfOpen: false });
    this.#channel = channel;
    this.#socket = socket;
    this.#meter = meter;
    channel.on('data', (chunk: Buffer) => {
      meter.down(chunk.length);
      if (!this.push(chunk)) channel.pause();
    });
    channel.on('end', () => this.push(null));
    channel.on('error', (error: Error) => this.destroy(error));
    channel.on('close', () => {
      if (this.readableEnded) this.destroy();
      else this.once('end', () => this.destroy());
    });
    // Users add their own error listeners. This one avoids an uncaught error while the stream has no user.
    this.on('error', () => {});
  }

  /** Bytes from the gateway that have not been read yet. */
  get waiting(): number {
    return this.#channel.readableLength;
  }

  override _read() {
    this.#channel.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void) {
    this.#meter.up(chunk.length);
    if (!this.#channel.writable) return done(new Error('the connection to the device is closed'));
    this.#channel.write(chunk, () => {
      if (this.#socket.writableLength < socketMark || this.#socket.destroyed) return done();
      const free = () => {
        this.#socket.off('drain', free).off('close', free);
        done();
      };
      this.#socket.on('drain', free).on('close', free);
    });
  }

  override _final(done: () => void) {
    if (this.#channel.writable) this.#channel.end();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void) {
    this.#channel.destroy();
    done(error);
  }

  // Methods that node:http expects of a keep-alive socket.
  setKeepAlive() {
    return this;
  }

  setNoDelay() {
    return this;
  }

  setTimeout() {
    return this;
  }

  ref() {
    return this;
  }

  unref() {
    return this;
  }
}
