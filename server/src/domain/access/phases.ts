import { cycleStart } from '../metering/engine/cycle.ts';
import { allowanceAt, cycleAt, durationOf, remainingQuotaAt } from '../metering/engine/quota.ts';
import { extendedAt, inOrder, speedsAt } from '../metering/engine/service-at.ts';
import { endOf, hasBegun, statusOf } from '../metering/engine/status.ts';
import type { Holding, MeterState, Speeds } from '../metering/engine/types.ts';

/** A package that an account can use, with its remaining quota. Null is unlimited. */
export interface ServicePhase extends Speeds {
  readonly holding: number;
  readonly is_extra: boolean;
  readonly bytes: number | null;
  readonly seconds: number | null;
  readonly from: number | null;
  readonly until: number | null;
  /** Seconds from first use, if it has not been used yet. */
  readonly duration: number | null;
  /** Next times at which the quota is complete again, and that quota. */
  readonly resets: readonly number[];
  readonly quota: number | null;
}

/** What applies when all packages are used up: 0 no limit, 1 slower, 2 stop. */
export interface AfterPhases {
  readonly action: 0 | 1 | 2;
  readonly limit_up: number;
  readonly limit_down: number;
}

/** Cycles that a gateway can start without the console. */
const resetsAhead = 3;

const finite = (at: number): number | null => (at === Infinity ? null : at);

const resetsOf = (holding: Holding, now: number): number[] => {
  const { cycle, activated_at } = holding;
  if (!cycle || activated_at === null) return [];
  const current = cycleAt(holding, now);
  const next = Array.from({ length: resetsAhead }, (_, i) => cycleStart(activated_at, cycle, current + 1 + i));
  return next.filter((at) => at < endOf(holding));
};

/** Quota of the next cycle: the capacity of the package limits it too. */
const nextQuota = (holding: Holding, now: number): number | null => {
  const allowance = allowanceAt(holding, now);
  if (!holding.cycle || !allowance) return null;
  const capacity = holding.package_type === 'time' ? holding.time_capacity : holding.flow_capacity;
  return Math.min(holding.cycle.quota, Math.max(0, capacity - holding.used[allowance.unit]));
};

const phaseOf = (holding: Holding, speeds: Speeds, now: number): ServicePhase => {
  const unit = allowanceAt(holding, now)?.unit;
  const remaining = remainingQuotaAt(holding, now);
  const duration = durationOf(holding);
  const resets = resetsOf(holding, now);
  return {
    ...speeds,
    holding: holding.id,
    is_extra: holding.kind === 'extra',
    bytes: unit === 'bytes' ? remaining : null,
    seconds: unit === 'seconds' ? remaining : null,
    from: holding.start_at > now ? holding.start_at : null,
    until: finite(hasBegun(holding, now) ? endOf(holding) : (holding.expire_at ?? Infinity)),
    duration: holding.activated_at === null ? finite(duration) : null,
    resets,
    quota: resets.length > 0 ? nextQuota(holding, now) : null,
  };
};

/** Packages of an account in order of use, with those that begin later. Ended ones are left out. */
export const phasesOf = (state: MeterState, now: number): ServicePhase[] =>
  state.holdings
    .filter((holding) => statusOf(holding, now) !== 'expired')
    .toSorted(inOrder)
    .map((holding) => phaseOf(holding, speedsAt(state, holding, now), now));

/** The credit control of the last online package in order decides, as in `serviceAt`. */
export const afterPhases = (state: MeterState, now: number): AfterPhases => {
  const policy = extendedAt(state, now)?.policy;
  return { action: policy?.action ?? 0, limit_up: policy?.limit_up ?? 0, limit_down: policy?.limit_down ?? 0 };
};
