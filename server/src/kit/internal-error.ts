import type { FastifyRequest } from 'fastify';
import type { BaseLogger } from 'pino';

const sources = ['request', 'job', 'gateway', 'broker', 'remote', 'process'] as const;
export type ErrorSource = (typeof sources)[number];

const counts: Record<string, number> = Object.fromEntries(sources.map((source) => [source, 0]));

/** For /metrics: counts since the start of this process. */
export const internalErrors = (): Readonly<Record<string, number>> => counts;

/** Logs and counts an unexpected error. The caller ends only the request, connection or job that caused it. */
export const noteInternalError = (log: Pick<BaseLogger, 'error'>, source: ErrorSource, err: unknown, details: object = {}) => {
  counts[source] = (counts[source] ?? 0) + 1;
  log.error({ err, source, ...details }, 'internal error');
};

/** The client has closed the connection before its request was complete, so the error is not one of the server. */
const isCutOff = ({ raw }: FastifyRequest): boolean => raw.socket.destroyed && !raw.complete;

/** Notes an unexpected error of a request. */
export const noteRequestError = (request: FastifyRequest, error: unknown) => {
  if (isCutOff(request)) request.log.info('request cut off by the client');
  else noteInternalError(request.log, 'request', error);
};
