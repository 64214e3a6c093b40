import { type AccountEntry, entryHash } from '@farlink/gateway/protocol/account.ts';
import { sql } from 'kysely';
import type { Config } from '../../env/config.ts';
import type { Db } from '../../kit/deps.ts';
import { notifyChange, notifyConnections } from '../../orders/notify.ts';
import { type Access, accessOf } from './access.ts';
import { accountEntryOf } from './account-entry.ts';
import { syncPolicies } from './policy-section.ts';
import { ensureVerifiers } from './verifier.ts';
import { isWorthSending } from './worth-sending.ts';

/** Changes per transaction. */
export const changesAtOnce = 500;
/** Serial numbers per notification; PostgreSQL limits it to 8000 bytes. */
const snsPerNotification = 100;

interface Target {
  readonly device_id: number;
  readonly subscriber_id: number;
}

interface StoredRow extends Target {
  readonly rev: number;
  readonly hash: string;
  readonly doc: AccountEntry;
  readonly is_gone: boolean;
  readonly counter_id: number;
  readonly used_bytes: number;
  readonly used_seconds: number;
}

interface Change extends Target {
  readonly account: string;
  readonly doc: AccountEntry;
  readonly hash: string;
  readonly is_gone: boolean;
  readonly counter_id: number;
}

/** Gateways that store an account: its device, all devices of its group, or all of its VNO. Old gateways and those that use RADIUS store none. */
const targetsOf = async (db: Db, ids: readonly number[]): Promise<Target[]> => {
  const { rows } = await sql<Target>`
    select d.id as device_id, s.id as subscriber_id from subscriber s join device d
      on d.agent_id = s.agent_id and (d.id = s.device_id or (s.device_id is null and (d.device_group_id = s.device_group_id or s.whole_vno)))
    where s.id = any(${ids}::bigint[]) and d.billing_mode in (1, 3) and 'accounts' = any(d.caps)`.execute(db);
  return rows;
};

const storedRows = async (db: Db, ids: readonly number[]): Promise<StoredRow[]> => {
  const { rows } = await sql<StoredRow>`
    select device_id, subscriber_id, rev, hash::text as hash, doc, is_gone, counter_id, used_bytes, used_seconds
    from gateway_account where subscriber_id = any(${ids}::bigint[])`.execute(db);
  return rows;
};

const keyOf = ({ device_id, subscriber_id }: Target) => `${device_id} ${subscriber_id}`;

/** Differences between the stored entries and the desired ones. */
const changesOf = (
  access: ReadonlyMap<number, Access>,
  verifiers: ReadonlyMap<number, string>,
  targets: readonly Target[],
  stored: readonly StoredRow[],
  revOf: (device: number) => number,
): Change[] => {
  const storedByKey = new Map(stored.map((row) => [keyOf(row), row]));
  const desiredKeys = new Set(targets.map(keyOf));
  const changes: Change[] = [];
  for (const target of targets) {
    const of = access.get(target.subscriber_id);
    const verifier = verifiers.get(target.subscriber_id);
    const was = storedByKey.get(keyOf(target));
    if (!of || verifier === undefined) continue;
    const counters = was && !was.is_gone ? was : { counter_id: revOf(target.device_id) + 1, used_bytes: 0, used_seconds: 0 };
    const doc = accountEntryOf(of, verifier, counters);
    const hash = String(entryHash(doc));
    if (was && !was.is_gone && (was.hash === hash || !isWorthSending(was.doc, doc))) continue;
    changes.push({ ...target, account: of.account, doc, hash, is_gone: false, counter_id: counters.counter_id });
  }
  for (const row of stored) if (!row.is_gone && !desiredKeys.has(keyOf(row))) changes.push({ ...row, account: row.doc.acc, is_gone: true });
  return changes;
};

interface SyncRow {
  readonly device_id: number;
  readonly sn: string;
  rev: number;
}

