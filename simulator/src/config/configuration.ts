import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { GatewayInternals } from '../gateway-internals.ts';
import { type Section, Sections } from '../sections.ts';
import { Bundles } from './bundles.ts';
import { FirstBoot, type Yard } from './first-boot.ts';
import { isBinding, platform } from './platform.ts';
import { seeksConsole } from './reachable-links.ts';

/** The configuration of a gateway and how it talks about it; almost nothing as long as nobody has touched it. */
export class Configuration {
  readonly #gateway: GatewayInternals;
  readonly sections: Sections;
  #bundles: Bundles | undefined;
  /** It has told how it was set up. */
  #introduced: boolean;

  /** Without a yard all is factory's. */
  constructor(gateway: GatewayInternals, yard: Yard | undefined) {
    this.#gateway = gateway;
    this.sections = new Sections(yard && new FirstBoot(gateway, yard));
    this.#introduced = yard === undefined;
  }

  /** The set on trial, by its id. */
  get trial(): string | undefined {
    return this.#bundles?.trial;
  }

  /** Whether it looks for the console where it is. */
  get seeksConsole(): boolean {
    return seeksConsole(this.sections, this.#gateway.console);
  }

  /** After the first connection; not over a link that is billed by volume, because it can wait. */
  introduce() {
    if (this.#introduced) return;
    this.#introduced = true;
    for (const name of this.sections.names) this.#gateway.say(`cfg/${name}`, this.sections.report(name), { heavy: true });
  }

  /** Says once more what it holds of these. */
  report(names: readonly string[]) {
    for (const name of names) this.#gateway.say(`cfg/${name}`, this.sections.report(name));
  }

  changeLocally(section: string, doc: JsonObject) {
    this.#gateway.say(`cfg/${section}`, this.sections.change(section, doc));
    this.#changed([section]);
  }

  /** False: it is none of its messages. */
  hear(kind: string | undefined, name: string, body: string): boolean {
    if (kind === 'set') void this.#bundlesOf().take(body);
    else if (kind === 'keep') this.#bundles?.keep(body);
    else if (kind === 'cfg') this.#take(name, body);
    else return false;
    return true;
  }

  #take(name: string, body: string) {
    const reply = this.sections.apply(name, body, this.#gateway.faults.reject);
    if (reply) this.#gateway.say(`cfg/${name}`, reply);
  }

  /** What is on trial for too long goes. */
  tick() {
    this.#bundles?.tick();
  }

  #bundlesOf(): Bundles {
    this.#bundles ??= new Bundles(this.#gateway, {
      changed: (names) => this.#changed(names),
      completed: (before) => this.#completed(before),
    });
    return this.#bundles;
  }

  /** What came from the console stays: where it binds the gateway anew, that is told. */
  #completed(before: ReadonlyMap<string, Section | undefined>) {
    const now = this.sections.doc(platform);
    if (before.has(platform) && isBinding(before.get(platform)?.doc ?? {}, now))
      this.#gateway.event('bound', { restore: now.restore_backup === true });
  }

  #changed(names: readonly string[]) {
    this.#gateway.world.reconfigure(names);
    if (!this.seeksConsole) this.#gateway.cutOff();
    // How it bills stands in its greeting.
    else if (names.includes(platform)) this.#gateway.greet();
  }
}
