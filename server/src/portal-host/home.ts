import type { Data } from '@farlink/portal/template.ts';
import type { HomeView, PortalData } from '@farlink/portal/view.ts';
import type { FastifyReply } from 'fastify';
import { subscriberQuota } from '../domain/portal/subscriber-quota.ts';
import { connectionMessage } from './access.ts';
import { needsCaptcha } from './attempts.ts';
import { orderData, payableOrder } from './order-data.ts';
import { packagesFor, publicData, shortened } from './public-data.ts';
import { type SubscriberRow, subscriberOf } from './subscriber.ts';
import { newCaptcha, sendPage, type Visit } from './visit.ts';

const isOffline = async ({ deps: { db }, session }: Visit): Promise<boolean> => {
  if (session?.device_id == null) return false;
  const device = await db.selectFrom('device').select('online_state').where('id', '=', session.device_id).executeTakeFirst();
  return device?.online_state === 0;
};

const isUsedUp = async ({ deps: { db, clock } }: Visit, { id }: SubscriberRow) =>
  (await subscriberQuota(db, id, clock.now()))?.blocked === 'shutdown';

type PageData = Partial<PortalData> & Data;

const memberHome = async (visit: Visit, subscriber: SubscriberRow): Promise<{ view: HomeView; data: PageData }> => {
  const { deps, lang } = visit;
  const open = await publicData(deps, visit.agent.id, visit.session?.device_id ?? null, lang);
  const order = await payableOrder(visit, subscriber.id);
  const data: PageData = {
    ...open,
    ...shortened(visit, { ...open, packages: await packagesFor(visit, subscriber) }),
    ...(subscriber.account_type !== 'job' && { renewal: { isOn: subscriber.auto_renew } }),
    ...(await connectionMessage(visit, subscriber.account)),
  };
  if (await isOffline(visit)) return { view: 'offline', data };
  if (order) return { view: 'paying', data: { ...data, order: orderData(visit, order) } };
  return { view: (await isUsedUp(visit, subscriber)) ? 'used' : 'online', data };
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
