import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as secured } from 'node:tls';
import { limits } from '@farlink/contract/limits.ts';
import type { Connection } from 'ssh2';
import { ChannelStream, type Meter } from './channel-stream.ts';

/** A gateway that exceeds the channel window is disconnected. */
const maxWaiting = 4 * 1024 * 1024;
const tlsPorts = [443, 8443];
const openMs = 30_000;

/** Tunnel of a gateway: connections to one service behind it. */
export class Tunnel {
  readonly service: string;
  readonly port: number;
  readonly #client: Connection;
  readonly #socket: Socket;
  readonly #streams = new Set<ChannelStream>();
  #secure: boolean | undefined;
  #closed = false;

  constructor(client: Connection, socket: Socket, service: string, port: number) {
    this.#client = client;
    this.#socket = socket;
    this.service = service;
    this.port = port;
    this.#secure = tlsPorts.includes(port) ? undefined : false;
    socket.on('data', () => {
      for (const stream of this.#streams) if (stream.waiting > maxWaiting) socket.destroy();
    });
    socket.once('close', () => {
      this.#closed = true;
      for (const stream of this.#streams) stream.destroy(new Error('the tunnel is closed'));
    });
  }

  /** Opens a plain connection to the service. */
  open(meter: Meter): Promise<ChannelStream> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(new Error('the tunnel is closed'));
      if (this.#streams.size >= limits.remoteChannels * 2) return reject(new Error('too many connections to the device'));
      let isLate = false;
      const late = setTimeout(() => {
        isLate = true;
        reject(new Error('the device did not answer'));
      }, openMs);
      this.#client.forwardOut(this.service, this.port, '127.0.0.1', 0, (error, channel) => {
        clearTimeout(late);
        if (error) return reject(error);
        if (isLate) return void channel.destroy();
        const stream = new ChannelStream(channel, this.#socket, meter);
        this.#streams.add(stream);
        stream.once('close', () => this.#streams.delete(stream));
        resolve(stream);
      });
    });
  }

  /** Opens a connection for HTTP. On HTTPS ports it tries TLS first and falls back to plain. */
  async openWeb(meter: Meter): Promise<Duplex> {
    if (this.#secure === false) return this.open(meter);
    const stream = await this.open(meter);
    try {
      const wrapped = await this.#shake(stream);
      this.#secure = true;
      return wrapped;
    } catch (error) {
      stream.destroy();
      if (this.#secure || this.#closed) throw error;
      this.#secure = false;
      return this.open(meter);
    }
  }

  /** Devices have self-signed certificates and old ciphers. The outer connection is SSH, so this is accepted. */
  #shake(stream: ChannelStream): Promise<Duplex> {
    return new Promise((resolve, reject) => {
      const socket = secured({ socket: stream, rejectUnauthorized: false, minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' });
      const late = setTimeout(() => socket.destroy(new Error('the device did not answer')), openMs);
      socket.once('secureConnect', () => {
        clearTimeout(late);
        resolve(socket);
      });
      socket.once('error', (error) => {
        clearTimeout(late);
        reject(error);
      });
      socket.once('close', () => stream.destroy());
      // Users add their own error listeners. This one avoids an uncaught error while the socket has no user.
      socket.on('error', () => {});
    });
  }

  get secure(): boolean {
    return this.#secure === true;
  }

  end() {
    if (this.#closed) return;
    this.#client.end();
    // A lost gateway does not close the connection.
    setTimeout(() => this.#socket.destroy(), 2000).unref();
  }
}
