import { remainingQuotaAt } from './quota.ts';
import { endOf, runningOnline, statusOf } from './status.ts';
import type { Holding, MeterState, Service } from './types.ts';

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
