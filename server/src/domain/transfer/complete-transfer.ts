import type { Residue } from '@farlink/contract/device/transfer.ts';
import { commandState } from '@farlink/contract/protocol/command.ts';
import { factoryDocs } from '@farlink/gateway/kit/config.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../db/tables.ts';
import type { Db } from '../../kit/deps.ts';
import { closeLogRows } from '../../orders/close-log-rows.ts';
import { sendCommand } from '../../orders/command.ts';
import { issueLogin } from '../../orders/device-login.ts';
import { endOnlineSessions } from '../../orders/end-online-sessions.ts';
import { notifyChange, notifyConnections } from '../../orders/notify.ts';
import { clearPortalSection } from '../../orders/portal-section.ts';
import { notifySession } from '../remote/end-session.ts';
import { announceLoss } from './announce-loss.ts';
import { logTransfers } from './log-transfer.ts';

interface Transfer {
  readonly id: number;
  readonly device_id: number;
  readonly from_agent_id: number;
  readonly to_agent_id: number;
  readonly keep_users: boolean;
}

/** Deadline for the reply; a ship may be offline for a week. */
const commandS = 7 * 86_400;

/** Moves accounts without a balance to the new VNO. Prefix and templates belong to the old VNO and are removed. */
const moveAccounts = async (db: Kysely<Database>, { device_id, to_agent_id, keep_users }: Transfer, now: number) => {
  const { rows: moved } = await sql<{ templates: boolean }>`
    with moving as (
      select id, application_id is not null or policy_id is not null as templates from subscriber
      where device_id = ${device_id} and ${keep_users} and balance = 0 order by id for no key update
    )
    update subscriber s set agent_id = ${to_agent_id}, prefix_id = null, custom_policy = false, application_id = null, policy_id = null,
      config_id = (select c.id from open_config c where c.agent_id = ${to_agent_id} and c.account_type = s.account_type),
      update_at = ${now}, version = s.version + 1
    from moving m where s.id = m.id returning m.templates`.execute(db);
  const { rows: left } = await sql<{ id: number }>`
    update subscriber set device_id = null, update_at = ${now}, version = version + 1
    where device_id = ${device_id} and agent_id <> ${to_agent_id} returning id`.execute(db);
  return { accounts_moved: moved.length, accounts_left: left.length, templates: moved.filter((m) => m.templates).length };
};

/**
 * Of the pages, only the hashes remain: the gateway still has the documents, and they are unread until it reports them. Revision 0 gives
 * way to any report. A revision that the gateway has not confirmed may be in force or not, so its page gets a hash of no document.
 */
const forgetDocuments = async (db: Kysely<Database>, { device_id }: Transfer, now: number) => {
  const pages = [...factoryDocs.keys()];
  await sql`
    insert into reported_section as r (device_id, section, rev, hash, ok, local, at)
    select device_id, section, 0, hash, true, false, ${now} from desired_section
    where device_id = ${device_id} and sent_at is not null and not settled and section = any(${pages}::text[])
    on conflict (device_id, section) do update set hash = md5(excluded.hash || coalesce(r.hash, ''))`.execute(db);
  await sql`delete from reported_section where device_id = ${device_id} and (hash is null or section <> all(${pages}::text[]))`.execute(db);
  await sql`update reported_section set rev = 0, ok = true, local = false, doc = null, err = null where device_id = ${device_id}`.execute(
    db,
  );
};

/** Removes all references of the old VNO to the device: packages, roles, rules and pending changes. */
const removeReferences = async (db: Kysely<Database>, transfer: Transfer, now: number) => {
  const { device_id } = transfer;
  const { rows } = await sql<{ id: number }>`
    update package set device_ids = array_remove(device_ids, ${device_id}::bigint), version = version + 1, update_at = ${now}
    where device_ids @> array[${device_id}]::bigint[] returning id`.execute(db);
  await sql`update role set device_ids = array_remove(device_ids, ${device_id}::bigint) where ${device_id}::bigint = any(device_ids)`.execute(
    db,
  );
  await sql`update device set config_floor = greatest(config_floor, (select max(rev) from (
      select rev from desired_section where device_id = ${device_id} union all select rev from reported_section where device_id = ${device_id}
    ) held)) where id = ${device_id}`.execute(db);
  await forgetDocuments(db, transfer, now);
  for (const table of [
    'notify_rule',
    'device_account',
    'desired_section',
    'config_draft',
    'config_apply',
    'config_variable',
    'page_reading',
    'device_flow_day',
    'gateway_account',
    'account_sync',
  ] as const)
    await db.deleteFrom(table).where('device_id', '=', device_id).execute();
  // Page readings and diagnostics of the old VNO must not be visible to the new one.
  await sql`delete from device_command where device_id = ${device_id} and op in ('page.read', 'page.run')`.execute(db);
  // The commands expire now, so that the next sweep runs their handlers.
  await sql`update device_command set deadline = ${now} where device_id = ${device_id} and state < ${sql.lit(commandState.ids.done)} and deadline > ${now}`.execute(
    db,
  );
  return rows.length;
};

