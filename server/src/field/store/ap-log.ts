import { type ApChange, type ApState, apOfEvent } from './ap-observation.ts';
import type { NewEvent } from './commit-items.ts';
import { type Interval, type Observation, rebuildFrom, rebuildTimeline } from './rebuild-timeline.ts';
import { lastOf, type Tx } from './tx.ts';

/** Seconds by which the clock of a gateway may jump back between two events. */
const clockSlack = 600;

/** Keeps the last sample per second. */
const insertSampleSql = `
  insert into ap_look (device_id, mac, at, state)
  select u.device, u.mac, u.at, u.state from json_to_recordset($1::json) as u(device bigint, mac text, at bigint, state text)
  on conflict (device_id, mac, at) do update set state = excluded.state`;

/** Adds the MAC to rows that were logged by name only. */
const adoptSql = `
  update ap_link_log l set ap_mac = u.mac
  from json_to_recordset($1::json) as u(device bigint, mac text, name text) join device d on d.id = u.device
  where l.device_id = u.device and coalesce(l.ap_mac, l.ap_name) = u.name and l.ap_mac is null and l.agent_id = d.agent_id`;

const ofLine = 'l.device_id = u.device and coalesce(l.ap_mac, l.ap_name) = u.key and l.agent_id = u.agent_id';

/** Intervals from the last one before `since`; for an event, from the last interval that an event started. */
const intervalsSql = `
  with u as (
    select u.*, d.agent_id from json_to_recordset($1::json) as u(device bigint, key text, since bigint, "fromEvent" boolean) join device d on d.id = u.device
  ), first as materialized (
    select u.*, coalesce(
      (select l.create_at from ap_link_log l where u."fromEvent" and ${ofLine} and l.from_event and l.create_at < u.since order by l.create_at desc limit 1),
      (select l.create_at from ap_link_log l where ${ofLine} and l.create_at < u.since order by l.create_at desc limit 1),
      u.since) as at
    from u
  )
  select l.id, u.device, u.key, l.ap_state as state, l.create_at as at, l.duration, l.from_event as "fromEvent", l.ap_name as name, l.ap_ip as ip
  from first u join ap_link_log l on ${ofLine} and l.create_at >= u.at
  order by l.create_at, l.id`;

const samplesSql = `
  select u.device, u.key, l.state, l.at, false as "fromEvent" from json_to_recordset($1::json) as u(device bigint, key text, "from" bigint)
  join ap_look l on l.device_id = u.device and l.mac = u.key and l.at >= u."from"
  order by l.at`;

/** Includes events that carry only the name of the access point, in the order of each boot. */
const eventsSql = `
  select u.device, u.key, e.id, e.at, e.doc
  from json_to_recordset($1::json) as u(device bigint, key text, name text, "from" bigint) join device d on d.id = u.device
  join device_event e on e.device_id = u.device and e.kind = 'ap' and e.at >= u."from" - ${clockSlack} and e.agent_id = d.agent_id and e.sn = d.sn
    and coalesce(lower(e.doc ->> 'mac'), e.doc ->> 'ap') in (u.key, u.name)
  order by length(e.id), e.id`;

const deleteSql = 'delete from ap_link_log where id = any($1::bigint[])';

const updateSql = `
  update ap_link_log l set duration = u.duration, from_event = u."fromEvent"
  from json_to_recordset($1::json) as u(id bigint, duration bigint, "fromEvent" boolean) where l.id = u.id`;

const insertSql = `
  insert into ap_link_log (agent_id, device_id, sn, ap_name, ap_mac, ap_ip, ap_state, from_event, duration, create_at)
  select d.agent_id, d.id, d.sn, u.name, u.mac, u.ip, u.state, u."fromEvent", u.duration, u.at
  from json_to_recordset($1::json) as u(device bigint, name text, mac text, ip text, state text, "fromEvent" boolean, duration bigint, at bigint,
    ordinal integer)
  join device d on d.id = u.device
  order by u.ordinal`;

