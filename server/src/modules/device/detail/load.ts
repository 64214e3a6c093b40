import type { loadCalls as calls, LoadPoint } from '@farlink/contract/device/load.ts';
import type { Shadow } from '@farlink/contract/device/shadow.ts';
import { sql } from 'kysely';
import { inOwnedPeriod } from '../../../domain/transfer/in-owned-period.ts';
import { fail } from '../../../kit/fail.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { record } from '../../../kit/log/record.ts';
import { setDesired } from '../../../orders/desired.ts';
import { deviceLabelOf, findDevice, lockDevice, patchDevice, subjectOf } from '../find-device.ts';
import { readSection } from './shadow.ts';
import { slotsOf } from './slots.ts';

const defaultS = 86_400;

/**
 * Means and peaks over equal time ranges. Each slot reads one sample by index, so a year costs as much as a day. While slots are shorter
 * than the sampling interval, every sample counts.
 */
export const readLoad: Handler<typeof calls.series> = async (ctx, { device_id, ...range }) => {
  const { id } = await findDevice(ctx, device_id);
  const isOwned = await inOwnedPeriod(ctx, id);
  const end_at = range.end_at ?? ctx.now();
  const start_at = range.start_at ?? end_at - defaultS;
  const { slot, step } = slotsOf(start_at, end_at);
  const { rows } = await sql<Omit<LoadPoint, 'id'>>`
    select min(l.at) as time, round(avg(l.cpu))::int as cpu, max(l.cpu)::int as cpu_max, round(avg(l.memory))::int as memory,
      max(l.memory)::int as memory_max, round(avg(l.disk))::int as disk, round(avg(l.session_count))::int as session_count,
      round(avg(l.temperature))::int as temperature
    from generate_series(${start_at}::bigint, ${end_at}::bigint, ${slot}::bigint) as s(at)
      cross join lateral (
        select * from device_load l where l.device_id = ${id} and l.at >= s.at and l.at < least(s.at + ${slot}::bigint, ${end_at}::bigint + 1)
        order by l.at desc limit 1
      ) l
    where ${isOwned('l.at')}
    group by (s.at - ${start_at}::bigint) / ${step}::bigint
    order by 1`.execute(ctx.db);
  const list = rows.map((row) => ({ ...row, id: row.time }));
  return { total: list.length, start_at, end_at, step, list };
};

const section = 'report';

export const readInterval: Handler<typeof calls.interval> = async (ctx, { device_id }) => {
  const device = await findDevice(ctx, device_id);
  const { shadow } = await readSection(ctx, device, section);
  return { interval: device.load_interval, shadow };
};

/** An unchanged interval is sent again if the section failed or drifted. */
const needsResend = ({ state }: Shadow) => state === 'failed' || state === 'drifted';

export const setInterval: Handler<typeof calls.setInterval> = async (ctx, { device_id, interval }) => {
  const device = await lockDevice(ctx, device_id);
  const { shadow } = await readSection(ctx, device, section);
  if (device.load_interval === interval && !needsResend(shadow)) throw fail('unchanged');
  await patchDevice(ctx, device, { load_interval: interval });
  await setDesired(ctx.db, device.id, section, { load: interval }, { now: ctx.now() });
  const name = deviceLabelOf(device);
  record(ctx, [`将设备 ${name} 的负载采集周期设为 ${interval} 秒`, `Set the load sampling interval of device ${name} to ${interval} s`], {
    before: { interval: device.load_interval },
    after: { interval },
    subject: subjectOf(device.id),
  });
};
