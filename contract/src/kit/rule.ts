import type { PasswordRule } from './password-rule.ts';
import { lengthOf, type Text } from './text.ts';
import type { Values } from './values.ts';

/** Context of a rule. */
export interface Env {
  readonly passwordRule: PasswordRule;
  /** Epoch seconds; default: the system clock. */
  readonly now?: number;
}

/** A rule validates one value (with the other values of the form) and has one error text. */
export interface Rule {
  readonly name: string;
  readonly text: Text | ((env: Env, value?: unknown) => Text);
  readonly test: (value: unknown, values: Values, env: Env) => boolean;
  /** Bounds for a control or a JSON schema. */
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: string;
  /** The field it is compared with. */
  readonly other?: string;
}

/** Requirements of an upload; the content is checked too, not only the name. */
export interface UploadRule {
  readonly name: string;
  readonly text: Text;
  /** Extensions; empty: any. */
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

export const nowOf = (env: Env): number => env.now ?? Math.floor(Date.now() / 1000);

/** A time that must be later than now. */
export const inFuture = (name: string, text: Text): Rule => ({ name, text, test: (value, _, env) => Number(value) > nowOf(env) });

/** A rule between fields; the error is shown at the field that has the rule. */
export const across = (name: string, text: Text, test: Rule['test'], other?: string): Rule => ({
  name,
  text,
  test,
  other,
});
