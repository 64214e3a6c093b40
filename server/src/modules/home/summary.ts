import { deviceCalls } from '@farlink/contract/device/device.ts';
import { feedbackCalls } from '@farlink/contract/feedback/feedback.ts';
import { billCalls } from '@farlink/contract/finance/bill.ts';
import type { homeCalls } from '@farlink/contract/home/home.ts';
import type { ApplicationFigures, HomeSummary } from '@farlink/contract/home/summary.ts';
import type { Me } from '@farlink/contract/kit/page.ts';
import { trafficCalls } from '@farlink/contract/traffic/traffic.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import { kinds } from '../../domain/traffic-query/kinds.ts';
import { rankOf, trendOf } from '../../domain/traffic-query/traffic-charts.ts';
import type { Ctx } from '../../kit/ctx.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { withBranch } from '../../kit/list/scope.ts';
import { readDevices, readFleet } from './device-figures.ts';
import { readFeedback, readNotices, readUsers } from './latest.ts';
import { mayRead } from './may-read.ts';
import { readIncome, readOrders } from './money-figures.ts';
import { readRunning } from './running-figures.ts';

type Parts = Omit<HomeSummary, 'at'>;
type Part = keyof Parts;
type Readers = { readonly [P in Part]-?: (ctx: Ctx) => Promise<NonNullable<Parts[P]>> };

/** The filter of the traffic pages that the widgets link to: the last seven days. */
const byDay = { stat_by: 'day' };

const readApplications = async (ctx: Ctx): Promise<ApplicationFigures> => {
  const { start_at, end_at, total_bytes, applications } = await rankOf(ctx, kinds.dpi_usr, byDay);
  return { start_at, end_at, total_bytes, list: applications };
};

const readers: Readers = {
  devices: readDevices,
  fleet: readFleet,
  users: readUsers,
  income: readIncome,
  orders: readOrders,
  traffic: (ctx) => trendOf(ctx, kinds.flow_usr, byDay),
  applications: readApplications,
  feedback: readFeedback,
  notices: readNotices,
  running: readRunning,
};

const mayReadPart: Readonly<Record<Part, (me: Me) => boolean>> = {
  devices: (me) => mayRead(me, 'deviceList', deviceCalls.list),
  fleet: (me) => mayRead(me, 'deviceList', deviceCalls.list),
  users: (me) => mayRead(me, 'userList', userCalls.list),
  income: (me) => mayRead(me, 'billCounter', billCalls.counter),
  orders: (me) => mayRead(me, 'billOnline', billCalls.online),
  traffic: (me) => mayRead(me, 'businessFlow', trafficCalls.businessFlow),
  applications: (me) => mayRead(me, 'businessDpi', trafficCalls.businessDpi),
  feedback: (me) => mayRead(me, 'feedbackList', feedbackCalls.list),
  notices: () => true,
  running: () => true,
};

const isPart = (name: string): name is Part => Object.hasOwn(readers, name);

/** Reads every part that the session may see. A part that fails is null and does not stop the others. */
export const readSummary: Handler<typeof homeCalls.summary> = async (base) => {
  const ctx = { ...base, me: await withBranch(base.db, base.me) };
  const names = Object.keys(readers).filter((name): name is Part => isPart(name) && mayReadPart[name](ctx.me));
  const read = async (name: Part) => {
    try {
      return [name, await readers[name](ctx)] as const;
    } catch (error) {
      ctx.deps.log.error({ err: error, part: name }, 'dashboard part failed');
      return [name, null] as const;
    }
  };
  const parts: Parts = Object.fromEntries(await Promise.all(names.map(read)));
  return { at: ctx.now(), ...parts };
};
