import { linkClasses, networkOf } from '@farlink/gateway/protocol/link.ts';
import { downClock, downCommand } from '@farlink/gateway/protocol/message.ts';
import { type JsonObject, parseJson } from '@farlink/gateway/protocol/shape.ts';
import { downTail, upTopic } from '@farlink/gateway/protocol/topic.ts';
import { Commands } from './commands.ts';
import { Configuration } from './config/configuration.ts';
import { billOf } from './config/platform.ts';
import { Connection, type ConnectionState } from './connection.ts';
import type { Containers } from './containers.ts';
import { type Faults, noFaults } from './faults.ts';
import type { Files } from './files.ts';
import { Firmware } from './firmware.ts';
import { GatewayClock } from './gateway-clock.ts';
import type { GatewayInternals, Manner, View } from './gateway-internals.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { GatewayServices } from './gateway-services.ts';
import { helloOf } from './hello.ts';
import { Keys } from './keys.ts';
import { Memory } from './memory.ts';
import { Outgoing } from './outgoing.ts';
import { type LinkName, rateOf, rttOf } from './radio.ts';
import { forkOf, type Random } from './random.ts';
import type { Sections } from './sections.ts';
import type { Tunnels } from './tunnels.ts';
import type { Users } from './users.ts';
import { World } from './world.ts';

const yardOf = ({ name, sn, docker = 1, at }: GatewayOptions) => ({ name: (name ?? sn).slice(0, 25), docker, stays: at !== undefined });

