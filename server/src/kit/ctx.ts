import type { Me } from '@farlink/contract/kit/resource.ts';
import type { Lang } from '@farlink/contract/kit/text.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Db, Deps } from './deps.ts';

/** Rights of a session, fixed at login. Any change of rights ends the session. */
export interface Rights {
  readonly permissions: readonly string[] | null;
  readonly operate_permissions: Readonly<Record<string, string>>;
  readonly gateway_permissions: Readonly<Record<string, string>> | null;
  readonly view_hide_pkg: boolean;
  /** Management scope of the role. Null: no limit within the own branch. */
  readonly vno_ids: readonly number[] | null;
  readonly device_ids: readonly number[] | null;
}

/** Session data, stored in the session row, so that one lookup serves every request. */
export interface SessionInfo extends Me {
  readonly username: string;
  readonly name: string;
  readonly role_name: string;
  readonly customer_kind: 'vno' | 'sub' | 'job';
  readonly job_kind: 'master' | 'sub' | null;
  /** `/1/5/9/`: path of the visible branch of the VNO tree. */
  readonly agent_path: string;
  /** VNO ids of that branch, read for each list request and never stored. */
  readonly branch?: readonly number[];
  readonly agent_name: string;
  readonly rights: Rights;
  /** Account of the operator who acts as this account. */
  readonly acted_by: string | null;
}

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
