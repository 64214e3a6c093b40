import { networkOf } from '@farlink/contract/protocol/network.ts';
import { linkClasses } from '@farlink/gateway/protocol/link.ts';
import { AuditReports } from './audit/audit-reports.ts';
import type { DangerSites } from './danger-sites.ts';
import { Fences } from './fences.ts';
import type { Firmware } from './firmware.ts';
import type { GatewayCore } from './gateway-core.ts';
import { LanSide } from './lan-side.ts';
import { LinkOrders } from './link-orders.ts';
import type { People } from './people.ts';
import { type ChangeMode, type LinkLock, type LinkName, Radio, type RadioOptions, rateOf } from './radio.ts';
import { type LatLon, type Position, Route, type RouteOptions } from './route.ts';
import { type Load, type PackedBatch, Sampler } from './sampler.ts';
import type { Sections } from './sections.ts';
import { StatusReporter } from './status-reporter.ts';
import type { TempReleases } from './temp-releases.ts';
import { TrafficCount } from './traffic-count.ts';
import type { Users } from './users.ts';
import { rainAt } from './weather.ts';

export interface WorldOptions extends RouteOptions, RadioOptions {
  readonly seed: number;
  /** Speed of the simulated time. Reports have the real time. */
  readonly speed?: number;
  /** Seconds of past track that are reported at the first connection. */
  readonly past?: number;
  /** Accounts that can log in here; without any there are no sessions. */
  readonly accounts?: readonly string[];
  /** Passwords of the people on board by account. Without one, a person does not log in to a stored account. */
  readonly passwords?: Readonly<Record<string, string>>;
  /** Rows of audit data a minute, while users are online; 0: none. */
  readonly audit?: number;
}

interface WorldGateway
  extends Pick<GatewayCore, 'sn' | 'boot' | 'random' | 'fork' | 'now' | 'wait' | 'event' | 'flushed' | 'own' | 'faults'> {
  readonly sections: Sections;
  readonly firmware: Firmware;
  readonly users: Users;
  readonly people: People;
  readonly tempReleases: TempReleases;
  readonly danger: DangerSites;
}

/** Callbacks of the world to its gateway. */
export interface WorldCallbacks {
  batches(packed: readonly PackedBatch[]): void;
  /** Sends queued messages. */
  flush(): void;
  /** A new link has a new address, so all connections break. */
  readdress(): void;
  /** Repeats the step after a manual change. */
  again(t: number): void;
  /** Called once per step, for the services of the gateway. */
  idle(): void;
}

const usualStep = 60;

/** Environment of one gateway: position, links, users, and attached equipment. */
export class World {
  readonly #gateway: WorldGateway;
  readonly #o: WorldOptions;
  readonly #callbacks: WorldCallbacks;
  readonly #route: Route;
  readonly #fences: Fences;
  readonly #sampler: Sampler;
  readonly #reporter = new StatusReporter();
  readonly #traffic: TrafficCount;
  readonly #orders: LinkOrders;
  readonly radio: Radio;
  readonly lanSide: LanSide;
  readonly audit: AuditReports;
  current: LinkName | undefined;
  #position: Position | undefined;
  #load: Load = { cpu: 10, mem: 40 };
  #lastStep: number | undefined;
  #lastStatus: number | undefined;

  constructor(gateway: WorldGateway, options: WorldOptions, callbacks: WorldCallbacks) {
    this.#gateway = gateway;
    this.#o = options;
    this.#callbacks = callbacks;
    this.#route = new Route(gateway.fork('voyage'), options);
    this.radio = new Radio(gateway.fork('radio'), options);
    this.lanSide = new LanSide(gateway.sn, gateway.fork('surroundings'), (kind, more) => gateway.event(kind, more));
    this.#fences = new Fences(gateway.sections);
    this.#orders = new LinkOrders(gateway, this.radio, this.#fences);
    this.#traffic = new TrafficCount(gateway);
    this.#sampler = new Sampler(gateway.random, gateway.boot, options.speed ?? 1);
    this.audit = new AuditReports(gateway, options.audit);
  }

  /** The first step is done, so there is a status to report. */
  get hasStarted(): boolean {
    return this.#position !== undefined;
  }

  get position(): Position {
    return this.#position ?? this.#route.at(this.#gateway.now());
  }

  /** Position a number of real seconds ago. */
  positionBefore(seconds: number): Position {
    return this.#route.at((this.#lastStep ?? this.#gateway.now()) - seconds * (this.#o.speed ?? 1));
  }

  get load(): Load {
    return this.#load;
  }

  /** Bytes of each link since the start. */
  bytesOf(link: LinkName): { readonly u: number; readonly d: number } {
    return this.#traffic.totals.get(link) ?? { u: 0, d: 0 };
  }

  /** Switches a link off or on. */
  silence(link: LinkName, off: boolean) {
    this.radio.silence(link, off);
    void this.#afterReply(() => this.#again());
  }

  get fences(): readonly string[] {
    return this.#fences.inside;
  }

  reboot(boot: string) {
    this.#callbacks.batches([...this.#sampler.reboot(boot), ...this.audit.reboot(boot)]);
  }

