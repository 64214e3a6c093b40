import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Packet } from 'mqtt-packet';
import { type Version, writePacket } from './codec.ts';

/** Write buffer limit. A client that does not read is disconnected. */
const maxUnsent = 1_048_576;
const lingerMs = 2000;

/** Write side of a connection, and flow control of its read side. */
export class Wire {
  version: Version = 5;
  readonly #socket: Socket;
  readonly #failed: (error: unknown) => void;
  #isPaused = false;

  /** `failed` is called when a packet could not be written. The connection then ends. */
  constructor(socket: Socket, failed: (error: unknown) => void) {
    this.#socket = socket;
    this.#failed = failed;
    socket.setNoDelay(true);
  }

  get address(): string {
    return this.#socket.remoteAddress ?? '';
  }

  /** Common name of the client certificate, if one was requested and its issuer is trusted. */
  get certified(): string | undefined {
    if (!(this.#socket instanceof TLSSocket) || !this.#socket.authorized) return undefined;
    const name = this.#socket.getPeerCertificate().subject?.CN;
    return typeof name === 'string' ? name : undefined;
  }

  pause() {
    if (!this.#isPaused) this.#socket.pause();
    this.#isPaused = true;
  }

  release() {
    if (this.#isPaused) this.#socket.resume();
    this.#isPaused = false;
  }

  send(packet: Packet) {
    let bytes: Buffer;
    try {
      bytes = writePacket(this.version, packet);
    } catch (error) {
      this.#failed(error);
      return void this.#socket.destroy();
    }
    this.write(bytes);
  }

  write(bytes: Buffer) {
    if (this.#socket.writableLength > maxUnsent) this.#socket.destroy();
    else if (this.#socket.writable) this.#socket.write(bytes);
  }

  /** Reads and drops remaining input for a moment: closing a socket with unread bytes would discard the last packets sent. */
  hangUp() {
    this.#socket.end();
    this.#socket.resume();
    const timer = setTimeout(() => this.#socket.destroy(), lingerMs).unref();
    this.#socket.once('close', () => clearTimeout(timer));
  }
}
