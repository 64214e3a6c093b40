import { toBytes, toSeconds } from '@farlink/contract/kit/units.ts';
import { type Selectable, type SqlBool, sql } from 'kysely';
import { runPrepared } from '../../../db/prepare.ts';
import type { Database } from '../../../db/tables.ts';
import type { Db } from '../../../kit/deps.ts';
import type { Capacity, Cycle, Holding, MeterState } from '../engine/types.ts';

/** Named columns: a prepared statement with `select *` fails in a transaction when a newer version adds a column. */
const packageColumns = [
  'package.kind',
  'package.priority',
  'package.package_type',
  'package.time_capacity',
  'package.time_unit',
  'package.flow_capacity',
  'package.flow_unit',
  'package.cycle_length',
  'package.cycle_unit',
  'package.cycle_quota',
  'package.cycle_quota_unit',
  'package.up_speed',
  'package.down_speed',
  'package.up_guarantee',
  'package.down_guarantee',
  'package.own_up_speed',
  'package.own_down_speed',
] as const;
const meterColumns = ['subscriber_id', 'clock', 'overrun_bytes', 'overrun_seconds'] as const;

type PackageRow = Pick<
  Selectable<Database['package']>,
  | ('kind' | 'up_speed' | 'down_speed' | 'up_guarantee' | 'down_guarantee' | 'own_up_speed' | 'own_down_speed')
  | ('package_type' | 'time_capacity' | 'time_unit' | 'flow_capacity' | 'flow_unit')
  | ('cycle_length' | 'cycle_unit' | 'cycle_quota' | 'cycle_quota_unit')
>;

const capacityOf = (p: PackageRow): Capacity => {
  const time_capacity = p.time_capacity !== null && p.time_unit !== null ? toSeconds(p.time_capacity, p.time_unit) : 0;
  const flow_capacity = p.flow_capacity !== null && p.flow_unit !== null ? toBytes(p.flow_capacity, p.flow_unit) : 0;
  switch (p.package_type) {
    case 'time':
      return { package_type: 'time', time_capacity };
    case 'flow':
      return { package_type: 'flow', flow_capacity };
    case 'time_flow':
      return { package_type: 'time_flow', time_capacity, flow_capacity };
  }
};

/** Quota in bytes if the package has flow; if it has only time, in seconds online, converted from the unit of its duration. */
const cycleOf = (p: PackageRow): Cycle | null => {
  if (p.cycle_length === null || p.cycle_unit === null || p.cycle_quota === null) return null;
  const quota = p.cycle_quota_unit ? toBytes(p.cycle_quota, p.cycle_quota_unit) : toSeconds(p.cycle_quota, p.time_unit ?? 'hour');
  return { length: p.cycle_length, unit: p.cycle_unit, quota };
};

const speedsOf = ({
  kind,
  up_speed,
  down_speed,
  up_guarantee,
  down_guarantee,
  own_up_speed,
  own_down_speed,
}: PackageRow): Holding['speeds'] =>
  kind === 'online'
    ? { up_speed, down_speed, up_guarantee, down_guarantee }
    : { up_speed: own_up_speed, down_speed: own_down_speed, up_guarantee: null, down_guarantee: null };

/** As JSON text, so that the statement is planned once per connection: metering and sales run it all the time. */
const isOneOf = (column: string, ids: readonly number[]) =>
  sql<SqlBool>`${sql.ref(column)} in (select value::bigint from json_array_elements_text(${JSON.stringify(ids)}::json))`;

/**
 * Metering state of these subscribers. The credit control of a holding is that of the first level of spec §4 that has one: account default,
 * user-defined, package-bound.
 */
export const loadMeters = async (db: Db, subscriberIds: readonly number[]): Promise<Map<number, MeterState>> => {
  const query = db
    .selectFrom('holding')
    .innerJoin('subscriber', 'subscriber.id', 'holding.subscriber_id')
    .innerJoin('package', 'package.id', 'holding.package_id')
    .leftJoin('open_config', 'open_config.id', 'subscriber.config_id')
    .leftJoin('policy', (join) =>
      join.on(
        'policy.id',
        '=',
        sql<number>`coalesce(open_config.policy_id, case when subscriber.custom_policy then subscriber.policy_id end, package.policy_id)`,
      ),
    )
    .select(packageColumns)
    .select([
      'holding.id as holding_id',
      'holding.subscriber_id',
      'holding.start_at',
      'holding.activated_at',
      'holding.expire_at as holding_expire_at',
      'holding.used_flow',
      'holding.used_time',
      'holding.cycles',
      'holding.first_cycle',
      'policy.id as credit_id',
      'policy.ratio',
      'policy.action',
      'policy.limit_up',
      'policy.limit_down',
    ])
    .where(isOneOf('holding.subscriber_id', subscriberIds))
    .orderBy('holding.id');
  const { rows } = await runPrepared(db, query);
  const { rows: meters } = await runPrepared(
    db,
    db.selectFrom('meter').select(meterColumns).where(isOneOf('subscriber_id', subscriberIds)),
  );
  const meterOf = new Map(meters.map((meter) => [meter.subscriber_id, meter]));
  const states = new Map<number, MeterState>(
    subscriberIds.map((id) => {
      const m = meterOf.get(id);
      return [
        id,
        {
          clock: m?.clock ?? 0,
          holdings: [],
          overrun: { bytes: m?.overrun_bytes ?? 0, seconds: m?.overrun_seconds ?? 0 },
        },
      ];
    }),
  );
  for (const row of rows) {
    const { credit_id: id, ratio, action, limit_up, limit_down } = row;
    const known = id !== null && ratio !== null && action !== null && limit_up !== null && limit_down !== null;
    const holding: Holding = {
      ...capacityOf(row),
      id: row.holding_id,
      kind: row.kind,
      speeds: speedsOf(row),
      priority: row.priority,
      start_at: row.start_at,
      expire_at: row.holding_expire_at,
      activated_at: row.activated_at,
      cycle: cycleOf(row),
      policy: known ? { id, ratio, action, limit_up, limit_down } : null,
      used: { bytes: row.used_flow, seconds: row.used_time },
      cycles: row.cycles,
      first_cycle: row.first_cycle,
    };
    const state = states.get(row.subscriber_id);
    if (state) states.set(row.subscriber_id, { ...state, holdings: [...state.holdings, holding] });
  }
  return states;
};
