import { type ErrorName, errors } from '@farlink/contract/errors.ts';
import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { isOutOfRange } from '../db/bounded.ts';
import { fail, Refusal } from './fail.ts';

interface DatabaseError {
  readonly code: string;
  readonly constraint: string;
  readonly table: string;
}

const isDatabaseError = (error: unknown): error is DatabaseError =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  'constraint' in error &&
  typeof error.constraint === 'string';

/** A violated unique key named `<table>_<field>_key` is reported at that field. */
const duplicateOf = (error: unknown, call: Endpoint | undefined): Refusal | undefined => {
  if (!isDatabaseError(error) || error.code !== '23505') return undefined;
  const name = error.constraint.replace(`${error.table}_`, '').replace(/_key$/, '');
  const field = call?.input?.[name];
  const text: Text = fill(errors.duplicate.text, field?.label ?? ['数据', 'It']);
  return fail('duplicate', { args: [field?.label ?? ['数据', 'It']], ...(field && { fields: { [name]: text } }) });
};

/** Limits that only the database can enforce under concurrency. */
const boundErrors: Record<string, ErrorName> = { device_capacity: 'device_full', subscriber_balance_check: 'balance_short' };

const violatedBound = (error: unknown): Refusal | undefined => {
  if (isOutOfRange(error)) return fail('bad_input');
  // Another row still refers to this row, and no verb has checked it.
  if (isDatabaseError(error) && error.code === '23503') return fail('still_used');
  const name = isDatabaseError(error) && error.code === '23514' ? boundErrors[error.constraint] : undefined;
  return name && fail(name);
};

/** Messages of the driver: no free connection, or a new one took too long. */
const timeoutMessages = ['timeout exceeded when trying to connect', 'Connection terminated due to connection timeout', 'timeout expired'];

/** The pool timed out or the database accepts no more connections. A later try may succeed. */
const isBusy = (error: unknown) =>
  error instanceof Error &&
  (timeoutMessages.includes(error.message) || ('code' in error && (error.code === '53300' || error.code === '57P03')));

const frameworkErrors: Record<number, ErrorName> = {
  403: 'not_found',
  404: 'not_found',
  413: 'too_large',
  415: 'wrong_media',
  429: 'too_many',
};
/** Framework and plugin errors that the caller caused. */
const callerFault = (status: number): ErrorName | undefined =>
  frameworkErrors[status] ?? (status >= 400 && status < 500 ? 'bad_input' : undefined);

/** Converts an error to a refusal. Errors that the caller did not cause become `internal`. */
export const toRefusal = (error: unknown, call: Endpoint | undefined, requestId: string): Refusal => {
  if (error instanceof Refusal) return error;
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 0;
  if (isBusy(error)) return fail('busy');
  const known = callerFault(status);
  return duplicateOf(error, call) ?? violatedBound(error) ?? (known ? fail(known) : fail('internal', { args: [requestId] }));
};
