import { commandState } from '@farlink/contract/protocol/command.ts';
import { keyColumns } from '../../orders/device-key.ts';
import type { MovedCommand } from './commit-items.ts';
import type { Tx } from './tx.ts';

/**
 * A requested setting is written to the device row when the gateway has applied it. The revision is increased, so an older form cannot send
 * the old value back.
 */
const doneOf = (moved: readonly MovedCommand[]) => moved.filter(({ state }) => state === commandState.id('done'));

const markChanged = (tx: Tx, rows: readonly { readonly id: number }[]) => {
  for (const { id } of rows) tx.changed('record', id);
};

const lockSql = `
  update device d set link_lock = u.lock, change_mode = u.mode, revision = d.revision + 1
  from json_to_recordset($1::json) as u(device bigint, lock text, mode text) where d.id = u.device
  returning d.id`;

export const handleLocks = async (tx: Tx, moved: readonly MovedCommand[]) => {
  const rows = doneOf(moved).map(({ device_id, args }) => ({ device: device_id, lock: args.lock, mode: args.mode }));
  if (rows.length > 0) markChanged(tx, await tx.query<{ id: number }>('lock_done', lockSql, [JSON.stringify(rows)]));
};

const keySql = `
  update device d set key_hash = u.key_hash, key_verifier = u.key_verifier, key_hint = u.key_hint, key_used_at = $2, revision = d.revision + 1
  from json_to_recordset($1::json) as u(device bigint, key_hash text, key_verifier text, key_hint text) where d.id = u.device
  returning d.id`;

/** The gateway uses the new key from now on. The key stays readable in the command only until the command ends. */
export const handleKeys = async (tx: Tx, moved: readonly MovedCommand[]) => {
  const rows = doneOf(moved).flatMap(({ device_id, args }) =>
    typeof args.key === 'string' ? [{ device: device_id, ...keyColumns(args.key) }] : [],
  );
  if (rows.length > 0) markChanged(tx, await tx.query<{ id: number }>('key_done', keySql, [JSON.stringify(rows), tx.now]));
  // Ends connections that still use the old key.
  const snOf = new Map(moved.map(({ device_id, sn }) => [device_id, sn]));
  for (const { device, key_hash } of rows) tx.notifications.push(JSON.stringify({ end: snOf.get(device), key: key_hash }));
  const ended = moved.filter(({ state }) => state >= commandState.id('done')).map(({ id }) => id);
  if (ended.length > 0) await tx.query('key_gone', `update device_command set args = args - 'key' where id = any($1::text[])`, [ended]);
};
