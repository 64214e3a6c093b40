import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { Client } from 'ssh2';

export const services = { router: 80, ac: 443, antenna: 80, telnet: 23, modem: 23, acu: 23 } as const;
export type Service = keyof typeof services;
export const isService = (name: string): name is Service => Object.hasOwn(services, name);

export interface TunnelOrder {
  readonly id: string;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly token: string;
  readonly fp: string;
  readonly services: readonly Service[];
  readonly ttl: number;
  /** To a modem by SSH: the gateway logs in and forwards the terminal. */
  readonly proto?: 'telnet' | 'ssh';
}

/** Fingerprint in OpenSSH format or plain hexadecimal. */
const fits = (key: Buffer, fp: string): boolean => {
  const digest = createHash('sha256').update(key).digest();
  return (
    fp.replace(/^SHA256:/, '').replace(/=+$/, '') === digest.toString('base64').replace(/=+$/, '') ||
    fp.toLowerCase() === digest.toString('hex')
  );
};

const forward = (client: Client, service: Service) =>
  new Promise<void>((resolve, reject) => client.forwardIn(service, services[service], (error) => (error ? reject(error) : resolve())));

const patienceMs = 30_000;
const keepAliveMs = 60_000;

/** Connects a channel of a tunnel to a service; `signed`: the gateway has already logged in. */
export type ServeChannel = (service: Service, channel: Duplex, signed: boolean) => void;

/** Reverse tunnels to the console. They are closed by the console, by timeout, or when the link is lost. */
export class Tunnels {
  readonly #serve: ServeChannel;
  readonly #onTraffic: (up: number, down: number) => void;
  readonly #open = new Map<string, Client>();

  constructor(serve: ServeChannel, onTraffic: (up: number, down: number) => void) {
    this.#serve = serve;
    this.#onTraffic = onTraffic;
  }

  get ids(): string[] {
    return [...this.#open.keys()];
  }

  /** Resolves when every service is forwarded; rejects with the reason. */
  async open(order: TunnelOrder): Promise<void> {
    this.close(order.id);
    const client = new Client();
    this.#open.set(order.id, client);
    let strange = false;
    const ready = Promise.withResolvers<void>();
    client.once('ready', ready.resolve);
    client.on('error', (error) => ready.reject(strange ? new Error('the host key has another fingerprint') : error));
    client.once('close', () => {
      ready.reject(new Error('closed'));
      if (this.#open.get(order.id) === client) this.#open.delete(order.id);
    });
    client.on('tcp connection', ({ destIP }, accept, reject) => {
      if (isService(destIP) && order.services.includes(destIP)) this.#serve(destIP, accept(), order.proto === 'ssh');
      else reject();
    });
    client.connect({
      sock: this.#socket(order),
      username: order.user,
      password: order.token,
      readyTimeout: patienceMs,
      keepaliveInterval: keepAliveMs,
      hostVerifier: (key: Buffer) => {
        strange = !fits(key, order.fp);
        return !strange;
      },
    });
    try {
      await ready.promise;
      for (const service of order.services) await forward(client, service);
    } catch (error) {
      this.close(order.id);
      throw error;
    }
    const end = setTimeout(() => this.close(order.id), order.ttl * 1000).unref();
    client.once('close', () => clearTimeout(end));
  }

  /** A socket whose bytes are counted. */
  #socket({ host, port }: TunnelOrder) {
    const socket = connect({ host, port });
    let written = 0;
    const count = (received: number) => {
      this.#onTraffic(socket.bytesWritten - written, received);
      written = socket.bytesWritten;
    };
    return socket.on('data', (chunk) => count(chunk.length)).on('close', () => count(0));
  }

  close(id: string): boolean {
    const client = this.#open.get(id);
    this.#open.delete(id);
    client?.end();
    return client !== undefined;
  }

  closeAll() {
    for (const client of this.#open.values()) client.destroy();
    this.#open.clear();
  }
}
