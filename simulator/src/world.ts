import { linkClasses, networkOf } from '@farlink/gateway/protocol/link.ts';
import type { Box, ChangeMode, LinkLock } from './box.ts';
import { Fences } from './fences.ts';
import { LinkOrders } from './link-orders.ts';
import { type LinkName, Radio, type RadioOptions, rateOf } from './radio.ts';
import { type Load, type Made, Sampler } from './sampler.ts';
import { Surroundings } from './surroundings.ts';
import { Teller } from './teller.ts';
import { type Place, type Position, Voyage, type VoyageOptions } from './voyage.ts';
import { rainAt } from './weather.ts';

export interface WorldOptions extends VoyageOptions, RadioOptions {
  readonly seed: number;
  /** How much faster than ours its world runs; what it reports is stamped with our time. */
  readonly speed?: number;
  /** Seconds of the way behind it that it tells when it first comes. */
  readonly past?: number;
  /** Subscribers who may sign in here; without any nobody does. */
  readonly accounts?: readonly string[];
}

/** What the world makes its gateway do. */
export interface Moves {
  batches(made: readonly Made[]): void;
  /** Another link is another address: no connection survives it. */
  readdress(): void;
  /** The same moment once more: something was changed by hand. */
  again(t: number): void;
  /** A minute in which whatever runs inside may do something. */
  idle(): void;
}

const usualStep = 60;

/** Everything around one gateway: where it is, which links it has, who uses it, what hangs on it. */
export class World {
  readonly #box: Box;
  readonly #o: WorldOptions;
  readonly #moves: Moves;
  readonly #voyage: Voyage;
  readonly #fences: Fences;
  readonly #sampler: Sampler;
  readonly #teller = new Teller();
  readonly #bytes = new Map<LinkName, { u: number; d: number }>();
  readonly #orders: LinkOrders;
  readonly radio: Radio;
  readonly around: Surroundings;
  current: LinkName | undefined;
  #position: Position | undefined;
  #load: Load = { cpu: 10, mem: 40 };
  #lastStep: number | undefined;
  #lastStatus: number | undefined;

  constructor(box: Box, options: WorldOptions, moves: Moves) {
    this.#box = box;
    this.#o = options;
    this.#moves = moves;
    this.#voyage = new Voyage(box.fork('voyage'), options);
    this.radio = new Radio(box.fork('radio'), options);
    this.around = new Surroundings(box.sn, box.fork('surroundings'), (kind, more) => box.event(kind, more));
    this.#fences = new Fences(box.sections);
    this.#orders = new LinkOrders(box, this.radio, this.#fences);
    this.#sampler = new Sampler(box.random, box.boot, options.speed ?? 1);
  }

  /** Its first step is done: there is something to tell. */
  get begun(): boolean {
    return this.#position !== undefined;
  }

  get position(): Position {
    return this.#position ?? this.#voyage.at(this.#box.now());
  }

  /** Where it was, so many seconds of ours ago. */
  positionBefore(seconds: number): Position {
    return this.#voyage.at((this.#lastStep ?? this.#box.now()) - seconds * (this.#o.speed ?? 1));
  }

  get load(): Load {
    return this.#load;
  }

  /** What each link has carried since the power came on for the first time. */
  bytesOf(link: LinkName): { readonly u: number; readonly d: number } {
    return this.#bytes.get(link) ?? { u: 0, d: 0 };
  }

  /** Takes a radio off the air, or lets it come back. */
  silence(link: LinkName, off: boolean) {
    this.radio.silence(link, off);
    void this.#soon(() => this.#again());
  }

  get fences(): readonly string[] {
    return this.#fences.inside;
  }

  reboot(boot: string) {
    this.#moves.batches(this.#sampler.reboot(boot));
  }

