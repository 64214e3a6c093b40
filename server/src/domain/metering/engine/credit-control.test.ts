import { describe, expect, it } from 'vitest';
import { flow, holding, hour, noon, policy, use } from '../../../../test/metering/fixture.ts';

const types = ({ events }: { events: readonly { type: string }[] }) => events.map(({ type }) => type);

describe('credit control', () => {
  const both = (action: 0 | 1 | 2) => holding(flow(100, { policy: policy(action) }));

  it('reminds once when the ratio is reached', () => {
    const first = use(both(0), 60, 79);
    const second = use(first.state, 61, 1, 1);
    const third = use(second.state, 62, 10, 1);
    expect([first, second, third].map(types)).toEqual([[], ['reminder'], []]);
  });

  it('does nothing, slows down or stops when the package is used up', () => {
    expect(types(use(both(0), 60, 120))).toEqual(['reminder', 'exhausted']);
    expect(use(both(1), 60, 120).events.at(-1)).toMatchObject({ type: 'slow_down', policy: 7, limit_up: 16, limit_down: 64 });
    expect(use(both(2), 60, 120).events.at(-1)).toMatchObject({ type: 'stop', reason: 'exhausted' });
  });

  it('does not remind before the ratio is reached', () => {
    const state = holding(flow(99, { policy: policy(0) }));
    expect(types(use(state, 60, 79))).toEqual([]);
    expect(types(use(state, 60, 80))).toEqual(['reminder']);
  });

  it('uses the policy of the last online package', () => {
    const state = holding(flow(100, { id: 1, priority: 1, policy: policy(2) }), flow(100, { id: 2, priority: 2, policy: policy(1) }));
    expect(use(state, 60, 250).events.at(-1)?.type).toBe('slow_down');
  });

  it('reports no reset after the end of the package', () => {
    const state = holding(flow(1000, { cycle: { length: 1, unit: 'hour', quota: 100 }, expire_at: noon + hour }));
    expect(use(state, 60, 200).events).toMatchObject([{ type: 'exhausted', resets_at: null }]);
  });

  it('acts only when the last extra package is used up', () => {
    const state = holding(flow(100, { policy: policy(2) }), flow(50, { id: 2, kind: 'extra' }));
    expect(types(use(state, 60, 120))).toEqual(['reminder', 'exhausted', 'next_package']);
    expect(types(use(state, 60, 160))).toEqual(['reminder', 'exhausted', 'next_package', 'exhausted', 'stop']);
  });

  it('reminds again of a package that was enlarged', () => {
    const { state } = use(both(2), 60, 120);
    const enlarged = { ...state, holdings: state.holdings.map((each) => ({ ...each, package_type: 'flow' as const, flow_capacity: 200 })) };
    expect(types(use(enlarged, 61, 60, 1))).toEqual(['reminder']);
  });
});
