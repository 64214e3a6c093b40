import { type ErrorName, errors } from '@farlink/contract/errors.ts';
import { fill, type Text } from '@farlink/contract/kit/text.ts';

interface Details {
  /** Arguments for `{0}`, `{1}` of the text. */
  readonly args?: readonly (string | number | Text)[];
  readonly data?: unknown;
  /** Errors by field. */
  readonly fields?: Readonly<Record<string, Text>>;
}

/** The only error whose text is shown to users. Any other error is a bug. */
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

/** Invalid input in one field. */
export const failAt = (field: string, text: Text) => new Refusal('bad_input', { fields: { [field]: text } });
