import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Packet } from 'mqtt-packet';
import { type Version, writePacket } from './codec.ts';

/** A reader that does not read is let go. */
const mostUnread = 1_048_576;
const lingerMs = 2000;

/** The writing side of a connection, and its reading side as a tap that can be shut. */
export class Wire {
  version: Version = 5;
  readonly #socket: Socket;
  readonly #failed: (error: unknown) => void;
  #isPaused = false;

  /** `failed`: a packet could not be written, so its connection ends. */
  constructor(socket: Socket, failed: (error: unknown) => void) {
    this.#socket = socket;
    this.#failed = failed;
    socket.setNoDelay(true);
  }

  get address(): string {
    return this.#socket.remoteAddress ?? '';
  }

  /** The name in the certificate of the other side, where one was asked for and its issuer is trusted. */
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
    if (this.#socket.writableLength > mostUnread) this.#socket.destroy();
    else if (this.#socket.writable) this.#socket.write(bytes);
  }

  /** What still comes is read and dropped for a moment: a socket that is closed on unread bytes takes its last words with it. */
  hangUp() {
    this.#socket.end();
    this.#socket.resume();
    const timer = setTimeout(() => this.#socket.destroy(), lingerMs).unref();
    this.#socket.once('close', () => clearTimeout(timer));
  }
}
