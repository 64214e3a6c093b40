import { Random } from '@farlink/simulator/random.ts';
import { describe, expect, it } from 'vitest';
import { historyOf, lineOf, type State, type Step, shuffled } from '../../../test/ap-history.ts';
import { anewFrom, type Fact, type Stay, weave } from './weave.ts';

const seen = (state: State, at: number): Fact<State> => ({ state, at, told: false });
const told = (state: State, at: number): Fact<State> => ({ state, at, told: true });

/** A table that does what weave says; only as much as it needs to know is asked for. */
const table = (rows: Stay<State>[] = []) => {
  let ids = Math.max(0, ...rows.map((r) => r.id));
  const put = (facts: readonly Fact<State>[], since: number, isEvent = true) => {
    const first = rows.findLast((r) => r.at < since && (r.told || !isEvent)) ?? rows.findLast((r) => r.at < since);
    const stays = rows.filter((r) => r.at >= (first?.at ?? since));
    const from = anewFrom(stays, since, isEvent);
    const woven = weave<State, Fact<State>>(
      stays,
      facts.filter((f) => f.at >= from),
      from,
    );
    const [kept, gone] = [new Map(woven.kept.map((k) => [k.id, k])), new Set(woven.gone)];
    rows = rows.flatMap((r) => (gone.has(r.id) ? [] : [{ ...r, ...kept.get(r.id) }]));
    rows.push(...woven.made.map(({ fact, duration }) => ({ ...fact, duration, id: ++ids })));
    rows.sort((a, b) => a.at - b.at || a.id - b.id);
  };
  const line = () => rows.map(({ state, at, duration }) => ({ state, at, duration }));
  return { put, line, short: () => rows.map(({ state, at, duration }) => [state, at, duration]), ids: () => rows.map((r) => r.id) };
};

/** The steps come to be known in this order; what is known stands in the order of the gateway. */
const arrive = (history: readonly Step[], order: readonly Step[], check: (line: ReturnType<typeof lineOf>, known: Step[]) => void) => {
  const t = table();
  const come = new Set<Step>();
  for (const step of order.filter((s) => s.kind === 'look' || s.told)) {
    come.add(step);
    const known = history.filter((s) => come.has(s));
    t.put(
      known,
      step.at,
      known.some((s) => s.told && s.at >= step.at),
    );
    check(t.line(), known);
  }
  return t.line();
};

describe('a line of stays', () => {
  it('opens with the first fact and closes with the next of another state', () => {
    const t = table();
    const facts = [told('up', 10), told('up', 20), told('offline', 30)];
    t.put(facts.slice(0, 1), 10);
    t.put(facts.slice(0, 2), 20);
    expect(t.short()).toEqual([['up', 10, null]]);
    t.put(facts, 30);
    expect(t.short()).toEqual([
      ['up', 10, 20],
      ['offline', 30, null],
    ]);
  });

  it('loses again what a look has added when an event explains it, of before or of a clock that was put back since', () => {
    for (const at of [40, 50, 60]) {
      const t = table();
      t.put([seen('up', 10)], 10);
      t.put([seen('up', 10), seen('offline', 50)], 50);
      expect(t.short().at(-1)).toEqual(['offline', 50, null]);
      t.put([seen('up', 10), seen('offline', 50), told('offline', at)], at);
      expect(t.short()).toEqual([
        ['up', 10, at - 10],
        ['offline', at, null],
      ]);
    }
  });

  it('changes nothing when it hears the same again', () => {
    const stays: Stay<State>[] = [
      { id: 1, ...told('up', 10), duration: 20 },
      { id: 2, ...told('offline', 30), duration: null },
    ];
    const facts = [told('up', 10), told('offline', 30), seen('offline', 31)];
    expect(weave(stays, facts, 10)).toEqual({ made: [], kept: [], gone: [], last: told('offline', 30) });
  });

  it('takes the word of who tells of a change before that of who only looked in the same second', () => {
    const t = table([{ id: 1, ...told('up', 10), duration: null }]);
    t.put([told('offline', 20), seen('up', 20)], 20);
    expect(t.short()).toEqual([
      ['up', 10, 10],
      ['offline', 20, null],
    ]);
  });

  it('that was ended stays as it is, and the next begins anew', () => {
    const t = table([
      { id: 1, ...told('offline', 10), duration: 5 },
      { id: 2, ...told('up', 15), duration: 10 },
    ]);
    t.put([seen('up', 40)], 40);
    t.put([told('offline', 20), seen('up', 40), told('offline', 60)], 20);
    expect(t.short()).toEqual([
      ['offline', 10, 5],
      ['up', 15, 10],
      ['up', 40, 20],
      ['offline', 60, null],
    ]);
  });

  it('has its ids in its own order, also within a second', () => {
    const t = table();
    t.put([seen('up', 10)], 10);
    t.put([seen('up', 10), told('offline', 50)], 50);
    t.put([seen('up', 10), told('offline', 30), told('up', 50), told('offline', 50)], 30);
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

  it('of which every turn is told end as the events say, however many fall into a second', () => {
    const random = new Random(19);
    for (let i = 0; i < cases; i++) {
      const history = historyOf(random, { length: random.int(1, 12), most: random.int(0, 4) });
      const said = arrive(history, shuffled(random, history), () => {});
      const [first, ...steps] = history;
      const turns = [first, ...steps.filter((s) => s.told)].flatMap((s) => (s ? [[s.state, s.at]] : []));
      if (JSON.stringify(said.map(({ state, at }) => [state, at])) !== JSON.stringify(turns)) expect({ history, said }).toEqual(turns);
    }
  });

  it('say at any time what those of them say that have come, also where nobody tells of a turn', () => {
    const random = new Random(91);
    for (let i = 0; i < cases; i++) {
      const history = historyOf(random, { length: random.int(1, 12), most: random.pick([1, 3, 1500, 5000]), silent: 0.4 });
      arrive(history, shuffled(random, history), (line, known) => {
        if (JSON.stringify(line) !== JSON.stringify(lineOf(known))) expect({ known, line }).toEqual(lineOf(known));
      });
    }
  });
});
