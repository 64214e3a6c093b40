import { remainingQuotaAt } from './quota.ts';
import { endOf, runningOnline, statusOf } from './status.ts';
import type { Holding, MeterState, Service, Speeds } from './types.ts';

const rank = { online: 0, extra: 1 } as const;
const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);

/** Online packages before extra ones; within each the lower priority number, then the earlier end, then the lower id. */
export const inOrder = (a: Holding, b: Holding): number =>
  rank[a.kind] - rank[b.kind] || a.priority - b.priority || compare(endOf(a), endOf(b)) || a.id - b.id;

const usable = (holding: Holding, at: number): boolean =>
  ['normal', 'to_be_used'].includes(statusOf(holding, at)) && remainingQuotaAt(holding, at) > 0;

/** Usable holdings at an instant, in order of use. */
export const queueAt = ({ holdings }: MeterState, at: number): Holding[] => {
  const extraAllowed = runningOnline(holdings, at).length > 0;
  return holdings.filter((holding) => (holding.kind === 'online' || extraAllowed) && usable(holding, at)).sort(inOrder);
};

/**
 * The package whose rules apply after it: its credit control when everything is used up, its speeds to an extra package. It is the last
 * online package in order, because extra packages are used after all online packages that have started.
 */
export const extendedAt = ({ holdings }: MeterState, at: number): Holding | undefined => {
  const open = holdings.filter((holding) => holding.kind === 'online' && statusOf(holding, at) !== 'expired');
  const started = open.filter(({ start_at }) => start_at <= at);
  return (started.length > 0 ? started : open).sort(inOrder).at(-1);
};

/** Speeds of a package. A guarantee never exceeds the limit. */
export const speedsAt = (state: MeterState, { kind, speeds }: Holding, at: number): Speeds => {
  const extended = kind === 'extra' ? extendedAt(state, at)?.speeds : undefined;
  const speed = (name: keyof Speeds) => speeds[name] ?? extended?.[name] ?? 0;
  const guarantee = (name: keyof Speeds, limit: number) => (limit === 0 ? speed(name) : Math.min(speed(name), limit));
  const up_speed = speed('up_speed');
  const down_speed = speed('down_speed');
  return {
    up_speed,
    down_speed,
    up_guarantee: guarantee('up_guarantee', up_speed),
    down_guarantee: guarantee('down_guarantee', down_speed),
  };
};

/** Service of the subscriber. When everything is used up, the policy of the last online package in the order decides. */
export const serviceAt = (state: MeterState, at: number): Service => {
  const [holding] = queueAt(state, at);
  if (holding) return { mode: 'full', holding: holding.id };
  const last = runningOnline(state.holdings, at).sort(inOrder).at(-1);
  if (!last) return { mode: 'stop', reason: 'no_package' };
  if (last.policy?.action === 2) return { mode: 'stop', reason: 'exhausted' };
  if (last.policy?.action !== 1) return { mode: 'full', holding: null };
  return { mode: 'slow', policy: last.policy.id, limit_up: last.policy.limit_up, limit_down: last.policy.limit_down };
};
