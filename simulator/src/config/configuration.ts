import { dpiSectionName } from '@farlink/gateway/protocol/dpi.ts';
import { portalSectionName } from '@farlink/gateway/protocol/portal.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { tempReleaseSection } from '@farlink/gateway/protocol/temp-release.ts';
import { brandSection } from '../brand.ts';
import type { GatewayInternals } from '../gateway-internals.ts';
import { type Section, Sections } from '../sections.ts';
import { Bundles } from './bundles.ts';
import { FirstBoot, type InitialSetup } from './first-boot.ts';
import { isBinding, platform } from './platform.ts';
import { seeksConsole } from './reachable-links.ts';

/** Configuration of one gateway and its messages. Factory documents are shared, so an unchanged gateway needs little memory. */
export class Configuration {
  readonly #gateway: GatewayInternals;
  readonly sections: Sections;
  #bundles: Bundles | undefined;
  /** The initial configuration has been reported. */
  #introduced: boolean;

  /** Without `setup` all sections have factory values. */
  constructor(gateway: GatewayInternals, setup: InitialSetup | undefined) {
    this.#gateway = gateway;
    this.sections = new Sections(setup && new FirstBoot(gateway, setup));
    this.#introduced = setup === undefined;
  }

  /** Id of the bundle that waits for confirmation. */
  get pendingBundleId(): string | undefined {
    return this.#bundles?.pendingId;
  }

  get seeksConsole(): boolean {
    return seeksConsole(this.sections, this.#gateway.console);
  }

  /** Reports the initial configuration once, after the first connection. It waits for a link that is not billed by volume. */
  introduce() {
    if (this.#introduced) return;
    this.#introduced = true;
    for (const name of this.sections.names) this.#gateway.publish(`cfg/${name}`, this.sections.report(name), { heavy: true });
  }

  report(names: readonly string[], withDocuments: boolean) {
    for (const name of names) this.#gateway.publish(`cfg/${name}`, withDocuments ? this.sections.read(name) : this.sections.report(name));
  }

  changeLocally(section: string, doc: JsonObject) {
    this.#gateway.publish(`cfg/${section}`, this.sections.change(section, doc));
    this.#changed([section]);
  }

  /** Returns false if the message is not about configuration. */
  onMessage(kind: string | undefined, name: string, body: string): boolean {
    if (kind === 'set') void this.#bundlesOf().receive(body);
    else if (kind === 'keep') this.#bundles?.confirm(body);
    else if (kind === 'cfg') this.#receive(name, body);
    else return false;
    return true;
  }

  #receive(name: string, body: string) {
    if (name === brandSection) {
      void this.#gateway.brand.apply(body).then((reply) => reply && this.#gateway.publish(`cfg/${name}`, reply));
      return;
    }
    if (name === portalSectionName && this.#gateway.firmware.servesPortal) return void this.#gateway.portal.receive(body);
    const reply = this.sections.apply(name, body, this.#gateway.faults.reject);
    if (reply) this.#gateway.publish(`cfg/${name}`, reply);
    if (name === dpiSectionName) this.#gateway.dpi.follow();
    if (name === tempReleaseSection) this.#gateway.tempReleases.follow();
  }

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

  /** Reports a new binding as an event. */
  #completed(before: ReadonlyMap<string, Section | undefined>) {
    const now = this.sections.doc(platform);
    if (before.has(platform) && isBinding(before.get(platform)?.doc ?? {}, now))
      this.#gateway.event('bound', { restore: now.restore_backup === true });
  }

  #changed(names: readonly string[]) {
    this.#gateway.world.reconfigure(names);
    if (!this.seeksConsole) this.#gateway.dropConnections();
    // The billing mode is part of the hello message.
    else if (names.includes(platform)) this.#gateway.sendHello();
  }
}
