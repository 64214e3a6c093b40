import type { Pool } from 'pg';
import { beginLimited } from '../../db/lock.ts';
import type { Unreadable } from '../../domain/audit/store/audit-row.ts';
import { changePayloads, connectionChannel, liveChannel } from '../../orders/notify.ts';
import { storeAccounts } from './accounts.ts';
import { storeAwaitingConfirmation } from './applies.ts';
import { storeBatches } from './batches.ts';
import { handleChanges } from './commit-handlers.ts';
import { storeDanger, storeSentDanger } from './danger-sites.ts';
import { storeDelivered } from './delivered.ts';
import { storeReportProgress } from './dpi-tasks.ts';
import { storeEvents } from './events.ts';
import { checkEpoch } from './fence.ts';
import { storePortalProgress } from './portal-tasks.ts';
import { storePresence } from './presence.ts';
import { storeResults } from './results.ts';
import { storeSections } from './sections.ts';
import { storeStatus } from './status.ts';
import { type Item, type Stored, Tx } from './tx.ts';

export interface Message {
  readonly sn: string;
  readonly conn: string;
  readonly content: Stored;
}

export interface StoreResult {
  readonly deliverTo: ReadonlySet<string>;
  readonly ackHelloTo: ReadonlySet<string>;
  readonly unreadable: readonly Unreadable[];
}

type StoredItem = Item<Stored>;
type OfKind<K extends Stored['kind']> = Item<Extract<Stored, { kind: K }>>;

const devicesOf = async (tx: Tx, messages: readonly Message[]) => {
  const sns = [...new Set(messages.map((m) => m.sn))];
  // A device cannot be deleted while its messages are stored.
  const sql = 'select id, sn, current_link, boot from device where sn = any($1::text[]) order by id for key share';
  const rows = await tx.query<{ id: number; sn: string; current_link: string | null; boot: string | null }>('devices', sql, [sns]);
  for (const { id, current_link, boot } of rows) {
    tx.links.set(id, current_link);
    tx.boots.set(id, boot);
  }
  return new Map(rows.map((r) => [r.sn, r.id]));
};

/**
 * Whether storing the message may change the row of its device. A login of a user does not. It locks the account, and a change of the
 * account locks its device afterwards.
 */
const changesDevice = (tx: Tx, item: StoredItem) =>
  ['hello', 'bye', 'section', 'result'].includes(item.kind) ||
  (item.kind === 'event' && item.body.k !== 'user') ||
  (item.kind === 'status' && item.body.cur !== undefined && item.body.cur !== tx.links.get(item.device));

/**
 * Locks the devices that the batch changes by id, as operators and jobs do: device, sections, apply operations. Each kind of message is
 * stored by its own statements, which would lock devices of the same batch in another order and could deadlock.
 */
const lockDevices = async (tx: Tx, items: readonly StoredItem[]) => {
  if (!items.some((item) => changesDevice(tx, item))) return;
  // A change of access points locks its device too.
  const locked = items.filter((item) => changesDevice(tx, item) || (item.kind === 'status' && item.body.ap));
  const ids = [...new Set(locked.map(({ device }) => device))];
  await tx.query('lock_devices', 'select from device where id = any($1::bigint[]) order by id for no key update', [ids]);
};

const storeAll = async (tx: Tx, messages: readonly Message[]) => {
  const devices = await devicesOf(tx, messages);
  const all = messages.flatMap(({ sn, conn, content: stored }) => {
    const device = devices.get(sn);
    return device === undefined ? [] : [{ ...stored, sn, conn, device }];
  });
  const of = <K extends Stored['kind']>(kind: K) => all.filter((item): item is OfKind<K> & (typeof all)[number] => item.kind === kind);
  const some = async <T>(items: readonly T[], store: (tx: Tx, items: readonly T[]) => Promise<void>) => {
    if (items.length > 0) await store(tx, items);
  };
  await lockDevices(tx, all);
  // A bye before a later hello is ignored.
  const lastHello = new Map(all.flatMap(({ kind, device }, at) => (kind === 'hello' ? [[device, at] as const] : [])));
  const byes = all.flatMap((item, at) => (item.kind === 'bye' && at > (lastHello.get(item.device) ?? -1) ? [item] : []));
  await storePresence(tx, of('hello'), byes);
  await some(of('status'), storeStatus);
  await some(of('event'), storeEvents);
  await some(of('batch'), storeBatches);
  await some(of('progress'), storePortalProgress);
  await some(of('progress'), storeReportProgress);
  await some(of('section'), storeSections);
  await some(of('result'), storeResults);
  await some(of('set'), storeAwaitingConfirmation);
  await some(of('accounts'), storeAccounts);
  await some(of('sent_danger'), storeSentDanger);
  await some(of('danger'), storeDanger);
  await some([...of('sent_section'), ...of('sent_set'), ...of('sent_command')], storeDelivered);
  await handleChanges(tx);
};

const sendNotifications = async (tx: Tx) => {
  const notifications = [
    ...tx.notifications.map((text) => ({ channel: connectionChannel, text })),
    ...changePayloads(tx.changes).map((text) => ({ channel: liveChannel, text })),
  ];
  if (notifications.length > 0)
    await tx.query('notify', 'select pg_notify(u.channel, u.text) from json_to_recordset($1::json) as u(channel text, text text)', [
      JSON.stringify(notifications),
    ]);
};

/** One commit, including the notifications of its changes. */
export const inStore = async (pool: Pool, now: number, node: string, work: (tx: Tx) => Promise<void>, secretKey?: Buffer): Promise<Tx> => {
  const client = await pool.connect();
  let broken = true;
  try {
    const tx = new Tx(client, now, node, secretKey);
    await client.query(beginLimited);
    try {
      await work(tx);
      await sendNotifications(tx);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      broken = false;
      throw error;
    }
    broken = false;
    return tx;
  } finally {
    client.release(broken);
  }
};

/** Stores a batch in one commit. When it returns, the batch is durable. */
export const storeMessages = (
  pool: Pool,
  now: number,
  node: string,
  messages: readonly Message[],
  secretKey?: Buffer,
  epoch?: number,
): Promise<StoreResult> =>
  inStore(
    pool,
    now,
    node,
    async (tx) => {
      await checkEpoch(tx, epoch);
      await storeAll(tx, messages);
    },
    secretKey,
  );
