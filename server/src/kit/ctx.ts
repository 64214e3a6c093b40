import type { Lang } from '@farlink/contract/kit/text.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionInfo } from '../db/column-types.ts';
import type { Db, Deps } from './deps.ts';

interface Base {
  /** The request's transaction on a write, the pool on a read. */
  readonly db: Db;
  readonly deps: Deps;
  readonly lang: Lang;
  readonly ip: string;
  readonly userAgent: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  now(): number;
}

export type PublicCtx = Base;

export interface Ctx extends Base {
  readonly me: SessionInfo;
  readonly sessionId: number;
  /** Entries for the operator log, written in the same transaction. */
  readonly entries: LogEntry[];
}

export interface LogEntry {
  readonly content: readonly [zh: string, en: string];
  readonly before?: Readonly<Record<string, unknown>> | undefined;
  readonly after?: Readonly<Record<string, unknown>> | undefined;
  /** Whom or what it was done to, where that has a log of its own: `subscriber:7`. */
  readonly subject?: string | undefined;
  /** Why it was refused, when the rest of a batch was not. */
  readonly message?: readonly [zh: string, en: string] | undefined;
}
