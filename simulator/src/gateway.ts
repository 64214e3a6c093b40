import type { Random } from '@farlink/contract/kit/random.ts';
import { networkOf } from '@farlink/contract/protocol/network.ts';
import { linkClasses } from '@farlink/gateway/protocol/link.ts';
import type { Result } from '@farlink/gateway/protocol/message.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { TempReleasePurpose } from '@farlink/gateway/protocol/temp-release.ts';
import type { Accounts } from './accounts.ts';
import { Brand } from './brand.ts';
import { Configuration } from './config/configuration.ts';
import { billOf } from './config/platform.ts';
import { Connection, type ConnectionState } from './connection.ts';
import type { Containers } from './containers.ts';
import { DangerSites } from './danger-sites.ts';
import { DpiReports } from './dpi/dpi-reports.ts';
import { type Faults, noFaults } from './faults.ts';
import type { Files } from './files.ts';
import { Firmware } from './firmware.ts';
import { bootId, GatewayClock, startSeconds, waitMs } from './gateway-clock.ts';
import type { GatewayInternals, Manner, View } from './gateway-internals.ts';
import { type GatewayOptions, initialSetupOf } from './gateway-options.ts';
import { GatewayServices } from './gateway-services.ts';
import { GatewayTraffic } from './gateway-traffic.ts';
import { helloOf } from './hello.ts';
import { Keys } from './keys.ts';
import { Memory } from './memory.ts';
import { Outgoing } from './outgoing.ts';
import type { People } from './people.ts';
import type { Portal } from './portal/portal.ts';
import type { PortalServer } from './portal/portal-server.ts';
import { type LinkName, rateOf, rttOf } from './radio.ts';
import { forkOf } from './random.ts';
import { Receiver } from './receiver.ts';
import type { Sections } from './sections.ts';
import { Sender } from './sender.ts';
import type { TempReleaseResult, TempReleases } from './temp-releases.ts';
import type { Tunnels } from './tunnels.ts';
import type { Users } from './users.ts';
import { World } from './world.ts';

/** One simulated gateway. It uses only the public protocol of the console. */
export class Gateway implements GatewayInternals {
  readonly sn: string;
  readonly model: string;
  readonly random: Random;
  readonly faults: Faults;
  readonly outgoing: Outgoing;
  readonly firmware: Firmware;
  readonly keys: Keys;
  readonly world: World;
  readonly connection: Connection;
  readonly memory: Memory;
  readonly own = new GatewayTraffic();
  readonly brand = new Brand(this);
  readonly dpi = new DpiReports(this);
  readonly danger = new DangerSites(this);
  readonly configuration: Configuration;
  readonly opt: 0 | 1 | 2;
  boot: string;
  powered = true;
  readonly #o: GatewayOptions;
  readonly #clock: GatewayClock;
  readonly #services: GatewayServices;
  readonly #sender: Sender;
  #boots = 0;

