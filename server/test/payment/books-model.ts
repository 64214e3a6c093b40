/** Reference model of the holdings after a series of actions. It shares no code with the implementation under test. */

export interface Goods {
  readonly id: number;
  readonly kind: 'online' | 'extra';
  /** Cents. */
  readonly price: number;
  readonly seconds?: number;
  readonly bytes?: number;
}

export interface ModelHolding {
  readonly goods: Goods;
  readonly price: number;
  readonly start_at: number;
  activated_at: number | null;
  expire_at: number | null;
  used: number;
}

export interface Account {
  readonly id: number;
  readonly account: string;
  readonly vno: string;
  balance: number;
  holdings: ModelHolding[];
}

const last = Number.MAX_SAFE_INTEGER;
const endOf = ({ goods, activated_at, expire_at }: ModelHolding) =>
  Math.min(expire_at ?? last, activated_at === null || goods.seconds === undefined ? last : activated_at + goods.seconds);
const isOver = (h: ModelHolding, now: number) => now >= endOf(h);
/** Stored end of a holding: for an ended one, the time it ended. */
export const writtenEnd = (h: ModelHolding, now: number) => (isOver(h, now) ? endOf(h) : h.expire_at);
const isSpent = ({ goods, used }: ModelHolding) => goods.bytes !== undefined && used >= goods.bytes;

export const statusOf = (h: ModelHolding, now: number) => {
  if (isOver(h, now)) return 'expired';
  if (h.start_at > now) return 'not_active';
  if (h.activated_at === null) return 'to_be_used';
  return isSpent(h) ? 'exhausted' : 'normal';
};

const bestFirst = ['normal', 'to_be_used', 'exhausted', 'not_active', 'expired'];
const online = ({ holdings: stored }: Account) => stored.filter((h) => h.goods.kind === 'online');

const bestOf = (a: Account, now: number): string | null =>
  bestFirst.find((status) => online(a).some((h) => statusOf(h, now) === status)) ?? null;

/** Normal while an extra package serves. */
export const packageStatus = (a: Account, now: number): string | null => {
  const best = bestOf(a, now);
  const extras = a.holdings.filter((h) => h.goods.kind === 'extra' && ['normal', 'to_be_used'].includes(statusOf(h, now)));
  return best === 'exhausted' && extras.length > 0 ? 'normal' : best;
};

/** Holding to renew: the usable one that ends first, else the first with the best status. */
export const current = (a: Account, now: number): ModelHolding | undefined => {
  const usable = online(a).filter((h) => ['normal', 'to_be_used'].includes(statusOf(h, now)));
  const first = Math.min(...usable.map(endOf));
  return usable.find((h) => endOf(h) === first) ?? online(a).find((h) => statusOf(h, now) === bestOf(a, now));
};

/** Splits an amount into `count` parts; the first parts get the remaining cents. */
export const sharesOf = (amount: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => Math.floor(amount / count) + (i < amount % count ? 1 : 0));

export const grant = (a: Account, goods: Goods, prices: readonly number[], start_at: number) =>
  a.holdings.push(...prices.map((price) => ({ goods, price, start_at, activated_at: null, expire_at: null, used: 0 })));

const floorShare = (amount: number, part: number, whole: number) => Number((BigInt(amount) * BigInt(part)) / BigInt(whole));

const unused = (h: ModelHolding, now: number): number => {
  if (isOver(h, now)) return 0;
  if (h.activated_at === null) return h.price;
  const byTime = h.goods.seconds === undefined ? h.price : floorShare(h.price, endOf(h) - now, endOf(h) - h.activated_at);
  const byFlow = h.goods.bytes === undefined ? h.price : floorShare(h.price, Math.max(0, h.goods.bytes - h.used), h.goods.bytes);
  return Math.min(byTime, byFlow);
};

/** Holdings that a package change ends, the refund, and the start of the new one; undefined if it must be refused. */
export const planOf = (a: Account, effect: 'now' | 'next', now: number) => {
  const open = online(a).filter((h) => !isOver(h, now));
  const running = open.filter((h) => h.activated_at !== null);
  const ends = effect === 'now' ? open : open.filter((h) => h.activated_at === null);
  const start_at = effect === 'now' ? now : Math.max(now, ...running.map(endOf));
  if (start_at === last || (effect === 'next' && running.length === 0 && ends.length > 0)) return undefined;
  return { ends, start_at, back: ends.reduce((sum, h) => sum + unused(h, now), 0) };
};

/** Holdings that a refund takes back; undefined if one of them was used. */
export const takenBack = (a: Account, goods: Goods, prices: readonly number[], now: number): ModelHolding[] | undefined => {
  const taken: ModelHolding[] = [];
  for (const price of prices) {
    const found = a.holdings.findLast(
      (h) => h.goods.id === goods.id && h.price === price && h.activated_at === null && !isOver(h, now) && !taken.includes(h),
    );
    if (!found) return undefined;
    taken.push(found);
  }
  return taken;
};
