import { expect, it } from 'vitest';
import { day, flow, holding, hour, noon, policy, time, timeFlow, use } from '../../../../test/metering/fixture.ts';
import { advance } from './advance.ts';
import { forgetCycles } from './forget-cycles.ts';
import { remaining } from './remaining.ts';
import { statusAt } from './status-at.ts';

const hourly = flow(1000, { cycle: { length: 1, unit: 'hour', quota: 100 }, policy: policy(1) });

it('lifts a slow-down at the reset, to the second', () => {
  const slowed = use(holding(hourly), 60, 200).state;
  expect(advance(slowed, noon + hour - 1).events).toEqual([]);
  expect(advance(slowed, noon + hour).events).toEqual([{ type: 'lifted', at: noon + hour, holding: 1 }]);
  expect(statusAt(slowed, noon + hour - 1).service).toMatchObject({ mode: 'slow', limit_up: 16 });
});

it('lifts nothing if the policy took no action', () => {
  const unaffected = use(holding({ ...hourly, policy: policy(0) }), 60, 200).state;
  expect(advance(unaffected, noon + hour).events).toEqual([]);
});

it('lifts nothing when the capacity itself is used up', () => {
  const spent = use(holding(flow(100, { cycle: { length: 1, unit: 'hour', quota: 100 }, policy: policy(2) })), 60, 200);
  expect(spent.events).toMatchObject([{ type: 'reminder' }, { type: 'exhausted', resets_at: null }, { type: 'stop' }]);
  expect(advance(spent.state, noon + day).events).toEqual([]);
});

it('does not interrupt a subscriber when the quota is reset', () => {
  expect(use(holding(hourly), hour, 100).events.map(({ type }) => type)).toEqual(['reminder']);
});

it('reports the end and the following package', () => {
  const state = holding(time(hour, { id: 1 }), time(day, { id: 2, start_at: noon + hour, activated_at: noon + hour, priority: 200 }));
  expect(advance(state, noon + 2 * hour).events).toEqual([
    { type: 'expired', at: noon + hour, holding: 1 },
    { type: 'activated', at: noon + hour, holding: 2 },
    { type: 'next_package', at: noon + hour, from: 1, to: 2 },
  ]);
});

it('reminds of an elapsed duration even without usage', () => {
  const events = advance(holding(time(100, { policy: policy(0) })), noon + 99).events;
  expect(events).toEqual([{ type: 'reminder', at: noon + 80, holding: 1, cycle: 0, policy: 7 }]);
});

it('does not remind of a package that has ended', () => {
  const state = holding(time(100, { policy: policy(0), expire_at: noon + 50 }));
  expect(advance(state, noon + 200).events.map(({ type }) => type)).toEqual(['expired', 'stop']);
});

it('derives each status from the state and the time', () => {
  const at = (now: number) => statusAt(holding(timeFlow(hour, 100, { start_at: noon, activated_at: noon + 60 })), now).package_status;
  expect([noon - 1, noon, noon + 60, noon + 60 + hour].map(at)).toEqual(['not_active', 'to_be_used', 'normal', 'expired']);
  expect(statusAt(use(holding(flow(10)), 60, 10).state, noon + 60).package_status).toBe('exhausted');
  expect(statusAt(holding(flow(10, { activated_at: null, expire_at: noon + 5 })), noon + 5).package_status).toBe('expired');
  const used = { bytes: 10, seconds: 0 };
  const extra = flow(10, { id: 2, kind: 'extra' });
  expect(statusAt(holding(flow(10, { used }), extra), noon).package_status).toBe('normal');
  expect(statusAt(holding(flow(10, { used }), { ...extra, used }), noon).package_status).toBe('exhausted');
  expect(statusAt(holding(), noon)).toEqual({
    package_status: null,
    holdings: [],
    queue: [],
    service: { mode: 'stop', reason: 'no_package' },
  });
});

it('names the package in use and the next one', () => {
  const state = holding(flow(10, { id: 1 }), flow(10, { id: 2, priority: 200 }), flow(10, { id: 3, kind: 'extra' }));
  expect(statusAt(state, noon).queue).toEqual([1, 2, 3]);
});

it('shows the remaining flow, time and cycle quota', () => {
  const state = holding(timeFlow(2 * hour, 1000, { cycle: { length: 1, unit: 'hour', quota: 400 }, expire_at: noon + hour + 100 }));
  expect(remaining(use(state, 60, 300).state, noon + 60)).toEqual([
    {
      id: 1,
      status: 'normal',
      flow: { capacity: 1000, used: 300, left: 700 },
      time: { capacity: 2 * hour, used: 60, left: hour + 40 },
      cycle: { capacity: 400, used: 300, left: 100, unit: 'bytes', starts_at: noon, resets_at: noon + hour },
      percent: 75,
      ends_at: noon + hour + 100,
    },
  ]);
});

it('forgets old cycles, and counts their late usage in the first cycle kept', () => {
  const state = forgetCycles(use(holding(hourly), 3 * hour, 300).state, noon + 2 * hour);
  expect(state.holdings[0]).toMatchObject({ cycles: { 2: 100 }, first_cycle: 2 });
  expect(use(state, 60, 60).addedOverrun.bytes).toBe(60);
});
