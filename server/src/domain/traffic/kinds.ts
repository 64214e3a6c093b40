import { network } from '@farlink/contract/protocol/network.ts';
import { bounded } from '../../db/bounded.ts';

/** Kinds of traffic, with the codes of `dpi_data_type`. */
export const trafficKinds = ['dpi_mgt', 'dpi_usr', 'flow_mgt', 'flow_usr'] as const;
export type TrafficKind = (typeof trafficKinds)[number];

/** A key column, and its value from a reported row `f`. */
type Name = readonly [column: string, value: string];

interface Measure {
  readonly column: string;
  /** Value of the share of a reported row in an hour. */
  readonly share: string;
  readonly ofHour: (share: string) => string;
  readonly ofDay: string;
}

export interface KindTables {
  /** Reported rows. */
  readonly reports: string;
  readonly hour: string;
  readonly day: string;
  readonly names: readonly Name[];
  readonly measures: readonly Measure[];
  readonly hasAccount: boolean;
  readonly isDpi: boolean;
}

/** Same as `networkOf`. */
const networkSql = `coalesce(substring(f.link from '^(${network.map(({ id }) => id).join('|')})\\d*$'), 'unknown')`;
const linkNames: readonly Name[] = [
  ['link', `coalesce(f.link, '')`],
  ['network', networkSql],
];

/** Seconds of a report, of which those from `since` to `until` are in the hour that is due. */
export const width = 'greatest(f.seconds, 1)';
const since = 'greatest(due.hour - f.at, 0)';
const until = `least(${width}, due.hour + 3600 - f.at)`;

/** Even share by seconds. Shares are differences of rounded running sums, so that they add up to the whole. */
export const shareSql = (value: string) =>
  `case when ${width} = ${until} - ${since} then ${value} else (div(${value}::numeric * ${until}, ${width}) - div(${value}::numeric * ${since}, ${width}))::bigint end`;

const flowMeasures: readonly Measure[] = [
  {
    column: 'seconds',
    share: `${until} - ${since}`,
    ofHour: (share) => `least(sum(${share}), 3600)::integer`,
    ofDay: 'sum(seconds)::integer',
  },
  { column: 'peak_speed', share: 'f.peak', ofHour: (share) => `max(${share})`, ofDay: 'max(peak_speed)' },
];
const dpiMeasures: readonly Measure[] = [
  {
    column: 'session_count',
    share: shareSql('f.sessions'),
    ofHour: (share) => bounded(`sum(${share})`),
    ofDay: bounded('sum(session_count)'),
  },
];

const flow = { measures: flowMeasures, isDpi: false };
const dpi = { measures: dpiMeasures, isDpi: true };

export const kindTables: Readonly<Record<TrafficKind, KindTables>> = {
  flow_usr: {
    ...flow,
    reports: 'user_flow',
    hour: 'business_flow_hour',
    day: 'business_flow_day',
    names: [['account', 'f.account'], ...linkNames],
    hasAccount: true,
  },
  flow_mgt: {
    ...flow,
    reports: 'own_flow',
    hour: 'manage_flow_hour',
    day: 'manage_flow_day',
    names: [['service', 'f.service'], ...linkNames],
    hasAccount: false,
  },
  dpi_usr: {
    ...dpi,
    reports: 'app_flow',
    hour: 'business_dpi_hour',
    day: 'business_dpi_day',
    names: [
      ['account', `coalesce(f.account, '')`],
      ['protocol_id', 'f.app'],
    ],
    hasAccount: true,
  },
  dpi_mgt: {
    ...dpi,
    reports: 'own_app_flow',
    hour: 'manage_dpi_hour',
    day: 'manage_dpi_day',
    names: [['protocol_id', 'f.app']],
    hasAccount: false,
  },
};