  constructor(options: GatewayOptions) {
    this.#o = options;
    this.sn = options.sn;
    this.model = options.model ?? 'FG-200';
    this.faults = options.faults ?? noFaults();
    this.random = this.fork('chance');
    this.outgoing = new Outgoing(this.random, this.faults);
    this.firmware = new Firmware(this, options.version ?? '03.02.01', options.previous);
    this.keys = new Keys(options.key, (key) => options.enrolled?.(this.sn, key));
    this.#clock = new GatewayClock(this.faults, options.realMs ?? Date.now);
    this.memory = new Memory(this.now());
    this.opt = options.opt ?? 1;
    this.boot = bootId(this.#boots++);
    this.#services = new GatewayServices(this, options);
    this.#sender = new Sender(this, options.produced);
    const receiver = new Receiver(this, this.#clock);
    this.configuration = new Configuration(this, options.configured ? initialSetupOf(options) : undefined);
    this.world = new World(this, options, {
      batches: (packed) => this.#sender.batches(packed),
      flush: () => this.#sender.flush(),
      readdress: () => this.dropConnections(),
      again: (t) => this.step(t),
      idle: () => this.#services.idle(),
    });
    this.connection = new Connection(options, {
      model: this.model,
      keys: this.keys,
      faults: this.faults,
      version: () => this.firmware.version,
      hello: () => {
        this.world.reportAll();
        this.#clock.markRequest();
        return helloOf(this, options, this.#services.docker);
      },
      traffic: (up, down) => this.own.add('mqtt', up, down),
      onMessage: (topic, body) => receiver.onMessage(topic, body),
      entered: () => {
        if (this.world.hasStarted) this.#sender.status();
        this.configuration.introduce();
        this.#sender.flush();
      },
    });
  }

  get state(): ConnectionState {
    return this.connection.state;
  }
  /** Reason code of the last refusal or disconnect. */
  get refusal(): number | undefined {
    return this.connection.refusal;
  }
  /** Number of unacknowledged messages. */
  get inFlight(): number {
    return this.connection.inFlight;
  }
  get current(): LinkName | undefined {
    return this.world.current;
  }
  set current(link: LinkName | undefined) {
    this.world.current = link;
  }

  get files(): Files {
    return this.#services.files;
  }
  get containers(): Containers {
    return this.#services.containers;
  }
  get accounts(): Accounts {
    return this.#services.accounts;
  }
  get people(): People {
    return this.#services.people;
  }
  get users(): Users {
    return this.#services.users;
  }
  get tempReleases(): TempReleases {
    return this.#services.tempReleases;
  }
  get tunnels(): Tunnels {
    return this.#services.tunnels;
  }
  get portal(): Portal {
    return this.#services.portal;
  }
  get portalServer(): PortalServer {
    return this.#services.portalServer;
  }

  fork(stream: string): Random {
    return forkOf(this.#o.sn, stream, this.#o.seed);
  }

  /** Time by the clock of the gateway, which can be wrong. */
  now(): number {
    return this.#clock.now();
  }

  wait(seconds: number): Promise<void> {
    return waitMs(seconds * (this.#o.workScale ?? 0.001) * 1000);
  }

  get carriesBulk(): boolean {
    return linkClasses[networkOf(this.current)].allowsHeavy;
  }

  rate(any = false): number | undefined {
    if (!this.powered || !(any || this.carriesBulk)) return undefined;
    if (this.current === undefined) return this.state === 'online' ? rateOf('6d') : undefined;
    return rateOf(this.current);
  }

  rtt(): number {
    return rttOf(this.current);
  }

  view(): View {
    const { lanSide, radio, position } = this.world;
    return { position, links: radio.links, aps: lanSide.aps, lan: lanSide.lan, uptime: this.#clock.uptime };
  }

  requestTempRelease = (mac: string, purpose: TempReleasePurpose): TempReleaseResult => this.tempReleases.request(mac, purpose);

  event = (kind: string, more: JsonObject) => this.#sender.event(kind, more);

  changeLocally(section: string, doc: JsonObject) {
    this.configuration.changeLocally(section, doc);
  }

  reportSections(names: readonly string[], withDocuments = false) {
    this.configuration.report(names, withDocuments);
  }

  get sections(): Sections {
    return this.configuration.sections;
  }

  get bill(): 0 | 1 | 2 | 3 {
    return billOf(this.sections) ?? this.#o.bill ?? 1;
  }

  get console(): string {
    return this.#o.host;
  }

  ms(): number {
    return this.#clock.ms();
  }

  publish(tail: string, body: JsonObject | Result, how?: Manner) {
    this.#sender.publish(tail, body, how);
  }

  withdraw(tail: string) {
    this.#sender.withdraw(tail);
  }

  /** Skips these seconds at once. An expired rollback timer fires. */
  async pass(seconds: number) {
    this.#clock.skip(seconds);
    this.configuration.tick();
    this.tempReleases.step(0);
    await this.connect();
  }

  sendHello() {
    this.connection.sendHello();
  }

  dropConnections() {
    void this.connection.close(false);
    this.#services.disturb();
  }

  flushed(): Promise<void> {
    return this.state === 'online' ? this.outgoing.drained(1000) : Promise.resolve();
  }

  /** Power off and on at once. The connection and unsent status are lost; stored data is kept. */
  reboot() {
    void this.connection.close(false);
    this.#services.rebooted();
    this.boot = bootId(this.#boots++);
    this.#sender.rebooted();
    this.#clock.restarted();
    this.world.reboot(this.boot);
    this.#services.disturb();
    this.configuration.tick();
  }

  async restart() {
    await this.flushed();
    this.power('cut');
    await this.wait(startSeconds);
    this.power('on');
  }

  power(power: 'on' | 'off' | 'cut') {
    if (power !== 'on') {
      this.powered = false;
      void this.connection.close(power === 'off');
      this.#services.disturb();
    } else if (!this.powered) {
      this.powered = true;
      this.reboot();
    }
  }

  /** One step; `t` is the simulated time. */
  step(t: number) {
    if (!this.powered) return;
    this.configuration.tick();
    if (this.random.chance(this.faults.reboot)) this.reboot();
    if (this.world.step(t)) this.#sender.status();
    this.#sender.flush();
  }

  /** Tries once; false: failed. The caller backs off. */
  async connect(): Promise<boolean> {
    const hasLink = this.current !== undefined || !this.world.hasStarted;
    return this.powered && hasLink && this.configuration.seeksConsole && this.connection.connect();
  }

  reconnect() {
    const closed = this.connection.close(true);
    void closed.then(() => this.wait(3)).then(() => this.connect());
  }

  stop(clean = true) {
    this.#services.stop();
    void this.connection.close(clean);
  }
}
