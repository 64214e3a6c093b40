import type { Status } from '@farlink/gateway/protocol/message.ts';
import { lineOf, logAps } from './ap-log.ts';
import { type ApChange, type ApObservation, type ApState, apOfEvent, apState } from './ap-observation.ts';
import type { NewEvent } from './commit-items.ts';
import type { Observation } from './rebuild-timeline.ts';
import type { Tx } from './tx.ts';

interface Ap {
  readonly device_id: number;
  readonly mac: string;
  readonly name: string;
  readonly ip: string | null;
  readonly state: ApState;
  readonly stations: number | null;
  readonly at: number;
}

/** Complete access point list of a status message. */
export interface ApList {
  readonly device: number;
  readonly at: number;
  readonly aps: NonNullable<Status['ap']>;
}

/** Interval in seconds at which an unchanged access point is written. */
const confirmEvery = 300;

/** Twice the number that one status message can contain. */
const maxAps = 512;

/** Stored access points of some gateways, with new observations merged in. */
class Aps {
  readonly #stored = new Map<string, Ap>();
  readonly #keysOf = new Map<number, string[]>();
  readonly #added = new Set<string>();
  readonly #changes = new Map<string, ApChange>();

  constructor(rows: readonly Ap[]) {
    for (const row of rows) this.#put(lineOf({ device: row.device_id, key: row.mac }), row);
  }

