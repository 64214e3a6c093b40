import { errors } from '@farlink/contract/errors.ts';
import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { capabilityNames } from '@farlink/contract/protocol/capability.ts';
import { commandState } from '@farlink/contract/protocol/command.ts';
import { transferLogSql, transferLogValues } from '../../domain/transfer/log-transfer.ts';
import type { MovedCommand } from './commit-items.ts';
import type { Tx } from './tx.ts';

const overdue: Text = ['网关未在15分钟内完成转移', 'The gateway did not complete the transfer within 15 minutes'];
const refused: Text = ['网关拒绝转移：{0}', 'The gateway refused the transfer: {0}'];
const tooOld = fill(errors.gateway_too_old.text, capabilityNames.transfer);

const failSql = `
  with failed as (
    update device_transfer t set state = 'failed', reason_zh = u.zh, reason_en = u.en, finish_at = $2
    from json_to_recordset($1::json) as u(command text, zh text, en text)
    where t.command_id = u.command and t.state in ('preparing', 'acknowledged') returning t.id, t.device_id
  )
  update device d set transfer_status = 'failed', next_key_hash = null, revision = d.revision + 1 from failed f where d.id = f.device_id returning d.id, f.id as transfer`;

const failTransfers = async (tx: Tx, rows: readonly { command: string; zh: string; en: string }[]) => {
  if (rows.length === 0) return;
  const failed = await tx.query<{ id: number; transfer: number }>('transfer_fail', failSql, [JSON.stringify(rows), tx.now]);
  if (failed.length === 0) return;
  for (const { id } of failed) tx.changed('record', id);
  const ids = failed.map(({ transfer }) => transfer);
  await tx.query('transfer_log', transferLogSql, transferLogValues('failed', ids, tx.now));
};

const reasonOf = ({ state, err }: MovedCommand): Text => {
  if (state === commandState.id('expired')) return overdue;
  if (err === 'unsupported') return tooOld;
  return [refused[0].replace('{0}', err ?? '-'), refused[1].replace('{0}', err ?? '-')];
};

/** The new key is readable only until the command ends. After the reply, the transfer waits for a login with the new key. */
export const handleTransfers = async (tx: Tx, moved: readonly MovedCommand[]) => {
  const ended = moved.filter(({ state }) => state >= commandState.id('done'));
  if (ended.length === 0) return;
  const done = ended.filter(({ state }) => state === commandState.id('done')).map(({ id }) => id);
  const rows = await tx.query<{ device_id: number }>(
    'transfer_ack',
    `update device_transfer set state = 'acknowledged' where command_id = any($1::text[]) and state = 'preparing' returning device_id`,
    [done],
  );
  for (const { device_id } of rows) tx.changed('record', device_id);
  const failed = ended.filter(({ state }) => state !== commandState.id('done'));
  await failTransfers(
    tx,
    failed.map((command) => {
      const [zh, en] = reasonOf(command);
      return { command: command.id, zh, en };
    }),
  );
  const ids = ended.map(({ id }) => id);
  await tx.query('transfer_key', `update device_command set args = args - 'key' where id = any($1::text[])`, [ids]);
};

const overdueTransfers = `device_transfer where state in ('preparing', 'acknowledged') and deadline <= $1`;

/** Whether `failOverdue` has work at the time `$1`. */
export const hasOverdueTransfer = `exists (select from ${overdueTransfers})`;

/** A gateway that received the new key but never used it keeps the old key, and the device keeps its owner. */
export const failOverdue = async (tx: Tx) => {
  const open = await tx.query<{ command_id: string }>('transfer_overdue', `select command_id from ${overdueTransfers}`, [tx.now]);
  await failTransfers(
    tx,
    open.map(({ command_id }) => ({ command: command_id, zh: overdue[0], en: overdue[1] })),
  );
};
