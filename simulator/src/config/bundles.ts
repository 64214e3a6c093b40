import { type DownBundle, downBundle, downConfirm } from '@farlink/gateway/protocol/message.ts';
import { document, type JsonObject, parseJson } from '@farlink/gateway/protocol/shape.ts';
import type { GatewayInternals } from '../gateway-internals.ts';
import type { Section } from '../sections.ts';
import { fetchFragment, PermanentError, sha256Of } from './fetch-fragment.ts';
import { platform } from './platform.ts';
import { type Blame, type DesiredSection, filesNamed, validateBundle } from './validate-bundle.ts';

interface PendingRollback {
  readonly id: string;
  readonly keep: number;
  readonly since: number;
  readonly desired: ReadonlyMap<string, DesiredSection>;
  readonly before: ReadonlyMap<string, Section | undefined>;
}

export interface Listener {
  changed(sections: readonly string[]): void;
  /** A bundle is final. `before` has the sections that it replaced. */
  completed(before: ReadonlyMap<string, Section | undefined>): void;
}

type Replies = readonly (readonly [section: string, body: JsonObject])[];

const applied = (desired: ReadonlyMap<string, DesiredSection>): Replies =>
  [...desired].map(([section, { rev, h }]) => [section, { rev, ok: true, h }]);

const startSeconds = 40;
const maxReplies = 32;
const maxDocument = 20_000_000;

/**
 * Bundles of sections. Each is applied once, completely or not at all. A rollback timer restores the old sections unless the console
 * confirms.
 */
export class Bundles {
  readonly #gateway: GatewayInternals;
  readonly #listener: Listener;
  readonly #replies = new Map<string, Replies>();
  #pendingRollback: PendingRollback | undefined;
  #working: string | undefined;
  #queue: Promise<void> = Promise.resolve();

  constructor(gateway: GatewayInternals, listener: Listener) {
    this.#gateway = gateway;
    this.#listener = listener;
  }

  /** Id of the bundle that waits for confirmation. */
  get pendingId(): string | undefined {
    return this.#pendingRollback?.id;
  }

  receive(body: string): Promise<void> {
    const parsed = parseJson(downBundle, body);
    if ('reason' in parsed) return Promise.resolve();
    const { id } = parsed.value;
    const { boot } = this.#gateway;
    const known = this.#replies.get(id);
    if (known) this.#send(known);
    else if (this.#pendingRollback?.id === id) this.#reportRollback(id);
    else if (this.#working !== id) this.#queue = this.#queue.then(() => this.#carryOut(parsed.value, boot));
    return this.#queue;
  }

  /** The console confirms the bundle, so its rollback timer is cancelled. */
  confirm(body: string) {
    const parsed = parseJson(downConfirm, body);
    const id = 'value' in parsed ? parsed.value.id : '';
    const pendingRollback = this.#pendingRollback;
    if (pendingRollback?.id !== id) return this.#send(this.#replies.get(id) ?? []);
    this.#pendingRollback = undefined;
    this.#gateway.withdraw(`set/${id}`);
    this.#reply(id, applied(pendingRollback.desired));
    this.#gateway.reportSections(this.#changedHere(pendingRollback));
    this.#listener.completed(pendingRollback.before);
  }

  /** Rolls back a bundle whose timer has expired. */
  tick() {
    const pendingRollback = this.#pendingRollback;
    if (!pendingRollback || this.#gateway.ms() - pendingRollback.since < pendingRollback.keep * 1000) return;
    const err = `E_LOST rolled back after ${pendingRollback.keep} s`;
    const mended = this.#undo(pendingRollback);
    this.#reply(
      pendingRollback.id,
      [...pendingRollback.desired].map(([section, { rev }]) => [section, { rev, ok: false, err, ...this.#active(section) }]),
    );
    this.#gateway.reportSections(mended);
  }

  /** Sections of the bundle that were changed at the gateway itself after the bundle was applied. */
  #changedHere({ desired }: PendingRollback): string[] {
    return [...desired.keys()].filter((section) => this.#gateway.sections.get(section)?.local);
  }

  /**
   * Restores the previous sections. Local changes are lost too; the console has their report, so these sections are returned to report
   * again.
   */
  #undo(pendingRollback: PendingRollback): string[] {
    const { id, before } = pendingRollback;
    const mended = this.#changedHere(pendingRollback);
    this.#pendingRollback = undefined;
    this.#gateway.withdraw(`set/${id}`);
    this.#gateway.sections.replace(before);
    this.#listener.changed([...before.keys()]);
    return mended;
  }

  #active(section: string): JsonObject {
    const rev = this.#gateway.sections.get(section)?.rev;
    return rev === undefined ? {} : { act: rev };
  }

  #reportRollback(id: string) {
    this.#gateway.publish(`set/${id}`, { st: 'trial' }, { passing: true });
  }

  #send(replies: Replies) {
    for (const [section, body] of replies) this.#gateway.publish(`cfg/${section}`, body);
  }

  #reply(id: string, replies: Replies) {
    this.#replies.set(id, replies);
    const [oldest] = this.#replies.keys();
    if (this.#replies.size > maxReplies && oldest !== undefined) this.#replies.delete(oldest);
    this.#send(replies);
  }

  #refuse({ id, s }: DownBundle, { section: guilty, err }: Blame) {
    // The section at fault can be missing from the bundle if a section in the bundle refers to it.
    const others = `E_SET refused with ${guilty}`;
    const blamed = Object.hasOwn(s, guilty) ? guilty : Object.keys(s)[0];
    this.#reply(
      id,
      Object.entries(s).map(([section, { rev }]) => [
        section,
        { rev, ok: false, err: section === blamed ? err : others, ...this.#active(section) },
      ]),
    );
  }

