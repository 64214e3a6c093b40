import { type ErrorName, errors } from '@farlink/contract/errors.ts';
import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import { fill, type Lang, say, type Text } from '@farlink/contract/kit/text.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fail, Refusal } from '../fail.ts';
import { FileResponse } from '../files/file-response.ts';
import { noteInternalError } from './internal-error.ts';

/** The envelope of every answer under /agt/v1/ (decisions §2): `code` 0 is success and tells the same story as the status. */
export const sendReply = (reply: FastifyReply, data: unknown) => {
  if (data instanceof FileResponse) return data.send(reply);
  return reply.header('cache-control', 'no-store').send({ code: 0, msg: 'ok', data: data ?? null });
};

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

/** A unique key named `<table>_<field>_key` speaks at that field of the call's form. */
const duplicateOf = (error: unknown, call: Endpoint | undefined): Refusal | undefined => {
  if (!isDatabaseError(error) || error.code !== '23505') return undefined;
  const name = error.constraint.replace(`${error.table}_`, '').replace(/_key$/, '');
  const field = call?.input?.[name];
  const text: Text = fill(errors.duplicate.text, field?.label ?? ['数据', 'It']);
  return fail('duplicate', { args: [field?.label ?? ['数据', 'It']], ...(field && { fields: { [name]: text } }) });
};

/** Bounds that the database alone can keep when two come at once. */
const boundErrors: Record<string, ErrorName> = { device_capacity: 'device_full', subscriber_balance_check: 'balance_short' };

/** A number that is a number, but none that its column could hold. */
const isTooGreat = (error: unknown) => error instanceof Error && 'code' in error && error.code === '22003';

const brokenBound = (error: unknown): Refusal | undefined => {
  if (isTooGreat(error)) return fail('bad_input');
  // Whatever a verb did not think of still refers to the row.
  if (isDatabaseError(error) && error.code === '23503') return fail('still_used');
  const name = isDatabaseError(error) && error.code === '23514' ? boundErrors[error.constraint] : undefined;
  return name && fail(name);
};

/** No connection of the pool came free in time, or the database takes no more; a later try may succeed. */
const isBusy = (error: unknown) =>
  error instanceof Error &&
  (error.message === 'timeout exceeded when trying to connect' || ('code' in error && (error.code === '53300' || error.code === '57P03')));

/** Seconds after which a refused call may be tried again. */
const retryAfterS = 2;

const frameworkErrors: Record<number, ErrorName> = {
  403: 'not_found',
  404: 'not_found',
  413: 'too_large',
  415: 'wrong_media',
  429: 'too_many',
};
/** Errors of the framework and its plugins that the caller caused. */
const callerFault = (status: number): ErrorName | undefined =>
  frameworkErrors[status] ?? (status >= 400 && status < 500 ? 'bad_input' : undefined);

/** What an error is to the person who caused it; what is nobody's fault but ours is `internal`. */
export const toRefusal = (error: unknown, call: Endpoint | undefined, requestId: string): Refusal => {
  if (error instanceof Refusal) return error;
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 0;
  if (isBusy(error)) return fail('busy');
  const known = callerFault(status);
  return duplicateOf(error, call) ?? brokenBound(error) ?? (known ? fail(known) : fail('internal', { args: [requestId] }));
};

/** Only a refusal has words for a person; anything else is a bug: a reference for them, the cause for the log. */
export const replyError = (request: FastifyRequest, reply: FastifyReply, error: unknown, lang: Lang, call?: Endpoint) => {
  const refusal = toRefusal(error, call, request.id);
  if (refusal.reason === 'internal') noteInternalError(request.log, 'request', error);
  const { code, status } = errors[refusal.reason];
  const { fields, data } = refusal.details;
  const said = fields && Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, say(text, lang)]));
  if (status === 503) reply.header('retry-after', retryAfterS);
  return reply
    .status(status)
    .header('cache-control', 'no-store')
    .send({ code, msg: say(refusal.text, lang), data: said ? { fields: said } : (data ?? null) });
};
