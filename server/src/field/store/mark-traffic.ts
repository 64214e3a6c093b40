import { rowTimes, type StreamName } from '@farlink/gateway/protocol/stream.ts';
import type { BatchItem, Tx } from './tx.ts';

const hourS = 3600;

/** Kind of traffic of each stream; codes of `dpi_data_type`. */
const kinds = { user: 'flow_usr', mgt: 'flow_mgt', dpi: 'dpi_usr', mdpi: 'dpi_mgt' } as const;
type Reported = keyof typeof kinds;
const isReported = (stream: StreamName): stream is Reported => Object.hasOwn(kinds, stream);

/**
 * The update locks a mark that exists, so its hour cannot be completed between this statement and the commit. Marks are locked in one
 * order.
 */
const markSql = `
  insert into traffic_dirty as t (kind, device_id, hour, marked_at, touched_at)
  select kind, device, hour, $4, $4 from unnest($1::text[], $2::bigint[], $3::bigint[]) as u(kind, device, hour) order by kind collate "C", device, hour
  on conflict (kind, device_id, hour) do update set touched_at = excluded.touched_at, version = t.version + 1`;

/** Hours that new batches change. The job `roll_traffic` recomputes them. */
export const markTraffic = async (tx: Tx, items: ReadonlyMap<StreamName, readonly BatchItem[]>) => {
  const marks = new Map<string, readonly [string, number, number]>();
  for (const [stream, batches] of items) {
    if (!isReported(stream)) continue;
    const kind = kinds[stream];
    for (const { device, body } of batches) {
      const [at] = rowTimes(stream, body, tx.now);
      if (at === undefined) continue;
      const last = at + Math.max(body.dt, 1) - 1;
      for (let hour = at - (at % hourS); hour <= last; hour += hourS) marks.set(`${kind} ${device} ${hour}`, [kind, device, hour]);
    }
  }
  if (marks.size === 0) return;
  const rows = [...marks.values()];
  await tx.query('traffic_mark', markSql, [
    rows.map(([kind]) => kind),
    rows.map(([, device]) => device),
    rows.map(([, , hour]) => hour),
    tx.now,
  ]);
};
