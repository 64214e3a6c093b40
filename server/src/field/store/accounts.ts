import { type AccountReport, digestText } from '@farlink/gateway/protocol/account.ts';
import type { AccountsItem, HelloItem, Tx } from './tx.ts';
import { lastOf } from './tx.ts';

interface Sync {
  readonly device_id: number;
  readonly rev: number;
  readonly acked: number;
  readonly whole_to: number;
  readonly odd_digest: string | null;
  readonly digest: string | null;
}

const lockSql = `
  select device_id, rev, acked, whole_to, odd_digest, digest from account_sync where device_id = any($1::bigint[]) order by device_id for update`;

const lockSyncs = async (tx: Tx, devices: readonly number[]) => {
  const rows = await tx.query<Sync>('account_lock', lockSql, [devices]);
  return new Map(rows.map((row) => [row.device_id, row]));
};

/** A complete transfer with new counters, because the gateway has lost its accounts. */
const restart = async (tx: Tx, devices: readonly { readonly device: number; readonly h: string }[]) => {
  if (devices.length === 0) return;
  await tx.query(
    'account_lost',
    'update account_sync y set is_lost = true, odd_digest = u.h from json_to_recordset($1::json) as u(device bigint, h text) where y.device_id = u.device',
    [JSON.stringify(devices)],
  );
};

/** Moves back to an earlier revision that the gateway holds. */
const moveBack = (tx: Tx, rows: readonly { readonly device: number; readonly rev: number }[]) =>
  tx.query(
    'account_back',
    'update account_sync y set acked = u.rev from json_to_recordset($1::json) as u(device bigint, rev bigint) where y.device_id = u.device',
    [JSON.stringify(rows)],
  );

/** The gateway has another state than it confirmed: revision 0 and unknown revisions mean that it lost its accounts. */
const isLost = (sync: Sync, rev: number) => rev > sync.rev || (rev === 0 && sync.acked > 0);

/** Compares what a gateway holds at its hello with what it confirmed last. */
export const compareAccounts = async (tx: Tx, items: readonly HelloItem[]) => {
  const reported = items.flatMap(({ device, body }) => (body.acc ? [{ device, ...body.acc }] : []));
  if (reported.length === 0) return;
  const syncs = await lockSyncs(
    tx,
    reported.map(({ device }) => device),
  );
  const lost: { device: number; h: string }[] = [];
  const back: { device: number; rev: number }[] = [];
  for (const { device, rev, h } of reported) {
    const sync = syncs.get(device);
    if (!sync) continue;
    if (isLost(sync, rev)) lost.push({ device, h });
    else if (rev < sync.acked) back.push({ device, rev });
    else if (rev === sync.acked && sync.digest !== null && sync.digest !== h && sync.odd_digest !== h) lost.push({ device, h });
  }
  await restart(tx, lost);
  if (back.length > 0) await moveBack(tx, back);
};

const ackSql = `
  update account_sync y set acked = u.rev, acked_at = $2, digest = u.h, is_whole = false,
    whole_to = case when u.rev = 0 or u.rev >= y.whole_to and not y.is_whole then 0 when y.is_whole then case when u.rev < y.rev then y.rev else 0 end else y.whole_to end
  from json_to_recordset($1::json) as u(device bigint, rev bigint, h text) where y.device_id = u.device`;

const refuseSql = `
  update gateway_account g set refused = u.err from json_to_recordset($1::json) as u(device bigint, acc text, err text, acked bigint, rev bigint)
  where g.device_id = u.device and g.account = u.acc and g.rev > u.acked and g.rev <= u.rev`;

/** The policy log gets the reply of the gateway. */
const policySql = `
  update policy_log p set result = case when g.refused is null then 'success' else 'fail' end, message_zh = g.refused, message_en = g.refused
  from json_to_recordset($1::json) as u(device bigint, rev bigint), gateway_account g
  where p.device_id = u.device and p.result = 'pending' and p.rev <= u.rev and g.device_id = p.device_id and g.subscriber_id = p.subscriber_id`;

interface RoundEnd {
  readonly device_id: number;
  readonly count: number;
  readonly xor: string | null;
  readonly refused: number;
}