/** Notifies the processes with tunnels to the device. They close the tunnels, because the owner has changed. */
const endRemote = async (db: Kysely<Database>, deviceId: number) => {
  const running = await db
    .selectFrom('remote_session')
    .select('id')
    .where('device_id', '=', deviceId)
    .where('end_at', 'is', null)
    .execute();
  for (const { id } of running) await notifySession(db, id);
};

const countCards = async (db: Kysely<Database>, { device_id }: Transfer) => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from recharge_card where device_id = ${device_id} and status = 'unused'`.execute(db);
  return rows[0]?.n ?? 0;
};

/**
 * Completes a device transfer after a login with its new key: in one transaction the device belongs to the new VNO, with only that key. It
 * always has exactly one owner. Returns false if the transfer was ended meanwhile; the key is then invalid.
 */
export const completeTransfer = (db: Db, deviceId: number, keyHash: string, now: number): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const device = await tx
      .selectFrom('device')
      .select(['id', 'name', 'sn', 'next_key_hash', 'revision', 'portal_id'])
      .where('id', '=', deviceId)
      .where('next_key_hash', '=', keyHash)
      .forUpdate()
      .executeTakeFirst();
    const row = await tx
      .selectFrom('device_transfer')
      .select(['id', 'from_agent_id', 'to_agent_id', 'keep_users', 'operator_agent_id'])
      .where('device_id', '=', deviceId)
      .where('state', 'in', ['preparing', 'acknowledged'])
      .where('deadline', '>', now)
      .forUpdate()
      .executeTakeFirst();
    if (!device || !row) return false;
    const transfer = { ...row, device_id: deviceId };
    await endOnlineSessions(tx, deviceId, now);
    await closeLogRows(tx, deviceId, now);
    // Position, links and load belong to the past at the old VNO. The gateway reports them again.
    await tx.deleteFrom('device_status').where('device_id', '=', deviceId).execute();
    const cards = await countCards(tx, transfer);
    const accounts = await moveAccounts(tx, transfer, now);
    const packages = await removeReferences(tx, transfer, now);
    const residue: Residue = { ...accounts, packages, cards };
    const { code } = await tx.selectFrom('agent').select('code').where('id', '=', row.to_agent_id).executeTakeFirstOrThrow();
    await tx
      .updateTable('device')
      .set({
        agent_id: row.to_agent_id,
        merchant_code: code,
        key_hash: keyHash,
        key_hint: null,
        key_used_at: now,
        next_key_hash: null,
        transfer_status: null,
        device_group_id: null,
        portal_id: null,
        portal_rev: null,
        fence: null,
        current_link: null,
        network: 'unknown',
        shadow_hash: null,
        shadow_odd: null,
        revision: device.revision + 1,
      })
      .where('id', '=', deviceId)
      .execute();
    // The gateway still serves the portal of the old VNO.
    if (device.portal_id !== null) await clearPortalSection(tx, deviceId, now);
    // Replaces the login password of the old VNO.
    await issueLogin(tx, deviceId, now);
    // Requests the configuration, because the gateway still has it.
    await sendCommand(tx, deviceId, 'cfg.get', {}, { now, deadline: now + commandS });
    await tx
      .updateTable('device_transfer')
      .set({ state: 'done', finish_at: now, residue: JSON.stringify(residue) })
      .where('id', '=', row.id)
      .execute();
    await logTransfers(tx, 'done', [row.id], now);
    await announceLoss(tx, row, device, now);
    // Ends connections with the old key, because they would receive messages for the new owner.
    await notifyConnections(tx, { end: device.sn, key: keyHash });
    await endRemote(tx, deviceId);
    await notifyChange(tx, 'record', [deviceId]);
    return true;
  });