  async #carryOut(bundle: DownBundle, boot: string) {
    const { sections } = this.#gateway;
    const isDone = this.#replies.get(bundle.id);
    if (isDone) return this.#send(isDone);
    if (this.#pendingRollback?.id === bundle.id) return this.#reportRollback(bundle.id);
    // A newer revision is already applied.
    if (Object.entries(bundle.s).some(([section, { rev }]) => (sections.get(section)?.rev ?? 0) > rev)) return;
    // After a power failure nothing is applied; the console sends the bundle again.
    const isOver = () => this.#gateway.boot !== boot || !this.#gateway.powered;
    if (isOver()) return;
    this.#working = bundle.id;
    try {
      // The console repeats the sections of an unconfirmed bundle in the next one.
      if (this.#pendingRollback) this.#gateway.reportSections(this.#undo(this.#pendingRollback));
      if (sections.doc(platform).accept_config === false) return this.#refuse(bundle, this.#unwelcome(bundle));
      const desired = await this.#gather(bundle);
      const blame = validateBundle(desired, sections, this.#gateway.faults.reject) ?? (await this.#fetchFiles(bundle, desired));
      if (blame) return isOver() ? undefined : this.#refuse(bundle, blame);
      await this.#gateway.wait(this.#gateway.faults.slowApply);
      if (!isOver()) this.#apply(bundle, desired);
    } catch (error) {
      // Without a link there is no reply; the console sends the bundle again after the next connection.
      if (!isOver() && (error instanceof PermanentError || this.#gateway.state === 'online'))
        this.#refuse(bundle, this.#unfetched(bundle, error));
    } finally {
      this.#working = undefined;
    }
  }

  #unwelcome({ s }: DownBundle): Blame {
    return { section: Object.keys(s)[0] ?? '', err: 'E_DENIED configuration from the platform is not accepted here' };
  }

  #unfetched({ s }: DownBundle, error: unknown): Blame {
    const section = Object.keys(s).find((name) => !('doc' in (s[name] ?? {}))) ?? Object.keys(s)[0] ?? '';
    return { section, err: `E_FETCH ${error instanceof Error ? error.message : String(error)}`.slice(0, 500) };
  }

  async #gather({ s }: DownBundle): Promise<ReadonlyMap<string, DesiredSection>> {
    const desired = new Map<string, DesiredSection>();
    for (const [section, one] of Object.entries(s)) {
      if ('doc' in one) desired.set(section, one);
      else {
        const body = await fetchFragment(this.#gateway, one.url, Math.min(one.n, maxDocument));
        const parsed = parseJson(document, body.toString());
        if ('reason' in parsed) throw new PermanentError(parsed.reason);
        desired.set(section, { rev: one.rev, h: one.h, doc: parsed.value });
      }
    }
    return desired;
  }

  /** Fetches missing files. The bundle is refused if a file is incomplete or has another hash. */
  async #fetchFiles({ f = {} }: DownBundle, desired: ReadonlyMap<string, DesiredSection>): Promise<Blame | undefined> {
    const { sections } = this.#gateway;
    const here = new Set(
      filesNamed(new Map(sections.names.map((name) => [name, { doc: sections.doc(name) }]))).map(({ file }) => file.sha256),
    );
    for (const { section, path, file } of filesNamed(desired)) {
      if (here.has(file.sha256)) continue;
      const url = f[file.sha256];
      const blame = (why: string): Blame => ({ section, err: `E_FILE ${section}.${path}: ${why}`.slice(0, 500) });
      if (url === undefined) return blame('the file was not sent');
      const body = await fetchFragment(this.#gateway, url, file.size);
      const isBroken = this.#gateway.faults.file === 'corrupt';
      if (isBroken || body.length !== file.size || sha256Of(body) !== file.sha256)
        return blame('the file does not match the hash in the document');
      here.add(file.sha256);
    }
    return undefined;
  }

  #apply({ id, keep, s }: DownBundle, desired: ReadonlyMap<string, DesiredSection>) {
    const gateway = this.#gateway;
    const failing = gateway.faults.applyPower;
    gateway.faults.applyPower = undefined;
    if (failing === 'before') return this.#losePower();
    const names = Object.keys(s);
    const before = gateway.sections.stored(names);
    gateway.sections.replace(new Map([...desired].map(([section, { rev, h, doc }]) => [section, { rev, hash: h, doc, local: false }])));
    if (keep > 0) this.#pendingRollback = { id, keep, since: this.#gateway.ms(), desired, before };
    if (failing === 'after') this.#losePower();
    // The link changes come first, because the reply must use a link that still works.
    this.#listener.changed(names);
    if (keep === 0) {
      this.#reply(id, applied(desired));
      return this.#listener.completed(before);
    }
    setTimeout(() => this.tick(), keep * 1000 + 20).unref();
    this.#reportRollback(id);
  }

  #losePower() {
    const gateway = this.#gateway;
    gateway.power('cut');
    void gateway.wait(startSeconds).then(() => gateway.power('on'));
  }
}
