import { sql } from 'kysely';
import type { Db } from '../kit/deps.ts';
import { type LatLon, ports } from './positions.ts';

const knots = 13;
const everyS = 900;

const kmBetween = ([lat, lon]: LatLon, [toLat, toLon]: LatLon) =>
  Math.hypot(toLat - lat, (toLon - lon) * Math.cos((lat * Math.PI) / 180)) * 111.2;

/** Approach routes as legs, in seconds before the mooring. */
const legs = ports.flatMap(({ port, from }) => {
  let before = 0;
  return from.map((begins, i) => {
    const ends = from[i - 1] ?? port;
    const until = before;
    before += (kmBetween(begins, ends) / (knots * 1.852)) * 3600;
    return { lat: port[0], lon: port[1], since: before, until, lat1: begins[0], lon1: begins[1], lat2: ends[0], lon2: ends[1] };
  });
});

const days = 7;

/** Tracks of offline ships to their last port and at the berth; each with a small offset. */
export const seedTracks = (db: Db) =>
  sql`
    with leg as (
      select * from json_to_recordset(${JSON.stringify(legs)}::json)
        as l(lat float8, lon float8, since float8, until float8, lat1 float8, lon1 float8, lat2 float8, lon2 float8)
    )
    insert into device_track (device_id, at, lat, lon, sog, cog)
    select s.device_id, s.at - t, coalesce(lat2 + (lat1 - lat2) * share + aside, s.lat), coalesce(lon2 + (lon1 - lon2) * share + aside, s.lon),
      case when since is null then 0 else ${knots} + sin(t / 1800.0) end,
      case when since is null then 0 else round(degrees(atan2((lon2 - lon1) * cos(radians(lat2)), lat2 - lat1)) + 360)::int % 360 end
    from device_status s
      join (select distinct lat, lon from leg) port on port.lat = s.lat and port.lon = s.lon
      cross join generate_series(0, ${days * 86_400}::int, ${everyS}::int) as t
      cross join lateral (select t - 3600 * (3 + s.device_id % 20) as sailed) as way
      left join leg on leg.lat = s.lat and leg.lon = s.lon and sailed > until and sailed <= since
      cross join lateral (select (sailed - until) / (since - until) as share, (s.device_id % 9 - 4) * 0.03 * least(1, sailed / 21600.0) as aside) as place
    where since is not null or sailed <= 0`.execute(db);
