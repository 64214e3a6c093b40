import { expect, test } from 'vitest';
import { perWindow } from './per-window.ts';

test('each address has its own limit of attempts per minute, which resets in the next minute', () => {
  let at = 0;
  const may = perWindow(2, 60_000, () => at);
  expect(['a', 'a', 'a', 'b', 'a'].map(may)).toEqual([true, true, false, true, false]);
  expect(['b', 'b'].map(may)).toEqual([true, false]);
  at = 59_999;
  expect(['a', 'b'].map(may)).toEqual([false, false]);
  at = 60_000;
  expect(['a', 'b', 'a', 'b', 'a', 'b'].map(may)).toEqual([true, true, true, true, false, false]);
});
