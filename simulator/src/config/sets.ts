import { type DownSet, downKeep, downSet } from '@farlink/gateway/protocol/message.ts';
import { document, type JsonObject, parseJson } from '@farlink/gateway/protocol/shape.ts';
import type { Box } from '../box.ts';
import type { Section } from '../sections.ts';
import { fetchPart, Hopeless, sha256Of } from './fetch-part.ts';
import { type Blame, filesNamed, judge, type Wanted } from './judge.ts';
import { platform } from './platform.ts';

interface Trial {
  readonly id: string;
  readonly keep: number;
  readonly since: number;
  readonly wanted: ReadonlyMap<string, Wanted>;
  readonly before: ReadonlyMap<string, Section | undefined>;
}

export interface Listener {
  /** These sections are others from now on. */
  changed(sections: readonly string[]): void;
  /** A set will not be undone any more; with what was there before it. */
  settled(before: ReadonlyMap<string, Section | undefined>): void;
}

type Answers = readonly (readonly [section: string, body: JsonObject])[];

const applied = (wanted: ReadonlyMap<string, Wanted>): Answers =>
  [...wanted].map(([section, { rev, h }]) => [section, { rev, ok: true, h }]);

const startSeconds = 40;
const mostAnswers = 32;
const mostDocument = 20_000_000;

/** Sets of sections: each is applied whole or not at all, once, and what is on trial is undone unless the console is reached again. */
export class Sets {
  readonly #box: Box;
  readonly #listener: Listener;
  readonly #answers = new Map<string, Answers>();
  #trial: Trial | undefined;
  #working: string | undefined;
  #queue: Promise<void> = Promise.resolve();

  constructor(box: Box, listener: Listener) {
    this.#box = box;
    this.#listener = listener;
  }

  /** On trial, by its id. */
  get trial(): string | undefined {
    return this.#trial?.id;
  }

  take(body: string): Promise<void> {
    const parsed = parseJson(downSet, body);
    if ('reason' in parsed) return Promise.resolve();
    const { id } = parsed.value;
    const { boot } = this.#box;
    const known = this.#answers.get(id);
    if (known) this.#say(known);
    else if (this.#trial?.id === id) this.#tellTrial(id);
    else if (this.#working !== id) this.#queue = this.#queue.then(() => this.#carryOut(parsed.value, boot));
    return this.#queue;
  }

  /** The console was reached: what is on trial is final. */
  keep(body: string) {
    const parsed = parseJson(downKeep, body);
    const id = 'value' in parsed ? parsed.value.id : '';
    const trial = this.#trial;
    if (trial?.id !== id) return this.#say(this.#answers.get(id) ?? []);
    this.#trial = undefined;
    this.#box.unsay(`set/${id}`);
    this.#answer(id, applied(trial.wanted));
    this.#box.reportSections(this.#changedHere(trial));
    this.#listener.settled(trial.before);
  }

  /** Undoes what has been on trial for too long. */
  tick() {
    const trial = this.#trial;
    if (!trial || this.#box.ms() - trial.since < trial.keep * 1000) return;
    const err = `E_LOST rolled back after ${trial.keep} s`;
    const mended = this.#undo(trial);
    this.#answer(
      trial.id,
      [...trial.wanted].map(([section, { rev }]) => [section, { rev, ok: false, err, ...this.#active(section) }]),
    );
    this.#box.reportSections(mended);
  }

  /** Sections that are not as they were wanted: somebody at the gateway itself has changed them since. */
  #changedHere({ wanted }: Trial): string[] {
    return [...wanted.keys()].filter((section) => this.#box.sections.get(section)?.local);
  }

  /** Puts all of it back. What somebody changed meanwhile goes too: the console was told of it, so it is to be told again. */
  #undo(trial: Trial): string[] {
    const { id, before } = trial;
    const mended = this.#changedHere(trial);
    this.#trial = undefined;
    this.#box.unsay(`set/${id}`);
    this.#box.sections.put(before);
    this.#listener.changed([...before.keys()]);
    return mended;
  }

  #active(section: string): JsonObject {
    const rev = this.#box.sections.get(section)?.rev;
    return rev === undefined ? {} : { act: rev };
  }

  #tellTrial(id: string) {
    this.#box.say(`set/${id}`, { st: 'trial' }, { passing: true });
  }

  #say(answers: Answers) {
    for (const [section, body] of answers) this.#box.say(`cfg/${section}`, body);
  }

  #answer(id: string, answers: Answers) {
    this.#answers.set(id, answers);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > mostAnswers && oldest !== undefined) this.#answers.delete(oldest);
    this.#say(answers);
  }

