import { networkOf } from '@farlink/contract/protocol/network.ts';
import { plausibleTime } from '@farlink/gateway/protocol/clock.ts';
import type { Status } from '@farlink/gateway/protocol/message.ts';
import { arrayText, jsonArray } from '../../db/array-text.ts';
import { type ApList, storeApLists } from './aps.ts';
import { isUnchanged, type LinkSample, maxLinks, storeLinkStates } from './links.ts';
import type { StatusItem, Tx } from './tx.ts';

type Links = Readonly<Record<string, NonNullable<Status['l']>[number]>>;

interface Merged extends Omit<Status, 'l'> {
  readonly links: Links;
}

const linksOf = (status: Status): Links => Object.fromEntries((status.l ?? []).map((l) => [l.i, l]));

/** Limits the number of links: only the latest are kept. */
const merge = (was: Merged | undefined, next: Status): Merged => {
  const { l: _, ...rest } = next;
  if (!was || next.full) return { ...rest, links: linksOf(next) };
  const links = { ...was.links, ...linksOf(next) };
  return { ...was, ...rest, full: was.full, links: Object.keys(links).length > maxLinks ? linksOf(next) : links };
};

/** Within a boot by its number. A status of another boot is newer, unless the stored one belongs to the current boot. */
const isNewer = (status: { b: string; n: number }, stored: { b: string; n: number } | undefined, boot: string | null | undefined) =>
  stored === undefined || (stored.b === status.b ? status.n > stored.n : stored.b !== boot);

interface StatusRow {
  readonly device: number;
  readonly status: Merged;
  readonly at: number;
  readonly marks: string | undefined;
}

type Rows = readonly StatusRow[];
type Input = readonly [type: string, array: (rows: Rows) => string];

const numbers = (type: string, of: (row: StatusRow) => number | undefined): Input => [type, (rows) => arrayText(rows.map(of))];
const texts = (of: (row: StatusRow) => string | undefined): Input => ['text', (rows) => arrayText(rows.map(of))];
const jsons = (of: (row: StatusRow) => unknown): Input => ['jsonb', (rows) => jsonArray(rows.map(of))];

const always: Readonly<Record<string, Input>> = {
  device_id: numbers('bigint', (r) => r.device),
  boot: texts((r) => r.status.b),
  n: numbers('bigint', (r) => r.status.n),
  at: numbers('bigint', (r) => r.at),
  links: jsons((r) => r.status.links),
  link_marks: texts((r) => r.marks),
};
/** A status may leave them out. */
const optional: Readonly<Record<string, Input>> = {
  // As text, because PostgreSQL has no arrays of arrays of different length.
  lan: texts(({ status: { lan } }) => lan && arrayText(lan)),
  aps: jsons((r) => r.status.ap),
  lat: numbers('float8', (r) => r.status.p?.[0]),
  lon: numbers('float8', (r) => r.status.p?.[1]),
  sog: numbers('real', (r) => r.status.p?.[2]),
  cog: numbers('real', (r) => r.status.p?.[3]),
  fix: numbers('smallint', (r) => r.status.p?.[4]),
  cpu: numbers('smallint', (r) => r.status.cpu),
  memory: numbers('smallint', (r) => r.status.mem),
  online_users: numbers('integer', (r) => r.status.on),
};
const inputs = { ...always, ...optional };
const columns = Object.keys(optional);
const unnested = Object.entries(inputs).map(
  ([name, [type]], i) => `unnest($${i + 2}::${type}[])${name === 'lan' ? '::smallint[]' : ''} as ${name}`,
);
const arraysOf = (rows: Rows) => Object.values(inputs).map(([, array]) => array(rows));

/** Limit by column size, which is cheap to check; thirty links need less. */
const linksSql = `case when pg_column_size(s.links) > 4096 then excluded.links else s.links || excluded.links end`;

const upsert = (whole: boolean) => `
  insert into device_status as s (seen_at, ${Object.keys(inputs).join(', ')})
  select $1, ${unnested.join(', ')}
  on conflict (device_id) do update set boot = excluded.boot, n = excluded.n, at = excluded.at, seen_at = excluded.seen_at,
    links = ${whole ? 'excluded.links' : linksSql}, link_marks = coalesce(excluded.link_marks, s.link_marks),
    ${columns.map((c) => `${c} = ${whole ? `excluded.${c}` : `coalesce(excluded.${c}, s.${c})`}`).join(', ')}
  where s.boot <> excluded.boot or excluded.n > s.n`;

const wholeSql = upsert(true);
const deltaSql = upsert(false);

const linkSql = `
  update device d set current_link = u.cur, network = u.network
  from json_to_recordset($1::json) as u(device bigint, cur text, network text)
  where d.id = u.device and (d.current_link is distinct from u.cur or d.network <> u.network)
  returning d.id, d.sn`;

/** Merges the status messages of each gateway into one row. Messages older than the stored one are ignored. */
export const storeStatus = async (tx: Tx, items: readonly StatusItem[]) => {
  const ids = [...new Set(items.map((i) => i.device))];
  const stored = await tx.query<{ device_id: number; b: string; n: number; marks: string | null }>(
    'status_known',
    'select device_id, boot as b, n, link_marks as marks from device_status where device_id = any($1::bigint[])',
    [ids],
  );
  const last = new Map<number, { b: string; n: number }>(stored.map((k) => [k.device_id, k]));
  const marksOf = new Map(stored.map((k) => [k.device_id, k.marks]));
  const merged = new Map<number, Merged>();
  const samples: LinkSample[] = [];
  const moved = new Set<number>();
  const apLists: ApList[] = [];
  for (const { device, body } of items) {
    if (!isNewer(body, last.get(device), tx.boots.get(device))) continue;
    merged.set(device, merge(merged.get(device), body));
    last.set(device, body);
    if (body.ap) apLists.push({ device, at: plausibleTime(body.t, tx.now), aps: body.ap });
    if (body.l === undefined && !body.full) continue;
    samples.push({ device, b: body.b, n: body.n, at: plausibleTime(body.t, tx.now), status: body });
    if (!isUnchanged(marksOf.get(device), body)) moved.add(device);
  }
  const marks = await storeLinkStates(
    tx,
    samples.filter((s) => moved.has(s.device)),
  );
  const rows = [...merged]
    .sort(([a], [b]) => a - b)
    .map(([device, status]) => ({ device, status, at: plausibleTime(status.t, tx.now), marks: marks.get(device) }));
  const whole = rows.filter((r) => r.status.full);
  const deltas = rows.filter((r) => !r.status.full);
  if (whole.length > 0) await tx.query('status_whole', wholeSql, [tx.now, ...arraysOf(whole)]);
  if (deltas.length > 0) await tx.query('status_delta', deltaSql, [tx.now, ...arraysOf(deltas)]);
  if (apLists.length > 0) await storeApLists(tx, apLists);
  for (const { device } of rows) tx.changed('status', device);

  const switched = rows.flatMap(({ device, status: { cur } }) =>
    cur === undefined || cur === tx.links.get(device) ? [] : [{ device, cur, network: networkOf(cur) }],
  );
  if (switched.length === 0) return;
  for (const { id, sn } of await tx.query<{ id: number; sn: string }>('link', linkSql, [JSON.stringify(switched)])) {
    tx.changed('link', id);
    // Messages that waited for a better link may be sent now.
    tx.deliverTo.add(sn);
  }
};
