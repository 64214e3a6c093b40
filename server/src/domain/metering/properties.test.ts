import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { runs } from '../../../test/soak.ts';
import type { Usage } from '../../db/column-types.ts';
import { advance } from './advance.ts';
import { type Charge, meter } from './meter.ts';
import { nothing, plus } from './quota.ts';
import { remaining } from './remaining.ts';
import { statusAt } from './status-at.ts';
import { audit } from './test/audit.ts';
import { day, hour, noon } from './test/fixture.ts';
import { histories, states } from './test/histories.ts';
import type { MeterEvent, MeterState, Report } from './types.ts';

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

const run = (state: MeterState, reports: readonly Report[]) =>
  reports.reduce<{ state: MeterState; events: MeterEvent[]; charges: Charge[]; addedOverrun: Usage }>(
    (so, report) => {
      const { state, events, charges, addedOverrun } = meter(so.state, report);
      return {
        state,
        events: [...so.events, ...events],
        charges: [...so.charges, ...charges],
        addedOverrun: plus(so.addedOverrun, addedOverrun),
      };
    },
    { state, events: [], charges: [], addedOverrun: nothing },
  );

always('no usage is lost or charged twice, in any order of reports', 15_000, histories, ({ state, arrivals, used }) => {
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

always('a repeated report changes nothing', 12_000, histories, ({ state, reports }) => {
  const { state: after } = run(state, reports);
  for (const report of reports) same(meter(after, report), { state: after, events: [], charges: [], addedOverrun: nothing });
});

const steady = fc.record({
  state: states,
  from: fc.integer({ min: -8 * hour, max: 8 * hour }),
  rate: fc.integer({ min: 0, max: 3 }),
  seconds: fc.integer({ min: 1, max: 14 * hour }),
  cuts: fc.array(fc.nat(1000), { minLength: 1, maxLength: 5 }),
});

const line = ({ from, rate }: { from: number; rate: number }, seconds: number): Report => ({
  session: 's',
  boot: 1,
  seq: seconds,
  at: noon + from + seconds,
  up: 0,
  down: seconds * rate,
  seconds,
});

always('a report split into parts gives the same result as the whole', 12_000, steady, ({ state, cuts, seconds, ...flow }) => {
  const points = cuts.map((cut) => Math.floor((cut * seconds) / 1000)).sort((a, b) => a - b);
  const whole = meter(state, line(flow, seconds));
  const reports = [...points, seconds].map((point) => line(flow, point));
  const pieces = run(state, reports);
  same({ ...pieces.state, tracks: [] }, { ...whole.state, tracks: [] });
  same(pieces.events, whole.events);
});

always('reports in reverse order give the same state as ordered ones', 12_000, steady, ({ state, cuts, seconds, ...flow }) => {
  const points = [...cuts.map((cut) => Math.floor((cut * seconds) / 1000)), seconds].map((point) => line(flow, point));
  const ordered = points.toSorted((a, b) => a.seq - b.seq);
  same(run(state, points.toReversed()).state, run(state, ordered).state);
});

const later = fc.tuple(histories, fc.nat(3 * day), fc.nat(3 * day));

always(
  'advancing in one or two steps gives the same result, and time never goes back',
  12_000,
  later,
  ([{ state, reports }, first, second]) => {
    const start = run(state, reports).state;
    const [b, c] = [start.clock + first, start.clock + first + second];
    const [toB, toC] = [advance(start, b), advance(start, c)];
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

always('status, queue, service and remaining quota agree at every moment', 10_000, later, ([{ state, reports }, ahead, back]) => {
  const after = run(state, reports).state;
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