  /** One step; `t` is the simulated time. Returns true if a status is due. */
  step(t: number): boolean {
    const seconds = this.#lastStep === undefined || t <= this.#lastStep ? usualStep : Math.min(t - this.#lastStep, 3600);
    this.#lastStep = t;
    if (!this.hasStarted && this.#o.past !== undefined)
      this.#callbacks.batches(this.#sampler.recall(this.#o.past, this.#gateway.now(), (ago) => this.positionBefore(ago)));
    this.#position = this.#route.at(t);
    this.#watch(this.#position, t);
    this.#gateway.users.enforce();
    this.#gateway.tempReleases.step(this.#o.calm ? 0 : seconds);
    this.#gateway.danger.step(this.#o.calm ? 0 : seconds);
    if (!this.#o.calm) this.#live(this.#position, seconds, t);
    this.#measure(this.#position, seconds);
    const since = this.#lastStatus === undefined ? Number.POSITIVE_INFINITY : t - this.#lastStatus;
    const due = this.#reporter.isFullDue || since >= linkClasses[networkOf(this.current)].statusInterval - 1 || since < 0;
    if (due) this.#lastStatus = t;
    return due;
  }

  /** Repeats the last step at once. */
  #again() {
    this.#lastStatus = undefined;
    this.#callbacks.again(this.#lastStep ?? this.#gateway.now());
  }

  /** Moves the gateway; undefined: back to its route. */
  goTo(position: LatLon | undefined) {
    this.#route.goTo(position);
    this.#again();
  }

  /** Forces a link regardless of weather; `none`: no link; undefined: automatic. */
  force(link: LinkName | 'none' | undefined) {
    this.radio.force(link);
    this.#again();
  }

  lockTo(lock: LinkLock, mode: ChangeMode | undefined) {
    this.#orders.lock(lock, mode);
    void this.#afterReply(() => this.#position && this.#watch(this.#position, this.#lastStep ?? 0));
  }

  /** Applies changed sections to links, lock and mode at once. */
  reconfigure(changed: readonly string[]) {
    if (this.#orders.reconfigure(changed) && this.hasStarted) this.#again();
  }

  /** Returns false if the link is not up. */
  switchTo(link: LinkName, why = 'command'): boolean {
    if (!this.radio.choose(link)) return false;
    void this.#afterReply(() => this.#use(link, why));
    return true;
  }

  /** Waits until the reply is sent, because the next step can cut the connection. */
  async #afterReply(act: () => void) {
    await this.#gateway.wait(2);
    await this.#gateway.flushed();
    act();
  }

  /** Links and fences. */
  #watch(position: Position, t: number) {
    this.#orders.release();
    const rain = this.#o.calm ? 0 : rainAt(position.lat, position.lon, t, this.#o.seed);
    const { current, why } = this.radio.step(position, rain);
    this.#use(current, why);
    const lat = Number(position.lat.toFixed(5));
    const lon = Number(position.lon.toFixed(5));
    for (const crossing of this.#fences.check(position, this.#gateway.now())) this.#gateway.event('fence', { ...crossing, lat, lon });
    this.#orders.obey();
  }

  #use(link: LinkName | undefined, why: string) {
    const was = this.current;
    if (was !== link) this.#gateway.own.assign(was);
    this.current = link;
    if (was === link || was === undefined) return;
    this.#gateway.event('link', { from: was, to: link ?? 'none', why, mode: this.radio.mode });
    this.#callbacks.readdress();
  }

  /** Users, access points, ports and containers. */
  #live(position: Position, seconds: number, t: number) {
    const { people, users } = this.#gateway;
    people.live((((t / 3600 + position.lon / 15) % 24) + 24) % 24);
    const { online } = users;
    for (let at = 0; at < seconds; at += usualStep) this.lanSide.step(online);
    if (this.current !== undefined) this.audit.browse(users.sessions, seconds / (this.#o.speed ?? 1));
    this.#callbacks.idle();
  }

  #measure(position: Position, seconds: number) {
    const { current } = this;
    const { users } = this.#gateway;
    users.browse(seconds, current === undefined ? 0 : rateOf(current));
    const { load: every } = this.#gateway.sections.get('report')?.doc ?? {};
    this.#sampler.every = typeof every === 'number' && every >= 1 && every <= 3600 ? every : usualStep;
    const { report_interval: apart } = this.#gateway.sections.get('satellite_route_position')?.doc ?? {};
    this.#sampler.posEvery = typeof apart === 'number' ? apart : usualStep;
    const { load, batches } = this.#sampler.sample({
      t: this.#gateway.now(),
      seconds,
      position,
      users: users.online,
      traffic: this.#traffic.take(current),
    });
    this.#load = load;
    this.#callbacks.batches([...batches, ...this.audit.step()]);
  }

  /** Reports traffic and audit data until now at once. */
  reportTraffic() {
    this.#sampler.count(this.#gateway.now(), this.#traffic.take(this.current));
    this.#callbacks.batches([...this.#sampler.packNow(), ...this.audit.packNow()]);
    this.#callbacks.flush();
  }

  /** The console may have missed a message, so the next status is complete. */
  reportAll() {
    this.#reporter.reportAll();
  }

  status() {
    const { lan, aps } = this.lanSide;
    const { position, current } = this;
    const users = this.#gateway.users.online;
    const t = this.#lastStep ?? this.#gateway.now();
    return this.#reporter.report({
      t,
      position,
      links: this.radio.links,
      bytes: this.#traffic.totals,
      load: this.#load,
      users,
      current,
      lan,
      aps,
    });
  }
}
