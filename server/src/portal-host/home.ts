import { cents, priceText } from '@farlink/contract/kit/money.ts';
import { say } from '@farlink/contract/kit/text.ts';
import { bytesText, spanText } from '@farlink/contract/kit/units.ts';
import { zonedTime } from '@farlink/contract/kit/zone.ts';
import { refusalTexts } from '@farlink/portal/refusals.ts';
import type { Data } from '@farlink/portal/template.ts';
import type { HomeView, PortalData, Quota } from '@farlink/portal/view.ts';
import type { FastifyReply } from 'fastify';
import { type SubscriberQuota, subscriberQuota } from '../domain/portal/subscriber-quota.ts';
import { connectionMessage } from './access.ts';
import { needsCaptcha } from './attempts.ts';
import { orderData, payableOrder } from './order-data.ts';
import { packagesFor, publicData, shortened } from './public-data.ts';
import { type SubscriberRow, subscriberOf } from './subscriber.ts';
import { texts } from './texts.ts';
import { newCaptcha, sendPage, type Visit } from './visit.ts';

/** Bytes and seconds of the package in use. A periodic package shows its current cycle, as the console does. */
const remainingOf = ({ flow, time, cycle }: NonNullable<SubscriberQuota['current']>) => ({
  bytes: cycle?.unit === 'bytes' ? cycle : flow,
  seconds: cycle?.unit === 'seconds' ? cycle : time,
});

export const quotaData = (
  { current, blocked, expire_at }: SubscriberQuota,
  { balance }: Pick<SubscriberRow, 'balance'>,
  { lang }: Pick<Visit, 'lang'>,
): Quota => {
  const accountData = {
    ...(blocked !== null && { blocked: say(refusalTexts[blocked], lang) }),
    ...(cents(balance) > 0n && { balance: priceText(balance) }),
  };
  if (!current) return { name: say(texts.noPackage, lang), left: bytesText(0), ...accountData };
  const { bytes, seconds } = remainingOf(current);
  const end = Math.min(current.ends_at ?? Infinity, expire_at);
  return {
    name: current.package_name,
    left: bytes ? bytesText(bytes.left) : say(texts.unlimited, lang),
    ...(bytes && { total: bytesText(bytes.capacity), percent: String(Math.floor((bytes.left * 100) / Math.max(1, bytes.capacity))) }),
    ...(seconds && { time: say(spanText(seconds.left), lang) }),
    ...(Number.isFinite(end) && { until: zonedTime(end) }),
    ...accountData,
  };
};

const isOffline = async ({ deps: { db }, session }: Visit): Promise<boolean> => {
  if (session?.device_id == null) return false;
  const device = await db.selectFrom('device').select('online_state').where('id', '=', session.device_id).executeTakeFirst();
  return device?.online_state === 0;
};

type PageData = Partial<PortalData> & Data;

const memberHome = async (visit: Visit, subscriber: SubscriberRow): Promise<{ view: HomeView; data: PageData }> => {
  const { deps, lang } = visit;
  const open = await publicData(deps, visit.agent.id, visit.session?.device_id ?? null, lang);
  const order = await payableOrder(visit, subscriber.id);
  const quota = await subscriberQuota(deps.db, subscriber.id, deps.clock.now());
  const data: PageData = {
    ...open,
    ...shortened(visit, { ...open, packages: await packagesFor(visit, subscriber) }),
    account: subscriber.account,
    ...(quota && { quota: quotaData(quota, subscriber, visit) }),
    ...(await connectionMessage(visit, subscriber.account)),
  };
  if (await isOffline(visit)) return { view: 'offline', data };
  if (order) return { view: 'paying', data: { ...data, order: orderData(visit, order) } };
  return { view: quota?.blocked === 'shutdown' ? 'used' : 'online', data };
};

/** The home page in the state of the visitor. */
export const sendHome = async (visit: Visit, more: PageData = {}, status = 200): Promise<FastifyReply> => {
  const subscriber = await subscriberOf(visit);
  if (subscriber) {
    const { view, data } = await memberHome(visit, subscriber);
    return sendPage(visit, view, { ...data, ...more }, status);
  }
  const open = await publicData(visit.deps, visit.agent.id, visit.session?.device_id ?? null, visit.lang);
  const captcha = (await needsCaptcha(visit)) ? newCaptcha(visit) : {};
  const view = (await isOffline(visit)) ? 'offline' : 'out';
  return sendPage(visit, view, { ...open, ...shortened(visit, open), ...captcha, ...more }, status);
};
