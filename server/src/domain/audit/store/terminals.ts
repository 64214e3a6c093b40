import type { AuditRow, AuditTx, Cell } from './audit-row.ts';

/** A late observation moves the first time only. The subscriber belongs to the account. */
const stateSql = `
  insert into audit_terminal_state as t (device_id, mac, agent_id, subscriber_id, account, ip, brand, terminal_os, ssid, signal, first_at, last_at)
  select u.device_id, u.mac, u.agent_id, u.subscriber_id, u.account, u.ip, u.brand, u.terminal_os, u.ssid, u.signal, u.first_at, u.last_at
  from json_to_recordset($1::json) as u(device_id bigint, mac text, agent_id bigint, subscriber_id bigint, account text, ip text, brand text,
    terminal_os text, ssid text, signal integer, first_at bigint, last_at bigint)
  order by u.device_id, u.mac collate "C", u.agent_id
  on conflict (device_id, mac, agent_id) do update set
    first_at = least(t.first_at, excluded.first_at), last_at = greatest(t.last_at, excluded.last_at),
    subscriber_id = case when excluded.last_at >= t.last_at and excluded.account is not null then excluded.subscriber_id else t.subscriber_id end,
    account = case when excluded.last_at >= t.last_at then coalesce(excluded.account, t.account) else t.account end,
    ip = case when excluded.last_at >= t.last_at then coalesce(excluded.ip, t.ip) else t.ip end,
    brand = case when excluded.last_at >= t.last_at then coalesce(excluded.brand, t.brand) else t.brand end,
    terminal_os = case when excluded.last_at >= t.last_at then excluded.terminal_os else t.terminal_os end,
    ssid = case when excluded.last_at >= t.last_at then coalesce(excluded.ssid, t.ssid) else t.ssid end,
    signal = case when excluded.last_at >= t.last_at then coalesce(excluded.signal, t.signal) else t.signal end`;

type State = Record<string, Cell>;

/** Adds a later observation: what it does not contain stays. */
const follow = (state: State | undefined, row: AuditRow): State => {
  const { at = null, account = null, ...values } = row.plain;
  const person = account === null || account === '' ? {} : { account, subscriber_id: row.subscriber_id };
  const present = Object.fromEntries(Object.entries({ ...values, ...person }).filter(([name, value]) => value !== null || name in person));
  return { first_at: at, ...state, ...present, last_at: at, device_id: row.device_id, agent_id: row.agent_id };
};

/** Current state of terminals. Rows are locked in the order of their keys. */
export const storeTerminals = async (tx: AuditTx, rows: readonly AuditRow[]) => {
  const states = new Map<string, State>();
  for (const row of rows.toSorted((a, b) => Number(a.plain.at) - Number(b.plain.at))) {
    const key = `${row.device_id} ${row.plain.mac} ${row.agent_id}`;
    states.set(key, follow(states.get(key), row));
  }
  await tx.query('audit_terminals', stateSql, [JSON.stringify([...states.values()])]);
};
