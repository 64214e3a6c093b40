import type { NewEvent } from './commit-items.ts';
import type { Tx } from './tx.ts';

const restoreSql = `
  with made as (
    insert into job (kind, payload, key, run_at, create_at)
    select 'backup_restore', json_build_object('device', u.device, 'agent', u.agent), 'restore:' || u.device || ':' || u.id, $2, $2
    from json_to_recordset($1::json) as u(device bigint, agent bigint, id text)
    on conflict (key) do nothing returning id
  ) select pg_notify('farlink_job', '') from made limit 1`;

/** Starts the restore of a backup that a gateway requested after it was bound. */
export const orderRestores = async (tx: Tx, events: readonly NewEvent[]) => {
  const requests = events.filter(({ doc }) => doc.restore === true).map(({ device, agent, id }) => ({ device, agent, id }));
  if (requests.length > 0) await tx.query('restore', restoreSql, [JSON.stringify(requests), tx.now]);
};
