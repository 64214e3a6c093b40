import { codes } from '@farlink/gateway/radius/attributes.ts';
import { encodeRequest, newAuthenticator, replySignature } from '@farlink/gateway/radius/authenticator.ts';
import { type Attribute, decodePacket, type Packet } from '@farlink/gateway/radius/packet.ts';

interface Waiting {
  readonly request: Packet;
  readonly secret: string;
  done(reply: Packet): void;
}

/** A request that can be sent more than once with the same identifier. */
export interface OpenRequest {
  readonly id: number;
  readonly bytes: Buffer;
  readonly reply: Promise<Packet>;
  close(): void;
}

/** Attributes of a request; a password is hidden with the authenticator and the secret. */
export type MakeAttributes = (authenticator: Buffer, secret: string) => readonly Attribute[];

const replies: Readonly<Record<number, readonly number[]>> = {
  [codes.accessRequest]: [codes.accessAccept, codes.accessReject, codes.accessChallenge],
  [codes.accountingRequest]: [codes.accountingResponse],
};

/** Requests in progress of one gateway. One byte of identifier limits them to 256. */
export class Requests {
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  #freeId(): number | undefined {
    for (let i = 1; i <= 256; i++) {
      const id = (this.#last + i) % 256;
      if (!this.#waiting.has(id)) return id;
    }
    return undefined;
  }

  /** Undefined: all identifiers are in use. */
  open(code: number, secret: string, make: MakeAttributes): OpenRequest | undefined {
    const id = this.#freeId();
    if (id === undefined) return undefined;
    this.#last = id;
    const authenticator = newAuthenticator();
    const bytes = encodeRequest({ code, id, authenticator, attributes: make(authenticator, secret) }, secret);
    const request = decodePacket(bytes);
    if (!request) return undefined;
    const { promise, resolve } = Promise.withResolvers<Packet>();
    this.#waiting.set(id, { request, secret, done: resolve });
    return { id, bytes, reply: promise, close: () => void this.#waiting.delete(id) };
  }

  /** Returns false for a packet that is not a proven reply to a request in progress. */
  receive(packet: Packet, bytes: Buffer): boolean {
    const entry = this.#waiting.get(packet.id);
    if (!entry || !replies[entry.request.code]?.includes(packet.code)) return false;
    const signature = replySignature(packet, bytes, entry.request, entry.secret);
    // A reply to a login must be signed (BlastRADIUS, CVE-2024-3596).
    if (signature === 'wrong' || (signature === 'missing' && entry.request.code === codes.accessRequest)) return false;
    entry.done(packet);
    return true;
  }
}