  #refuse({ id, s }: DownSet, { section: guilty, err }: Blame) {
    // The guilty one may be a section that others stand by and that did not come.
    const others = `E_SET refused with ${guilty}`;
    const told = Object.hasOwn(s, guilty) ? guilty : Object.keys(s)[0];
    this.#answer(
      id,
      Object.entries(s).map(([section, { rev }]) => [
        section,
        { rev, ok: false, err: section === told ? err : others, ...this.#active(section) },
      ]),
    );
  }

  async #carryOut(set: DownSet, boot: string) {
    const { sections } = this.#box;
    const isDone = this.#answers.get(set.id);
    if (isDone) return this.#say(isDone);
    if (this.#trial?.id === set.id) return this.#tellTrial(set.id);
    // A later one was here first.
    if (Object.entries(set.s).some(([section, { rev }]) => (sections.get(section)?.rev ?? 0) > rev)) return;
    // The power failed meanwhile: nothing has happened, and the console will say it again.
    const isOver = () => this.#box.boot !== boot || !this.#box.powered;
    if (isOver()) return;
    this.#working = set.id;
    try {
      // What it was on trial with comes again with this one.
      if (this.#trial) this.#box.reportSections(this.#undo(this.#trial));
      if (sections.doc(platform).accept_config === false) return this.#refuse(set, this.#unwelcome(set));
      const wanted = await this.#gather(set);
      const blame = judge(wanted, sections, this.#box.faults.reject) ?? (await this.#fetchFiles(set, wanted));
      if (blame) return isOver() ? undefined : this.#refuse(set, blame);
      await this.#box.wait(this.#box.faults.slowApply);
      if (!isOver()) this.#apply(set, wanted);
    } catch (error) {
      // Without a link it is given up: it comes again with the next connection.
      if (!isOver() && (error instanceof Hopeless || this.#box.state === 'online')) this.#refuse(set, this.#unfetched(set, error));
    } finally {
      this.#working = undefined;
    }
  }

  #unwelcome({ s }: DownSet): Blame {
    return { section: Object.keys(s)[0] ?? '', err: 'E_DENIED configuration from the platform is not accepted here' };
  }

  #unfetched({ s }: DownSet, error: unknown): Blame {
    const section = Object.keys(s).find((name) => !('doc' in (s[name] ?? {}))) ?? Object.keys(s)[0] ?? '';
    return { section, err: `E_FETCH ${error instanceof Error ? error.message : String(error)}`.slice(0, 500) };
  }

  async #gather({ s }: DownSet): Promise<ReadonlyMap<string, Wanted>> {
    const wanted = new Map<string, Wanted>();
    for (const [section, one] of Object.entries(s)) {
      if ('doc' in one) wanted.set(section, one);
      else {
        const body = await fetchPart(this.#box, one.url, Math.min(one.n, mostDocument));
        const parsed = parseJson(document, body.toString());
        if ('reason' in parsed) throw new Hopeless(parsed.reason);
        wanted.set(section, { rev: one.rev, h: one.h, doc: parsed.value });
      }
    }
    return wanted;
  }

  /** Files that it has not: whole and with the hash that the document names, or the set is refused. */
  async #fetchFiles({ f = {} }: DownSet, wanted: ReadonlyMap<string, Wanted>): Promise<Blame | undefined> {
    const { sections } = this.#box;
    const here = new Set(
      filesNamed(new Map(sections.names.map((name) => [name, { doc: sections.doc(name) }]))).map(({ file }) => file.sha256),
    );
    for (const { section, path, file } of filesNamed(wanted)) {
      if (here.has(file.sha256)) continue;
      const url = f[file.sha256];
      const blame = (why: string): Blame => ({ section, err: `E_FILE ${section}.${path}: ${why}`.slice(0, 500) });
      if (url === undefined) return blame('the content of the file did not come');
      const body = await fetchPart(this.#box, url, file.size);
      const isBroken = this.#box.faults.file === 'corrupt';
      if (isBroken || body.length !== file.size || sha256Of(body) !== file.sha256)
        return blame('the content is not what the document names');
      here.add(file.sha256);
    }
    return undefined;
  }

  #apply({ id, keep, s }: DownSet, wanted: ReadonlyMap<string, Wanted>) {
    const box = this.#box;
    const failing = box.faults.applyPower;
    box.faults.applyPower = undefined;
    if (failing === 'before') return this.#losePower();
    const names = Object.keys(s);
    const before = box.sections.kept(names);
    box.sections.put(new Map([...wanted].map(([section, { rev, h, doc }]) => [section, { rev, hash: h, doc, local: false }])));
    if (keep > 0) this.#trial = { id, keep, since: this.#box.ms(), wanted, before };
    if (failing === 'after') this.#losePower();
    // First what it does to the links: whatever is said is said over those that it leaves.
    this.#listener.changed(names);
    if (keep === 0) {
      this.#answer(id, applied(wanted));
      return this.#listener.settled(before);
    }
    setTimeout(() => this.tick(), keep * 1000 + 20).unref();
    this.#tellTrial(id);
  }

  #losePower() {
    const box = this.#box;
    box.power('cut');
    void box.wait(startSeconds).then(() => box.power('on'));
  }
}
