import type { Random } from '@farlink/contract/kit/random.ts';
import { networkOf } from '@farlink/contract/protocol/network.ts';
import type { Insertable } from 'kysely';
import type { Database } from '../db/tables.ts';

const hour = 3600;

export interface HistoryDevice {
  readonly id: number;
  readonly agent_id: number;
  readonly sn: string;
  /** Time of its last report. */
  readonly until: number;
  readonly at_sea: boolean;
}

type LinkRow = Insertable<Database['wan_link_log']>;
type SwitchRow = Insertable<Database['wan_change']>;
type State = LinkRow['link_state'];

interface LinkInterval {
  readonly link: string;
  readonly state: State;
  readonly at: number;
}

/** Best link first, with the hours that each link is up and down. */
const radios = [
  { link: 'lte', rtt: 60, on: [6, 20], away: [20, 60], state: 'off' },
  { link: 'low_orbit', rtt: 48, on: [10, 40], away: [1, 3], state: 'abnormal' },
  { link: '6d', rtt: 630, on: [20, 70], away: [1, 4], state: 'abnormal' },
  { link: 'l_band', rtt: 910, on: [200, 400], away: [1, 1], state: 'off' },
] as const;

const intervalsOf = (random: Random, device: HistoryDevice, since: number): LinkInterval[] => {
  const fitted = radios.filter(({ link }) => link === '6d' || link === 'l_band' || random.next() < 0.6);
  return fitted.flatMap(({ link, on, away, state }) => {
    const intervals: LinkInterval[] = [];
    let isOn = link !== 'lte' || random.next() < 0.5;
    for (let at = since + random.int(0, hour); at < device.until; isOn = !isOn) {
      intervals.push({ link, state: isOn ? 'on' : state, at });
      const [minHours, maxHours] = isOn ? on : away;
      at += random.int(minHours * hour, maxHours * hour) + random.int(0, 1800);
    }
    // A simulated ship reports its current links itself.
    const last = intervals.at(-1);
    return device.at_sea && last?.state === 'on' && (link === 'lte' || link === 'low_orbit') ? intervals.slice(0, -1) : intervals;
  });
};

const linkRows = (random: Random, { id, agent_id, sn }: HistoryDevice, intervals: readonly LinkInterval[]): LinkRow[] =>
  [...Map.groupBy(intervals, (s) => s.link).values()].flatMap((line) =>
    line.map(({ link, state, at }, i) => {
      const before = line[i - 1];
      const next = line[i + 1];
      const rtt = radios.find((r) => r.link === link)?.rtt ?? 0;
      return {
        agent_id,
        device_id: id,
        sn,
        link,
        network: networkOf(link),
        link_state: state,
        state_before: before?.state ?? null,
        ...(state === 'on' && { ip: `10.${random.int(20, 60)}.${id % 250}.${random.int(2, 250)}`, quality: random.int(78, 99) }),
        ...(state === 'on' && { rtt: Math.round(rtt * (1 + random.next() / 5)) }),
        ...(state === 'abnormal' && { quality: random.int(3, 20) }),
        duration: next ? next.at - at : null,
        create_at: at,
      };
    }),
  );

/** The gateway selects the best link that is up, so the switches follow from the link states. */
const switchRows = ({ id, agent_id, sn }: HistoryDevice, intervals: readonly LinkInterval[]): SwitchRow[] => {
  const states = new Map<string, State>();
  const rows: SwitchRow[] = [];
  let current: string | undefined;
  for (const { link, state, at } of intervals.toSorted((a, b) => a.at - b.at)) {
    states.set(link, state);
    const best = radios.find((r) => states.get(r.link) === 'on')?.link;
    if (best === current) continue;
    const reason = link !== current ? 'better' : state === 'off' ? 'coverage' : at % 2 === 0 ? 'rain' : 'quality';
    if (current !== undefined)
      rows.push({
        agent_id,
        device_id: id,
        sn,
        source: 'wan',
        from_link: current,
        to_link: best ?? null,
        network: networkOf(best),
        link_state: best ? 'on' : 'off',
        change_mode: 'default',
        reason,
        create_at: at,
      });
    current = best;
  }
  return rows;
};

export const linkHistory = (random: Random, device: HistoryDevice, since: number) => {
  const intervals = intervalsOf(random, device, since);
  return { links: linkRows(random, device, intervals), switches: switchRows(device, intervals) };
};
