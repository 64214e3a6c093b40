import fc from 'fast-check';
import type { Usage } from '../../src/db/column-types.ts';
import type { Cycle, Holding, MeterState } from '../../src/domain/metering/engine/types.ts';
import { day, flow, holding, hour, noon, policy, time, timeFlow } from './fixture.ts';

/** Some start a whole week or month earlier, so that their first reset falls within the reports. */
const cycles: fc.Arbitrary<Omit<Cycle, 'quota'> & { ago: number }> = fc.constantFrom(
  { length: 1, unit: 'hour', ago: 0 },
  { length: 2, unit: 'hour', ago: 0 },
  { length: 1, unit: 'day', ago: day },
  { length: 1, unit: 'week', ago: 7 * day },
  { length: 1, unit: 'month', ago: 31 * day },
);

const holdings = (id: number): fc.Arbitrary<Holding> =>
  fc
    .record({
      make: fc.constantFrom('time', 'flow', 'time_flow'),
      extra: fc.integer({ min: 0, max: 3 }),
      priority: fc.integer({ min: 1, max: 2 }),
      begins: fc.integer({ min: -6 * hour, max: 6 * hour }),
      life: fc.option(fc.integer({ min: 0, max: day }), { freq: 2 }),
      firstUse: fc.boolean(),
      bytes: fc.integer({ min: 1, max: 2000 }),
      seconds: fc.integer({ min: 1, max: 2 * day }),
      cycle: fc.option(cycles, { freq: 2 }),
      quota: fc.integer({ min: 1, max: 100 }),
      action: fc.constantFrom(0 as const, 1 as const, 2 as const, null),
      ratio: fc.integer({ min: 1, max: 100 }),
      up: fc.integer({ min: 0, max: 2 }),
      down: fc.option(fc.integer({ min: 0, max: 2 }), { freq: 2 }),
    })
    .map((it) => {
      const ago = it.cycle?.ago ?? 0;
      const start_at = noon + it.begins - ago;
      const duration = it.seconds + ago;
      const capacity = it.make === 'time' ? it.seconds : it.bytes;
      const kind = it.extra === 0 ? ('extra' as const) : ('online' as const);
      const down_speed = it.down === null && kind === 'online' ? 0 : it.down;
      const terms = {
        id,
        kind,
        speeds: { up_speed: it.up, down_speed, up_guarantee: kind === 'extra' ? null : 1, down_guarantee: kind === 'extra' ? null : 1 },
        priority: it.priority,
        start_at,
        expire_at: it.life === null ? null : noon + it.begins + it.life,
        activated_at: it.firstUse ? null : start_at,
        cycle: it.cycle && { length: it.cycle.length, unit: it.cycle.unit, quota: Math.ceil((capacity * it.quota) / 100) },
        policy: it.action === null ? null : { ...policy(it.action, it.ratio), id },
      };
      if (it.make === 'time') return time(duration, terms);
      return it.make === 'flow' ? flow(it.bytes, terms) : timeFlow(duration, it.bytes, terms);
    });

export const states: fc.Arbitrary<MeterState> = fc
  .integer({ min: 0, max: 4 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, i) => holdings(i + 1))))
  .map((all) => ({ ...holding(...all), clock: noon - 40 * day }));

/** Usage from an instant on. */
export interface TimedUsage extends Usage {
  readonly at: number;
}

export interface History {
  readonly state: MeterState;
  readonly ordered: readonly TimedUsage[];
  /** In the order of arrival: half of the histories in order, the others shuffled. */
  readonly arrivals: readonly TimedUsage[];
  readonly used: Usage;
}

const step = fc.record({
  session: fc.integer({ min: 0, max: 1 }),
  seconds: fc.integer({ min: 0, max: 2 * hour }),
  wait: fc.integer({ min: 0, max: 3 * hour }),
  bytes: fc.integer({ min: 0, max: 800 }),
  arrival: fc.nat(99),
});

/** Two sessions of a subscriber at once. */
export const histories: fc.Arbitrary<History> = fc
  .tuple(states, fc.array(step, { minLength: 1, maxLength: 8 }), fc.boolean())
  .map(([state, steps, isOrdered]) => {
    const next = [noon - 3 * hour, noon - 3 * hour];
    const used = { bytes: 0, seconds: 0 };
    const timed = steps.map(({ session, seconds, wait, bytes, arrival }) => {
      const at = (next[session] ?? noon) + wait;
      next[session] = at + seconds;
      used.bytes += bytes;
      used.seconds += seconds;
      return { at, bytes, seconds, arrival };
    });
    const ordered = timed.toSorted((a, b) => a.at + a.seconds - b.at - b.seconds);
    return { state, ordered, arrivals: isOrdered ? ordered : timed.toSorted((a, b) => a.arrival - b.arrival), used };
  });
