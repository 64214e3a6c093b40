import { commandState } from '@farlink/gateway/protocol/command.ts';
import type { Pool } from 'pg';
import { type DeviceChange, deviceChannel } from './notify.ts';

/** A process that has not beaten for so long has lost its connections. */
const deadS = 30;
const keepStreams = 90 * 86_400;

const notify = async (pool: Pool, what: DeviceChange, ids: readonly number[]) => {
  for (let at = 0; at < ids.length; at += 500)
    await pool.query('select pg_notify($1, $2)', [deviceChannel, JSON.stringify({ what, ids: ids.slice(at, at + 500) })]);
};

const offline = async (pool: Pool, now: number, where: string, values: readonly unknown[], reason: string) => {
  const { rows } = await pool.query<{ id: number }>(
    `with gone as (
       update device d set online_state = 0, offline_at = $1, offline_reason = $2, conn_id = null, conn_node = null
       from device was where was.id = d.id and d.online_state = 1 and ${where} returning d.id, d.sn, d.agent_id, was.conn_id
     ), told as (
       insert into device_event (sn, id, device_id, agent_id, kind, at, reported_at, doc, create_at)
       select sn, 'offline-' || conn_id || '-' || $1::bigint, id, agent_id, 'offline', $1, $1, json_build_object('why', $2::text), $1 from gone on conflict do nothing
     ) select id from gone`,
    [now, reason, ...values],
  );
  await notify(
    pool,
    'offline',
    rows.map((r) => r.id),
  );
};

export const beat = async (pool: Pool, node: string, now: number) => {
  await pool.query('insert into field_node (id, beat_at) values ($1, $2) on conflict (id) do update set beat_at = excluded.beat_at', [
    node,
    now,
  ]);
};

/** This process lets go of all its gateways. */
export const leave = async (pool: Pool, node: string, now: number) => {
  await offline(pool, now, 'd.conn_node = $3', [node], 'stop');
  await pool.query('delete from field_node where id = $1', [node]);
};

/** Ends what no message ends: commands past their deadline, gateways of a process that died. */
export const sweepField = async (pool: Pool, now: number) => {
  const { rows } = await pool.query<{ device_id: number }>(
    'update device_command set state = $1, finish_at = $2 where state < $3 and deadline <= $2 returning device_id',
    [commandState.to('expire'), now, commandState.id('done')],
  );
  await notify(pool, 'command', [...new Set(rows.map((r) => r.device_id))]);
  await pool.query('delete from field_node where beat_at < $1', [now - deadS]);
  await offline(pool, now, 'd.conn_node is not null and not exists (select from field_node n where n.id = d.conn_node)', [], 'lost');
};

/** What need not be looked at every few seconds: authorizations past their day, positions of boots long gone. */
export const sweepRarely = async (pool: Pool, now: number) => {
  const sql = `update device set auth_status = 'expired' where auth_status in ('formal', 'test') and auth_expire_at <= $1 returning id`;
  const { rows } = await pool.query<{ id: number }>(sql, [now]);
  await notify(
    pool,
    'authorization',
    rows.map((r) => r.id),
  );
  await pool.query('delete from device_stream where update_at < $1', [now - keepStreams]);
};
