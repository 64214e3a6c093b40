import { describe, expect, it } from 'vitest';
import { changeHoldings } from './change-holdings.ts';
import { meter } from './meter.ts';
import { flow, holding, hour, noon, policy, report } from './test/fixture.ts';

const types = ({ events }: { events: readonly { type: string }[] }) => events.map(({ type }) => type);

describe('credit control', () => {
  const both = (action: 0 | 1 | 2) => holding(flow(100, { policy: policy(action) }));

  it('reminds once when the ratio is reached', () => {
    const first = meter(both(0), report(60, 79));
    const second = meter(first.state, report(61, 80));
    const third = meter(second.state, report(62, 90));
    expect([first, second, third].map(types)).toEqual([[], ['reminder'], []]);
  });

  it('does nothing, slows down or stops when the package is used up', () => {
    expect(types(meter(both(0), report(60, 120)))).toEqual(['reminder', 'exhausted']);
    expect(meter(both(1), report(60, 120)).events.at(-1)).toMatchObject({ type: 'slow_down', policy: 7, limit_up: 16, limit_down: 64 });
    expect(meter(both(2), report(60, 120)).events.at(-1)).toMatchObject({ type: 'stop', reason: 'exhausted' });
  });

  it('does not remind before the ratio is reached', () => {
    const state = holding(flow(99, { policy: policy(0) }));
    expect(types(meter(state, report(60, 79)))).toEqual([]);
    expect(types(meter(state, report(60, 80)))).toEqual(['reminder']);
  });

  it('uses the policy of the last online package', () => {
    const state = holding(flow(100, { id: 1, priority: 1, policy: policy(2) }), flow(100, { id: 2, priority: 2, policy: policy(1) }));
    expect(meter(state, report(60, 250)).events.at(-1)?.type).toBe('slow_down');
  });

  it('reports no reset after the end of the package', () => {
    const state = holding(flow(1000, { cycle: { length: 1, unit: 'hour', quota: 100 }, expire_at: noon + hour }));
    expect(meter(state, report(60, 200)).events).toMatchObject([{ type: 'exhausted', resets_at: null }]);
  });

  it('acts only when the last extra package is used up', () => {
    const state = holding(flow(100, { policy: policy(2) }), flow(50, { id: 2, kind: 'extra' }));
    expect(types(meter(state, report(60, 120)))).toEqual(['reminder', 'exhausted', 'next_package']);
    expect(types(meter(state, report(60, 160)))).toEqual(['reminder', 'exhausted', 'next_package', 'exhausted', 'stop']);
  });
});

describe('a change of the holdings', () => {
  const online = flow(100, { policy: policy(2) });
  const stopped = meter(holding(online), report(60, 120)).state;

  it('lifts a stop when an extra package is bought', () => {
    const extra = flow(50, { id: 2, kind: 'extra', activated_at: null });
    expect(changeHoldings(stopped, [...stopped.holdings, extra]).events).toEqual([{ type: 'lifted', at: noon + 60, holding: 2 }]);
  });

  it('lifts a stop when the package is recharged, and reminds again of the larger one', () => {
    const recharged = changeHoldings(
      stopped,
      stopped.holdings.map((each) => ({ ...each, package_type: 'flow', flow_capacity: 200 })),
    );
    expect(types(recharged)).toEqual(['lifted']);
    expect(types(meter(recharged.state, report(61, 180)))).toEqual(['reminder']);
  });

  it('reports a package that is activated at once', () => {
    const bought = changeHoldings(stopped, [...stopped.holdings, flow(50, { id: 2 })]);
    expect(types(bought)).toEqual(['activated', 'lifted']);
  });

  it('stops the service when the last package is removed', () => {
    expect(changeHoldings(holding(online), []).events).toEqual([{ type: 'stop', at: noon, reason: 'no_package' }]);
  });
});
