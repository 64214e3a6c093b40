import type { Text } from '@farlink/contract/kit/text.ts';
import type { JsonObject } from '../protocol/shape.ts';

/** Something that cannot stand, and where: `rows[2].start`. */
export interface Problem {
  readonly path: string;
  readonly text: Text;
}

/** A problem somewhere in a whole configuration. */
export interface ConfigProblem extends Problem {
  readonly section: string;
}

/** The document of any section as it would stand; factory's where nobody has said anything. */
export type DocOf = (section: string) => JsonObject;

/** Judges a document whose fields are each well by themselves. */
export type PageRule = (doc: JsonObject, docOf: DocOf) => readonly Problem[];
