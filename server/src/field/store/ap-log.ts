import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { type ApSight, type ApState, apOfEvent } from './ap-sight.ts';
import type { Tx } from './tx.ts';
import { type Sighting, type Stay, weave } from './weave.ts';

interface Line {
  readonly device: number;
  readonly key: string;
  readonly since: number;
}

interface Row {
  readonly id: number;
  readonly device_id: number;
  readonly key: string;
  readonly state: ApState;
  readonly at: number;
  readonly duration: number | null;
}

/** The stay that a moment falls into, and all after it: of who has the device, and of a line that was not ended before. */
const staysSql = `
  select l.id, l.device_id, u.key, l.ap_state as state, l.create_at as at, l.duration
  from json_to_recordset($1::json) as u(device bigint, key text, since bigint) join device d on d.id = u.device
  cross join lateral (
    (select * from ap_link_log l where l.device_id = u.device and coalesce(l.ap_mac, l.ap_name) = u.key and l.create_at <= u.since
      order by l.create_at desc, l.id desc limit 1)
    union all
    (select * from ap_link_log l where l.device_id = u.device and coalesce(l.ap_mac, l.ap_name) = u.key and l.create_at > u.since)
  ) l
  where l.agent_id = d.agent_id and (l.duration is null or l.create_at + l.duration >= u.since)
  order by l.create_at, l.id`;

/** What came before of the same gateways: an event that said nothing new then may do so now. */
const eventsSql = `
  select e.device_id as device, e.at, e.doc from json_to_recordset($1::json) as u(device bigint, since bigint) join device d on d.id = u.device
  join device_event e on e.device_id = u.device and e.kind = 'ap' and e.at >= u.since and e.agent_id = d.agent_id
  order by e.at, length(e.id), e.id`;

const moveSql = `
  update ap_link_log l set create_at = u.at, duration = u.duration from json_to_recordset($1::json) as u(id bigint, at bigint, duration bigint)
  where l.id = u.id`;

const insertSql = `
  insert into ap_link_log (agent_id, device_id, sn, ap_name, ap_mac, ap_ip, ap_state, duration, create_at)
  select d.agent_id, d.id, d.sn, u.name, u.mac, u.ip, u.state, u.duration, u.at
  from json_to_recordset($1::json) as u(device bigint, name text, mac text, ip text, state text, duration bigint, at bigint)
  join device d on d.id = u.device
  order by u.at`;

const keyOf = ({ device, key }: Pick<Line, 'device' | 'key'>) => `${device} ${key}`;

const earlierEvents = async (tx: Tx, lines: readonly Line[]) => {
  const rows = await tx.query<{ device: number; at: number; doc: JsonObject }>('ap_events', eventsSql, [JSON.stringify(lines)]);
  return rows.map(apOfEvent);
};

/**
 * Each access point is up or away by turns, in one line without gaps, whatever the order in which its gateway's words arrive. Answers
 * how each stands in the end.
 */
export const logApStates = async (
  tx: Tx,
  turns: readonly ApSight[],
  before: ReadonlyMap<string, Sighting<ApState>>,
): Promise<Map<string, Sighting<ApState>>> => {
  const sightsOf = Map.groupBy(turns, keyOf);
  const lines = [...sightsOf.values()].flatMap((sights): Line[] => {
    const [first] = sights;
    return first ? [{ device: first.device, key: first.key, since: Math.min(...sights.map((s) => s.at)) }] : [];
  });
  const stays = Map.groupBy(await tx.query<Row>('ap_stays', staysSql, [JSON.stringify(lines)]), (r) => `${r.device_id} ${r.key}`);
  const late = lines.filter((line) => line.since <= (before.get(keyOf(line))?.at ?? 0));
  const earlier = late.length > 0 ? await earlierEvents(tx, late) : [];

  const last = new Map<string, Sighting<ApState>>();
  const moved: Stay<ApState>[] = [];
  const made: object[] = [];
  for (const line of lines) {
    const [sights = [], known] = [sightsOf.get(keyOf(line)), before.get(keyOf(line))];
    const told = earlier.filter((e) => e.device === line.device && (e.key === line.key || (e.mac === null && e.name === sights[0]?.name)));
    const seen = [...(known ? [known] : []), ...sights.filter((s) => !s.isTurn)];
    const woven = weave<ApState>(stays.get(keyOf(line)) ?? [], seen, told.length > 0 ? told : sights.filter((s) => s.isTurn));
    if (woven.last) last.set(keyOf(line), woven.last);
    for (const stay of woven.changed) {
      if (stay.id !== undefined) moved.push(stay);
      else {
        const { device, name, mac, ip } = sights.find((s) => s.at >= stay.at) ?? sights.at(-1) ?? {};
        made.push({ device, name, mac, ip, ...stay });
      }
    }
  }
  if (moved.length > 0) await tx.query('ap_move', moveSql, [JSON.stringify(moved)]);
  if (made.length > 0) await tx.query('ap_log', insertSql, [JSON.stringify(made)]);
  return last;
};
