import { fileTaskIds } from '@farlink/contract/file/choices.ts';
import type { Network } from '@farlink/contract/protocol/network.ts';
import { sql } from 'kysely';
import { lockGroup, locks } from '../../db/lock.ts';
import type { Db, Deps } from '../../kit/deps.ts';
import { sendCommand } from '../../orders/command.ts';
import { readAddress } from '../../orders/file-exchange.ts';
import { dispatchRates, downloadTimeoutS, lightNetworks, slotsInAll } from './dispatch-rate.ts';

/** Finishes tasks without open devices. Called in each transaction that ends a device of a task. */
export const finishTasks = async (db: Db, now: number, taskIds: readonly number[]) => {
  if (taskIds.length === 0) return;
  // The lock prevents two transactions that end the last two devices from each seeing the other as open.
  await sql`select from file_task where id = any(${[...taskIds]}::bigint[]) order by id for no key update`.execute(db);
  await sql`update file_task t set state = 'finished', finish_at = ${now}, paused = false where t.id = any(${[...taskIds]}::bigint[])
    and t.state = 'running' and not exists (select from file_task_device r where r.task_id = t.id and not r.ended)`.execute(db);
};

/** Ends the rows of devices that were deleted or have a new owner. Commands of deleted devices are deleted too, so no result arrives. */
const endOrphaned = async (db: Db, now: number) => {
  const { rows } = await sql<{ task_id: number }>`
    update file_task_device r set status = ${fileTaskIds.aborted}, ended = true, command_id = null, update_at = ${now},
      err = case when r.device_id is null then 'device_gone' else 'device_moved' end
    where not r.ended
      and (r.device_id is null or (r.command_id is null and exists (select from device d where d.id = r.device_id and d.agent_id <> r.agent_id)))
    returning r.task_id`.execute(db);
  await finishTasks(
    db,
    now,
    rows.map((r) => r.task_id),
  );
};

interface ReadyDevice {
  readonly id: number;
  readonly device_id: number;
  readonly network: Network;
  readonly task_no: string;
  readonly operation: string;
  readonly path: string;
  readonly file_name: string;
  readonly key: string;
  readonly size: number;
  readonly sha256: string;
}

/** One download per device, oldest task first, limited per link class. */
const readyRows = async (db: Db, now: number) => {
  const { rows } = await sql<ReadyDevice>`
    select * from (select q.*, row_number() over (partition by network order by id) as place from (
      select distinct on (r.device_id) r.id, r.device_id, d.network, t.task_no, t.operation, t.path, f.file_name, f.key, f.size, f.sha256
      from file_task_device r
      join file_task t on t.id = r.task_id and t.state = 'running' and not t.paused
      join file f on f.id = t.file_id
      join device d on d.id = r.device_id and d.online_state = 1 and d.network <> all(${lightNetworks}::text[])
        and d.auth_status in ('formal', 'test') and (d.auth_expire_at is null or d.auth_expire_at > ${now})
      where not r.ended and r.command_id is null and r.next_at <= ${now}
        and not exists (select from file_task_device b where b.device_id = r.device_id and not b.ended and b.command_id is not null)
      order by r.device_id, r.id
    ) q) p where place <= ${slotsInAll} order by id`.execute(db);
  return rows;
};

/** Downloads on offline or paused gateways do not occupy a slot. */
const countActive = async (db: Db) => {
  const { rows } = await sql<{ network: Network; n: number }>`
    select d.network, count(*)::int as n from file_task_device r join device d on d.id = r.device_id and d.online_state = 1
    where not r.ended and r.command_id is not null and r.status <> ${fileTaskIds.paused} group by d.network`.execute(db);
  return new Map(rows.map((r) => [r.network, r.n]));
};

const begin = async (db: Db, { config }: Deps, now: number, row: ReadyDevice) => {
  const deadline = now + downloadTimeoutS(row.size, row.network);
  const { device_id, key, sha256, size, task_no, file_name, path, operation } = row;
  const url = readAddress(config, { device_id, key, sha256, until: deadline });
  // biome-ignore lint/suspicious/noThenProperty: wire name of the protocol; the value is a text
  const args = { task: task_no, url, size, sha256, name: file_name, path, then: operation };
  const command_id = await sendCommand(db, device_id, 'file.get', args, { now, deadline });
  await db
    .updateTable('file_task_device')
    .set((eb) => ({ command_id, tries: eb('tries', '+', 1), update_at: now }))
    .where('id', '=', row.id)
    .execute();
};

/** Timed tasks that are due, and open downloads. */
export const isDispatchDue = (now: number) => sql<boolean>`(exists (select from file_task where state = 'waiting' and send_at <= ${now})
  or exists (select from file_task_device where not ended))`;

/**
 * Starts timed tasks that are due, and downloads for which a gateway, a link and a slot are available. Safe to call at any time: it is one
 * transaction under an exclusive lock.
 */
export const dispatchFiles = (deps: Deps): Promise<number> =>
  deps.db.transaction().execute(async (db) => {
    await sql`select pg_advisory_xact_lock(${lockGroup}, ${locks.fileDispatch})`.execute(db);
    const now = deps.clock.now();
    await db.updateTable('file_task').set({ state: 'running' }).where('state', '=', 'waiting').where('send_at', '<=', now).execute();
    await endOrphaned(db, now);
    const activeByNetwork = await countActive(db);
    let free = slotsInAll - [...activeByNetwork.values()].reduce((all, n) => all + n, 0);
    let begun = 0;
    for (const row of await readyRows(db, now)) {
      const active = activeByNetwork.get(row.network) ?? 0;
      if (free <= 0) break;
      if (active >= dispatchRates[row.network].slots) continue;
      await begin(db, deps, now, row);
      activeByNetwork.set(row.network, active + 1);
      free--;
      begun++;
    }
    return begun;
  });
