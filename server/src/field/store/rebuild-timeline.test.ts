import { Random } from '@farlink/contract/kit/random.ts';
import { describe, expect, it } from 'vitest';
import { historyOf, lineOf, type State, type Step, shuffled } from '../../../test/ap-history.ts';
import { type Interval, type Observation, rebuildFrom, rebuildTimeline } from './rebuild-timeline.ts';

const fromSample = (state: State, at: number): Observation<State> => ({ state, at, fromEvent: false });
const fromEvent = (state: State, at: number): Observation<State> => ({ state, at, fromEvent: true });

/** A table that applies the result of `rebuildTimeline`, with only the rows that it needs. */
const table = (rows: Interval<State>[] = []) => {
  let ids = Math.max(0, ...rows.map((r) => r.id));
  const put = (facts: readonly Observation<State>[], since: number, isEvent = true) => {
    const first = rows.findLast((r) => r.at < since && (r.fromEvent || !isEvent)) ?? rows.findLast((r) => r.at < since);
    const intervals = rows.filter((r) => r.at >= (first?.at ?? since));
    const from = rebuildFrom(intervals, since, isEvent);
    const rebuilt = rebuildTimeline<State, Observation<State>>(
      intervals,
      facts.filter((f) => f.at >= from),
      from,
    );
    const updated = new Map(rebuilt.updated.map((k) => [k.id, k]));
    const deleted = new Set(rebuilt.deleted);
    rows = rows.flatMap((r) => (deleted.has(r.id) ? [] : [{ ...r, ...updated.get(r.id) }]));
    rows.push(...rebuilt.inserted.map(({ fact, duration }) => ({ ...fact, duration, id: ++ids })));
    rows.sort((a, b) => a.at - b.at || a.id - b.id);
  };
  const line = () => rows.map(({ state, at, duration }) => ({ state, at, duration }));
  return { put, line, short: () => rows.map(({ state, at, duration }) => [state, at, duration]), ids: () => rows.map((r) => r.id) };
};

/** Steps arrive in `order`; known steps are kept in the order of the gateway. */
const arrive = (history: readonly Step[], order: readonly Step[], check: (line: ReturnType<typeof lineOf>, received: Step[]) => void) => {
  const t = table();
  const arrived = new Set<Step>();
  for (const step of order.filter((s) => s.kind === 'sample' || s.fromEvent)) {
    arrived.add(step);
    const received = history.filter((s) => arrived.has(s));
    t.put(
      received,
      step.at,
      received.some((s) => s.fromEvent && s.at >= step.at),
    );
    check(t.line(), received);
  }
  return t.line();
};

describe('a timeline of states', () => {
  it('starts an interval with the first observation and ends it with the next different state', () => {
    const t = table();
    const facts = [fromEvent('up', 10), fromEvent('up', 20), fromEvent('offline', 30)];
    t.put(facts.slice(0, 1), 10);
    t.put(facts.slice(0, 2), 20);
    expect(t.short()).toEqual([['up', 10, null]]);
    t.put(facts, 30);
    expect(t.short()).toEqual([
      ['up', 10, 20],
      ['offline', 30, null],
    ]);
  });

  it('replaces a sampled change by its event, whether the time of the event is earlier, equal or later', () => {
    for (const at of [40, 50, 60]) {
      const t = table();
      t.put([fromSample('up', 10)], 10);
      t.put([fromSample('up', 10), fromSample('offline', 50)], 50);
      expect(t.short().at(-1)).toEqual(['offline', 50, null]);
      t.put([fromSample('up', 10), fromSample('offline', 50), fromEvent('offline', at)], at);
      expect(t.short()).toEqual([
        ['up', 10, at - 10],
        ['offline', at, null],
      ]);
    }
  });

  it('does not change with a repeated report', () => {
    const intervals: Interval<State>[] = [
      { id: 1, ...fromEvent('up', 10), duration: 20 },
      { id: 2, ...fromEvent('offline', 30), duration: null },
    ];
    const facts = [fromEvent('up', 10), fromEvent('offline', 30), fromSample('offline', 31)];
    expect(rebuildTimeline(intervals, facts, 10)).toEqual({ inserted: [], updated: [], deleted: [], last: fromEvent('offline', 30) });
  });

  it('prefers an event to a sample in the same second', () => {
    const t = table([{ id: 1, ...fromEvent('up', 10), duration: null }]);
    t.put([fromEvent('offline', 20), fromSample('up', 20)], 20);
    expect(t.short()).toEqual([
      ['up', 10, 10],
      ['offline', 20, null],
    ]);
  });

  it('keeps ended intervals unchanged, and starts a new row after them', () => {
    const t = table([
      { id: 1, ...fromEvent('offline', 10), duration: 5 },
      { id: 2, ...fromEvent('up', 15), duration: 10 },
    ]);
    t.put([fromSample('up', 40)], 40);
    t.put([fromEvent('offline', 20), fromSample('up', 40), fromEvent('offline', 60)], 20);
    expect(t.short()).toEqual([
      ['offline', 10, 5],
      ['up', 15, 10],
      ['up', 40, 20],
      ['offline', 60, null],
    ]);
  });

  it('has ids in chronological order, also within a second', () => {
    const t = table();
    t.put([fromSample('up', 10)], 10);
    t.put([fromSample('up', 10), fromEvent('offline', 50)], 50);
    t.put([fromSample('up', 10), fromEvent('offline', 30), fromEvent('up', 50), fromEvent('offline', 50)], 30);
    expect(t.short()).toEqual([
      ['up', 10, 20],
      ['offline', 30, 20],
      ['up', 50, 0],
      ['offline', 50, null],
    ]);
    expect(t.ids()).toEqual(t.ids().toSorted((a, b) => a - b));
  });
});

describe('histories that arrive in any order', () => {
  const cases = 8000;

  it('end as the events report if each change has an event, also within a second', () => {
    const random = new Random(19);
    for (let i = 0; i < cases; i++) {
      const history = historyOf(random, { length: random.int(1, 12), maxS: random.int(0, 4) });
      const rebuilt = arrive(history, shuffled(random, history), () => {});
      const [first, ...steps] = history;
      const expected = [first, ...steps.filter((s) => s.fromEvent)].flatMap((s) => (s ? [[s.state, s.at]] : []));
      if (JSON.stringify(rebuilt.map(({ state, at }) => [state, at])) !== JSON.stringify(expected))
        expect({ history, rebuilt }).toEqual(expected);
    }
  });

  it('match the reports received so far at each step, also if changes are missing', () => {
    const random = new Random(91);
    for (let i = 0; i < cases; i++) {
      const history = historyOf(random, { length: random.int(1, 12), maxS: random.pick([1, 3, 1500, 5000]), silent: 0.4 });
      arrive(history, shuffled(random, history), (line, received) => {
        if (JSON.stringify(line) !== JSON.stringify(lineOf(received))) expect({ received, line }).toEqual(lineOf(received));
      });
    }
  });
});
