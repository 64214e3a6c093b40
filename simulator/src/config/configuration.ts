import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { Box } from '../box.ts';
import { type Section, Sections } from '../sections.ts';
import { FirstBoot, type Yard } from './first-boot.ts';
import { isBinding, platform } from './platform.ts';
import { seeksConsole } from './reach.ts';
import { Sets } from './sets.ts';

/** The configuration of a gateway and how it talks about it; almost nothing as long as nobody has touched it. */
export class Configuration {
  readonly #box: Box;
  readonly sections: Sections;
  #sets: Sets | undefined;
  /** It has told how it was set up. */
  #introduced: boolean;

  /** Without a yard all is factory's. */
  constructor(box: Box, yard: Yard | undefined) {
    this.#box = box;
    this.sections = new Sections(yard && new FirstBoot(box, yard));
    this.#introduced = yard === undefined;
  }

  /** The set on trial, by its id. */
  get trial(): string | undefined {
    return this.#sets?.trial;
  }

  /** Whether it looks for the console where it is. */
  get seeksConsole(): boolean {
    return seeksConsole(this.sections, this.#box.console);
  }

  /** After the first connection; not over a link that is billed by volume, because it can wait. */
  introduce() {
    if (this.#introduced) return;
    this.#introduced = true;
    for (const name of this.sections.names) this.#box.say(`cfg/${name}`, this.sections.report(name), { heavy: true });
  }

  /** Says once more what it holds of these. */
  report(names: readonly string[]) {
    for (const name of names) this.#box.say(`cfg/${name}`, this.sections.report(name));
  }

  changeLocally(section: string, doc: JsonObject) {
    this.#box.say(`cfg/${section}`, this.sections.change(section, doc));
    this.#changed([section]);
  }

  /** False: it is none of its messages. */
  hear(kind: string | undefined, name: string, body: string): boolean {
    if (kind === 'set') void this.#setsOf().take(body);
    else if (kind === 'keep') this.#sets?.keep(body);
    else if (kind === 'cfg') this.#take(name, body);
    else return false;
    return true;
  }

  #take(name: string, body: string) {
    const answer = this.sections.apply(name, body, this.#box.faults.reject);
    if (answer) this.#box.say(`cfg/${name}`, answer);
  }

  /** What is on trial for too long goes. */
  tick() {
    this.#sets?.tick();
  }

  #setsOf(): Sets {
    this.#sets ??= new Sets(this.#box, { changed: (names) => this.#changed(names), settled: (before) => this.#settled(before) });
    return this.#sets;
  }

  /** What came from the console stays: where it binds the gateway anew, that is told. */
  #settled(before: ReadonlyMap<string, Section | undefined>) {
    const now = this.sections.doc(platform);
    if (before.has(platform) && isBinding(before.get(platform)?.doc ?? {}, now))
      this.#box.event('bound', { restore: now.restore_backup === true });
  }

  #changed(names: readonly string[]) {
    this.#box.world.reconfigure(names);
    if (!this.seeksConsole) this.#box.cutOff();
    // How it bills stands in its greeting.
    else if (names.includes(platform)) this.#box.greet();
  }
}
