import { codes } from '@farlink/gateway/radius/attributes.ts';
import { encodeReply, requestSignature } from '@farlink/gateway/radius/authenticator.ts';
import type { Packet } from '@farlink/gateway/radius/packet.ts';
import { attribute, textOf } from '@farlink/gateway/radius/values.ts';
import type { Session } from '../session.ts';
import { changedGrant } from './grant.ts';

export interface RadiusSessions {
  all(): readonly Session[];
  /** The console ends a session. */
  kick(sid: string): void;
  /** The limits of a session changed. */
  changed(session: Session): void;
}

/** Error-Cause of RFC 5176: the session does not exist. */
const unknownSession = 503;
/** Replies that are kept for repeated requests. */
const maxReplies = 64;

/** Disconnect-Request and CoA-Request of RFC 5176. */
export class DynamicAuthorization {
  readonly #sessions: RadiusSessions;
  readonly #replies = new Map<string, Buffer>();

  constructor(sessions: RadiusSessions) {
    this.#sessions = sessions;
  }

  /** Undefined: the request is not proven by this secret. */
  reply(packet: Packet, bytes: Buffer, secret: string): Buffer | undefined {
    if (requestSignature(packet, bytes, secret) !== 'valid') return undefined;
    const key = `${packet.code} ${packet.id} ${packet.authenticator.toString('hex')}`;
    const known = this.#replies.get(key);
    if (known) return known;
    const reply = encodeReply(this.#obey(packet), packet, secret);
    this.#replies.set(key, reply);
    const [oldest] = this.#replies.keys();
    if (this.#replies.size > maxReplies && oldest !== undefined) this.#replies.delete(oldest);
    return reply;
  }

  #obey(packet: Packet) {
    const isDisconnect = packet.code === codes.disconnectRequest;
    const session = this.#find(packet);
    if (!session?.grant)
      return { code: isDisconnect ? codes.disconnectNak : codes.coaNak, attributes: [attribute('Error-Cause', unknownSession)] };
    if (isDisconnect) this.#sessions.kick(session.sid);
    else {
      session.grant = changedGrant(session.grant, packet);
      this.#sessions.changed(session);
    }
    return { code: isDisconnect ? codes.disconnectAck : codes.coaAck, attributes: [] };
  }

  /** All given attributes must fit (RFC 5176 3). */
  #find(packet: Packet): Session | undefined {
    const sid = textOf(packet, 'Acct-Session-Id');
    const acc = textOf(packet, 'User-Name');
    if (sid === undefined && acc === undefined) return undefined;
    return this.#sessions.all().find((s) => s.grant && (sid === undefined || s.sid === sid) && (acc === undefined || s.acc === acc));
  }
}
