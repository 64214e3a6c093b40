import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { Admission, type AdmissionLimits } from './admission.ts';

let now: number;
let started: string[];
let refused: string[];

beforeEach(() => {
  [now, started, refused] = [0, [], []];
});

/** Connections of this test are named by their order: `a1` is the first of address a. */
const open = (limits: Partial<AdmissionLimits>) => {
  const admission = new Admission<{ readonly name: string }>(limits, () => now);
  const made = new Map<string, { readonly name: string }>();
  const connectionOf = (name: string) => {
    const connection = made.get(name) ?? { name };
    made.set(name, connection);
    return connection;
  };
  return {
    waiting: () => admission.waiting,
    enter: (...names: string[]) => {
      for (const name of names)
        admission.enter(connectionOf(name), {
          address: name.charAt(0),
          start: () => void started.push(name),
          refuse: () => void refused.push(name),
        });
    },
    occupy: (name: string) => admission.occupy(connectionOf(name)),
    release: async (...names: string[]) => {
      for (const name of names) admission.release(connectionOf(name));
      await nextTurn();
    },
    close: () => admission.close(),
  };
};

test('starts waiting connections in FIFO order, at most as many at once as the limit', async () => {
  const { enter, release, waiting } = open({ atOnce: 2 });
  enter('a1', 'b2', 'a3', 'b4', 'a5');
  expect(started).toEqual(['a1', 'b2']);
  expect(waiting()).toBe(3);
  await release('b2');
  expect(started).toEqual(['a1', 'b2', 'a3']);
  // A new connection is not served before those that wait.
  enter('c6');
  await release('a1', 'a3');
  expect(started).toEqual(['a1', 'b2', 'a3', 'b4', 'a5']);
  await release('b4', 'a5');
  expect(started.at(-1)).toBe('c6');
  expect(waiting()).toBe(0);
});

test('a connection that ends while it waits leaves the queue', async () => {
  const { enter, release, waiting } = open({ atOnce: 1 });
  enter('a1', 'a2', 'a3');
  await release('a2');
  expect(waiting()).toBe(1);
  await release('a1');
  expect(started).toEqual(['a1', 'a3']);
});

test('the first hello occupies a slot until it is stored', async () => {
  const { enter, occupy, release } = open({ atOnce: 1 });
  enter('a1', 'a2');
  occupy('b9');
  await release('a1');
  expect(started).toEqual(['a1']);
  await release('b9');
  expect(started).toEqual(['a1', 'a2']);
});

test('a full queue refuses new connections, and one address takes at most half of it', async () => {
  const { enter, release } = open({ atOnce: 1, maxWaiting: 4 });
  enter('a0', 'a1', 'a2', 'a3', 'b1', 'b2', 'c1');
  expect(refused).toEqual(['a3', 'c1']);
  await release('a0');
  enter('c2');
  expect(refused).toEqual(['a3', 'c1']);
});

test('refuses a connection that would wait too long at the current rate', async () => {
  const { enter, release } = open({ atOnce: 1, longestWaitMs: 10_000 });
  enter('a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8');
  now = 4000;
  await release('a0');
  await release('a1');
  // Two in four seconds: with eight before it, a connection waits sixteen seconds. A shorter queue is not refused.
  enter('b1', 'b2', 'b3');
  expect(refused).toEqual(['b3']);
});

test('refuses connections that have waited too long because the rate dropped', async () => {
  const { enter, release } = open({ atOnce: 1, longestWaitMs: 10_000 });
  enter('a0', 'a1', 'a2');
  now = 20_001;
  await release('a0');
  expect({ started, refused }).toEqual({ started: ['a0'], refused: ['a1', 'a2'] });
});

test('starts nothing after it is closed', async () => {
  const { enter, release, close } = open({ atOnce: 1 });
  enter('a0', 'a1');
  close();
  await release('a0');
  expect(started).toEqual(['a0']);
});
