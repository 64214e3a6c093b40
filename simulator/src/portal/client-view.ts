import { fill, type Lang, say, type Text } from '@farlink/contract/kit/text.ts';
import { bytesText, spanText } from '@farlink/contract/kit/units.ts';
import { zonedTime } from '@farlink/contract/kit/zone.ts';
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
  service: ['上网服务', 'Internet access'],
} as const satisfies Record<string, Text>;

export const sessionOf = ({ users }: Pick<ViewGateway, 'users'>, mac: string): Session | undefined =>
  users.sessions.find((session) => session.mac === mac);

/** Remaining quota of the package in use, by the counters of this gateway. */
const quotaOf = ({ entry, usage }: Account, { names }: GatewayData, lang: Lang, now: number): Quota => {
  const phase = phaseInUse(entry, usage, now);
  if (!phase) return { name: say(texts.service, lang), left: bytesText(0), percent: '0', blocked: say(refusalTexts.shutdown, lang) };
  const end = Math.min(phaseEnd(phase, usage, now), entry.ex ?? Infinity);
  const left = phase.b === undefined ? undefined : Math.max(0, phase.b - usage.bytes);
  // Limits count from the start of the account, so a package begins at the limit of the one before it.
  const before = entry.ph.slice(0, entry.ph.indexOf(phase)).reduce((max, { b }) => Math.max(max, b ?? 0), 0);
  const total = phase.q ?? (phase.b === undefined ? undefined : phase.b - before);
  return {
    name: names.get(phase.h) ?? say(fill(texts.package, phase.h), lang),
    left: left === undefined ? say(texts.unlimited, lang) : bytesText(left),
    ...(left !== undefined &&
      total !== undefined && { total: bytesText(total), percent: String(Math.floor((left * 100) / Math.max(1, total))) }),
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
  const data = { ...cached.shown, ...(session && { account: session.acc, quota }) };
  if (isCut) return { view: 'offline', data };
  if (!session) return { view: 'out', data };
  return { view: quota?.blocked === undefined ? 'online' : 'used', data };
};
