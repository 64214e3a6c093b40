import { commandState } from '@farlink/contract/protocol/command.ts';
import type { Pool } from 'pg';
import { makePartitions } from '../db/partitions.ts';
import { alertTimes } from '../domain/alert-mail/alert-times.ts';
import type { Deps } from '../kit/deps.ts';
import { storeAlerts, storeAuthorizationAlerts } from './store/alerts.ts';
import { handleCommands } from './store/commit-handlers.ts';
import type { MovedCommand } from './store/commit-items.ts';
import { movedColumns } from './store/results.ts';
import { inStore } from './store/store.ts';
import { failOverdue, hasOverdueTransfer } from './store/transfers.ts';
import type { Tx } from './store/tx.ts';

/** A process without a heartbeat for this time has lost its connections. */
const leaseS = 30;
const rarelyMs = 600_000;
/** A sweep runs every few seconds. A longer gap is an outage or a pause of this process. */
const outageMs = 15_000;

/** Gateways that the console lost are offline at once, but their alert is delayed so that they can reconnect first. */
const offline = (pool: Pool, now: number, where: string, values: readonly unknown[], reason: string) =>
  inStore(pool, now, '', async (tx) => {
    const gone = await tx.query<{ id: number }>(
      `offline_${reason}`,
      `with gone as (
         update device d set online_state = 0, offline_at = $1, offline_reason = $2, conn_id = null, conn_node = null, unseen_at = $1
         from (select d.id, d.conn_id from device d where d.online_state = 1 and ${where} order by d.id for no key update) was
         where d.id = was.id returning d.id, d.sn, d.agent_id, was.conn_id
       ), stored_event as (
         insert into device_event (sn, id, device_id, agent_id, kind, at, reported_at, doc, create_at)
         select sn, 'offline-' || conn_id || '-' || $1::bigint, id, agent_id, 'offline', $1, $1, json_build_object('why', $2::text), $1 from gone on conflict do nothing
       ) select id from gone`,
      [now, reason, ...values],
    );
    for (const { id } of gone) tx.changed('offline', id);
    const holdUntil = now + alertTimes.reconnect;
    await storeAlerts(
      tx,
      gone.map(({ id }) => ({ device: id, at: now, kind: 'status', event: 'offline', detail: { why: 'console' }, hold_until: holdUntil })),
    );
  });

interface Registration {
  /** This process was not registered. If it was before, another process has marked its gateways offline. */
  readonly isNew: boolean;
  readonly epoch: number;
}

export const beat = async (pool: Pool, node: string, now: number): Promise<Registration> => {
  const { rows } = await pool.query<{ is_new: boolean; epoch: number }>(
    `insert into field_node (id, beat_at, since) values ($1, $2, $2) on conflict (id) do update set beat_at = excluded.beat_at
     returning xmax = 0 as is_new, epoch`,
    [node, now],
  );
  const [row] = rows;
  if (!row) throw new Error('the process could not be registered');
  return { isNew: row.is_new, epoch: row.epoch };
};

/** Takes a registration over that several processes use in turn. Commits of the previous holder fail from now on. */
export const takeOver = async (pool: Pool, node: string): Promise<number | undefined> => {
  const sql = `update field_node set epoch = nextval('field_epoch') where id = $1 returning epoch`;
  return (await pool.query<{ epoch: number }>(sql, [node])).rows[0]?.epoch;
};

/** True if the holder of this registration sent no heartbeat for the time of its lease. */
export const isSilent = async (pool: Pool, node: string, now: number): Promise<boolean> =>
  ((await pool.query('select from field_node where id = $1 and beat_at < $2', [node, now - leaseS])).rowCount ?? 0) > 0;

/** Marks all gateways of this process offline. */
export const unregister = async (pool: Pool, node: string, now: number) => {
  await offline(pool, now, 'd.conn_node = $3', [node], 'stop');
  await pool.query('delete from field_node where id = $1', [node]);
};

const expireCommands = async (tx: Tx) => {
  const moved = await tx.query<MovedCommand>(
    'expire',
    `update device_command c set state = $1, finish_at = $2 from device d
     where c.device_id = d.id and c.state < $3 and c.deadline <= $2 returning ${movedColumns}`,
    [commandState.to('expire'), tx.now, commandState.id('done')],
  );
  for (const { device_id } of moved) tx.changed('command', device_id);
  await handleCommands(tx, moved);
};

interface Due {
  readonly commands: boolean;
  readonly transfers: boolean;
  readonly processes: boolean;
  /** A gateway is connected to a process that is not registered. */
  readonly lost: boolean;
}

/** One statement, because most of the time nothing is due. It reads the processes of online gateways, not all gateways. */
const readDue = async (pool: Pool, now: number): Promise<Due | undefined> => {
  const { rows } = await pool.query<Due>(
    `with recursive used (node) as (
       select min(conn_node) from device where online_state = 1
       union all select (select min(conn_node) from device where online_state = 1 and conn_node > used.node) from used where used.node is not null
     )
     select exists (select from device_command where state < $3 and deadline <= $1) as commands, ${hasOverdueTransfer} as transfers,
       exists (select from field_node where beat_at < $2) as processes,
       exists (select from used where node is not null and not exists (select from field_node n where n.id = used.node)) as lost`,
    [now, now - leaseS, commandState.id('done')],
  );
  return rows[0];
};

/** Ends commands and transfers past their deadline, and gateways of a process that died. */
export const sweepField = async (pool: Pool, now: number) => {
  const due = await readDue(pool, now);
  if (due?.commands) await inStore(pool, now, '', expireCommands);
  if (due?.transfers) await inStore(pool, now, '', failOverdue);
  // A row that is locked belongs to a process that commits just now.
  if (due?.processes)
    await pool.query('delete from field_node where id in (select id from field_node where beat_at < $1 for update skip locked)', [
      now - leaseS,
    ]);
  if (due?.processes || due?.lost)
    await offline(pool, now, 'd.conn_node is not null and not exists (select from field_node n where n.id = d.conn_node)', [], 'lost');
};

/** Less frequent maintenance: new partitions and expired authorizations. */
export const sweepRarely = async (pool: Pool, now: number) => {
  await makePartitions(pool, now);
  await inStore(pool, now, '', async (tx) => {
    const expired = await tx.query<{ id: number; auth_expire_at: number }>(
      'auth_expire',
      `update device d set auth_status = 'expired'
       from (select id from device where auth_status in ('formal', 'test') and auth_expire_at <= $1 order by id for no key update) due
       where d.id = due.id returning d.id, d.auth_expire_at`,
      [now],
    );
    for (const { id } of expired) tx.changed('authorization', id);
    await storeAuthorizationAlerts(tx, expired);
  });
};

/** Maintenance of a listener; call the result every few seconds. */
export const openFieldSweep = ({ pool, clock }: Pick<Deps, 'pool' | 'clock'>) => {
  let rareSweepAt = Number.NEGATIVE_INFINITY;
  let last = performance.now();
  let pausedUntil = 0;
  return async () => {
    const at = performance.now();
    // After an outage of the database all heartbeats are old: the others get time for theirs.
    if (at - last > outageMs) pausedUntil = at + leaseS * 1000;
    last = at;
    if (at < pausedUntil) return;
    await sweepField(pool, clock.now());
    if (at - rareSweepAt < rarelyMs) return;
    await sweepRarely(pool, clock.now());
    // Only a run that succeeded counts.
    rareSweepAt = at;
  };
};
