import { protocolLimits } from '@farlink/gateway/protocol/limits.ts';
import { linkClasses, networkOf } from '@farlink/gateway/protocol/link.ts';
import { downClock, downCommand } from '@farlink/gateway/protocol/message.ts';
import { type JsonObject, parseJson } from '@farlink/gateway/protocol/shape.ts';
import type { StreamName } from '@farlink/gateway/protocol/stream.ts';
import { downTail, downTopic, upTopic } from '@farlink/gateway/protocol/topic.ts';
import { Client, Closed } from './client.ts';
import { Commands } from './commands.ts';
import { enrolAt } from './enrol.ts';
import { type Faults, noFaults } from './faults.ts';
import { Outgoing } from './outgoing.ts';
import { type LinkName, type LinkNow, radioOf } from './radio.ts';
import { randomOf, seedOf } from './random.ts';
import { type Made, Sampler } from './sampler.ts';
import { Sections } from './sections.ts';
import { Teller } from './teller.ts';
import { type Position, voyageOf } from './voyage.ts';

export interface GatewayOptions {
  readonly sn: string;
  readonly host: string;
  readonly port: number;
  readonly tls?: boolean;
  readonly seed: number;
  /** The device key; without one the gateway asks for it with its merchant code. */
  key?: string;
  readonly code?: string;
  readonly faults?: Faults;
  /** Hears of everything that must arrive: what the console has in the end can be compared with it. */
  readonly made?: (what: { event: string } | { stream: StreamName; boot: string; seq: number; rows: number }) => void;
  readonly enrolled?: (sn: string, key: string) => void;
  /** How much faster than ours its world runs; what it reports is stamped with our time. */
  readonly speed?: number;
  /** Real milliseconds; a test may own them. */
  readonly realMs?: () => number;
}

export type GatewayState = 'off' | 'connecting' | 'online';

const model = 'FG-200';
const batchEvery = 5;
const mostInFlight = protocolLimits.inFlight - 1;

/** One gateway: a plain client of the protocol, without a door of its own into the console. */
export class Gateway {
  readonly sn: string;
  readonly outgoing: Outgoing;
  readonly sections = new Sections();
  readonly faults: Faults;
  readonly #o: GatewayOptions;
  readonly #random;
  readonly #voyage;
  readonly #radio;
  readonly #sampler: Sampler;
  readonly #commands: Commands;
  readonly #teller: Teller;
  readonly #started: number;
  state: GatewayState = 'off';
  boot: string;
  version = '03.02.01';
  /** The reason why the console did not let it in or let it go. */
  refusal: number | undefined;
  binding: number | undefined;
  current: LinkName | undefined;
  connects = 0;
  #client: Client | undefined;
  #clock: number;
  #boots = 0;
  #n = 0;
  #eventN = 0;
  #users: number;

