import type { PasswordRule } from './password-rule.ts';
import { lengthOf, type Text } from './text.ts';
import type { Values } from './values.ts';

/** What a rule may know beside the form itself. */
export interface Env {
  readonly passwordRule: PasswordRule;
  /** Epoch seconds; the machine's own clock where nobody says. */
  readonly now?: number;
}

/** A rule judges one value (the other values of the form at hand) and has one sentence for its refusal. */
export interface Rule {
  readonly name: string;
  readonly text: Text | ((env: Env, value?: unknown) => Text);
  readonly test: (value: unknown, values: Values, env: Env) => boolean;
  /** Bounds that a control or a JSON schema can show. */
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: string;
  /** The neighbour it compares with. */
  readonly other?: string;
}

/** What an upload must be; the content is looked at, not only the name. */
export interface UploadRule {
  readonly name: string;
  readonly text: Text;
  /** Extensions; none: any. */
  readonly accept: readonly string[];
  readonly maxBytes: number;
  readonly maxName?: number;
}

const str = (value: unknown) => (typeof value === 'string' ? value : String(value ?? ''));

export const matches = (name: string, pattern: RegExp, text: Text, bounds: { min?: number; max?: number } = {}): Rule => ({
  name,
  text,
  pattern: pattern.source,
  ...bounds,
  test: (v) => {
    const s = str(v);
    return pattern.test(s) && lengthOf(s) <= (bounds.max ?? Number.POSITIVE_INFINITY);
  },
});

export const lengthWithin = (name: string, min: number, max: number, text: Text): Rule => ({
  name,
  text,
  min,
  max,
  test: (v) => lengthOf(str(v)) >= min && lengthOf(str(v)) <= max,
});

export const numberWithin = (name: string, min: number, max: number, text: Text): Rule => ({
  name,
  text,
  min,
  max,
  test: (v) => Number(v) >= min && Number(v) <= max,
});

/** A rule between fields; its refusal stands at the field that carries it. */
export const across = (name: string, text: Text, test: Rule['test'], other?: string): Rule => ({
  name,
  text,
  test,
  other,
});
