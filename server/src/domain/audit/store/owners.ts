import { plausibleTime } from '@farlink/gateway/protocol/clock.ts';
import { open } from '../../../kit/session/secret.ts';
import type { AuditItem, AuditTx } from './audit-row.ts';

/** The subscriber of an account at the time of storing. */
export interface Person {
  readonly id: number;
  readonly name: string;
  readonly phone: string;
  /** Decrypted on request; null if it cannot be decrypted. */
  readonly id_number: () => string | null;
}

/** Owner of a device at a time, and the subscriber of an account there. */
export type Owner = (device: number, account: string, at: number) => { readonly agent: number; readonly person: Person | undefined };

/** A negative id is a NAS of another maker. */
const agentsSql = `select id, agent_id from device where id = any($1::bigint[])
  union all select -id, agent_id from nas where id in (select -u.id from unnest($1::bigint[]) as u(id))`;
/** Same rule as device_owner(): the first later transfer names the owner before it. */
const transfersSql = `
  select device_id, from_agent_id, finish_at from device_transfer
  where device_id = any($1::bigint[]) and state = 'done' and finish_at > $2 order by device_id, finish_at`;
const peopleSql = `
  select u.account as reported, s.agent_id, s.id, s.name, s.phone, s.id_number
  from unnest($1::text[]) as u(account) join subscriber s on lower(s.account) = lower(u.account)`;

interface Transfer {
  readonly device_id: number;
  readonly from_agent_id: number;
  readonly finish_at: number;
}

const ownersOf = async (tx: AuditTx, items: readonly AuditItem[]) => {
  const devices = [...new Set(items.map(({ device }) => device))];
  let oldest = tx.now;
  for (const { body } of items) for (const { at } of body.rows) oldest = Math.min(oldest, plausibleTime(Number(at), tx.now));
  const current = await tx.query<{ id: number; agent_id: number }>('audit_agents', agentsSql, [devices]);
  const agents = new Map(current.map(({ id, agent_id }) => [id, agent_id]));
  const moves = Map.groupBy(await tx.query<Transfer>('audit_transfers', transfersSql, [devices, oldest]), ({ device_id }) => device_id);
  return (device: number, at: number): number =>
    moves.get(device)?.find(({ finish_at }) => finish_at > at)?.from_agent_id ?? agents.get(device) ?? 0;
};

/** An ID number that was sealed by another secret key is left out: the row is still evidence of the rest. */
const idNumberOf = (tx: AuditTx, subscriber_id: number, sealed: string | null) => {
  let opened: string | null | undefined;
  return () => {
    if (opened !== undefined) return opened;
    try {
      opened = sealed === null ? null : open(tx.secretKey, sealed);
    } catch {
      opened = null;
      tx.unreadable.push({ what: 'id number of a subscriber', subscriber_id });
    }
    return opened;
  };
};

const peopleOf = async (tx: AuditTx, items: readonly AuditItem[]) => {
  const accounts = new Set<string>();
  for (const { body } of items) for (const { acc } of body.rows) if (typeof acc === 'string' && acc !== '') accounts.add(acc);
  if (accounts.size === 0) return new Map<string, { readonly agent: number; readonly person: Person }>();
  type Row = { reported: string; agent_id: number; id: number; name: string; phone: string; id_number: string | null };
  const rows = await tx.query<Row>('audit_people', peopleSql, [[...accounts]]);
  return new Map(
    rows.map(({ reported, agent_id, id, name, phone, id_number }) => [
      reported,
      { agent: agent_id, person: { id, name, phone, id_number: idNumberOf(tx, id, id_number) } },
    ]),
  );
};

/** Reads owners and subscribers of all rows by three statements. */
export const auditOwners = async (tx: AuditTx, items: readonly AuditItem[]): Promise<Owner> => {
  const agentAt = await ownersOf(tx, items);
  const people = await peopleOf(tx, items);
  return (device, account, at) => {
    const agent = agentAt(device, at);
    const found = people.get(account);
    return { agent, person: found?.agent === agent ? found.person : undefined };
  };
};
