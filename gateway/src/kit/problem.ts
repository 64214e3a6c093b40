import type { Text } from '@farlink/contract/kit/text.ts';
import type { JsonObject } from '../protocol/shape.ts';
import type { GatewayFields } from './field.ts';

/** An invalid value and its path, e.g. `rows[2].start`. */
export interface Problem {
  readonly path: string;
  readonly text: Text;
}

/** A problem in a whole configuration. */
export interface ConfigProblem extends Problem {
  readonly section: string;
}

/** A conflict between two pages. `against` is the problem of the other page, shown if only that page changed. */
export interface RuleProblem extends Problem {
  readonly against?: ConfigProblem;
}

/** The new document of any section, or its factory document. */
export type DocOf = (section: string) => JsonObject;

/** Page properties that a rule can use. */
export interface RuledPage {
  readonly key: string;
  readonly kind: string;
  readonly fields: GatewayFields;
}

/** Checks a document whose fields are valid one by one. */
export interface PageRule {
  /** Other sections that the rule reads; it is checked again when they change. */
  readonly reads?: readonly string[];
  readonly test: (doc: JsonObject, docOf: DocOf, page: RuledPage) => readonly RuleProblem[];
}
