import type { Me } from '@farlink/contract/kit/resource.ts';
import type { Lang } from '@farlink/contract/kit/text.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Db, Deps } from './deps.ts';

/** The rights of a session, frozen at login: whatever changes them ends the session. */
export interface Rights {
  readonly permissions: readonly string[] | null;
  readonly operate_permissions: Readonly<Record<string, string>>;
  readonly gateway_permissions: Readonly<Record<string, string>> | null;
  readonly view_hide_pkg: boolean;
  /** Management scope of the role: null is no limit beyond the own branch of the tree. */
  readonly vno_ids: readonly number[] | null;
  readonly device_ids: readonly number[] | null;
}

/** Who a session is; kept in its row, so that one look-up answers every request. */
export interface SessionInfo extends Me {
  readonly username: string;
  readonly name: string;
  readonly role_name: string;
  readonly customer_kind: 'vno' | 'sub' | 'job';
  readonly job_kind: 'master' | 'sub' | null;
  /** `/1/5/9/`: the branch of the tree below which everything is visible. */
  readonly agent_path: string;
  /** Ids of that branch, read with the request of a list and never stored. */
  readonly branch?: readonly number[];
  readonly agent_name: string;
  readonly rights: Rights;
  /** Who really acts, when somebody works as this account. */
  readonly acted_by: string | null;
}

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
