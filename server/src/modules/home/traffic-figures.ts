import type { Range, TrafficFigures } from '@farlink/contract/home/summary.ts';
import { dayStart } from '@farlink/contract/kit/zone.ts';
import { trafficKinds } from '@farlink/contract/traffic/kinds.ts';
import { totalOf, trendOf } from '../../domain/traffic-query/traffic-charts.ts';
import type { Ctx } from '../../kit/ctx.ts';

const hour = 3600;
const week = 7 * 86_400;

const hoursOf = async (ctx: Ctx, range: Range) => {
  const input = { stat_by: 'hour', time_start: range.start_at, time_end: range.end_at };
  return { ...range, total_bytes: await totalOf(ctx, trafficKinds.flow_usr, input) };
};

/** The last seven days, and today's complete hours with those of last week: a part of a day is not compared with a whole one. */
export const readTraffic = async (ctx: Ctx): Promise<TrafficFigures> => {
  const trend = await trendOf(ctx, trafficKinds.flow_usr, { stat_by: 'day' });
  const start_at = dayStart(ctx.now());
  const end_at = Math.floor(Math.min(ctx.now(), trend.as_of ?? ctx.now()) / hour) * hour - 1;
  if (end_at < start_at) return { ...trend, hours: null };
  const today = await hoursOf(ctx, { start_at, end_at });
  const before = await hoursOf(ctx, { start_at: start_at - week, end_at: end_at - week });
  return { ...trend, hours: { today, before } };
};