const lockSyncs = async (db: Db, devices: readonly number[]): Promise<ReadonlyMap<number, SyncRow>> => {
  await sql`insert into account_sync (device_id) select unnest(${devices}::bigint[]) on conflict do nothing`.execute(db);
  const { rows } = await sql<SyncRow>`
    select y.device_id, y.rev, d.sn from account_sync y join device d on d.id = y.device_id
    where y.device_id = any(${devices}::bigint[]) order by y.device_id for update of y`.execute(db);
  return new Map(rows.map((row) => [row.device_id, row]));
};

const writeChanges = async (db: Db, changes: readonly Change[], syncs: ReadonlyMap<number, SyncRow>, now: number) => {
  const rows = changes.flatMap((change) => {
    const sync = syncs.get(change.device_id);
    if (!sync) return [];
    sync.rev++;
    return [{ ...change, rev: sync.rev }];
  });
  await sql`
    insert into gateway_account as g (device_id, subscriber_id, account, rev, hash, doc, is_gone, counter_id)
    select u.device_id, u.subscriber_id, u.account, u.rev, u.hash::bigint, u.doc, u.is_gone, u.counter_id
    from json_to_recordset(${JSON.stringify(rows)}::json) as u(device_id bigint, subscriber_id bigint, account text, rev bigint, hash text, doc jsonb,
      is_gone boolean, counter_id bigint)
    on conflict (device_id, subscriber_id) do update set account = excluded.account, rev = excluded.rev, hash = excluded.hash, doc = excluded.doc,
      is_gone = excluded.is_gone, refused = null, counter_id = excluded.counter_id,
      used_bytes = case when g.counter_id = excluded.counter_id then g.used_bytes else 0 end,
      used_seconds = case when g.counter_id = excluded.counter_id then g.used_seconds else 0 end`.execute(db);
  const revs = [...new Set(rows.map((row) => row.device_id))].map((id) => ({ id, rev: syncs.get(id)?.rev ?? 0 }));
  await sql`
    update account_sync y set rev = u.rev, round_at = case when y.rev = y.acked then ${now}::bigint else coalesce(y.round_at, ${now}::bigint) end,
      round_from = case when y.rev = y.acked then y.acked else y.round_from end
    from json_to_recordset(${JSON.stringify(revs)}::json) as u(id bigint, rev bigint) where y.device_id = u.id`.execute(db);
};

/** A policy change is confirmed with the revision of its account. */
const markPolicies = (db: Db, ids: readonly number[]) =>
  sql`update policy_log p set rev = g.rev, device_id = g.device_id, result = case when g.rev <= y.acked and g.refused is null then 'success' else 'pending' end
    from gateway_account g join account_sync y on y.device_id = g.device_id
    where p.subscriber_id = any(${ids}::bigint[]) and g.subscriber_id = p.subscriber_id and not g.is_gone and p.result = 'pending'
      and p.rev is null and (p.device_id is null or p.device_id = g.device_id)`.execute(db);

/** Updates the entries of these accounts on their gateways, in the caller's transaction. */
export const syncAccounts = async (db: Db, config: Pick<Config, 'secretKey'>, ids: readonly number[], now: number): Promise<number> => {
  const targets = await targetsOf(db, ids);
  const stored = await storedRows(db, ids);
  const devices = [...new Set([...targets, ...stored].map((row) => row.device_id))].sort((a, b) => a - b);
  if (devices.length === 0) return 0;
  const syncs = await lockSyncs(db, devices);
  const needed = [...new Set(targets.map((target) => target.subscriber_id))];
  const access = await accessOf(db, needed, now);
  const verifiers = await ensureVerifiers(db, config.secretKey, [...access.values()]);
  const changes = changesOf(access, verifiers, targets, stored, (device) => syncs.get(device)?.rev ?? 0);
  if (changes.length > 0) await writeChanges(db, changes, syncs, now);
  await syncPolicies(db, devices, now);
  await markPolicies(db, ids);
  const changed = [...new Set(changes.map((change) => change.device_id))];
  const sns = changed.flatMap((id) => syncs.get(id)?.sn ?? []);
  for (let at = 0; at < sns.length; at += snsPerNotification) await notifyConnections(db, { wake: sns.slice(at, at + snsPerNotification) });
  await notifyChange(db, 'user', changed);
  return changes.length;
};