interface ApFact extends Observation<ApState> {
  readonly name?: string;
  readonly ip?: string | null;
}

type OfLine = Pick<ApChange, 'device' | 'key'>;
export const lineOf = ({ device, key }: OfLine) => `${device} ${key}`;

/** Events are numbered within a boot, so their time must not decrease, even if the clock jumped back. */
const inEventOrder = <E extends { readonly id: string; readonly at: number }>(events: readonly E[]): E[] =>
  [...Map.groupBy(events, ({ id }) => id.replace(/-\d+$/, '')).values()].flatMap((boot) => {
    let now = 0;
    return boot.map((event) => {
      now = Math.max(now, event.at);
      return { ...event, at: now };
    });
  });

const storeSamples = async (tx: Tx, changes: readonly ApChange[]) => {
  const samples = changes.flatMap(({ device, mac, samples }) =>
    mac === null ? [] : samples.map(({ state, at }) => ({ device, mac, state, at })),
  );
  const kept = lastOf(samples, ({ device, mac, at }) => `${device} ${mac} ${at}`);
  if (kept.length > 0) await tx.query('ap_sample', insertSampleSql, [JSON.stringify(kept)]);
};

const adopt = async (tx: Tx, changes: readonly ApChange[]) => {
  const added = changes.filter((n) => n.isNew);
  if (added.length > 0) await tx.query('ap_adopt', adoptSql, [JSON.stringify(added)]);
};

/**
 * Rebuilds the timeline of each access point, alternating between up and offline without gaps. Events and samples are both stored, so the
 * result does not depend on their arrival order: an event removes intervals that samples had added. Returns the final state of each access
 * point.
 */
export const logAps = async (tx: Tx, changes: readonly ApChange[]): Promise<Map<string, Observation<ApState>>> => {
  await storeSamples(tx, changes);
  await adopt(tx, changes);
  const since = (n: ApChange) => (n.fromEvent ? n.since - clockSlack : n.since);
  const touched = JSON.stringify(changes.map((n) => ({ ...n, since: since(n) })));
  const intervalsOf = Map.groupBy(await tx.query<Interval<ApState> & ApFact & OfLine>('ap_intervals', intervalsSql, [touched]), lineOf);
  const lines = changes.map((n) => ({ ...n, from: rebuildFrom(intervalsOf.get(lineOf(n)) ?? [], since(n), n.fromEvent) }));
  const lineParams = [JSON.stringify(lines)];
  const samples = Map.groupBy(await tx.query<ApFact & OfLine>('ap_samples', samplesSql, lineParams), lineOf);
  const events = Map.groupBy(
    await tx.query<ApFact & Pick<NewEvent, 'id' | 'device' | 'at' | 'doc'> & OfLine>('ap_events', eventsSql, lineParams),
    lineOf,
  );

  const last = new Map<string, Observation<ApState>>();
  const [deleted, updated, inserted]: [number[], object[], object[]] = [[], [], []];
  for (const { device, key, name, mac, ip, from } of lines) {
    const line = lineOf({ device, key });
    const eventObservations = inEventOrder(events.get(line) ?? []).map(apOfEvent);
    const rebuilt = rebuildTimeline<ApState, ApFact>(
      intervalsOf.get(line) ?? [],
      [...(samples.get(line) ?? []), ...eventObservations],
      from,
    );
    if (rebuilt.last) last.set(line, rebuilt.last);
    deleted.push(...rebuilt.deleted);
    updated.push(...rebuilt.updated);
    for (const { fact, duration } of rebuilt.inserted)
      inserted.push({ ...fact, device, mac, name: fact.name ?? name, ip: fact.ip ?? ip, duration, ordinal: inserted.length });
  }
  if (deleted.length > 0) await tx.query('ap_delete', deleteSql, [deleted]);
  if (updated.length > 0) await tx.query('ap_update', updateSql, [JSON.stringify(updated)]);
  if (inserted.length > 0) await tx.query('ap_insert', insertSql, [JSON.stringify(inserted)]);
  return last;
};
