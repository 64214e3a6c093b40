import type { Usage } from '../../../db/column-types.ts';
import { advanceTo, nextChangeTime } from './advance.ts';
import { begin, meterEvents } from './meter-events.ts';
import { allowanceAt, charge, cycleAt, minus, nextReset, nothing, plus, remainingQuotaAt, shareOf } from './quota.ts';
import { quotaUntilReminder } from './remind.ts';
import { queueAt } from './service-at.ts';
import type { Holding, MeterEvent, MeterState } from './types.ts';

/**
 * Usage of a report as a straight line: its bytes are spread evenly over its seconds. A point is the usage so far. The function advances
 * from a point as far as the bytes and the seconds allow.
 */
const usageUpTo = (line: Usage, from: Usage, max: Usage): Usage => {
  const seconds = from.seconds + max.seconds;
  const bytes = from.bytes + max.bytes;
  const end = seconds < line.seconds ? { seconds, bytes: shareOf(line.bytes, seconds, line.seconds) } : line;
  return bytes <= end.bytes ? { bytes, seconds: shareOf(line.seconds, bytes, line.bytes) } : end;
};

/** Part of the usage and the holding that it is charged to; null is overrun. */
export interface Charge extends Usage {
  readonly holding: number | null;
  readonly cycle: number;
  readonly from: number;
  readonly to: number;
}

export interface Metered {
  readonly state: MeterState;
  readonly events: readonly MeterEvent[];
  readonly charges: readonly Charge[];
  readonly addedOverrun: Usage;
}

const put = (state: MeterState, holding: Holding): MeterState => ({
  ...state,
  holdings: state.holdings.map((each) => (each.id === holding.id ? holding : each)),
});

/** Maximum usage of one holding until its reminder, quota end, reset, or the next time of change. */
const maxUsage = (state: MeterState, holding: Holding | undefined, at: number): Usage => {
  const seconds = nextChangeTime(state, at) - at;
  if (!holding) return { bytes: Infinity, seconds };
  const untilReminder = quotaUntilReminder(holding, at);
  const remaining = Math.min(remainingQuotaAt(holding, at), untilReminder > 0 ? untilReminder : Infinity);
  const untilReset = Math.min(seconds, nextReset(holding, at) - at);
  return allowanceAt(holding, at)?.unit === 'seconds'
    ? { bytes: Infinity, seconds: Math.min(untilReset, remaining) }
    : { bytes: remaining, seconds: untilReset };
};

/**
 * Charges usage from its start, so that late usage counts in its own cycle. Its bytes are spread over its seconds. Usage beyond all holdings
 * is overrun.
 */
export const chargeUsage = (before: MeterState, gain: Usage, start: number): Metered => {
  const charges: Charge[] = [];
  let metered = advanceTo(begin(before), start);
  let point = nothing;
  while (point.bytes < gain.bytes || point.seconds < gain.seconds) {
    const { state } = metered;
    const from = start + point.seconds;
    const [holding] = queueAt(state, from);
    if (holding?.activated_at === null) {
      metered = meterEvents(metered, put(state, { ...holding, activated_at: from }));
      continue;
    }
    const next = usageUpTo(gain, point, maxUsage(state, holding, from));
    const usage = minus(next, point);
    const to = start + next.seconds;
    const after = holding ? put(state, charge(holding, from, usage)) : { ...state, overrun: plus(state.overrun, usage) };
    charges.push({ holding: holding?.id ?? null, cycle: holding ? cycleAt(holding, from) : 0, from, to, ...usage });
    metered = meterEvents(metered, { ...after, clock: Math.max(to, state.clock) });
    point = next;
  }
  const { state, events } = metered;
  return { state, events, charges, addedOverrun: minus(state.overrun, before.overrun) };
};