const mostInFlight = 15;
const longestMs = 2 ** 31 - 1;
const startSeconds = 40;

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
  readonly configuration: Configuration;
  readonly opt: 0 | 1 | 2;
  boot: string;
  portal: JsonObject | undefined;
  powered = true;
  readonly #o: GatewayOptions;
  readonly #clock: GatewayClock;
  readonly #services: GatewayServices;
  #commands: Commands | undefined;
  #boots = 0;
  #n = 0;
  #eventN = 0;

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
    this.boot = this.#newBoot();
    this.#services = new GatewayServices(this, options);
    this.configuration = new Configuration(this, options.configured ? yardOf(options) : undefined);
    this.world = new World(this, options, {
      batches: (made) => {
        for (const { stream, seq, rows, body } of made) {
          options.made?.({ stream, boot: String(body.b), seq, rows });
          this.outgoing.keep(upTopic(this.sn, `t/${stream}`), body, { alias: true, heavy: true });
        }
      },
      readdress: () => this.cutOff(),
      again: (t) => this.step(t),
      idle: () => this.#services.idle(),
    });
    this.connection = new Connection(options, {
      model: this.model,
      keys: this.keys,
      faults: this.faults,
      version: () => this.firmware.version,
      hello: () => {
        this.world.sayAll();
        this.#clock.ask();
        return helloOf(this, options, this.#services.docker);
      },
      hear: (topic, body) => this.#hear(topic, body),
      entered: () => {
        if (this.world.begun) this.#sayStatus();
        this.configuration.introduce();
        this.#pump();
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
  get binding(): number | undefined {
    return this.connection.binding;
  }
  get connects(): number {
    return this.connection.connects;
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
  get users(): Users {
    return this.#services.users;
  }
  get tunnels(): Tunnels {
    return this.#services.tunnels;
  }

  fork(part: string): Random {
    return forkOf(this.#o.sn, part, this.#o.seed);
  }

  /** Time by the clock of the gateway, which can be wrong. */
  now(): number {
    return this.#clock.now();
  }

  async wait(seconds: number): Promise<void> {
    // `setTimeout` is limited to about 24 days.
    for (let ms = seconds * (this.#o.pace ?? 0.001) * 1000; ms >= 1; ms -= longestMs) {
      const { promise, resolve } = Promise.withResolvers<void>();
      setTimeout(resolve, Math.min(ms, longestMs)).unref();
      await promise;
    }
  }

  /** Changes at every boot. It uses the real time, because the seed would repeat the same id in the next run. */
  #newBoot(): string {
    return `${Math.floor(Date.now() / 10)
      .toString(36)
      .slice(-6)}${(this.#boots++ % 1296).toString(36).padStart(2, '0')}`;
  }

  #link() {
    return linkClasses[networkOf(this.current)];
  }

  rate(any = false): number | undefined {
    if (!this.powered || !(any || this.#link().heavy)) return undefined;
    if (this.current === undefined) return this.state === 'online' ? rateOf('6d') : undefined;
    return rateOf(this.current);
  }

  rtt(): number {
    return rttOf(this.current);
  }

  view(): View {
    const { around, radio, position } = this.world;
    return { position, links: radio.links, aps: around.aps, lan: around.lan, uptime: this.#clock.uptime };
  }

  event(k: string, more: JsonObject) {
    const id = `${this.boot}-${++this.#eventN}`;
    this.#o.made?.({ event: id });
    this.memory.keep(k, this.now(), more);
    this.outgoing.keep(upTopic(this.sn, 'e'), { id, k, t: this.now(), ...more });
    this.#pump();
  }

  changeLocally(section: string, doc: JsonObject) {
    this.configuration.changeLocally(section, doc);
  }

  reportSections(names: readonly string[]) {
    this.configuration.report(names);
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

  say(tail: string, body: JsonObject, how: Manner = {}) {
    this.outgoing.keep(upTopic(this.sn, tail), body, how);
    this.#pump();
  }

  unsay(tail: string) {
    this.outgoing.drop(upTopic(this.sn, tail));
  }

  /** Skips these seconds at once. An expired rollback timer fires. */
  async pass(seconds: number) {
    this.#clock.skip(seconds);
    this.configuration.tick();
    await this.connect();
  }

  greet() {
    this.connection.greet();
  }

  cutOff() {
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
    this.boot = this.#newBoot();
    this.#n = 0;
    this.#eventN = 0;
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

  /** `off` sends a bye message first; `cut` does not. */
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
    if (this.world.step(t)) this.#sayStatus();
    this.#pump();
  }

  setAp(name: string, up: boolean): boolean {
    return this.world.around.setAp(name, up);
  }

  #sayStatus() {
    const client = this.connection.open;
    if (!client || client.inFlight >= mostInFlight) return this.world.sayAll();
    const body = { b: this.boot, n: ++this.#n, t: this.now(), ...this.world.status() };
    void client.publish(upTopic(this.sn, 's'), JSON.stringify(body), { alias: true }).catch(() => {});
  }

  #pump() {
    const client = this.connection.open;
    if (client) this.outgoing.pump(client, this.#link().heavy);
  }

  /** Tries once; false: failed. The caller backs off. */
  async connect(): Promise<boolean> {
    const hasLink = this.current !== undefined || !this.world.begun;
    return this.powered && hasLink && this.configuration.seeksConsole && this.connection.connect();
  }

  reconnect() {
    void this.connection
      .close(true)
      .then(() => this.wait(3))
      .then(() => this.connect());
  }

  #hear(topic: string, body: string) {
    const [kind, name = ''] = downTail(this.sn, topic)?.split(/\/(.*)/s) ?? [];
    if (this.configuration.hear(kind, name, body)) return;
    if (kind === 'c') {
      const parsed = parseJson(downCommand, body);
      this.#commands ??= new Commands(this, (id, result) => {
        // Only the newest progress counts, but every chunk of text output is kept.
        this.outgoing.keep(upTopic(this.sn, `r/${id}`), result, { passing: result.st === 'run' && result.out?.n === undefined });
        this.#pump();
      });
      if ('value' in parsed) void this.#commands.take(name, parsed.value);
    } else if (kind === 'hello') this.connection.greet();
    else if (kind === 'a') {
      const parsed = parseJson(downClock, body);
      if ('value' in parsed && !this.faults.deafClock) this.#clock.set(parsed.value.t);
    }
  }

  /** A clean stop sends a bye message. */
  stop(clean = true) {
    this.#services.disturb();
    void this.connection.close(clean);
  }
}
