import { describe, expect, it } from 'vitest';
import { spansOf } from './state-spans.ts';

describe('spans of states', () => {
  it('are cut to the period and end with the next change', () => {
    const changes = [
      { at: 0, state: 'on' },
      { at: 120, state: 'off' },
      { at: 150, state: 'on' },
    ] as const;
    expect(spansOf(changes, 100, 200)).toEqual([
      { start: 100, end: 120, state: 'on' },
      { start: 120, end: 150, state: 'off' },
      { start: 150, end: 200, state: 'on' },
    ]);
  });

  it('are joined if equal, and left out if unknown or empty', () => {
    const changes = [
      { at: 110, state: 'lte' },
      { at: 120, state: 'lte' },
      { at: 130, state: null },
      { at: 140, state: '6d' },
      { at: 140, state: 'lte' },
    ];
    expect(spansOf(changes, 100, 150)).toEqual([
      { start: 110, end: 130, state: 'lte' },
      { start: 140, end: 150, state: 'lte' },
    ]);
    expect(spansOf([], 100, 150)).toEqual([]);
  });
});
