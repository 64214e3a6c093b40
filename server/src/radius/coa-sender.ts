import { codes } from '@farlink/gateway/radius/attributes.ts';
import type { Packet } from '@farlink/gateway/radius/packet.ts';
import { attribute, intOf } from '@farlink/gateway/radius/values.ts';
import { sql } from 'kysely';
import { changeAttributes } from '../domain/radius/grant-attributes.ts';
import type { Db, Deps } from '../kit/deps.ts';
import { notifyChange } from '../orders/notify.ts';
import { auditEnds } from './audit-sessions.ts';
import { type CoaRequest, openCoaExchange } from './coa-exchange.ts';
import { confirmChange, refuseChange } from './coa-result.ts';
import type { RadsecListener } from './radsec.ts';
import type { Nas, Registry } from './registry.ts';
import { recount } from './session-store.ts';

export interface CoaSender {
  /** Sends waiting tasks. Never rejects. */
  send(): Promise<void>;
  close(): Promise<void>;
}

interface Task {
  readonly id: number;
  readonly session_id: number;
  readonly nas_id: number;
  readonly kind: 'disconnect' | 'change';
  readonly grant_up: number | null;
  readonly grant_down: number | null;
  readonly grant_bytes: number | null;
  readonly account: string;
  readonly acct_id: string;
  readonly ip: string | null;
  /** The NAS itself, or the proxy in front of it. */
  readonly route_id: number;
  /** Address of the route for UDP. The registry may have an older one. */
  readonly address: string | null;
  /** Address of the NAS, by its last request. */
  readonly nas_ip: string | null;
}

const atOnce = 50;
/** A NAS that is not connected gets no task after this time, and a task of a process that ended gets no reply. */
const waitS = 60;
const replyS = 30;
const retryMs = 1000;
/** Error-Cause of RFC 5176 3.5: the NAS does not have the session. */
const unknownSession = 503;
const unsupportedAttribute = 401;

/** Claims tasks: UDP by any process, RadSec by the one that holds the connection. The way leads through the proxy of the last request. */
const claim = async (db: Db, connected: readonly number[], now: number): Promise<Task[]> => {
  const { rows } = await sql<Task>`
    with due as (
      select t.id, r.id as route_id, r.id = any(${connected}::bigint[]) as is_connected, coalesce(r.addr, r.last_addr) as address
      from coa_task t join nas n on n.id = t.nas_id join nas r on r.id = coalesce(n.via_nas_id, n.id)
      where t.state = 'waiting' and t.due_at <= ${now}
        and (r.id = any(${connected}::bigint[]) or (r.transport = 'udp' and coalesce(r.addr, r.last_addr) is not null))
      order by t.id limit ${atOnce} for update of t skip locked
    )
    update coa_task t set state = 'sent', tries = t.tries + 1, sent_at = ${now}, via = case when due.is_connected then 'radsec' else 'udp' end
    from due, online_session o join subscriber s on s.id = o.subscriber_id
    where t.id = due.id and o.id = t.session_id
    returning t.id, t.session_id, t.nas_id, t.kind, t.grant_up, t.grant_down, t.grant_bytes, s.account, o.acct_id, o.ip, o.nas_ip, due.route_id,
      due.address`.execute(db);
  return rows;
};

const isIpv4 = (text: string | null): text is string => text !== null && /^\d+(\.\d+){3}$/.test(text);

/** A proxy finds the NAS by its identifier and address. */
const nasAttributes = (task: Task, nas: Nas) =>
  task.route_id === nas.id
    ? []
    : [attribute('NAS-Identifier', nas.identifier), ...(isIpv4(task.nas_ip) ? [attribute('NAS-IP-Address', task.nas_ip)] : [])];

/** `now` is left out for a NAS that does not know Event-Timestamp and Message-Authenticator. */
const requestOf = (task: Task, nas: Nas, now?: number): CoaRequest => ({
  isSigned: now !== undefined,
  code: task.kind === 'disconnect' ? codes.disconnectRequest : codes.coaRequest,
  attributes: [
    attribute('User-Name', task.account),
    attribute('Acct-Session-Id', task.acct_id),
    ...nasAttributes(task, nas),
    ...(isIpv4(task.ip) ? [attribute('Framed-IP-Address', task.ip)] : []),
    ...(now === undefined ? [] : [attribute('Event-Timestamp', now)]),
    ...(task.kind === 'change'
      ? changeAttributes(nas.vendor, { up: task.grant_up ?? 0, down: task.grant_down ?? 0, bytes: task.grant_bytes })
      : []),
  ],
});

