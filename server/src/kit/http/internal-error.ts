import type { BaseLogger } from 'pino';

/** Where an error came from that no code expected. */
const sources = ['request', 'job', 'gateway', 'broker', 'remote', 'process'] as const;
export type ErrorSource = (typeof sources)[number];

const counts: Record<string, number> = Object.fromEntries(sources.map((source) => [source, 0]));

/** For /metrics: since the start of this process. */
export const internalErrors = (): Readonly<Record<string, number>> => counts;

/** Logs an error with its cause and counts it; the caller ends only the request, connection or job that caused it. */
export const noteInternalError = (log: Pick<BaseLogger, 'error'>, source: ErrorSource, err: unknown, details: object = {}) => {
  counts[source] = (counts[source] ?? 0) + 1;
  log.error({ err, source, ...details }, 'internal error');
};
