import { errors } from '@farlink/contract/errors.ts';
import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import { type Lang, say } from '@farlink/contract/kit/text.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FileResponse } from '../files/file-response.ts';
import { noteRequestError } from '../internal-error.ts';
import { toRefusal } from '../to-refusal.ts';

/** Envelope of every reply under /agt/v1/ (decisions §2): `code` 0 means success and agrees with the HTTP status. */
export const sendReply = (reply: FastifyReply, data: unknown) => {
  if (data instanceof FileResponse) return data.send(reply);
  return reply.header('cache-control', 'no-store').send({ code: 0, msg: 'ok', data: data ?? null });
};

/** Seconds after which the client may retry. */
const retryAfterS = 2;

/** Only refusals have user texts. For any other error the user gets a reference and the log gets the cause. */
export const replyError = (request: FastifyRequest, reply: FastifyReply, error: unknown, lang: Lang, call?: Endpoint) => {
  const refusal = toRefusal(error, call, request.id);
  if (refusal.reason === 'internal') noteRequestError(request, error);
  const { code, status } = errors[refusal.reason];
  const { fields, data } = refusal.details;
  const fieldTexts = fields && Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, say(text, lang)]));
  if (status === 503) reply.header('retry-after', retryAfterS);
  return reply
    .status(status)
    .header('cache-control', 'no-store')
    .send({ code, msg: say(refusal.text, lang), data: fieldTexts ? { fields: fieldTexts } : (data ?? null) });
};
