import { describe, expect, it } from 'vitest';
import { day, flow, holding, hour, noon, policy, time, timeFlow, use } from '../../../../test/metering/fixture.ts';
import type { MeterState } from './types.ts';

const spent = ({ state }: { state: MeterState }) => state.holdings.map(({ used }) => used.bytes);
const types = ({ events }: { events: readonly { type: string }[] }) => events.map(({ type }) => type);

describe('the holding in use', () => {
  it('is the one with the lowest priority number, and the next one when it is used up', () => {
    const after = use(holding(flow(100, { id: 1, priority: 2 }), flow(100, { id: 2, priority: 1 })), 60, 150);
    expect(spent(after)).toEqual([50, 100]);
    expect(after.events).toMatchObject([
      { type: 'exhausted', holding: 2, resets_at: null, at: noon + 40 },
      { type: 'next_package', from: 2, to: 1, at: noon + 40 },
    ]);
  });

  it('is the one that ends first if priorities are equal, then the one with the lower id', () => {
    const state = holding(flow(10, { id: 1 }), flow(10, { id: 3, expire_at: noon + day }), flow(10, { id: 2, expire_at: noon + day }));
    expect(use(state, 60, 30).charges.map((piece) => piece.holding)).toEqual([2, 3, 1]);
  });

  it('is an extra package only after the online ones, whatever its priority', () => {
    const state = holding(flow(10, { id: 1, kind: 'extra', priority: 1 }), flow(10, { id: 2 }), flow(10, { id: 3 }));
    expect(use(state, 60, 30).charges.map((piece) => piece.holding)).toEqual([2, 3, 1]);
  });

  it('is never an extra package without an active online package', () => {
    const state = holding(time(30, { id: 1 }), flow(100, { id: 2, kind: 'extra' }));
    const after = use(state, 60, 60);
    expect(spent(after)).toEqual([30, 0]);
    expect(after.addedOverrun).toEqual({ bytes: 30, seconds: 30 });
    expect(after.state.overrun).toEqual(after.addedOverrun);
    expect(types(after)).toEqual(['expired', 'stop']);
  });

  it('is none before its start', () => {
    const after = use(holding(flow(100, { start_at: noon + 30, activated_at: noon + 30 })), 60, 60);
    expect(after.charges).toMatchObject([
      { holding: null, from: noon, to: noon + 30, bytes: 30 },
      { holding: 1, from: noon + 30, to: noon + 60, bytes: 30 },
    ]);
    expect(types(after)).toEqual(['activated', 'lifted']);
  });
});

describe('activation', () => {
  it('happens at the first use, and the duration starts there', () => {
    const begun = use(holding(timeFlow(100, 1000, { activated_at: null })), 50, 10, 20);
    const after = use(begun.state, 200, 30, 150);
    expect(after.state.holdings[0]?.activated_at).toBe(noon + 30);
    expect(after.charges.map(({ holding, from, to }) => [holding, from - noon, to - noon])).toEqual([
      [1, 50, 130],
      [null, 130, 200],
    ]);
  });

  it('of the next package waits until the previous one is used up', () => {
    const state = holding(flow(50, { id: 1 }), time(day, { id: 2, priority: 200, activated_at: null }));
    expect(use(state, 40, 40).state.holdings[1]?.activated_at).toBeNull();
    expect(use(state, 60, 60).state.holdings[1]?.activated_at).toBe(noon + 50);
  });
});

describe('cycles', () => {
  const hourly = (quota: number, more = {}) => flow(1000, { cycle: { length: 1, unit: 'hour', quota }, ...more });

  it('split a report at the boundary, without rollover', () => {
    const after = use(holding(hourly(100)), hour + 61, 122, 122);
    expect(after.charges.map(({ cycle, from, to, bytes }) => [cycle, from - noon, to - noon, bytes])).toEqual([
      [0, hour - 61, hour, 61],
      [1, hour, hour + 61, 61],
    ]);
    expect(after.state.holdings[0]?.cycles).toEqual({ 0: 61, 1: 61 });
  });

  it('provide at most their quota each, and the rest is overrun', () => {
    const after = use(holding(hourly(100)), 2 * hour, 720);
    expect(after.state.holdings[0]?.cycles).toEqual({ 0: 100, 1: 100 });
    expect(after.addedOverrun.bytes).toBe(520);
  });

  it('never provide more than the capacity in total', () => {
    const after = use(holding(flow(250, { cycle: { length: 1, unit: 'hour', quota: 100 } })), 4 * hour, 4000);
    expect(after.state.holdings[0]?.cycles).toEqual({ 0: 100, 1: 100, 2: 50 });
  });

  it('of a time package count seconds online', () => {
    const state = holding(time(10 * day, { cycle: { length: 1, unit: 'day', quota: hour }, policy: policy(2) }));
    const after = use(state, 2 * hour, 0);
    expect(after.state.holdings[0]?.cycles).toEqual({ 0: hour });
    expect(after.events).toMatchObject([
      { type: 'reminder', at: noon + 0.8 * hour },
      { type: 'exhausted', at: noon + hour, resets_at: noon + day },
      { type: 'stop', reason: 'exhausted' },
    ]);
  });

  it('count a late report in the cycle it belongs to', () => {
    const reset = use(holding(hourly(100)), hour + 60, 60, 60).state;
    const late = use(reset, 1800, 30, 30);
    expect(late.state.holdings[0]?.cycles).toEqual({ 0: 30, 1: 60 });
    expect(late.state.clock).toBe(noon + hour + 60);
  });
});

it('works with plain JSON data, and counts terabytes over days exactly', () => {
  const tera = 1024 ** 4;
  const state = holding(flow(7 * tera, { cycle: { length: 1, unit: 'day', quota: 3 * tera } }));
  const after = use(JSON.parse(JSON.stringify(state)), 3 * day, 8 * tera + 1);
  expect(after.state.holdings[0]?.used.bytes).toBe(7 * tera);
  expect(after.addedOverrun.bytes).toBe(tera + 1);
});
