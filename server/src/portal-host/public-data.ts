import { payChannel } from '@farlink/contract/finance/choices.ts';
import { priceText } from '@farlink/contract/kit/money.ts';
import { type Lang, say } from '@farlink/contract/kit/text.ts';
import { zonedTime } from '@farlink/contract/kit/zone.ts';
import type { AnnouncementLine, PackageLine, PortalData } from '@farlink/portal/view.ts';
import type { FastifyReply } from 'fastify';
import { announcementsForSubscriber } from '../domain/announcement/announcements-for-subscriber.ts';
import { openChannels } from '../domain/payment/order.ts';
import { offersFor, type PortalOffer, portalOffers } from '../domain/portal/portal-offers.ts';
import { settingsOf } from '../domain/settings.ts';
import { isRegistrationOpen } from '../domain/subscriber/register-subscriber.ts';
import type { Deps } from '../kit/deps.ts';
import { shortCache } from './agents.ts';
import { type SubscriberRow, subscriberOf } from './subscriber.ts';
import { sendPage, type Visit } from './visit.ts';

export type PublicData = Required<Pick<PortalData, 'packages' | 'notices' | 'channels' | 'canRegister' | 'needsNetwork'>>;

const lineOf = ({ id, name, price, capacity, cycle, description }: PortalOffer): PackageLine => ({
  id: String(id),
  name,
  price: priceText(price),
  detail: [capacity, cycle, description].filter(Boolean).join(' · '),
});

export const announcementLines = async ({ db, clock }: Deps, agentId: number): Promise<AnnouncementLine[]> =>
  (await announcementsForSubscriber(db, agentId, clock.now())).map(({ title, content, send_at }) => ({
    title,
    content,
    at: zonedTime(send_at),
  }));

export const channelLines = async ({ db }: Deps, agentId: number, lang: Lang) => {
  const open = await openChannels(db, agentId);
  return payChannel.filter(({ id }) => open.has(id)).map(({ id, label }) => ({ id, name: say(label, lang) }));
};

/** Packages on the home page if its block does not say how many, and for the pages of gateways. */
const homeLines = 20;

const kept = shortCache<PublicData>();

/** Data for all visitors of a VNO or gateway. */
export const publicData = (deps: Deps, agentId: number, deviceId: number | null, lang: Lang): Promise<PublicData> =>
  kept(deps, `${agentId} ${deviceId} ${lang}`, async () => {
    const binding = { agent_id: agentId, device_id: deviceId, device_group_id: null };
    const [offers, notices, channels, settings] = await Promise.all([
      portalOffers(deps.db, { binding }, lang, deps.clock.now()),
      announcementLines(deps, agentId),
      channelLines(deps, agentId, lang),
      settingsOf(deps.db, deps.config, agentId),
    ]);
    const canRegister = isRegistrationOpen(settings, { device_id: deviceId });
    return {
      packages: offers.slice(0, homeLines).map(lineOf),
      notices,
      channels,
      canRegister,
      needsNetwork: settings.self_register && !canRegister,
    };
  });

export const packagesFor = async ({ deps: { db, clock }, lang }: Visit, buyer: SubscriberRow): Promise<PackageLine[]> =>
  (await offersFor(db, buyer, lang, clock.now())).map(lineOf);

/** The page of all packages: those that this subscriber can buy now, or those that a visitor could buy. */
export const showPackages = async (visit: Visit): Promise<FastifyReply> => {
  const { deps, lang, session } = visit;
  const subscriber = await subscriberOf(visit);
  const now = deps.clock.now();
  const binding = { agent_id: visit.agent.id, device_id: session?.device_id ?? null, device_group_id: null };
  const offers = await (subscriber ? offersFor(deps.db, subscriber, lang, now) : portalOffers(deps.db, { binding }, lang, now));
  const linesOf = (wanted: PortalOffer['kind']) => offers.filter(({ kind }) => kind === wanted).map(lineOf);
  const extras = linesOf('extra');
  return sendPage(visit, 'packages', { packages: linesOf('online'), extras, hasExtras: extras.length > 0 });
};

const maxLinesOf = (visit: Visit, kind: 'packages' | 'notices') => {
  const block = visit.current.doc.blocks.find((one) => one.kind === kind);
  return block && 'most' in block ? block.most : undefined;
};

/** Limits the lines of the home page to the numbers of its blocks. */
export const shortened = (visit: Visit, data: Pick<PublicData, 'packages' | 'notices'>) => ({
  packages: data.packages.slice(0, maxLinesOf(visit, 'packages') ?? homeLines),
  notices: data.notices.slice(0, maxLinesOf(visit, 'notices') ?? 5),
});
