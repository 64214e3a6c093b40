import type { AuditRow } from './audit-row.ts';
import { lastOf, type Tx } from './tx.ts';

/** A late observation moves the first time only. */
const stateSql = `
  insert into audit_terminal_state as t (device_id, mac, agent_id, subscriber_id, account, ip, brand, terminal_os, ssid, signal, first_at, last_at)
  select u.device_id, u.mac, u.agent_id, u.subscriber_id, u.account, u.ip, u.brand, u.terminal_os, u.ssid, u.signal, u.first_at, u.at
  from json_to_recordset($1::json) as u(device_id bigint, mac text, agent_id bigint, subscriber_id bigint, account text, ip text, brand text,
    terminal_os text, ssid text, signal integer, first_at bigint, at bigint)
  on conflict (device_id, mac, agent_id) do update set
    first_at = least(t.first_at, excluded.first_at), last_at = greatest(t.last_at, excluded.last_at),
    subscriber_id = case when excluded.last_at >= t.last_at then coalesce(excluded.subscriber_id, t.subscriber_id) else t.subscriber_id end,
    account = case when excluded.last_at >= t.last_at then coalesce(excluded.account, t.account) else t.account end,
    ip = case when excluded.last_at >= t.last_at then coalesce(excluded.ip, t.ip) else t.ip end,
    brand = case when excluded.last_at >= t.last_at then coalesce(excluded.brand, t.brand) else t.brand end,
    terminal_os = case when excluded.last_at >= t.last_at then excluded.terminal_os else t.terminal_os end,
    ssid = case when excluded.last_at >= t.last_at then coalesce(excluded.ssid, t.ssid) else t.ssid end,
    signal = case when excluded.last_at >= t.last_at then coalesce(excluded.signal, t.signal) else t.signal end`;

/** Current state of terminals. Rows are locked in the order of their keys. */
export const storeTerminals = async (tx: Tx, rows: readonly AuditRow[]) => {
  const sorted = rows.toSorted((a, b) => Number(a.plain.at) - Number(b.plain.at));
  const keyOf = (row: AuditRow) => `${row.device_id} ${row.plain.mac} ${row.agent_id}`;
  const first = new Map<string, number>();
  for (const row of sorted) if (!first.has(keyOf(row))) first.set(keyOf(row), Number(row.plain.at));
  const states = lastOf(sorted, keyOf).map((row) => ({
    ...row.plain,
    account: row.plain.account === '' ? null : row.plain.account,
    device_id: row.device_id,
    agent_id: row.agent_id,
    subscriber_id: row.subscriber_id,
    first_at: first.get(keyOf(row)),
  }));
  await tx.query('audit_terminals', stateSql, [JSON.stringify(states)]);
};
