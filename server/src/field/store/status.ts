import { networkOf } from '@farlink/contract/protocol/network.ts';
import { plausibleTime } from '@farlink/gateway/protocol/clock.ts';
import type { Status } from '@farlink/gateway/protocol/message.ts';
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

const columns = ['lan', 'aps', 'lat', 'lon', 'sog', 'cog', 'fix', 'cpu', 'memory', 'online_users'] as const;

/** Limit by column size, which is cheap to check; thirty links need less. */
const linksSql = `case when pg_column_size(s.links) > 4096 then excluded.links else s.links || excluded.links end`;

const upsert = (whole: boolean) => `
  insert into device_status as s (device_id, boot, n, at, seen_at, links, link_marks, ${columns.join(', ')})
  select u.device, u.b, u.n, u.t, $2, u.links, u.marks, ${columns.map((c) => `u.${c}`).join(', ')}
  from json_to_recordset($1::json) as u(device bigint, b text, n bigint, t bigint, links jsonb, marks text, lan smallint[], aps jsonb, lat float8, lon float8,
    sog real, cog real, fix smallint, cpu smallint, memory smallint, online_users integer)
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
    .map(([device, { links, lan, ap, p, cpu, mem, on, full, b, n, t, cur }]) => {
      const [lat, lon, sog, cog, fix] = p ?? [];
      const position = { lat, lon, sog, cog, fix };
      return {
        device,
        b,
        n,
        t: plausibleTime(t, tx.now),
        links,
        marks: marks.get(device),
        lan,
        aps: ap,
        ...position,
        cpu,
        memory: mem,
        online_users: on,
        full,
        cur,
      };
    });
  const whole = rows.filter((r) => r.full);
  const deltas = rows.filter((r) => !r.full);
  if (whole.length > 0) await tx.query('status_whole', wholeSql, [JSON.stringify(whole), tx.now]);
  if (deltas.length > 0) await tx.query('status_delta', deltaSql, [JSON.stringify(deltas), tx.now]);
  if (apLists.length > 0) await storeApLists(tx, apLists);
  for (const { device } of rows) tx.changed('status', device);

  const switched = rows.flatMap(({ device, cur }) =>
    cur === undefined || cur === tx.links.get(device) ? [] : [{ device, cur, network: networkOf(cur) }],
  );
  if (switched.length === 0) return;
  for (const { id, sn } of await tx.query<{ id: number; sn: string }>('link', linkSql, [JSON.stringify(switched)])) {
    tx.changed('link', id);
    // Messages that waited for a better link may be sent now.
    tx.deliverTo.add(sn);
  }
};
