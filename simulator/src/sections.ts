import { factoryDocs } from '@farlink/gateway/kit/config.ts';
import { witnessRefusal, witnessSection } from '@farlink/gateway/protocol/audit-witness.ts';
import { downSection } from '@farlink/gateway/protocol/message.ts';
import { digestOf, hashOf } from '@farlink/gateway/protocol/shadow.ts';
import { type JsonObject, parseJson } from '@farlink/gateway/protocol/shape.ts';

export interface Section {
  readonly rev: number;
  readonly hash: string;
  readonly doc: JsonObject;
  /** Created or changed at the gateway itself since the console set it. */
  readonly local: boolean;
}

/** Initial configuration of a gateway, generated on request. */
export interface SetUp {
  readonly names: readonly string[];
  doc(section: string): JsonObject | undefined;
}

const hashes = new WeakMap<JsonObject, string>();
/** Many gateways share the same document. */
const knownHash = (doc: JsonObject): string => {
  const hash = hashes.get(doc) ?? hashOf(doc);
  hashes.set(doc, hash);
  return hash;
};

const nothing: SetUp = { names: [], doc: () => undefined };

/**
 * Configuration of a gateway by section. Factory documents are shared and the initial setup can be generated, so only later changes are
 * stored.
 */
export class Sections {
  readonly #first: SetUp;
  #held: Map<string, Section> | undefined;
  #untouched: string | undefined;
  /** Incremented at each change. */
  version = 0;

  constructor(first: SetUp = nothing) {
    this.#first = first;
  }

  get(name: string): Section | undefined {
    return this.#held?.get(name) ?? this.#asSetUp(name);
  }

  #asSetUp(name: string): Section | undefined {
    const doc = this.#first.doc(name);
    return (
      doc && {
        ...{ rev: 0, doc, local: true },
        get hash() {
          return knownHash(doc);
        },
      }
    );
  }

  /** The active document, including factory values. */
  doc(name: string): JsonObject {
    return this.get(name)?.doc ?? factoryDocs.get(name) ?? {};
  }

  /** Sections that differ from the factory. */
  get names(): string[] {
    return [...new Set([...this.#first.names, ...(this.#held?.keys() ?? [])])];
  }

  documents(): Record<string, JsonObject> {
    return Object.fromEntries(this.names.map((name) => [name, this.doc(name)]));
  }

  digest(): string {
    if (this.#held === undefined && this.#untouched !== undefined) return this.#untouched;
    const digest = digestOf(Object.fromEntries(this.names.map((name) => [name, this.get(name)?.hash ?? ''])));
    if (this.#held === undefined) this.#untouched = digest;
    return digest;
  }

  /** Revisions of the sections that the console has set. */
  revisions(): Record<string, number> {
    return Object.fromEntries([...(this.#held ?? [])].filter(([, { rev }]) => rev > 0).map(([name, { rev }]) => [name, rev]));
  }

  /** Stored sections, for a later rollback; undefined: initial or factory values. */
  kept(names: readonly string[]): ReadonlyMap<string, Section | undefined> {
    return new Map(names.map((name) => [name, this.#held?.get(name)]));
  }

  /** Replaces several sections at once. */
  put(changes: ReadonlyMap<string, Section | undefined>) {
    this.#held ??= new Map();
    for (const [name, section] of changes) {
      if (section) this.#held.set(name, section);
      else this.#held.delete(name);
    }
    if (this.#held.size === 0) this.#held = undefined;
    this.version++;
  }

  change(name: string, doc: JsonObject): JsonObject {
    const rev = this.get(name)?.rev ?? 0;
    this.put(new Map([[name, { rev, hash: hashOf(doc), doc, local: true }]]));
    return this.report(name);
  }

  /** Report of one section. */
  report(name: string): JsonObject {
    const { rev = 0, hash = hashOf(this.doc(name)), doc = this.doc(name), local = true } = this.get(name) ?? {};
    return local ? { rev, loc: true, h: hash, doc } : { rev, ok: true, h: hash };
  }

  /** Applies a section that was sent alone, and returns the reply. */
  apply(name: string, body: string, reject: ReadonlySet<string>): JsonObject | undefined {
    const parsed = parseJson(downSection, body);
    if ('reason' in parsed) return undefined;
    const { rev, h, doc } = parsed.value;
    const held = this.get(name);
    if (held && held.rev > rev) return undefined;
    const fail = (err: string) => ({ rev, ok: false, err, ...(held && { act: held.rev }) });
    if (factoryDocs.has(name)) return fail('E_SECTION a page of the configuration comes in a set');
    const hash = hashOf(doc);
    if (hash !== h) return fail('E_HASH the document does not have the hash it came with');
    if (reject.has(name)) return fail('E_APPLY refused');
    const refusal = name === witnessSection ? witnessRefusal(held?.doc, doc) : undefined;
    if (refusal !== undefined) return fail(refusal);
    this.put(new Map([[name, { rev, hash, doc, local: false }]]));
    return { rev, ok: true, h: hash };
  }
}
