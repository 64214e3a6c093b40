import { cents, priceText } from '@farlink/contract/kit/money.ts';
import { fill, type Lang, say } from '@farlink/contract/kit/text.ts';
import { bytesText, spanText } from '@farlink/contract/kit/units.ts';
import { zonedTime } from '@farlink/contract/kit/zone.ts';
import { refusalTexts } from '@farlink/portal/refusals.ts';
import type { PortalData, Quota } from '@farlink/portal/view.ts';
import { type PackageLeft, type SubscriberQuota, subscriberQuota, type UsageReminder } from '../domain/portal/subscriber-quota.ts';
import type { Deps } from '../kit/deps.ts';
import { texts } from './texts.ts';

/** Bytes and seconds of a package. A periodic package shows its current cycle, as the console does. */
const remainingOf = ({ flow, time, cycle }: PackageLeft) => ({
  bytes: cycle?.unit === 'bytes' ? cycle : flow,
  seconds: cycle?.unit === 'seconds' ? cycle : time,
});

const leftText = (one: PackageLeft, lang: Lang): string => {
  const { bytes, seconds } = remainingOf(one);
  const parts = [...(bytes ? [bytesText(bytes.left)] : []), ...(seconds ? [say(spanText(seconds.left), lang)] : [])];
  return parts.length > 0 ? parts.join(' · ') : say(texts.unlimited, lang);
};

const stateText = ({ from, ends_at }: PackageLeft, index: number, lang: Lang): string => {
  if (from !== null) return say(fill(texts.startsAt, zonedTime(from)), lang);
  const turn = index === 0 ? texts.inUse : texts.usedNext;
  return ends_at === null ? say(turn, lang) : say(fill(texts.turnUntil, say(turn, lang), zonedTime(ends_at)), lang);
};

/** Bytes of all packages that can be used now. Undefined: one has no limit. */
const sumOf = (packages: readonly PackageLeft[]) => {
  let left = 0;
  let capacity = 0;
  for (const one of packages) {
    if (one.from !== null) continue;
    const { bytes } = remainingOf(one);
    if (!bytes) return undefined;
    left += bytes.left;
    capacity += bytes.capacity;
  }
  return { left, capacity };
};

const totalData = (packages: readonly PackageLeft[], lang: Lang) => {
  const sum = sumOf(packages);
  if (!sum) return { left: say(texts.unlimited, lang) };
  const percent = Math.floor((sum.left * 100) / Math.max(1, sum.capacity));
  return { left: bytesText(sum.left), total: bytesText(sum.capacity), percent: String(percent) };
};

/** One package with its details; several in the order of use. */
const packagesData = (packages: readonly PackageLeft[], expireAt: number, lang: Lang) => {
  const [first, second] = packages;
  if (!first) return { name: say(texts.noPackage, lang), left: bytesText(0) };
  if (second) {
    const lines = packages.map((one, i) => ({ name: one.package_name, left: leftText(one, lang), state: stateText(one, i, lang) }));
    return { several: { packages: lines }, ...totalData(packages, lang) };
  }
  const { seconds } = remainingOf(first);
  const end = Math.min(first.ends_at ?? Infinity, expireAt);
  return {
    name: first.package_name,
    ...totalData([{ ...first, from: null }], lang),
    ...(seconds && { time: say(spanText(seconds.left), lang) }),
    ...(Number.isFinite(end) && { until: zonedTime(end) }),
  };
};

const reminderText = ({ package_name, ratio, content }: UsageReminder, lang: Lang) =>
  content ?? say(fill(texts.usage, package_name, ratio), lang);

const quotaData = ({ packages, blocked, reminder, expire_at }: SubscriberQuota, balance: string, lang: Lang): Quota => ({
  ...packagesData(packages, expire_at, lang),
  ...(blocked !== null && { blocked: say(refusalTexts[blocked], lang) }),
  ...(blocked === null && reminder && { reminder: reminderText(reminder, lang) }),
  ...(cents(balance) > 0n && { balance: priceText(balance) }),
});

/** Account, session and quota of the subscriber who is logged in, for each page. */
export const memberStatus = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  subscriberId: number | null | undefined,
  lang: Lang,
): Promise<Pick<PortalData, 'account' | 'isOnline' | 'isJob' | 'quota'>> => {
  if (subscriberId == null) return {};
  const columns = ['account', 'account_type', 'balance', 'online_count'] as const;
  const row = await db.selectFrom('subscriber').select(columns).where('id', '=', subscriberId).executeTakeFirst();
  const quota = row && (await subscriberQuota(db, subscriberId, clock.now()));
  if (!row || !quota) return {};
  const { account, account_type, balance, online_count } = row;
  return { account, isOnline: online_count > 0, isJob: account_type === 'job', quota: quotaData(quota, balance, lang) };
};