  constructor(options: GatewayOptions) {
    this.#o = options;
    this.sn = options.sn;
    this.faults = options.faults ?? noFaults();
    this.#random = randomOf(seedOf(options.sn, options.seed));
    this.#voyage = voyageOf(this.#random);
    this.#radio = radioOf(this.#random);
    this.outgoing = new Outgoing(this.#random, this.faults);
    this.#clock = this.faults.skew;
    this.#started = this.#realMs();
    this.boot = this.#newBoot();
    this.#sampler = new Sampler(this.#random, this.boot);
    this.#teller = new Teller(this.#random);
    this.#users = this.#random.int(2, 40);
    this.#commands = new Commands({
      random: this.#random,
      now: () => this.now(),
      rtt: () => this.#radio.rtt(),
      has: this.#radio.has,
      lock: (link) => {
        this.#radio.lock(link);
        this.event('lock', { lock: link ?? 'unlocked' });
      },
      section: (name) => this.sections.get(name),
      answer: (id, result) => {
        this.outgoing.keep(upTopic(this.sn, `r/${id}`), result);
        this.#pump();
      },
      reboot: (then) => {
        // The acknowledgement should leave before the power does.
        setTimeout(() => {
          this.reboot();
          then();
        }, 50);
      },
    });
  }

  #realMs() {
    return this.#o.realMs?.() ?? Date.now();
  }

  /** By its own clock, which may be wrong. */
  now(): number {
    return Math.floor(this.#realMs() / 1000) + this.#clock;
  }

  /** New after every loss of power; by the machine's time, because the seed would give the same one again in the next run. */
  #newBoot(): string {
    return `${Math.floor(Date.now() / 10)
      .toString(36)
      .slice(-6)}${(this.#boots++ % 1296).toString(36).padStart(2, '0')}`;
  }

  /** Seconds between two steps on the link that it has. */
  get stepS(): number {
    return linkClasses[networkOf(this.current)].statusEvery;
  }

  get #sampleS(): number {
    return Math.max(1, Math.round(this.stepS / (this.#o.speed ?? 1)));
  }

  /** Messages that the console has not yet answered. */
  get inFlight(): number {
    return this.#client?.inFlight ?? 0;
  }

  #topic(tail: string) {
    return upTopic(this.sn, tail);
  }

  event(k: string, more: JsonObject) {
    const id = `${this.boot}-${++this.#eventN}`;
    this.#o.made?.({ event: id });
    this.outgoing.keep(this.#topic('e'), { id, k, t: this.now(), ...more });
    this.#pump();
  }

  /** Somebody at the gateway itself changes a section. */
  changeLocally(section: string, doc: JsonObject) {
    this.#report(section, this.sections.change(section, doc));
  }

  #report(section: string, report: JsonObject | undefined) {
    if (!report) return;
    this.outgoing.keep(this.#topic(`cfg/${section}`), report);
    this.#pump();
  }

  /** Power off and on: connection and unsent status are gone, what is kept is not. */
  reboot() {
    this.#client?.destroy();
    this.boot = this.#newBoot();
    this.#n = 0;
    this.#eventN = 0;
    this.#keepBatches(this.#sampler.reboot(this.boot, this.#sampleS));
  }

  #keepBatches(made: readonly Made[]) {
    for (const { stream, seq, rows, body } of made) {
      this.#o.made?.({ stream, boot: String(body.b), seq, rows });
      this.outgoing.keep(this.#topic(`t/${stream}`), body, { alias: true, heavy: true });
    }
  }

  /** One step of the day: where it is, which links it has, what it measures. `t` is the time of the simulated world. */
  step(t: number) {
    if (this.#random.chance(this.faults.reboot)) this.reboot();
    const position = this.#voyage(t);
    const was = this.current;
    const { links, current } = this.#radio.step(position);
    this.current = current;
    if (was !== current && was !== undefined) {
      this.event('link', { from: was, to: current ?? 'none', why: current === undefined ? 'lost' : 'quality' });
      // Another link is another address: the connection does not survive it.
      this.#client?.destroy();
    }
    this.#users = Math.max(0, this.#users + this.#random.int(-2, 2));
    const load = this.#sampler.sample(this.now(), position, current, this.#users);
    if (this.#sampler.size >= batchEvery) this.#keepBatches(this.#sampler.pack(this.#sampleS));
    if (this.state === 'online') this.#sayStatus(position, links, load);
    this.#pump();
  }

  #sayStatus(position: Position, links: readonly LinkNow[], load: { cpu: number; mem: number }) {
    const client = this.#client;
    if (!client || client.inFlight >= mostInFlight) return this.#teller.sayAll();
    const said = this.#teller.tell({ position, links, load, users: this.#users, current: this.current });
    const body = { b: this.boot, n: ++this.#n, t: this.now(), ...said };
    void client.publish(this.#topic('s'), JSON.stringify(body), { alias: true }).catch(() => {});
  }

  #pump() {
    if (this.state === 'online' && this.#client) this.outgoing.pump(this.#client, linkClasses[networkOf(this.current)].heavy);
  }

  /** Tries once; false: not now. Whoever calls waits longer each time. */
  async connect(): Promise<boolean> {
    if (this.state !== 'off') return true;
    this.state = 'connecting';
    try {
      if (this.#o.key === undefined && !(await this.#enrol())) return false;
      return await this.#open();
    } catch (error) {
      if (error instanceof Closed) return false;
      throw error;
    } finally {
      if (this.state === 'connecting') this.state = 'off';
    }
  }

  async #enrol(): Promise<boolean> {
    const { host, port, tls, code = '' } = this.#o;
    const answer = await enrolAt({ host, port, tls, sn: this.sn, code, hw: `hw-${this.sn}`, model, fw: this.version });
    this.refusal = answer.refusal;
    this.binding = answer.st;
    if (answer.key === undefined) return false;
    this.#o.key = answer.key;
    this.#o.enrolled?.(this.sn, answer.key);
    return true;
  }

  async #open(): Promise<boolean> {
    const { host, port, tls, key: password = '' } = this.#o;
    const client = new Client({
      ...{ host, port, tls, password, clientId: this.sn, username: this.sn },
      will: { topic: this.#topic('bye'), payload: '{"r":"lost"}', delay: protocolLimits.willDelay },
      onMessage: (topic, body) => this.#hear(topic, body),
      onClose: (reason) => {
        if (this.#client !== client) return;
        this.#client = undefined;
        this.state = 'off';
        this.refusal = reason;
      },
    });
    this.#client = client;
    const connack = await client.connect();
    this.refusal = connack.reasonCode || undefined;
    if (connack.reasonCode !== 0) {
      client.destroy();
      return false;
    }
    this.connects++;
    await client.subscribe(downTopic(this.sn, '#'));
    const hello = {
      boot: this.boot,
      fw: this.version,
      model,
      t: this.now(),
      h: this.sections.digest(),
      cfg: this.sections.revisions(),
      caps: ['transfer'],
      docker: 0,
      up: Math.floor((this.#realMs() - this.#started) / 1000),
      hw: `hw-${this.sn}`,
      ...(this.current && { link: this.current }),
    };
    this.#teller.sayAll();
    await client.publish(this.#topic('hello'), JSON.stringify(hello));
    this.state = 'online';
    this.#pump();
    return true;
  }

  #hear(topic: string, body: string) {
    const [kind, name = ''] = downTail(this.sn, topic)?.split(/\/(.*)/s) ?? [];
    if (kind === 'cfg') this.#report(name, this.sections.apply(name, body, this.faults.reject));
    else if (kind === 'c') {
      const parsed = parseJson(downCommand, body);
      if ('value' in parsed) this.#commands.take(name, parsed.value);
    } else if (kind === 'a') {
      const parsed = parseJson(downClock, body);
      if ('value' in parsed && !this.faults.deafClock) this.#clock = parsed.value.t - Math.floor(this.#realMs() / 1000);
    }
  }

  /** A farewell, or none. */
  stop(clean = true) {
    if (clean) this.#client?.disconnect();
    else this.#client?.destroy();
  }
}
