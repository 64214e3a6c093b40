import type { NewEvent } from './commit-items.ts';
import { lastOf, type Tx } from './tx.ts';

const insertSql = `
  insert into fence_change (agent_id, device_id, sn, fence_name, fence_state, longitude, latitude, action, network, create_at)
  select u.agent, d.id, u.sn, u.fence, u.state, u.lon, u.lat, u.act, d.network, u.at
  from json_to_recordset($1::json) as u(agent bigint, device bigint, sn text, fence text, state text, lon float8, lat float8, act text, at bigint, ordinal bigint)
  join device d on d.id = u.device
  order by u.ordinal`;

/** If the device has an assigned fence, only events of that fence change its fence state. */
const stateSql = `
  update device d set fence_state = u.state, fence_at = u.at
  from json_to_recordset($1::json) as u(device bigint, fence text, state text, at bigint)
  where d.id = u.device and (d.fence is null or d.fence = u.fence) and (d.fence_at is null or d.fence_at <= u.at)`;

export const storeFences = async (tx: Tx, events: readonly NewEvent[]) => {
  const rows = events
    .toSorted((a, b) => a.at - b.at)
    .map(({ agent, device, sn, at, doc: { fence, in: inside, lon, lat, act } }, index) => {
      const state = inside === true || inside === 1 ? 'in' : 'out';
      return { agent, device, sn, fence, state, lon, lat, act, at, ordinal: index };
    });
  await tx.query('fence_change', insertSql, [JSON.stringify(rows)]);
  const last = lastOf(rows, ({ device, fence }) => `${device} ${fence}`);
  await tx.query('fence_state', stateSql, [JSON.stringify(last)]);
};
