import { CompiledQuery, sql } from 'kysely';
import { arrayText } from '../db/array-text.ts';
import { preparedByIds } from '../db/prepare.ts';
import { hoursOf, markSql } from '../domain/traffic/mark-hours.ts';
import type { Db } from '../kit/deps.ts';
import type { Gain } from './fold-session.ts';
import type { Nas } from './registry.ts';

const byIds = sql.raw(preparedByIds);

/** Traffic counts at the device where the NAS is, else at the NAS itself. */
export const trafficSite = ({ id, site_id }: Pick<Nas, 'id' | 'site_id'>) => site_id ?? -id;

/** Protocol id of unidentified traffic: RADIUS names no applications. */
const unidentified = '0';

export interface NasTraffic extends Gain {
  readonly device_id: number;
  readonly account: string;
}

/** Longest report that the rollup reads. */
const longestS = 86_400;
/** Reports of traffic as gateways send them, from the increase of sessions on NAS of other makers. The job `roll_traffic` adds them up. */
export const storeNasTraffic = async (db: Db, gains: readonly NasTraffic[], now: number) => {
  const rows = gains
    .filter(({ up, down }) => up > 0 || down > 0)
    .map(({ at, seconds, ...row }) => ({ ...row, seconds: Math.min(seconds, longestS), at: at + Math.max(0, seconds - longestS) }));
  if (rows.length === 0) return;
  const columns = sql`unnest(${arrayText(rows.map((r) => r.device_id))}::bigint[]) as device_id, unnest(${arrayText(rows.map((r) => r.at))}::bigint[]) as at,
    unnest(${arrayText(rows.map((r) => r.seconds))}::integer[]) as seconds, unnest(${arrayText(rows.map((r) => r.account))}::text[]) as account,
    unnest(${arrayText(rows.map((r) => r.up))}::bigint[]) as up_bytes, unnest(${arrayText(rows.map((r) => r.down))}::bigint[]) as down_bytes`;
  await sql`${byIds}
    insert into user_flow (device_id, at, seconds, account, up_bytes, down_bytes, via, online_seconds)
    select device_id, at, seconds, account, up_bytes, down_bytes, 'aaa', seconds from (select ${columns}) r`.execute(db);
  await sql`${byIds}
    insert into app_flow (device_id, at, seconds, app, account, up_bytes, down_bytes)
    select device_id, at, seconds, ${unidentified}, account, up_bytes, down_bytes from (select ${columns}) r`.execute(db);
  const marks = rows.flatMap(({ device_id, at, seconds }) =>
    hoursOf(at, seconds).flatMap((hour) => [
      { kind: 'dpi_usr', device_id, hour },
      { kind: 'flow_usr', device_id, hour },
    ]),
  );
  const values = [marks.map(({ kind }) => kind), marks.map(({ device_id }) => device_id), marks.map(({ hour }) => hour), now];
  await db.executeQuery(CompiledQuery.raw(markSql, values));
};
