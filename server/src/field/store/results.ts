import { commandState } from '@farlink/contract/protocol/command.ts';
import { stateOfResult } from '@farlink/gateway/protocol/message.ts';
import { handleCommands } from './commit-handlers.ts';
import type { MovedCommand } from './commit-items.ts';
import { isPassing, storePageResults } from './page-results.ts';
import { lastOf, type ResultItem, type Tx } from './tx.ts';

const { done: final, expired, cancelled } = commandState.ids;

/** Columns for command handlers; `c` is the command, `d` its device. */
export const movedColumns = `c.id, c.device_id, d.agent_id, d.sn, c.op, c.args, c.state, c.progress, c.code, c.out, c.err, c.operator, c.uid, c.link`;

/** The state only moves forward. A reply after the end is stored beside the final state. */
const resultSql = `
  with reported as (
    select * from json_to_recordset($1::json) as u(device bigint, id text, state smallint, pct smallint, code integer, out jsonb, err text)
  ), moved as (
    update device_command c set state = u.state, progress = case when u.state = ${final} then 100 else greatest(c.progress, coalesce(u.pct, 0)) end,
      code = coalesce(u.code, c.code), out = coalesce(u.out, c.out), err = coalesce(u.err, c.err), ack_at = coalesce(c.ack_at, $2),
      finish_at = case when u.state >= ${final} then $2 end
    from reported u, device d
    where d.id = u.device and c.id = u.id and c.device_id = u.device and c.state < ${final} and u.state >= c.state
    returning ${movedColumns}
  ), late as (
    update device_command c set late = true, code = coalesce(u.code, c.code), out = coalesce(u.out, c.out), err = coalesce(u.err, c.err)
    from reported u, device d
    where d.id = u.device and c.id = u.id and c.device_id = u.device and c.state in (${expired}, ${cancelled}) and u.state >= ${final}
    returning ${movedColumns}
  )
  select *, false as late from moved union all select *, true from late`;

export const storeResults = async (tx: Tx, items: readonly ResultItem[]) => {
  await storePageResults(tx, items);
  const furthest = new Map<string, { device: number; id: string; state: number; pct?: number; code?: number; err?: string }>();
  for (const { device, id, body } of items) {
    const key = `${device} ${id}`;
    const was = furthest.get(key);
    const state = stateOfResult(body.st);
    // The most advanced state counts, in any arrival order. The first final state wins.
    if (!was || (was.state < final && state >= was.state))
      furthest.set(key, { ...(isPassing(body) ? { ...body, out: undefined } : body), device, id, state });
  }
  const rows = lastOf([...furthest.values()], (r) => r.id);
  const moved = await tx.query<MovedCommand & { late: boolean }>('result', resultSql, [JSON.stringify(rows), tx.now]);
  for (const { device_id, op } of moved) tx.changed(op === 'page.read' ? 'reading' : 'command', device_id);
  await handleCommands(
    tx,
    moved.filter((command) => !command.late),
  );
};
