import type { LoginRefusal } from '@farlink/gateway/protocol/account.ts';
import { codes, statusTypes } from '@farlink/gateway/radius/attributes.ts';
import type { Attribute, Packet } from '@farlink/gateway/radius/packet.ts';
import { hidePassword } from '@farlink/gateway/radius/password.ts';
import { attribute, textOf } from '@farlink/gateway/radius/values.ts';
import type { EndReason } from '../end-reason.ts';
import type { GatewayCore } from '../gateway-core.ts';
import type { Sections } from '../sections.ts';
import type { Session } from '../session.ts';
import { type RadiusAccess, radiusAccess } from './access.ts';
import { AccountingQueue, type AccountingRecord } from './accounting-queue.ts';
import { causeAttribute, counterAttributes, sessionAttributes, type Terminal, terminalAttributes } from './attributes.ts';
import { DynamicAuthorization, type RadiusSessions } from './dynamic-authorization.ts';
import { type Grant, grantOf } from './grant.ts';
import { RadsecTransport } from './radsec-transport.ts';
import { rejectReasonOf } from './reject-reason.ts';
import { type MakeAttributes, type OpenRequest, Requests } from './requests.ts';
import type { PacketReceiver, Transport } from './transport.ts';
import { UdpTransport } from './udp-transport.ts';

export interface RadiusGateway extends Pick<GatewayCore, 'boot' | 'now' | 'own' | 'current'> {
  readonly sections: Sections;
  readonly console: string;
  readonly powered: boolean;
  ms(): number;
}

/** A login by RADIUS. `hasReply` is false without a reply of the console. */
export type RadiusResult = { readonly grant: Grant } | { readonly why: LoginRefusal; readonly hasReply: boolean };

/** A request is sent this many times; the gaps grow. */
const tries = 3;
const usualRetryMs = 2000;
const longestPassword = 128;

const within = <T>(promise: Promise<T>, ms: number): Promise<T | undefined> => {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), ms).unref();
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
};

/** RADIUS client of one gateway: logins, accounting and requests of the console. */
export class RadiusClient {
  readonly #gateway: RadiusGateway;
  readonly #sessions: RadiusSessions;
  readonly #retryMs: number;
  readonly #requests = new Requests();
  readonly #queue: AccountingQueue;
  readonly #dynamic: DynamicAuthorization;
  readonly #receiver: PacketReceiver;
  /** Time of the last record of each session. */
  readonly #recorded = new Map<string, number>();
  #open: { readonly key: string; readonly transport: Transport } | undefined;
  /** Boot that Accounting-On has announced. */
  #announced: string | undefined;

