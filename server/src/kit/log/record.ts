import { type CallKind, callName, type Endpoint } from '@farlink/contract/kit/endpoint.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { LogAction } from '@farlink/contract/log/operator-log.ts';
import type { Insertable } from 'kysely';
import type { SessionInfo } from '../../db/column-types.ts';
import { runPrepared } from '../../db/prepare.ts';
import type { SyslogTable } from '../../db/tables.ts';
import type { Ctx, LogEntry } from '../ctx.ts';
import type { Db } from '../deps.ts';

const actions: Partial<Record<CallKind, LogAction>> = { create: 'create', update: 'update', delete: 'delete', export: 'export' };
const secretName = /pass(word|wd)|secret|token|api_?key|private/i;

const userAgentMax = 512;

/** Adds an operator-log entry. It is written in the same transaction as the change. */
export const record = (ctx: Ctx, content: Text, change: Omit<LogEntry, 'content'> = {}) => {
  ctx.entries.push({ content, ...change });
};

/** Names the object of the call; the first one counts. Only for an object in the scope of the session. */
export const nameObject = ({ object }: Ctx, name: string, subject?: string) => {
  if (object.name === undefined) Object.assign(object, { name, subject });
};

const withoutSecrets = (values: Readonly<Record<string, unknown>> | undefined) =>
  values && JSON.stringify(values, (key, value) => (secretName.test(key) && typeof value === 'string' ? '******' : value));

type Actor = Pick<SessionInfo, 'agent_id' | 'username' | 'name' | 'acted_by'> & { readonly uid: number | null };
type Where = Pick<Ctx, 'ip' | 'userAgent' | 'now'>;

/** A job that changes an account by itself. */
export const systemActor = { uid: null, username: 'system', name: '系统 System', acted_by: null } as const;

interface Written extends LogEntry {
  readonly module: Endpoint['module'];
  readonly action: LogAction;
  /** The call whose fields describe the values. */
  readonly call?: string;
}

const rowOf = (actor: Actor, where: Where, entry: Written): Insertable<SyslogTable> => ({
  agent_id: actor.agent_id,
  customer_id: actor.uid,
  username: actor.username,
  name: actor.name,
  acted_by: actor.acted_by,
  module: entry.module,
  action: entry.action,
  content_zh: entry.content[0],
  content_en: entry.content[1],
  result: entry.message ? 'fail' : 'success',
  message_zh: entry.message?.[0] ?? null,
  message_en: entry.message?.[1] ?? null,
  before: withoutSecrets(entry.before) ?? null,
  after: withoutSecrets(entry.after) ?? null,
  subject: entry.subject ?? null,
  call: entry.call ?? null,
  ip: where.ip,
  // The client controls the user agent, so its length is limited.
  user_agent: where.userAgent.slice(0, userAgentMax),
  create_at: where.now(),
});

/** PostgreSQL allows 65,535 parameters per statement. */
const rowsPerInsert = 1000;

/** Writes many entries with few statements: a batch of 500 rows has 500 entries. */
export const writeLogs = async (db: Db, actor: Actor, where: Where, entries: readonly Written[]) => {
  for (let at = 0; at < entries.length; at += rowsPerInsert) {
    const rows = entries.slice(at, at + rowsPerInsert).map((entry) => rowOf(actor, where, entry));
    const insert = db.insertInto('syslog').values(rows);
    await (rows.length === 1 ? runPrepared(db, insert) : insert.execute());
  }
};

export const writeLog = (db: Db, actor: Actor, where: Where, entry: Written) => writeLogs(db, actor, where, [entry]);

/** What a line says about its call. */
export const lineOf = (call: Endpoint): Omit<Written, keyof LogEntry> => ({
  module: call.module,
  action: actions[call.kind] ?? 'command',
  call: callName(call),
});

/** Entry of a refused call, with the object that the call had found. */
export const refusedEntry = (call: Endpoint, { object: { name, subject } }: Pick<Ctx, 'object'>, message: Text): Written => ({
  ...lineOf(call),
  content: name === undefined ? call.summary : [`${call.summary[0]}：${name}`, `${call.summary[1]}: ${name}`],
  message,
  subject,
});
