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
  #stored: Map<string, Section> | undefined;
  #untouched: string | undefined;
  /** Incremented at each change. */
  version = 0;

  constructor(first: SetUp = nothing) {
    this.#first = first;
  }

  get(name: string): Section | undefined {
    return this.#stored?.get(name) ?? this.#asSetUp(name);
  }

  #asSetUp(name: string): Section | undefined {
    const doc = this.#first.doc(name);
    return (
      doc && {
        rev: 0,
        doc,
        local: true,
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
    return [...new Set([...this.#first.names, ...(this.#stored?.keys() ?? [])])];
  }

  documents(): Record<string, JsonObject> {
    return Object.fromEntries(this.names.map((name) => [name, this.doc(name)]));
  }

  digest(): string {
    if (this.#stored === undefined && this.#untouched !== undefined) return this.#untouched;
    const digest = digestOf(Object.fromEntries(this.names.map((name) => [name, this.get(name)?.hash ?? ''])));
    if (this.#stored === undefined) this.#untouched = digest;
    return digest;
  }

  /** Revisions of the sections that the console has set. */
  revisions(): Record<string, number> {
    return Object.fromEntries([...(this.#stored ?? [])].filter(([, { rev }]) => rev > 0).map(([name, { rev }]) => [name, rev]));
  }

  /** Stored sections, for a later rollback; undefined: initial or factory values. */
  stored(names: readonly string[]): ReadonlyMap<string, Section | undefined> {
    return new Map(names.map((name) => [name, this.#stored?.get(name)]));
  }

  /** Replaces several sections at once. */
  replace(changes: ReadonlyMap<string, Section | undefined>) {
    this.#stored ??= new Map();
    for (const [name, section] of changes) {
      if (section) this.#stored.set(name, section);
      else this.#stored.delete(name);
    }
    if (this.#stored.size === 0) this.#stored = undefined;
    this.version++;
  }

  change(name: string, doc: JsonObject): JsonObject {
    const rev = this.get(name)?.rev ?? 0;
    this.replace(new Map([[name, { rev, hash: hashOf(doc), doc, local: true }]]));
    return this.report(name);
  }

  /** Report of one section. */
  report(name: string): JsonObject {
    const { rev = 0, hash = hashOf(this.doc(name)), doc = this.doc(name), local = true } = this.get(name) ?? {};
    return local ? { rev, loc: true, h: hash, doc } : { rev, ok: true, h: hash };
  }

  /** Report of one section with its document. Sections of the gateway itself have none: they contain verifiers and keys. */
  read(name: string): JsonObject {
    if (!factoryDocs.has(name)) return this.report(name);
    const { rev = 0, hash = hashOf(this.doc(name)), doc = this.doc(name) } = this.get(name) ?? {};
    return { rev, loc: true, h: hash, doc };
  }

  /** Applies a section that was sent alone, and returns the reply. */
  apply(name: string, body: string, reject: ReadonlySet<string>): JsonObject | undefined {
    const parsed = parseJson(downSection, body);
    if ('reason' in parsed) return undefined;
    const { rev, h, doc } = parsed.value;
    const current = this.get(name);
    if (current && current.rev > rev) return undefined;
    const fail = (err: string) => ({ rev, ok: false, err, ...(current && { act: current.rev }) });
    if (factoryDocs.has(name)) return fail('E_SECTION configuration pages are sent in bundles');
    const hash = hashOf(doc);
    if (hash !== h) return fail('E_HASH the document does not match its hash');
    if (reject.has(name)) return fail('E_APPLY refused');
    const refusal = name === witnessSection ? witnessRefusal(current?.doc, doc) : undefined;
    if (refusal !== undefined) return fail(refusal);
    this.replace(new Map([[name, { rev, hash, doc, local: false }]]));
    return { rev, ok: true, h: hash };
  }
}
