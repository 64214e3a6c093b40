import fc from 'fast-check';
import type { Usage } from '../../../db/column-types.ts';
import type { Cycle, Holding, MeterState, Report } from '../types.ts';
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

export interface History {
  readonly state: MeterState;
  /** In the order of creation. */
  readonly reports: readonly Report[];
  /** In the order of arrival: half of the histories in order, the others shuffled and with duplicates. */
  readonly arrivals: readonly Report[];
  readonly used: Usage;
}

interface Step {
  readonly session: number;
  readonly onlineS: number;
  readonly wait: number;
  readonly up: number;
  readonly down: number;
  readonly disruption: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  session: fc.integer({ min: 0, max: 1 }),
  onlineS: fc.integer({ min: 0, max: 2 * hour }),
  wait: fc.integer({ min: 0, max: 3 * hour }),
  up: fc.integer({ min: 0, max: 400 }),
  down: fc.integer({ min: 0, max: 400 }),
  disruption: fc.integer({ min: 0, max: 7 }),
});

/** Two sessions that continue, reboot (disruption 0), or reset their counters silently (disruption 1). */
const live = (steps: readonly Step[]): { reports: Report[]; used: Usage } => {
  const zero = { up: 0, down: 0, seconds: 0 };
  const lines = [0, 1].map(() => ({ ...zero, boot: 1, at: noon - 3 * hour }));
  const used = { bytes: 0, seconds: 0 };
  const reports = steps.map(({ session, onlineS, wait, up, down, disruption }, seq) => {
    const line = lines[session] ?? { ...zero, boot: 1, at: noon };
    const before = line.seconds;
    if (disruption === 0) Object.assign(line, zero, { boot: line.boot + 1 });
    const falls = disruption === 1 && before > 0;
    if (falls) Object.assign(line, zero);
    // A reset is detectable only if a counter decreases, so it is made visible in the seconds.
    const seconds = falls ? onlineS % before : onlineS;
    Object.assign(line, { up: line.up + up, down: line.down + down, seconds: line.seconds + seconds, at: line.at + wait + seconds });
    used.bytes += up + down;
    used.seconds += seconds;
    return { session: `s${session}`, seq, ...line };
  });
  return { reports: reports.sort((a, b) => a.at - b.at), used };
};

export const histories: fc.Arbitrary<History> = fc
  .tuple(states, fc.array(step, { minLength: 1, maxLength: 8 }), fc.array(fc.nat(99), { minLength: 12, maxLength: 12 }), fc.boolean())
  .map(([state, steps, keys, isOrdered]) => {
    const { reports, used } = live(steps);
    const duplicated = [...reports, ...reports.slice(0, 4)].map((report, i) => ({ report, key: keys[i] ?? 0 }));
    const shuffled = duplicated.sort((a, b) => a.key - b.key).map(({ report }) => report);
    return { state, reports, arrivals: isOrdered ? reports : shuffled, used };
  });
