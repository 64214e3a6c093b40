import { describe, expect, it } from 'vitest';
import { type Sighting, type Stay, weave } from './weave.ts';

type State = 'up' | 'offline';
const up = (at: number): Sighting<State> => ({ state: 'up', at });
const offline = (at: number): Sighting<State> => ({ state: 'offline', at });

/** A table that keeps what weave tells. */
const table = () => {
  let rows: (Stay<State> & { id: number })[] = [];
  return {
    put: (...told: Sighting<State>[]) => {
      for (const stay of weave(rows, [], told).changed) {
        const id = stay.id ?? Math.max(0, ...rows.map((r) => r.id)) + 1;
        rows = [...rows.filter((r) => r.id !== id), { ...stay, id }].toSorted((a, b) => a.at - b.at);
      }
    },
    line: () => rows.map(({ state, at, duration }) => [state, at, duration]),
    ids: () => rows.map((r) => r.id),
  };
};

const permutations = <T>(all: readonly T[]): T[][] =>
  all.length < 2 ? [[...all]] : all.flatMap((one, i) => permutations(all.toSpliced(i, 1)).map((rest) => [one, ...rest]));

describe('a line of stays', () => {
  it('opens with the first sighting and closes with the next of another state', () => {
    const t = table();
    t.put(up(10));
    expect(t.line()).toEqual([['up', 10, null]]);
    t.put(up(20));
    expect(t.line()).toEqual([['up', 10, null]]);
    t.put(offline(30));
    expect(t.line()).toEqual([
      ['up', 10, 20],
      ['offline', 30, null],
    ]);
  });

  it('says the same whatever the order of arrival, where all that came before is told again', () => {
    for (const order of permutations([up(10), offline(20), up(30), offline(40), up(50)])) {
      const t = table();
      for (let come = 1; come <= order.length; come++) t.put(...order.slice(0, come));
      expect(t.line()).toEqual([
        ['up', 10, 10],
        ['offline', 20, 10],
        ['up', 30, 10],
        ['offline', 40, 10],
        ['up', 50, null],
      ]);
    }
  });

  it('moves a stay that began earlier than was known, under its own id', () => {
    const t = table();
    t.put(up(10), offline(50));
    t.put(offline(40));
    expect(t.line()).toEqual([
      ['up', 10, 30],
      ['offline', 40, null],
    ]);
    expect(t.ids()).toEqual([1, 2]);
  });

  it('changes nothing when it hears the same again', () => {
    const stays: Stay<State>[] = [
      { id: 1, state: 'up', at: 10, duration: 20 },
      { id: 2, state: 'offline', at: 30, duration: null },
    ];
    expect(weave(stays, [offline(31)], [up(10), offline(30), up(15)])).toEqual({ changed: [], last: { ...stays[1] } });
  });

  it('takes the word of who tells of a change before that of who only looked in the same second', () => {
    expect(weave([{ id: 1, state: 'up', at: 10, duration: null }], [up(20)], [offline(20)])).toEqual({
      changed: [
        { id: 1, state: 'up', at: 10, duration: 10 },
        { id: undefined, state: 'offline', at: 20, duration: null },
      ],
      last: offline(20),
    });
  });
});