/** A session that the NAS has ended, or does not have. Its stop may still bring counters. */
const endSession = async (db: Db, deps: Deps, sessionId: number, isUnknown: boolean) => {
  const now = deps.clock.now();
  const owner = await sql<{ id: number }>`
    select s.id from subscriber s join online_session o on o.subscriber_id = s.id where o.id = ${sessionId} for no key update of s`.execute(
    db,
  );
  const { rows } = await sql<{ device_id: number | null }>`
    update online_session set logout_at = greatest(login_at, ${now}::bigint), up_speed = 0, down_speed = 0,
      terminate_cause = case when ${isUnknown} then 'lost' else coalesce(nullif(end_reason, 'stale'), 'kick') end
    where id = ${sessionId} and logout_at is null returning device_id`.execute(db);
  if (rows.length > 0) await auditEnds(db, deps, [sessionId]);
  await recount(
    db,
    owner.rows.map((o) => o.id),
  );
  const devices = rows.flatMap((r) => r.device_id ?? []);
  if (devices.length > 0) await notifyChange(db, 'user', devices);
};

/** Stores the reply of a NAS, and its effect on the session. */
const complete = (deps: Deps, task: Pick<Task, 'id' | 'session_id' | 'kind'>, reply: Packet | undefined) =>
  deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now();
    const isAcked = reply?.code === codes.disconnectAck || reply?.code === codes.coaAck;
    const cause = reply ? (intOf(reply, 'Error-Cause') ?? null) : null;
    const state = reply ? (isAcked ? 'acked' : 'refused') : 'no_answer';
    const { numUpdatedRows } = await tx
      .updateTable('coa_task')
      .set({ state, error_cause: cause, finish_at: now })
      .where('id', '=', task.id)
      .where('state', 'in', ['waiting', 'sent'])
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    if (cause === unknownSession || (task.kind === 'disconnect' && isAcked)) return endSession(tx, deps, task.session_id, !isAcked);
    if (task.kind === 'change') return isAcked ? confirmChange(tx, task.id, now) : refuseChange(tx, task.id, now);
    // A refused or lost disconnect is sent again at the next accounting request, change or kick.
    await tx.updateTable('online_session').set({ end_reason: null }).where('id', '=', task.session_id).execute();
  });

/** Tasks of a NAS that is not connected, and of a process that ended, count as not answered. */
const expireTasks = async (deps: Deps, now: number) => {
  const { rows } = await sql<Pick<Task, 'id' | 'session_id' | 'kind'>>`
    select id, session_id, kind from coa_task
    where (state = 'waiting' and due_at < ${now - waitS}) or (state = 'sent' and sent_at < ${now - replyS}) order by id limit ${atOnce}`.execute(
    deps.db,
  );
  for (const task of rows) await complete(deps, task, undefined);
};

export const openCoaSender = async (deps: Deps, registry: Registry, radsec: RadsecListener | undefined): Promise<CoaSender> => {
  const { db, clock, log } = deps;
  const exchange = await openCoaExchange(retryMs);
  const running = new Set<Promise<void>>();

  const run = async (task: Task) => {
    const nas = registry.get(task.nas_id);
    const route = registry.get(task.route_id);
    const connection = radsec?.connectionOf(task.route_id);
    const send = async (request: CoaRequest) => {
      if (connection) return exchange.overRadsec(request, connection);
      if (!route || !task.address) return undefined;
      return exchange.overUdp(request, { address: task.address, port: route.coa_port, secret: route.secret });
    };
    const reply = nas && (await send(requestOf(task, nas, clock.now())));
    // uspot refuses each request with Event-Timestamp or Message-Authenticator. RFC 5176 3.5: the NAS has changed nothing.
    const isUnsupported = reply !== undefined && intOf(reply, 'Error-Cause') === unsupportedAttribute;
    await complete(deps, task, nas && isUnsupported ? ((await send(requestOf(task, nas))) ?? reply) : reply);
  };
  const start = (task: Task) => {
    const done = run(task)
      .catch((err) => log.warn({ err, task: task.id }, 'CoA task failed'))
      .finally(() => running.delete(done));
    running.add(done);
  };
  return {
    send: async () => {
      try {
        await expireTasks(deps, clock.now());
        const tasks = await claim(db, radsec?.connected() ?? [], clock.now());
        for (const task of tasks) start(task);
      } catch (err) {
        log.warn({ err }, 'CoA tasks not sent');
      }
    },
    close: async () => {
      await exchange.close();
      await Promise.all(running);
    },
  };
};