  #put(key: string, ap: Ap) {
    if (!this.#stored.has(key)) {
      const keys = this.#keysOf.get(ap.device_id);
      if (keys) keys.push(key);
      else this.#keysOf.set(ap.device_id, [key]);
    }
    this.#stored.set(key, ap);
  }

  #of(device: number): Ap[] {
    return (this.#keysOf.get(device) ?? []).flatMap((key) => this.#stored.get(key) ?? []);
  }

  /** Without a MAC, the access point is identified by its name. */
  #resolve(observation: ApObservation): ApObservation {
    if (observation.mac !== null) return observation;
    const found = this.#of(observation.device).find((ap) => ap.name === observation.name);
    return found ? { ...observation, key: found.mac, mac: found.mac } : observation;
  }

  /** Marks the timeline for a rebuild from this time. A late observation also keeps the last known state as a sample. */
  #note({ device, key, name, mac, ip, state, at, fromEvent }: ApObservation, was: Ap | undefined) {
    const line = lineOf({ device, key });
    const noted = this.#changes.get(line);
    this.#changes.set(line, {
      device,
      key,
      name,
      mac,
      ip: ip ?? was?.ip ?? null,
      isNew: noted?.isNew ?? (was === undefined && mac !== null),
      since: Math.min(noted?.since ?? at, at),
      fromEvent: fromEvent || noted?.fromEvent === true,
      samples: [...(noted?.samples ?? []), ...(was && at <= was.at ? [was] : []), ...(fromEvent ? [] : [{ state, at }])],
    });
  }

  observe(reported: ApObservation) {
    const observation = this.#resolve(reported);
    const key = lineOf(observation);
    const was = this.#stored.get(key);
    // A sample cannot be older than the stored state, unless the clock of the gateway was set back.
    if (was && !observation.fromEvent && observation.at < was.at) return;
    if (observation.fromEvent || was?.state !== observation.state) this.#note(observation, was);
    if ((was && observation.at <= was.at) || observation.mac === null) return;
    const { mac, name, state, at } = observation;
    const kept = { ip: observation.ip ?? was?.ip ?? null, stations: observation.stations ?? was?.stations ?? null };
    const now: Ap = { device_id: observation.device, mac, name, state, at, ...kept };
    const isSame = was && was.name === name && was.ip === now.ip && was.state === state && was.stations === now.stations;
    if (isSame && !observation.fromEvent && at - was.at < confirmEvery) return;
    this.#put(key, now);
    this.#added.add(key);
  }

  /** The list is complete: an access point that is missing is offline. */
  observeList({ device, at, aps }: ApList) {
    const listed = new Set(aps.map(([, , , mac]) => mac.toLowerCase()));
    for (const [name, s, stations, raw] of aps) {
      const mac = raw.toLowerCase();
      this.observe({ device, key: mac, name, mac, ip: null, state: apState(s), stations: s === 1 ? stations : 0, at, fromEvent: false });
    }
    for (const { mac, name, state } of this.#of(device))
      if (state === 'up' && !listed.has(mac))
        this.observe({ device, key: mac, name, mac, ip: null, state: 'offline', stations: 0, at, fromEvent: false });
  }

  /** Takes over the final state of the rebuilt timeline. */
  complete(key: string, { state, at }: Observation<ApState>) {
    const was = this.#stored.get(key);
    if (!was || was.state === state) return;
    this.#put(key, { ...was, state, at: Math.max(was.at, at), stations: state === 'up' ? was.stations : 0 });
    this.#added.add(key);
  }

  get changes(): readonly ApChange[] {
    return [...this.#changes.values()];
  }

  /** Devices above the limit, because every status must read all their rows. */
  get crowded(): readonly number[] {
    return [...this.#keysOf].flatMap(([device, keys]) => (keys.length > maxAps ? [device] : []));
  }

  get changed(): readonly Ap[] {
    return [...this.#added].flatMap((key) => this.#stored.get(key) ?? []);
  }
}

const putSql = `
  insert into ap (device_id, mac, name, ip, state, stations, at)
  select u.device_id, u.mac, u.name, u.ip, u.state, u.stations, u.at
  from json_to_recordset($1::json) as u(device_id bigint, mac text, name text, ip text, state text, stations integer, at bigint)
  order by u.device_id, u.mac
  on conflict (device_id, mac) do update set name = excluded.name, ip = excluded.ip, state = excluded.state, stations = excluded.stations, at = excluded.at
  where excluded.at >= ap.at`;

const tidySql = `
  delete from ap using (
    select device_id, mac, row_number() over (partition by device_id order by state = 'up' desc, at desc, mac) as ordinal
    from ap where device_id = any($1::bigint[])
  ) o where ap.device_id = o.device_id and ap.mac = o.mac and o.ordinal > ${maxAps}`;

const readAps = async (tx: Tx, devices: readonly number[], observe: (aps: Aps) => void) => {
  const sql = 'select device_id, mac, name, ip, state, stations, at from ap where device_id = any($1::bigint[])';
  const aps = new Aps(await tx.query<Ap>('aps', sql, [devices]));
  observe(aps);
  return aps;
};

const storeAps = async (tx: Tx, reports: readonly { readonly device: number }[], observe: (aps: Aps) => void) => {
  const devices = [...new Set(reports.map((t) => t.device))].sort((a, b) => a - b);
  let aps = await readAps(tx, devices, observe);
  if (aps.changes.length > 0) {
    // Another process may store the same gateway, so the log is written under a lock and after a new read.
    await tx.query('ap_lock', 'select id from device where id = any($1::bigint[]) order by id for no key update', [devices]);
    aps = await readAps(tx, devices, observe);
    for (const [key, last] of await logAps(tx, aps.changes)) aps.complete(key, last);
  }
  if (aps.changed.length > 0) await tx.query('ap_put', putSql, [JSON.stringify(aps.changed)]);
  if (aps.crowded.length > 0) await tx.query('ap_tidy', tidySql, [aps.crowded]);
};

export const storeApLists = (tx: Tx, lists: readonly ApList[]) =>
  storeAps(tx, lists, (aps) => {
    for (const list of lists) aps.observeList(list);
  });

export const storeApEvents = (tx: Tx, events: readonly NewEvent[]) => {
  const observations = events.map(apOfEvent).toSorted((a, b) => a.at - b.at);
  return storeAps(tx, observations, (aps) => {
    for (const observation of observations) aps.observe(observation);
  });
};
