import { rowTimes, type StreamName } from '@farlink/gateway/protocol/stream.ts';
import { hoursOf, markSql } from '../../domain/traffic/mark-hours.ts';
import type { BatchItem, Tx } from './tx.ts';

/** Kind of traffic of each stream; codes of `dpi_data_type`. */
const kinds = { user: 'flow_usr', mgt: 'flow_mgt', dpi: 'dpi_usr', mdpi: 'dpi_mgt' } as const;
type Reported = keyof typeof kinds;
const isReported = (stream: StreamName): stream is Reported => Object.hasOwn(kinds, stream);

/** Hours that new batches change. The job `roll_traffic` recomputes them. */
export const markTraffic = async (tx: Tx, items: ReadonlyMap<StreamName, readonly BatchItem[]>) => {
  const marks = new Map<string, readonly [string, number, number]>();
  for (const [stream, batches] of items) {
    if (!isReported(stream)) continue;
    const kind = kinds[stream];
    for (const { device, body } of batches) {
      const [at] = rowTimes(stream, body, tx.now);
      if (at === undefined) continue;
      for (const hour of hoursOf(at, body.dt)) marks.set(`${kind} ${device} ${hour}`, [kind, device, hour]);
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
