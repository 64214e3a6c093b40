import { type AuditStream, isAuditStream } from '@farlink/gateway/protocol/audit.ts';
import { addReceived } from '@farlink/gateway/protocol/sequence.ts';
import { rowTimes, type StreamName } from '@farlink/gateway/protocol/stream.ts';
import { isAuditItem } from '../../domain/audit/store/audit-row.ts';
import { storeAudit } from '../../domain/audit/store/store-audit.ts';
import { countDays } from './day-flow.ts';
import { markTraffic } from './mark-traffic.ts';
import { addToDays, bytesOf } from './traffic-day.ts';
import { type BatchItem, lastOf, type Tx } from './tx.ts';
import { countFlows } from './user-flow.ts';

type MeasuredStream = Exclude<StreamName, AuditStream>;

/** Target table of each stream: column, type, and field name on the wire. */
const tables: Record<MeasuredStream, { readonly table: string; readonly columns: readonly (readonly [string, string, string])[] }> = {
  load: {
    table: 'device_load',
    columns: [
      ['cpu', 'smallint', 'cpu'],
      ['memory', 'smallint', 'mem'],
      ['disk', 'smallint', 'disk'],
      ['session_count', 'integer', 'sess'],
      ['temperature', 'smallint', 'temp'],
    ],
  },
  pos: {
    table: 'device_track',
    columns: [
      ['lat', 'float8', 'lat'],
      ['lon', 'float8', 'lon'],
      ['sog', 'real', 'sog'],
      ['cog', 'real', 'cog'],
    ],
  },
  flow: {
    table: 'device_flow',
    columns: [
      ['seconds', 'integer', 'dt'],
      ['link', 'text', 'i'],
      ['up_bytes', 'bigint', 'u'],
      ['down_bytes', 'bigint', 'd'],
    ],
  },
  user: {
    table: 'user_flow',
    columns: [
      ['seconds', 'integer', 'dt'],
      ['account', 'text', 'acc'],
      ['up_bytes', 'bigint', 'u'],
      ['down_bytes', 'bigint', 'd'],
      ['link', 'text', 'i'],
      ['via', 'text', 'via'],
      ['online_seconds', 'integer', 's'],
      ['peak', 'integer', 'pk'],
    ],
  },
  mgt: {
    table: 'own_flow',
    columns: [
      ['seconds', 'integer', 'dt'],
      ['service', 'text', 'svc'],
      ['link', 'text', 'i'],
      ['up_bytes', 'bigint', 'u'],
      ['down_bytes', 'bigint', 'd'],
      ['peak', 'integer', 'pk'],
    ],
  },
  dpi: {
    table: 'app_flow',
    columns: [
      ['seconds', 'integer', 'dt'],
      ['app', 'text', 'app'],
      ['account', 'text', 'acc'],
      ['up_bytes', 'bigint', 'u'],
      ['down_bytes', 'bigint', 'd'],
      ['sessions', 'integer', 'n'],
    ],
  },
  mdpi: {
    table: 'own_app_flow',
    columns: [
      ['seconds', 'integer', 'dt'],
      ['app', 'text', 'app'],
      ['link', 'text', 'i'],
      ['up_bytes', 'bigint', 'u'],
      ['down_bytes', 'bigint', 'd'],
      ['sessions', 'integer', 'n'],
    ],
  },
};

const insertSql = (stream: MeasuredStream) => {
  const { table, columns } = tables[stream];
  const types = columns.map(([, type], i) => `$${i + 3}::${type}[]`);
  return `insert into ${table} (device_id, at, ${columns.map(([name]) => name).join(', ')}) select * from unnest($1::bigint[], $2::bigint[], ${types.join(', ')})`;
};

/** Locks and returns the stream positions. The first batch of a boot creates the row. */
const lockSql = `
  insert into device_stream (device_id, boot, stream, update_at)
  select u.device, u.b, u.stream, $2 from json_to_recordset($1::json) as u(device bigint, b text, stream text)
  on conflict (device_id, boot, stream) do update set update_at = excluded.update_at
  returning device_id, boot, stream, taken`;

const keyOf = (device: number, boot: string, stream: string) => `${device} ${stream} ${boot}`;

const storeRows = async (tx: Tx, stream: MeasuredStream, items: readonly BatchItem[]) => {
  const { columns } = tables[stream];
  const arrays: (string | number | null)[][] = Array.from({ length: columns.length + 2 }, () => []);
  for (const { device, body } of items) {
    const moments = rowTimes(stream, body, tx.now);
    for (const [i, cells] of body.rows.entries()) {
      arrays[0]?.push(device);
      arrays[1]?.push(moments[i] ?? tx.now);
      for (const [n, [, , name]] of columns.entries()) arrays[n + 2]?.push(name === 'dt' ? body.dt : (cells[name] ?? null));
    }
  }
  await tx.query(`rows_${stream}`, insertSql(stream), arrays);
};

/** Rows and position are one commit, so each batch is stored completely and once. */
export const storeBatches = async (tx: Tx, items: readonly BatchItem[], storeAuditRows = storeAudit) => {
  const keys = lastOf(items, (i) => keyOf(i.device, i.body.b, i.stream)).map(({ device, stream, body }) => ({ device, stream, b: body.b }));
  const rows = await tx.query<{ device_id: number; boot: string; stream: string; taken: number[] }>('stream_lock', lockSql, [
    JSON.stringify(keys),
    tx.now,
  ]);
  const positions = new Map(rows.map((r) => [keyOf(r.device_id, r.boot, r.stream), { ...r, taken: [...r.taken], moved: false }]));
  const newItems = new Map<StreamName, BatchItem[]>();
  for (const item of items) {
    const position = positions.get(keyOf(item.device, item.body.b, item.stream));
    if (!position) continue;
    const next = addReceived(position.taken, item.body.seq);
    if (!next.isNew) continue;
    position.taken = [...next.received];
    position.moved = true;
    newItems.set(item.stream, [...(newItems.get(item.stream) ?? []), item]);
  }
  const moved = [...positions.values()].filter((p) => p.moved);
  if (moved.length === 0) return;
  await tx.query(
    'stream_move',
    `update device_stream s set taken = u.taken from json_to_recordset($1::json) as u(device_id bigint, boot text, stream text, taken bigint[])
     where s.device_id = u.device_id and s.boot = u.boot and s.stream = u.stream`,
    [JSON.stringify(moved.map(({ device_id, boot, stream, taken }) => ({ device_id, boot, stream, taken })))],
  );
  for (const [stream, items] of newItems) if (!isAuditStream(stream)) await storeRows(tx, stream, items);
  // All kinds together: their keys are created by one statement, so that two processes cannot wait for each other.
  await storeAuditRows(tx, [...newItems.values()].flat().filter(isAuditItem));
  const carried = newItems.get('flow');
  if (carried) {
    await countDays(tx, carried);
    await addToDays(tx, 'link_bytes', bytesOf('flow', carried, tx.now));
  }
  const own = newItems.get('mgt');
  if (own) await addToDays(tx, 'own_bytes', bytesOf('mgt', own, tx.now));
  const used = newItems.get('user');
  if (used) await countFlows(tx, used);
  await markTraffic(tx, newItems);
};