  constructor(gateway: RadiusGateway, sessions: RadiusSessions, retryMs = usualRetryMs) {
    this.#gateway = gateway;
    this.#sessions = sessions;
    this.#retryMs = retryMs;
    this.#queue = new AccountingQueue((record) => this.#report(record));
    this.#dynamic = new DynamicAuthorization(sessions);
    this.#receiver = {
      onReply: (packet, bytes) => this.#requests.receive(packet, bytes),
      onRequest: (packet, bytes) => this.#open && this.#dynamic.reply(packet, bytes, this.#open.transport.secret),
      traffic: (up, down) => gateway.own.add('radius', up, down),
    };
  }

  /** Undefined: the console has not sent the section. */
  get #access(): RadiusAccess | undefined {
    return radiusAccess(this.#gateway.sections, this.#gateway.console);
  }

  get isReady(): boolean {
    return this.#access !== undefined;
  }

  /** Records that the console has not confirmed. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** The path for the current section. Undefined: no section, power or link. */
  #path(): { readonly access: RadiusAccess; readonly transport: Transport } | undefined {
    const access = this.#access;
    const { powered, current } = this.#gateway;
    if (!access || !powered || current === undefined) return undefined;
    const key = JSON.stringify(access);
    if (this.#open?.key !== key) {
      this.disturb();
      const Path = access.radsec === undefined ? UdpTransport : RadsecTransport;
      this.#open = { key, transport: new Path(access, this.#receiver) };
    }
    return this.#open && { access, transport: this.#open.transport };
  }

  /** Asks the console. Undefined: no answer. */
  async #request(code: number, make: (access: RadiusAccess) => MakeAttributes): Promise<Packet | undefined> {
    const path = this.#path();
    const request = path && this.#requests.open(code, path.transport.secret, make(path.access));
    if (!request) return undefined;
    try {
      return await this.#exchange(request, code === codes.accountingRequest);
    } finally {
      request.close();
    }
  }

  async #exchange(request: OpenRequest, isAccounting: boolean): Promise<Packet | undefined> {
    for (let n = 1; n <= tries; n++) {
      // A new link or section replaces the path.
      const transport = this.#path()?.transport;
      await transport?.send(request, isAccounting);
      const reply = await within(request.reply, this.#retryMs * n);
      if (reply) return reply;
    }
    return undefined;
  }

  /** Access-Request with PAP. */
  async login(terminal: Terminal, password: string): Promise<RadiusResult> {
    // RFC 2865 5.2: RADIUS cannot carry a longer one.
    if (Buffer.byteLength(password) > longestPassword) return { why: 'wrong_password', hasReply: false };
    // Accounting-On after the login would end its reservation.
    if (this.#announce()) await within(this.#queue.pump(), this.#retryMs);
    const reply = await this.#request(codes.accessRequest, ({ id }) => (authenticator, secret) => [
      attribute('NAS-Identifier', id),
      ...terminalAttributes(terminal),
      attribute('User-Password', hidePassword(password, authenticator, secret)),
      attribute('Event-Timestamp', this.#gateway.now()),
    ]);
    if (reply?.code === codes.accessAccept) return { grant: grantOf(reply) };
    return { why: rejectReasonOf(reply && textOf(reply, 'Reply-Message')), hasReply: reply !== undefined };
  }

  /** Sends a record. Its time is right even if the clock was set since. */
  async #report({ status, ms, attributes }: AccountingRecord): Promise<boolean> {
    const reply = await this.#request(codes.accountingRequest, ({ id }) => () => {
      const delay = Math.max(0, Math.floor((this.#gateway.ms() - ms) / 1000));
      return [
        attribute('Acct-Status-Type', statusTypes[status]),
        attribute('NAS-Identifier', id),
        ...attributes,
        attribute('Acct-Delay-Time', delay),
        attribute('Event-Timestamp', Math.max(0, this.#gateway.now() - delay)),
      ];
    });
    return reply !== undefined;
  }

  #add(status: AccountingRecord['status'], sid: string, attributes: readonly Attribute[], ago = 0) {
    const now = this.#gateway.ms();
    this.#queue.add({ status, sid, ms: now - ago * 1000, attributes });
    this.#recorded.set(sid, now);
    if (this.#path()) void this.#queue.pump();
  }

  /** Accounting-On once per boot, before the first session. */
  #announce(): boolean {
    if (this.#announced === this.#gateway.boot) return false;
    this.#announced = this.#gateway.boot;
    this.#add('on', '', []);
    return true;
  }

  started(session: Session) {
    this.#add('start', session.sid, sessionAttributes(session));
  }

  /** The session ended `ago` seconds before now, at the age of `seconds`. */
  stopped(session: Session, why: EndReason, { seconds, ago }: { readonly seconds: number; readonly ago: number }) {
    this.#add('stop', session.sid, [...sessionAttributes(session), ...counterAttributes(session, seconds), causeAttribute(why)], ago);
    this.#recorded.delete(session.sid);
  }

  /** An interim update now. `seconds` is the age of the session. */
  report(session: Session, seconds: number) {
    this.#add('interim', session.sid, [...sessionAttributes(session), ...counterAttributes(session, seconds)]);
  }

  /** Interim updates that are due, waiting records, and the connection for requests of the console. */
  step(secondsOf: (session: Session) => number) {
    const path = this.#path();
    if (!path) return;
    this.#announce();
    const now = this.#gateway.ms();
    const sessions = this.#sessions.all().filter(({ grant }) => grant);
    for (const session of sessions) {
      const every = session.grant?.interim ?? path.access.interval;
      if (now - (this.#recorded.get(session.sid) ?? 0) >= every * 1000) this.report(session, secondsOf(session));
    }
    if (sessions.length > 0) path.transport.listen();
    void this.#queue.pump();
  }

  /** Closes the path, as after a change of the link. */
  disturb() {
    this.#open?.transport.close();
    this.#open = undefined;
  }
}
