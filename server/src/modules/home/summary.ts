import { deviceCalls } from '@farlink/contract/device/device.ts';
import { feedbackCalls } from '@farlink/contract/feedback/feedback.ts';
import { billCalls } from '@farlink/contract/finance/bill.ts';
import type { homeCalls } from '@farlink/contract/home/home.ts';
import type { ApplicationFigures, HomeSummary, Range, TrafficFigures } from '@farlink/contract/home/summary.ts';
import { dayStart } from '@farlink/contract/kit/zone.ts';
import { limits } from '@farlink/contract/limits.ts';
import { trafficKinds } from '@farlink/contract/traffic/kinds.ts';
import { trafficCalls } from '@farlink/contract/traffic/traffic.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import type { SessionInfo } from '../../db/column-types.ts';
import { rankOf, totalOf, trendOf } from '../../domain/traffic-query/traffic-charts.ts';
import type { Ctx } from '../../kit/ctx.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { withBranch } from '../../kit/list/scope.ts';
import { readDevices, readFleet } from './device-figures.ts';
import { cacheLarge } from './large-figures.ts';
import { readAnnouncements, readFeedback, readUsers } from './latest.ts';
import { mayRead } from './may-read.ts';
import { readIncome, readOrders } from './money-figures.ts';
import { mayReadRunning, readRunning } from './running-figures.ts';

const hour = 3600;
const week = 7 * 86_400;

const hoursOf = async (ctx: Ctx, range: Range) => {
  const input = { stat_by: 'hour', time_start: range.start_at, time_end: range.end_at };
  return { ...range, total_bytes: await totalOf(ctx, trafficKinds.flow_usr, input) };
};

/** The last seven days, and today's complete hours with those of last week: a part of a day is not compared with a whole one. */
const readTraffic = async (ctx: Ctx): Promise<TrafficFigures> => {
  const trend = await trendOf(ctx, trafficKinds.flow_usr, { stat_by: 'day' });
  const start_at = dayStart(ctx.now());
  const end_at = Math.floor(Math.min(ctx.now(), trend.as_of ?? ctx.now()) / hour) * hour - 1;
  if (end_at < start_at) return { ...trend, hours: null };
  const today = await hoursOf(ctx, { start_at, end_at });
  const before = await hoursOf(ctx, { start_at: start_at - week, end_at: end_at - week });
  return { ...trend, hours: { today, before } };
};

type Widgets = Omit<HomeSummary, 'at'>;
type Widget = keyof Widgets;
type Readers = { readonly [W in Widget]-?: (ctx: Ctx) => Promise<NonNullable<Widgets[W]>> };

/** The filter of the traffic pages that the widgets link to: the last seven days. */
const byDay = { stat_by: 'day' };

const readApplications = async (ctx: Ctx): Promise<ApplicationFigures> => {
  const { start_at, end_at, total_bytes, applications } = await rankOf(ctx, trafficKinds.dpi_usr, byDay);
  return { start_at, end_at, total_bytes, list: applications };
};

const isLarge = ({ total }: { readonly total: number }) => total > limits.countCap;

const readers: Readers = {
  devices: cacheLarge(isLarge, readDevices),
  fleet: cacheLarge((points) => points.some(({ device }) => !device), readFleet),
  users: cacheLarge(isLarge, readUsers),
  income: readIncome,
  orders: readOrders,
  traffic: readTraffic,
  applications: readApplications,
  feedback: readFeedback,
  notices: readAnnouncements,
  running: readRunning,
};

const mayReadWidget: Readonly<Record<Widget, (me: SessionInfo) => boolean>> = {
  devices: (me) => mayRead(me, 'deviceList', deviceCalls.list),
  fleet: (me) => mayRead(me, 'deviceList', deviceCalls.list),
  users: (me) => mayRead(me, 'userList', userCalls.list),
  income: (me) => mayRead(me, 'billCounter', billCalls.counter),
  orders: (me) => mayRead(me, 'billOnline', billCalls.online),
  traffic: (me) => mayRead(me, 'businessFlow', trafficCalls.flow_usr.list),
  applications: (me) => mayRead(me, 'businessDpi', trafficCalls.dpi_usr.list),
  feedback: (me) => mayRead(me, 'feedbackList', feedbackCalls.list),
  notices: () => true,
  running: mayReadRunning,
};

const isWidget = (name: string): name is Widget => Object.hasOwn(readers, name);

/** Connections that one summary uses at the same time. */
const connections = 3;

const withLimitedConcurrency = async <T, R>(items: readonly T[], read: (item: T) => Promise<R>): Promise<R[]> => {
  const waiting = [...items];
  const found: R[] = [];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) found.push(await read(next));
  };
  await Promise.all(Array.from({ length: connections }, work));
  return found;
};

/** Reads every widget that the session may see. One that fails is null and does not stop the others. */
export const readSummary: Handler<typeof homeCalls.summary> = async (base) => {
  const ctx = { ...base, me: await withBranch(base.db, base.me) };
  const names = Object.keys(readers).filter((name): name is Widget => isWidget(name) && mayReadWidget[name](ctx.me));
  const read = async (name: Widget) => {
    try {
      return [name, await readers[name](ctx)] as const;
    } catch (error) {
      ctx.deps.log.error({ err: error, widget: name }, 'dashboard widget failed');
      return [name, null] as const;
    }
  };
  const widgets: Widgets = Object.fromEntries(await withLimitedConcurrency(names, read));
  return { at: ctx.now(), ...widgets };
};
