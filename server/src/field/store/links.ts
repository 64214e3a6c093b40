import { networkOf } from '@farlink/contract/protocol/network.ts';
import type { Status } from '@farlink/gateway/protocol/message.ts';
import type { Tx } from './tx.ts';

type State = 0 | 1 | 2;

/** Twice the number that a gateway can report; more are not plausible. */
export const maxLinks = 32;

/** One status of a gateway with its position in the boot. */
export interface LinkSample {
  readonly device: number;
  readonly b: string;
  readonly n: number;
  readonly at: number;
  readonly status: Pick<Status, 'l' | 'full'>;
}

interface StoredMarks {
  readonly b: string;
  readonly n: number;
  readonly marks: string | null;
}

interface Change {
  readonly device: number;
  readonly link: string;
  readonly state: State;
  readonly before: State | undefined;
  readonly at: number;
  readonly ip?: string | undefined;
  readonly quality?: number | undefined;
  readonly rtt?: number | undefined;
}

const names = ['off', 'on', 'abnormal'] as const;
const nameOf = (state: State | undefined) => (state === undefined ? undefined : names[state]);

const stateNamed = (name: string): State => (name === 'on' ? 1 : name === 'abnormal' ? 2 : 0);
const stateOf = (digit: string | undefined): State => (digit === '1' ? 1 : digit === '2' ? 2 : 0);
const statesOf = (marks: string | null) =>
  new Map((marks ?? '').split(' ').flatMap((mark) => (mark === '' ? [] : [[mark.slice(0, -1), stateOf(mark.at(-1))] as const])));
const marksOf = (states: ReadonlyMap<string, State>) => ` ${[...states].map(([link, state]) => `${link}${state}`).join(' ')} `;

/** Fast check on every status: true if no link state is new. */
export const isUnchanged = (marks: string | null | undefined, { l, full }: LinkSample['status']): boolean => {
  if (l === undefined && !full) return true;
  if (!marks || l?.some(({ i, s }) => !marks.includes(` ${i}${s} `))) return false;
  return !full || [...statesOf(marks)].every(([link, state]) => state === 0 || l?.some(({ i }) => i === link));
};

/** A link that is missing in a full status is off. */
const changesOf = (states: ReadonlyMap<string, State>, { device, at, status: { l = [], full } }: LinkSample): Change[] => {
  const changes = l.flatMap(({ i, s, q, r, ip }): Change[] =>
    states.get(i) === s || (!states.has(i) && states.size >= maxLinks)
      ? []
      : [{ device, link: i, state: s, before: states.get(i), at, ip, quality: q, rtt: r }],
  );
  const missing = full ? [...states].filter(([link, state]) => state !== 0 && !l.some(({ i }) => i === link)) : [];
  return [...changes, ...missing.map(([link, before]): Change => ({ device, link, state: 0, before, at }))];
};

const closeSql = `
  update wan_link_log w set duration = greatest(0, u.at - w.create_at)
  from json_to_recordset($1::json) as u(device bigint, link text, at bigint)
  where w.device_id = u.device and w.link = u.link and w.duration is null
  returning w.device_id as device, w.link, w.create_at as at`;

const openSql = `
  insert into wan_link_log (agent_id, device_id, sn, link, network, link_state, state_before, ip, quality, rtt, duration, create_at)
  select d.agent_id, d.id, d.sn, u.link, u.network, u.link_state, u.state_before, u.ip, u.quality, u.rtt, u.duration, u.at
  from json_to_recordset($1::json) as u(device bigint, link text, network text, link_state text, state_before text, ip text,
    quality smallint, rtt integer, duration bigint, at bigint, ordinal bigint) join device d on d.id = u.device
  order by u.ordinal
  on conflict (device_id, link) where duration is null do nothing`;

const lineOf = ({ device, link }: Pick<Change, 'device' | 'link'>) => `${device} ${link}`;

/** If the clock was set back, later changes get at least the time of the previous one. */
const inTime = (line: readonly Change[], since: number): Change[] => {
  let at = since;
  return line.map((change) => {
    at = Math.max(at, change.at);
    return { ...change, at };
  });
};

const log = async (tx: Tx, changes: readonly Change[]) => {
  const lines = Map.groupBy(changes, lineOf);
  const closed = await tx.query<Pick<Change, 'device' | 'link' | 'at'>>('link_close', closeSql, [
    JSON.stringify([...lines.values()].map(([first]) => first)),
  ]);
  const since = new Map(closed.map((row) => [lineOf(row), row.at]));
  const rows = [...lines].flatMap(([name, line]) =>
    inTime(line, since.get(name) ?? 0).map(({ state, before, ...change }, i, all) => {
      const next = all[i + 1];
      const network = networkOf(change.link);
      return { ...change, network, link_state: nameOf(state), state_before: nameOf(before), duration: next && next.at - change.at };
    }),
  );
  await tx.query('link_open', openSql, [JSON.stringify(rows.map((row, index) => ({ ...row, ordinal: index })))]);
};

/** Without marks, the open log rows define the current states. */
const openStates = async (tx: Tx, devices: readonly number[]) => {
  const open = new Map<number, Map<string, State>>(devices.map((device) => [device, new Map()]));
  if (devices.length === 0) return open;
  const rows = await tx.query<{ device_id: number; link: string; link_state: string }>(
    'link_opened',
    'select device_id, link, link_state from wan_link_log where device_id = any($1::bigint[]) and duration is null',
    [devices],
  );
  for (const { device_id, link, link_state } of rows) open.get(device_id)?.set(link, stateNamed(link_state));
  return open;
};

/**
 * Logs link state changes and returns the new marks. Only gateways with changes are processed, under a lock, because another process may
 * store the same gateway.
 */
export const storeLinkStates = async (tx: Tx, samples: readonly LinkSample[]): Promise<Map<number, string>> => {
  const marks = new Map<number, string>();
  if (samples.length === 0) return marks;
  const rows = await tx.query<StoredMarks & { device_id: number }>(
    'link_marks',
    'select device_id, boot as b, n, link_marks as marks from device_status where device_id = any($1::bigint[]) order by device_id for update',
    [[...new Set(samples.map((s) => s.device))]],
  );
  const stored = new Map(rows.map((r) => [r.device_id, r]));
  const lines = Map.groupBy(samples, (s) => s.device);
  const open = await openStates(
    tx,
    [...lines.keys()].filter((device) => !stored.get(device)?.marks),
  );
  const changes: Change[] = [];
  for (const [device, line] of lines) {
    const { b, n, marks: was = null } = stored.get(device) ?? {};
    const states = open.get(device) ?? statesOf(was);
    for (const sample of line.filter((s) => s.b !== b || n === undefined || s.n > n)) {
      const found = changesOf(states, sample);
      for (const { link, state } of found) states.set(link, state);
      changes.push(...found);
    }
    marks.set(device, marksOf(states));
  }
  if (changes.length > 0) await log(tx, changes);
  return marks;
};
