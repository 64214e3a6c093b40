import { downSection } from '@farlink/gateway/protocol/message.ts';
import { digestOf, hashOf } from '@farlink/gateway/protocol/shadow.ts';
import { type JsonObject, parseJson } from '@farlink/gateway/protocol/shape.ts';

export interface Section {
  readonly rev: number;
  readonly hash: string;
  readonly doc: JsonObject;
  /** Changed at the gateway itself since the console set it. */
  readonly local?: boolean;
}

/** The configuration that a gateway holds, section by section, and what it says to each one that comes. */
export class Sections {
  readonly #held = new Map<string, Section>();

  get(name: string): Section | undefined {
    return this.#held.get(name);
  }

  get names(): string[] {
    return [...this.#held.keys()];
  }

  documents(): Record<string, JsonObject> {
    return Object.fromEntries([...this.#held].map(([name, { doc }]) => [name, doc]));
  }

  digest(): string {
    return digestOf(Object.fromEntries([...this.#held].map(([name, { hash }]) => [name, hash])));
  }

  revisions(): Record<string, number> {
    return Object.fromEntries([...this.#held].map(([name, { rev }]) => [name, rev]));
  }

  change(name: string, doc: JsonObject): JsonObject {
    const rev = this.#held.get(name)?.rev ?? 0;
    const hash = hashOf(doc);
    this.#held.set(name, { rev, hash, doc, local: true });
    return { rev, loc: true, h: hash, doc };
  }

  apply(name: string, body: string, reject: ReadonlySet<string>): JsonObject | undefined {
    const parsed = parseJson(downSection, body);
    if ('reason' in parsed) return undefined;
    const { rev, h, doc } = parsed.value;
    const held = this.#held.get(name);
    if (held && held.rev > rev) return undefined;
    const fail = (err: string) => ({ rev, ok: false, err, ...(held && { act: held.rev }) });
    const hash = hashOf(doc);
    if (hash !== h) return fail('E_HASH the document does not have the hash it came with');
    if (reject.has(name)) return fail('E_APPLY refused');
    this.#held.set(name, { rev, hash, doc });
    return { rev, ok: true, h: hash };
  }
}
