import { fill, type Lang, say, type Text } from '@farlink/contract/kit/text.ts';
import { bytesText, spanText } from '@farlink/contract/kit/units.ts';
import { zonedTime } from '@farlink/contract/kit/zone.ts';
import type { Phase } from '@farlink/gateway/protocol/account.ts';
import { phaseEnd, phaseInUse } from '@farlink/gateway/protocol/account-service.ts';
import { refusalTexts } from '@farlink/portal/refusals.ts';
import type { HomeView, PortalData, Quota } from '@farlink/portal/view.ts';
import type { Account, Accounts } from '../accounts.ts';
import type { ConnectionState } from '../connection.ts';
import type { Session } from '../session.ts';
import type { GatewayData } from './gateway-data.ts';

export interface ViewGateway {
  readonly accounts: Accounts;
  readonly users: { readonly sessions: readonly Session[] };
  readonly state: ConnectionState;
  now(): number;
}

const texts = {
  unlimited: ['不限', 'Unlimited'],
  package: ['套餐 {0}', 'Package {0}'],
  inUse: ['使用中', 'In use'],
  next: ['随后使用', 'Used next'],
  from: ['{0} 起可用', 'From {0}'],
  service: ['上网服务', 'Internet access'],
} as const satisfies Record<string, Text>;

export const sessionOf = ({ users }: Pick<ViewGateway, 'users'>, mac: string): Session | undefined =>
  users.sessions.find((session) => session.mac === mac);

/** Bytes that are left of a package, and all of its bytes. Limits count from the start of the account, so a package begins at the limit of the one before it. */
const bytesOf = ({ entry, usage }: Account, phase: Phase) => {
  if (phase.b === undefined) return undefined;
  const before = entry.ph.slice(0, entry.ph.indexOf(phase)).reduce((max, { b }) => Math.max(max, b ?? 0), 0);
  return { left: Math.max(0, phase.b - Math.max(before, usage.bytes)), total: phase.q ?? phase.b - before };
};

/** Packages with a quota that is left, in the order of use. */
const openPhases = (account: Account, now: number): Phase[] =>
  account.entry.ph.filter((phase) => phaseEnd(phase, account.usage, now) > now && bytesOf(account, phase)?.left !== 0);

const nameOf = ({ names }: GatewayData, { h }: Phase, lang: Lang) => names.get(h) ?? say(fill(texts.package, h), lang);

/** Several packages in the order of use. */
const severalOf = (account: Account, phases: readonly Phase[], cached: GatewayData, lang: Lang, now: number): Quota => {
  const amounts = phases.filter(({ from }) => (from ?? 0) <= now).map((phase) => bytesOf(account, phase));
  const known = amounts.filter((one) => one !== undefined);
  const sum = (key: 'left' | 'total') => known.reduce((all, one) => all + one[key], 0);
  const packages = phases.map((phase, i) => {
    const bytes = bytesOf(account, phase);
    const isLater = phase.from !== undefined && phase.from > now;
    const state = isLater ? fill(texts.from, zonedTime(phase.from)) : i === 0 ? texts.inUse : texts.next;
    return { name: nameOf(cached, phase, lang), left: bytes ? bytesText(bytes.left) : say(texts.unlimited, lang), state: say(state, lang) };
  });
  if (known.length < amounts.length) return { several: { packages }, left: say(texts.unlimited, lang) };
  const percent = String(Math.floor((sum('left') * 100) / Math.max(1, sum('total'))));
  return { several: { packages }, left: bytesText(sum('left')), total: bytesText(sum('total')), percent };
};

/** The reminder of the last package, once its share is used. */
const reminderOf = ({ reminders }: GatewayData, { h }: Phase, bytes: ReturnType<typeof bytesOf>) => {
  const reminder = reminders.get(h);
  const isDue = reminder && bytes && (bytes.total - bytes.left) * 100 >= bytes.total * reminder.ratio;
  return isDue ? { reminder: reminder.text } : {};
};

/** Remaining quota of all packages, by the counters of this gateway. */
const quotaOf = (account: Account, cached: GatewayData, lang: Lang, now: number): Quota => {
  const { entry, usage } = account;
  const phase = phaseInUse(entry, usage, now);
  if (!phase) return { name: say(texts.service, lang), left: bytesText(0), percent: '0', blocked: say(refusalTexts.shutdown, lang) };
  const phases = openPhases(account, now);
  if (phases.length > 1) return severalOf(account, phases, cached, lang, now);
  const end = Math.min(phaseEnd(phase, usage, now), entry.ex ?? Infinity);
  const bytes = bytesOf(account, phase);
  return {
    name: nameOf(cached, phase, lang),
    ...reminderOf(cached, phase, bytes),
    left: bytes ? bytesText(bytes.left) : say(texts.unlimited, lang),
    ...(bytes && { total: bytesText(bytes.total), percent: String(Math.floor((bytes.left * 100) / Math.max(1, bytes.total))) }),
    ...(phase.s !== undefined && { time: say(spanText(Math.max(0, phase.s - usage.seconds)), lang) }),
    ...(Number.isFinite(end) && { until: zonedTime(end) }),
  };
};

const grantQuota = ({ u, d, grant, at }: Session, lang: Lang, now: number): Quota => {
  const left = grant?.bytes === undefined ? undefined : Math.max(0, grant.bytes - u - d);
  return {
    name: say(texts.service, lang),
    left: left === undefined ? say(texts.unlimited, lang) : bytesText(left),
    ...(grant?.seconds !== undefined && { time: say(spanText(Math.max(0, grant.seconds - (now - at))), lang) }),
  };
};

/** State page of a client, with the data of this gateway. Lists of the console come from the cache. */
export const homeOf = (
  gateway: ViewGateway,
  mac: string,
  lang: Lang,
  cached: GatewayData,
): { readonly view: HomeView; readonly data: Partial<PortalData> } => {
  const now = gateway.now();
  const session = sessionOf(gateway, mac);
  const isCut = gateway.state !== 'online';
  const account = session && gateway.accounts.get(session.acc, now);
  const quota = session && (account && !session.grant ? quotaOf(account, cached, lang, now) : grantQuota(session, lang, now));
  const data = { ...cached.shown, ...(session && { account: session.acc, isOnline: true, quota }) };
  if (isCut) return { view: 'offline', data };
  if (!session) return { view: 'out', data };
  return { view: quota?.blocked === undefined ? 'online' : 'used', data };
};
