import { network } from '@farlink/contract/protocol/network.ts';
import { type TrafficKind, type TrafficKindId, trafficKinds } from '@farlink/contract/traffic/kinds.ts';
import { bounded } from '../../db/bounded.ts';

/** In the order of the rollup. */
export const rolledKinds = ['dpi_mgt', 'dpi_usr', 'flow_mgt', 'flow_usr'] as const satisfies readonly TrafficKindId[];

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
const keyValues: Readonly<Record<TrafficKind['keys'][number], string>> = {
  account: `coalesce(f.account, '')`,
  service: 'f.service',
  link: `coalesce(f.link, '')`,
  network: networkSql,
  protocol_id: 'f.app',
};

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

const tablesOf = ({ isDpi, keys }: TrafficKind, reports: string, table: string): KindTables => ({
  reports,
  hour: `${table}_hour`,
  day: `${table}_day`,
  names: keys.map((key) => [key, keyValues[key]]),
  measures: isDpi ? dpiMeasures : flowMeasures,
  hasAccount: keys.includes('account'),
  isDpi,
});

export const kindTables: Readonly<Record<TrafficKindId, KindTables>> = {
  flow_usr: tablesOf(trafficKinds.flow_usr, 'user_flow', 'business_flow'),
  flow_mgt: tablesOf(trafficKinds.flow_mgt, 'own_flow', 'manage_flow'),
  dpi_usr: tablesOf(trafficKinds.dpi_usr, 'app_flow', 'business_dpi'),
  dpi_mgt: tablesOf(trafficKinds.dpi_mgt, 'own_app_flow', 'manage_dpi'),
};
