const hourS = 3600;

/** Hours that a report of traffic touches. */
export const hoursOf = (at: number, seconds: number): number[] => {
  const hours: number[] = [];
  const last = at + Math.max(seconds, 1) - 1;
  for (let hour = at - (at % hourS); hour <= last; hour += hourS) hours.push(hour);
  return hours;
};

/**
 * Marks hours as changed: kinds, devices, hours, now. The update locks a mark that exists, so its hour cannot be completed between this
 * statement and the commit. Marks are locked in one order.
 */
export const markSql = `
  insert into traffic_dirty as t (kind, device_id, hour, marked_at, touched_at)
  select kind, device, hour, $4, $4 from unnest($1::text[], $2::bigint[], $3::bigint[]) as u(kind, device, hour)
    group by kind, device, hour order by kind collate "C", device, hour
  on conflict (kind, device_id, hour) do update set touched_at = excluded.touched_at, version = t.version + 1`;