const roundEndSql = `
  select g.device_id, count(*) filter (where not g.is_gone)::int as count, (bit_xor(g.hash) filter (where not g.is_gone))::text as xor,
    count(g.refused)::int as refused
  from gateway_account g where g.device_id = any($1::bigint[]) group by g.device_id`;

/** One line per round of changes, from the first unconfirmed change to the reply that confirms the last. */
const logSql = `
  insert into sync_log (agent_id, device_id, direction, total, success_count, fail_count, result, message_zh, message_en, duration, create_at)
  select d.agent_id, d.id, 'down', n.total, n.total - n.failed, n.failed,
    case when n.failed = 0 then 'success' when n.failed = n.total then 'fail' else 'partial' end, n.names, n.names, greatest(0, $2 - y.round_at), $2
  from account_sync y join device d on d.id = y.device_id cross join lateral (
    select count(*)::int as total, count(g.refused)::int as failed,
      left(string_agg(g.account || ': ' || g.refused, '; ' order by g.account) filter (where g.refused is not null), 500) as names
    from gateway_account g where g.device_id = y.device_id and g.rev > y.round_from and g.rev <= y.acked
  ) n where y.device_id = any($1::bigint[]) and y.acked = y.rev and y.round_at is not null and n.total > 0`;

const closeSql = `
  with closed as (
    update account_sync set round_at = null, round_from = acked where device_id = any($1::bigint[]) and acked = rev returning device_id, acked
  ) delete from gateway_account g using closed c where g.device_id = c.device_id and g.is_gone and g.rev <= c.acked`;

/** Ends the rounds that are confirmed, and starts again where the accounts of a gateway differ from its entries. */
const endRounds = async (
  tx: Tx,
  ended: readonly { readonly device: number; readonly h: string; readonly n: number; readonly odd: string | null }[],
) => {
  if (ended.length === 0) return;
  const devices = ended.map(({ device }) => device);
  const rows = await tx.query<RoundEnd>('account_round', roundEndSql, [devices]);
  const endOf = new Map(rows.map((row) => [row.device_id, row]));
  await tx.query('account_log', logSql, [devices, tx.now]);
  await tx.query('account_close', closeSql, [devices]);
  const different = ended.filter(({ device, h, odd }) => {
    const end = endOf.get(device);
    return end?.refused !== undefined && end.refused > 0 ? false : h !== digestText(BigInt(end?.xor ?? 0)) && h !== odd;
  });
  await restart(tx, different);
};

const refusalsOf = (device: number, { rev, bad = [] }: AccountReport, acked: number) =>
  bad.map(([acc, err]) => ({ device, acc, err, acked, rev }));

/** Stores the replies of gateways to account pages. */
export const storeAccounts = async (tx: Tx, items: readonly AccountsItem[]) => {
  const syncs = await lockSyncs(
    tx,
    [...new Set(items.map(({ device }) => device))].sort((a, b) => a - b),
  );
  const synced = items.flatMap((item) => {
    const sync = syncs.get(item.device);
    return sync ? [{ ...item, sync }] : [];
  });
  await restart(
    tx,
    synced.filter(({ body, sync }) => isLost(sync, body.rev)).map(({ device, body }) => ({ device, h: body.h })),
  );
  const confirmed = synced.filter(({ body, sync }) => body.rev <= sync.rev && !isLost(sync, body.rev));
  const refused = confirmed.flatMap(({ device, body, sync }) => refusalsOf(device, body, sync.acked));
  if (refused.length > 0) await tx.query('account_refuse', refuseSql, [JSON.stringify(refused)]);
  const last = lastOf(confirmed, ({ device }) => device);
  if (last.length === 0) return;
  const acks = last.map(({ device, body: { rev, h, n } }) => ({ device, rev, h, n }));
  await tx.query('account_ack', ackSql, [JSON.stringify(acks), tx.now]);
  await tx.query('account_policy', policySql, [JSON.stringify(acks)]);
  await endRounds(
    tx,
    last.flatMap(({ device, body, sync }) => (body.rev === sync.rev ? [{ device, h: body.h, n: body.n, odd: sync.odd_digest }] : [])),
  );
  for (const { device, sn } of last) {
    tx.deliverTo.add(sn);
    tx.changed('user', device);
  }
};
