import { type ApNews, type ApState, apOfEvent } from './ap-sight.ts';
import type { FreshEvent } from './followers.ts';
import { lastOf, type Tx } from './tx.ts';
import { anewFrom, type Fact, type Stay, weave } from './weave.ts';

/** By how many seconds the clock of a gateway may have been put back between two events. */
const clockSlack = 600;

/** Of a second the last look is kept. */
const lookSql = `
  insert into ap_look (device_id, mac, at, state)
  select u.device, u.mac, u.at, u.state from json_to_recordset($1::json) as u(device bigint, mac text, at bigint, state text)
  on conflict (device_id, mac, at) do update set state = excluded.state`;

/** What was told of it by its name alone is of the same line. */
const adoptSql = `
  update ap_link_log l set ap_mac = u.mac
  from json_to_recordset($1::json) as u(device bigint, mac text, name text) join device d on d.id = u.device
  where l.device_id = u.device and coalesce(l.ap_mac, l.ap_name) = u.name and l.ap_mac is null and l.agent_id = d.agent_id`;

const ofLine = 'l.device_id = u.device and coalesce(l.ap_mac, l.ap_name) = u.key and l.agent_id = u.agent_id';

/** From the last before, or for an event from the last before that was told of. */
const staysSql = `
  with u as (
    select u.*, d.agent_id from json_to_recordset($1::json) as u(device bigint, key text, since bigint, told boolean) join device d on d.id = u.device
  ), first as materialized (
    select u.*, coalesce(
      (select l.create_at from ap_link_log l where u.told and ${ofLine} and l.told and l.create_at < u.since order by l.create_at desc limit 1),
      (select l.create_at from ap_link_log l where ${ofLine} and l.create_at < u.since order by l.create_at desc limit 1),
      u.since) as at
    from u
  )
  select l.id, u.device, u.key, l.ap_state as state, l.create_at as at, l.duration, l.told, l.ap_name as name, l.ap_ip as ip
  from first u join ap_link_log l on ${ofLine} and l.create_at >= u.at
  order by l.create_at, l.id`;

const looksSql = `
  select u.device, u.key, l.state, l.at, false as told from json_to_recordset($1::json) as u(device bigint, key text, "from" bigint)
  join ap_look l on l.device_id = u.device and l.mac = u.key and l.at >= u."from"
  order by l.at`;

/** Also those that name no access point but by its name, and in the order in which each boot has told them. */
const eventsSql = `
  select u.device, u.key, e.id, e.at, e.doc
  from json_to_recordset($1::json) as u(device bigint, key text, name text, "from" bigint) join device d on d.id = u.device
  join device_event e on e.device_id = u.device and e.kind = 'ap' and e.at >= u."from" - ${clockSlack} and e.agent_id = d.agent_id and e.sn = d.sn
    and coalesce(lower(e.doc ->> 'mac'), e.doc ->> 'ap') in (u.key, u.name)
  order by length(e.id), e.id`;

const goneSql = 'delete from ap_link_log where id = any($1::bigint[])';

const keptSql = `
  update ap_link_log l set duration = u.duration, told = u.told
  from json_to_recordset($1::json) as u(id bigint, duration bigint, told boolean) where l.id = u.id`;

const madeSql = `
  insert into ap_link_log (agent_id, device_id, sn, ap_name, ap_mac, ap_ip, ap_state, told, duration, create_at)
  select d.agent_id, d.id, d.sn, u.name, u.mac, u.ip, u.state, u.told, u.duration, u.at
  from json_to_recordset($1::json) as u(device bigint, name text, mac text, ip text, state text, told boolean, duration bigint, at bigint,
    place integer)
  join device d on d.id = u.device
  order by u.place`;

interface ApFact extends Fact<ApState> {
  readonly name?: string;
  readonly ip?: string | null;
}

type OfLine = Pick<ApNews, 'device' | 'key'>;
export const lineOf = ({ device, key }: OfLine) => `${device} ${key}`;

/** Within a boot they are numbered, and time does not run backwards, whatever the clock did. */
const inTheirOrder = <E extends { readonly id: string; readonly at: number }>(events: readonly E[]): E[] =>
  [...Map.groupBy(events, ({ id }) => id.replace(/-\d+$/, '')).values()].flatMap((boot) => {
    let now = 0;
    return boot.map((event) => {
      now = Math.max(now, event.at);
      return { ...event, at: now };
    });
  });

const keepLooks = async (tx: Tx, news: readonly ApNews[]) => {
  const looks = news.flatMap(({ device, mac, looks }) => (mac === null ? [] : looks.map(({ state, at }) => ({ device, mac, state, at }))));
  const kept = lastOf(looks, ({ device, mac, at }) => `${device} ${mac} ${at}`);
  if (kept.length > 0) await tx.query('ap_look', lookSql, [JSON.stringify(kept)]);
};

const adopt = async (tx: Tx, news: readonly ApNews[]) => {
  const fresh = news.filter((n) => n.isNew);
  if (fresh.length > 0) await tx.query('ap_adopt', adoptSql, [JSON.stringify(fresh)]);
};

/**
 * Each access point is up or away by turns, in one line without gaps. The line is made of what was told and what was seen, both of which
 * are kept, so it says the same whatever the order in which its gateway's words arrive: what a look has added goes again when an event
 * explains it. Answers how each stands in the end.
 */
export const logAps = async (tx: Tx, news: readonly ApNews[]): Promise<Map<string, Fact<ApState>>> => {
  await keepLooks(tx, news);
  await adopt(tx, news);
  const since = (n: ApNews) => (n.told ? n.since - clockSlack : n.since);
  const touched = JSON.stringify(news.map((n) => ({ ...n, since: since(n) })));
  const staysOf = Map.groupBy(await tx.query<Stay<ApState> & ApFact & OfLine>('ap_stays', staysSql, [touched]), lineOf);
  const lines = news.map((n) => ({ ...n, from: anewFrom(staysOf.get(lineOf(n)) ?? [], since(n), n.told) }));
  const asked = [JSON.stringify(lines)];
  const looks = Map.groupBy(await tx.query<ApFact & OfLine>('ap_looks', looksSql, asked), lineOf);
  const events = Map.groupBy(
    await tx.query<ApFact & Pick<FreshEvent, 'id' | 'device' | 'at' | 'doc'> & OfLine>('ap_events', eventsSql, asked),
    lineOf,
  );

  const last = new Map<string, Fact<ApState>>();
  const [gone, kept, made]: [number[], object[], object[]] = [[], [], []];
  for (const { device, key, name, mac, ip, from } of lines) {
    const line = lineOf({ device, key });
    const told = inTheirOrder(events.get(line) ?? []).map(apOfEvent);
    const woven = weave<ApState, ApFact>(staysOf.get(line) ?? [], [...(looks.get(line) ?? []), ...told], from);
    if (woven.last) last.set(line, woven.last);
    gone.push(...woven.gone);
    kept.push(...woven.kept);
    for (const { fact, duration } of woven.made)
      made.push({ ...fact, device, mac, name: fact.name ?? name, ip: fact.ip ?? ip, duration, place: made.length });
  }
  if (gone.length > 0) await tx.query('ap_gone', goneSql, [gone]);
  if (kept.length > 0) await tx.query('ap_kept', keptSql, [JSON.stringify(kept)]);
  if (made.length > 0) await tx.query('ap_made', madeSql, [JSON.stringify(made)]);
  return last;
};
