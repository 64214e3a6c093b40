import type { deviceDetailCalls as calls } from '@farlink/contract/device/device-detail.ts';
import { dayNumber } from '@farlink/contract/kit/zone.ts';
import { dayText, firstOpenDay, trafficDifference } from '../../../domain/metering/run/traffic-difference.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { inScope } from '../../../kit/list/scope.ts';
import { findDevice } from '../find-device.ts';

const days = 7;

/** Traffic of the last days. It belongs to the VNO of that time, so a transferred device does not reveal earlier days. */
export const readTrafficCheck: Handler<typeof calls.trafficCheck> = async (ctx, { id }) => {
  const device = await findDevice(ctx, id);
  const now = ctx.now();
  const rows = await ctx.db
    .selectFrom('traffic_day')
    .select(['day', 'link_bytes', 'user_bytes', 'own_bytes', 'charged_bytes', 'overrun_bytes', 'noted_at'])
    .where('device_id', '=', id)
    .where('day', '>', dayNumber(now) - days)
    .where(inScope(ctx.me, 'traffic_day.agent_id'))
    .orderBy('day', 'desc')
    .orderBy('agent_id')
    .execute();
  const list = rows.map(({ day, ...row }) => ({
    ...row,
    ...trafficDifference(row),
    day: dayText(day),
    is_final: day < firstOpenDay(now),
  }));
  return { days: list, declares_own: device.caps.includes('accounts') };
};
