import { type ErrorName, errors } from '@farlink/contract/errors.ts';
import { fill, type Text } from '@farlink/contract/kit/text.ts';

interface Details {
  /** For `{0}`, `{1}` of the text. */
  readonly args?: readonly (string | number | Text)[];
  readonly data?: unknown;
  /** Refusals at their fields. */
  readonly fields?: Readonly<Record<string, Text>>;
}

/** The only error whose words reach a person. Anything else thrown is a bug. */
export class Refusal extends Error {
  readonly reason: ErrorName;
  readonly text: Text;
  readonly details: Details;

  constructor(reason: ErrorName, details: Details) {
    super(reason);
    this.reason = reason;
    this.details = details;
    this.text = fill(errors[reason].text, ...(details.args ?? []));
  }
}

export const fail = (reason: ErrorName, details: Details = {}) => new Refusal(reason, details);

/** Bad input at one field. */
export const failAt = (field: string, text: Text) => new Refusal('bad_input', { fields: { [field]: text } });
