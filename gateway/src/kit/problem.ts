import type { Text } from '@farlink/contract/kit/text.ts';
import type { JsonObject } from '../protocol/shape.ts';
import type { GatewayFields } from './field.ts';

/** Something that cannot stand, and where: `rows[2].start`. */
export interface Problem {
  readonly path: string;
  readonly text: Text;
}

/** A problem somewhere in a whole configuration. */
export interface ConfigProblem extends Problem {
  readonly section: string;
}

/** A problem between two pages, seen from both ends: it is told to whoever changed one of them. */
export interface RuleProblem extends Problem {
  readonly against?: ConfigProblem;
}

/** The document of any section as it would stand; factory's where nobody has said anything. */
export type DocOf = (section: string) => JsonObject;

/** What a rule may know of the page that has it. */
export interface RuledPage {
  readonly key: string;
  readonly kind: string;
  readonly fields: GatewayFields;
}

/** Judges a document whose fields are each well by themselves. */
export interface PageRule {
  /** Other sections that it looks at: it is asked again when they change. */
  readonly reads?: readonly string[];
  readonly test: (doc: JsonObject, docOf: DocOf, page: RuledPage) => readonly RuleProblem[];
}
