import type { Lang } from '@farlink/contract/kit/text.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionInfo } from '../db/column-types.ts';
import type { Db, Deps } from './deps.ts';

interface Base {
  /** Transaction of a write, or the pool for a read. */
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
  /** Operator-log entries, written in the same transaction. */
  readonly entries: LogEntry[];
  /** Object of the call, once it is found in scope (`nameObject`). A refusal names it in the operator log. */
  readonly object: CallObject;
}

export interface CallObject {
  name?: string;
  subject?: string | undefined;
}

export interface LogEntry {
  readonly content: readonly [zh: string, en: string];
  readonly before?: Readonly<Record<string, unknown>> | undefined;
  readonly after?: Readonly<Record<string, unknown>> | undefined;
  /** Object with a separate log, for example `subscriber:7`. */
  readonly subject?: string | undefined;
  /** Reason of a refused row in a batch. */
  readonly message?: readonly [zh: string, en: string] | undefined;
}
