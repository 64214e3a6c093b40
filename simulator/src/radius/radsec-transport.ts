import { connect, type TLSSocket } from 'node:tls';
import { codes } from '@farlink/gateway/radius/attributes.ts';
import { decodePacket } from '@farlink/gateway/radius/packet.ts';
import { packetReader } from '@farlink/gateway/radius/packet-reader.ts';
import type { RadiusAccess } from './access.ts';
import type { OpenRequest } from './requests.ts';
import type { PacketReceiver, Transport } from './transport.ts';

/** RFC 9813: PSK with forward secrecy. */
const ciphers = 'TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256:ECDHE-PSK-CHACHA20-POLY1305';
const handshakeMs = 10_000;

/** RadSec with PSK: one connection that opens on demand. */
export class RadsecTransport implements Transport {
  /** RFC 6614: inside TLS the secret is this word. */
  readonly secret = 'radsec';
  readonly #access: RadiusAccess;
  readonly #receiver: PacketReceiver;
  #socket: TLSSocket | undefined;
  #opening: Promise<boolean> | undefined;
  /** Requests on the open connection. TCP repeats them, so they are not sent twice on it. */
  #sent = new WeakSet<OpenRequest>();

  constructor(access: RadiusAccess, receiver: PacketReceiver) {
    this.#access = access;
    this.#receiver = receiver;
  }

  async send(request: OpenRequest): Promise<void> {
    if (!(await this.#open()) || !this.#socket || this.#sent.has(request)) return;
    this.#sent.add(request);
    this.#write(this.#socket, request.bytes);
  }

  listen() {
    void this.#open();
  }

  close() {
    this.#socket?.destroy();
    this.#socket = undefined;
    this.#opening = undefined;
  }

  #write(socket: TLSSocket, bytes: Buffer) {
    if (!socket.writable) return;
    socket.write(bytes);
    this.#receiver.traffic(bytes.length, 0);
  }

  #open(): Promise<boolean> {
    this.#opening ??= this.#connect();
    return this.#opening;
  }

  #connect(): Promise<boolean> {
    const { host, radsec: port = 0, id, secret } = this.#access;
    const socket = connect({
      host,
      port,
      ciphers,
      minVersion: 'TLSv1.2' as const,
      pskCallback: () => ({ identity: id, psk: Buffer.from(secret) }),
      // The PSK proves the console. There is no certificate.
      checkServerIdentity: () => undefined,
    });
    this.#socket = socket;
    this.#sent = new WeakSet();
    const timer = setTimeout(() => socket.destroy(), handshakeMs).unref();
    socket.on('error', () => {});
    const read = packetReader((bytes) => this.#take(socket, bytes));
    socket.on('data', (chunk: Buffer) => read(chunk) || socket.destroy());
    return new Promise((opened) => {
      socket.once('secureConnect', () => {
        clearTimeout(timer);
        opened(true);
      });
      socket.once('close', () => {
        clearTimeout(timer);
        if (this.#socket === socket) this.close();
        opened(false);
      });
    });
  }

  #take(socket: TLSSocket, bytes: Buffer) {
    this.#receiver.traffic(0, bytes.length);
    const packet = decodePacket(bytes);
    if (!packet) return;
    if (packet.code !== codes.disconnectRequest && packet.code !== codes.coaRequest) return void this.#receiver.onReply(packet, bytes);
    const reply = this.#receiver.onRequest(packet, bytes);
    if (reply) this.#write(socket, reply);
  }
}