  /** One step of the day; `t` is the time of the simulated world. True: a status is due. */
  step(t: number): boolean {
    const seconds = this.#lastStep === undefined || t <= this.#lastStep ? usualStep : Math.min(t - this.#lastStep, 3600);
    this.#lastStep = t;
    if (!this.begun && this.#o.past !== undefined)
      this.#moves.batches(this.#sampler.recall(this.#o.past, this.#box.now(), (ago) => this.positionBefore(ago)));
    this.#position = this.#voyage.at(t);
    this.#watch(this.#position, t);
    if (!this.#o.calm) this.#live(this.#position, seconds, t);
    this.#measure(this.#position, seconds);
    const since = this.#lastStatus === undefined ? Number.POSITIVE_INFINITY : t - this.#lastStatus;
    const due = this.#teller.wantsAll || since >= linkClasses[networkOf(this.current)].statusEvery - 1 || since < 0;
    if (due) this.#lastStatus = t;
    return due;
  }

  /** Looks again at once, as if no time had passed. */
  #again() {
    this.#lastStatus = undefined;
    this.#moves.again(this.#lastStep ?? this.#box.now());
  }

  /** Sends it to a place; undefined: back on its way. */
  goTo(place: Place | undefined) {
    this.#voyage.goTo(place);
    this.#again();
  }

  /** The link that it shall have, whatever the weather; `none`: no link at all; undefined: as it comes. */
  force(link: LinkName | 'none' | undefined) {
    this.radio.force(link);
    this.#again();
  }

  lockTo(lock: LinkLock, mode: ChangeMode | undefined) {
    this.#orders.lock(lock, mode);
    void this.#soon(() => this.#position && this.#watch(this.#position, this.#lastStep ?? 0));
  }

  /** These sections are others now: links, lock and mode follow them at once. */
  reconfigure(changed: readonly string[]) {
    if (this.#orders.reconfigure(changed) && this.begun) this.#again();
  }

  /** False: it is not usable now. */
  switchTo(link: LinkName, why = 'command'): boolean {
    if (!this.radio.choose(link)) return false;
    void this.#soon(() => this.#use(link, why));
    return true;
  }

  /** After the answer has left: what comes next may cut the connection. */
  async #soon(act: () => void) {
    await this.#box.wait(2);
    await this.#box.said();
    act();
  }

  /** Links and fences. */
  #watch(position: Position, t: number) {
    this.#orders.release();
    const rain = this.#o.calm ? 0 : rainAt(position.lat, position.lon, t, this.#o.seed);
    const { current, why } = this.radio.step(position, rain);
    this.#use(current, why);
    const [lat, lon] = [Number(position.lat.toFixed(5)), Number(position.lon.toFixed(5))];
    for (const crossing of this.#fences.check(position, this.#box.now())) this.#box.event('fence', { ...crossing, lat, lon });
    this.#orders.obey();
  }

  #use(link: LinkName | undefined, why: string) {
    const was = this.current;
    this.current = link;
    if (was === link || was === undefined) return;
    this.#box.event('link', { from: was, to: link ?? 'none', why, mode: this.radio.mode });
    this.#moves.readdress();
  }

  /** Users, access points, ports and containers. */
  #live(position: Position, seconds: number, t: number) {
    const { accounts = [] } = this.#o;
    if (accounts.length > 0) this.#box.users.live((((t / 3600 + position.lon / 15) % 24) + 24) % 24);
    const online = accounts.length > 0 ? this.#box.users.online : 0;
    for (let at = 0; at < seconds; at += usualStep) this.around.step(online);
    this.#moves.idle();
  }

  #measure(position: Position, seconds: number) {
    const { current } = this;
    const { users } = this.#box;
    const used = users.browse(seconds, current === undefined ? 0 : rateOf(current));
    const { random } = this.#box;
    // Its own talk with the console.
    const bytes = { u: used.u + random.int(300, 3000), d: used.d + random.int(100, 1000) };
    if (current) {
      const was = this.#bytes.get(current) ?? { u: 0, d: 0 };
      this.#bytes.set(current, { u: was.u + bytes.u, d: was.d + bytes.d });
    }
    const { load: every } = this.#box.sections.get('report')?.doc ?? {};
    this.#sampler.every = typeof every === 'number' && every >= 1 && every <= 3600 ? every : usualStep;
    const { report_interval: apart } = this.#box.sections.get('satellite_route_position')?.doc ?? {};
    this.#sampler.posEvery = typeof apart === 'number' ? apart : usualStep;
    const flows = users.takeFlows();
    const { load, made } = this.#sampler.sample({
      t: this.#box.now(),
      seconds,
      position,
      link: current,
      bytes,
      users: users.online,
      flows,
    });
    this.#load = load;
    this.#moves.batches(made);
  }

  /** The console may have missed something: all is to be said. */
  sayAll() {
    this.#teller.sayAll();
  }

  status() {
    const { lan, aps } = this.around;
    const { position, current } = this;
    const users = this.#box.users.online;
    const t = this.#lastStep ?? this.#box.now();
    return this.#teller.tell({ t, position, links: this.radio.links, bytes: this.#bytes, load: this.#load, users, current, lan, aps });
  }
}
