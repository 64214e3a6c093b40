import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { audit } from '../../../../test/metering/audit.ts';
import { day, hour, noon } from '../../../../test/metering/fixture.ts';
import { histories, states, type TimedUsage } from '../../../../test/metering/histories.ts';
import { runs } from '../../../../test/soak.ts';
import type { Usage } from '../../../db/column-types.ts';
import { advance } from './advance.ts';
import { type Charge, chargeUsage } from './charge-usage.ts';
import { nothing, plus } from './quota.ts';
import { remaining } from './remaining.ts';
import { statusAt } from './status-at.ts';
import type { MeterEvent, MeterState } from './types.ts';

const generated = new Map<string, number>();
afterAll(() => {
  const sum = [...generated.values()].reduce((a, b) => a + b, 0);
  console.log([...generated].map(([name, runs]) => `${String(runs).padStart(7)}  ${name}`).join('\n'));
  console.log(`${String(sum).padStart(7)}  generated histories`);
});

const always = <T>(name: string, count: number, arbitrary: fc.Arbitrary<T>, holds: (value: T) => void) =>
  test(name, { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(arbitrary, (value) => {
        generated.set(name, (generated.get(name) ?? 0) + 1);
        holds(value);
      }),
      { numRuns: runs(count, Math.ceil(count / 8), Math.ceil(count / 32)) },
    );
  });

const same = (a: unknown, b: unknown): void => {
  if (JSON.stringify(a) !== JSON.stringify(b)) expect(a).toEqual(b);
};

const run = (state: MeterState, usage: readonly TimedUsage[]) =>
  usage.reduce<{ state: MeterState; events: MeterEvent[]; charges: Charge[]; addedOverrun: Usage }>(
    (so, { at, bytes, seconds }) => {
      const { state, events, charges, addedOverrun } = chargeUsage(so.state, { bytes, seconds }, at);
      return {
        state,
        events: [...so.events, ...events],
        charges: [...so.charges, ...charges],
        addedOverrun: plus(so.addedOverrun, addedOverrun),
      };
    },
    { state, events: [], charges: [], addedOverrun: nothing },
  );

always('no usage is lost or charged twice, in any order', 15_000, histories, ({ state, arrivals, used }) => {
  const { state: after, charges, addedOverrun } = run(state, arrivals);
  same(after.holdings.map(({ used }) => used).reduce(plus, after.overrun), used);
  same(
    charges.reduce<Usage>((sum, { bytes, seconds }) => plus(sum, { bytes, seconds }), nothing),
    used,
  );
  same(addedOverrun, after.overrun);
});

always('charges respect the order of packages, quotas, cycle boundaries and ends', 18_000, histories, ({ state, arrivals }) => {
  same(audit(state.holdings, run(state, arrivals).charges), []);
});

const steady = fc.record({
  state: states,
  from: fc.integer({ min: -8 * hour, max: 8 * hour }),
  rate: fc.integer({ min: 0, max: 3 }),
  seconds: fc.integer({ min: 1, max: 14 * hour }),
  cuts: fc.array(fc.nat(1000), { minLength: 1, maxLength: 5 }),
});

always('usage split into parts gives the same result as the whole', 12_000, steady, ({ state, cuts, seconds, from, rate }) => {
  const points = [0, ...cuts.map((cut) => Math.floor((cut * seconds) / 1000)).sort((a, b) => a - b), seconds];
  const part = (start: number, end: number) => ({ at: noon + from + start, bytes: (end - start) * rate, seconds: end - start });
  const whole = run(state, [part(0, seconds)]);
  const pieces = run(
    state,
    points.slice(1).map((point, i) => part(points[i] ?? 0, point)),
  );
  same(pieces.state, whole.state);
  same(pieces.events, whole.events);
});

const later = fc.tuple(histories, fc.nat(3 * day), fc.nat(3 * day));

always(
  'advancing in one or two steps gives the same result, and time never goes back',
  12_000,
  later,
  ([{ state, ordered }, first, second]) => {
    const start = run(state, ordered).state;
    const b = start.clock + first;
    const c = start.clock + first + second;
    const toB = advance(start, b);
    const toC = advance(start, c);
    const onward = advance(toB.state, c);
    same(onward.state, toC.state);
    same([...toB.events, ...onward.events], toC.events);
    same(toC.state, { ...start, clock: Math.max(start.clock, c) });
    same(advance(toC.state, b), { state: toC.state, events: [] });
  },
);

always('each event is reported once, and the events match the final status', 10_000, later, ([{ state, arrivals }, wait]) => {
  const metered = run(state, arrivals);
  const passed = advance(metered.state, metered.state.clock + wait);
  const events = [...metered.events, ...passed.events];
  const keys = events.flatMap((e) =>
    'holding' in e && e.type !== 'lifted' ? [`${e.type} ${e.holding} ${'cycle' in e ? e.cycle : ''}`] : [],
  );
  same(keys.length, new Set(keys).size);
  const modes = { slow_down: 'slow', stop: 'stop', lifted: 'full' } as const;
  let mode: string = statusAt(state, state.clock).service.mode;
  for (const event of events) if (event.type === 'slow_down' || event.type === 'stop' || event.type === 'lifted') mode = modes[event.type];
  same(mode, statusAt(passed.state, passed.state.clock).service.mode);
  same(
    events.map(({ at }) => at),
    events.map(({ at }) => at).toSorted((a, b) => a - b),
  );
});

always('status, queue, service and remaining quota agree at every moment', 10_000, later, ([{ state, ordered }, ahead, back]) => {
  const after = run(state, ordered).state;
  const now = after.clock + ahead - back;
  const { holdings, queue, service } = statusAt(after, now);
  same(queue[0] ?? null, service.mode === 'full' ? service.holding : null);
  for (const [i, left] of remaining(after, now).entries()) {
    const status = holdings[i]?.status;
    same(left.status, status);
    const numbers = [left.cycle, left.flow, left.time].filter((each) => each !== null).map((each) => each.left);
    if (status === 'normal') expect(Math.min(...numbers)).toBeGreaterThan(0);
    if (status === 'exhausted' || status === 'expired') expect(Math.min(...numbers)).toBe(0);
    if (queue.includes(left.id)) expect(['normal', 'to_be_used']).toContain(status);
  }
});
