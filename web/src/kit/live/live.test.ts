import { describe, expect, it } from 'vitest';
import { pauseMs, readEvents, updateOf } from '../net/live-stream.ts';
import { patchRow, patchRows } from './live-rows.ts';

describe('a stream of events', () => {
  it('is parsed correctly when it is split at any position', () => {
    const stream = ': beat\n\ndata: {"any":["link"]}\n\ndata: {"gone":[1]}\n\n';
    for (let cut = 0; cut <= stream.length; cut++) {
      const first = readEvents(stream.slice(0, cut));
      const second = readEvents(first.rest + stream.slice(cut));
      expect([...first.data, ...second.data]).toEqual(['{"any":["link"]}', '{"gone":[1]}']);
      expect(second.rest).toBe('');
    }
  });

  it('ignores data that is not an object', () => {
    expect(updateOf('{"over":true}')).toEqual({ over: true });
    expect(updateOf('7')).toEqual({});
  });

  it('is retried after 1 to 30 seconds, with growing random pauses', () => {
    expect([0, 1, 2, 10].map((tries) => pauseMs(tries, 1))).toEqual([1000, 2000, 4000, 30_000]);
    expect(pauseMs(3, 0)).toBe(4000);
  });
});

describe('rows with live updates', () => {
  const rows = [
    { id: 1, name: 'a', online_state: 0, tags: ['x'] },
    { id: 2, name: 'b', online_state: 1, tags: [] },
  ];

  it('take new values of their own columns only', () => {
    const updates = [{ id: 2, what: ['offline'] as const, columns: { online_state: 0, secret: 1 } }];
    expect(patchRows(rows, updates)).toEqual([rows[0], { ...rows[1], online_state: 0 }]);
    expect(patchRows(rows, updates)[0]).toBe(rows[0]);
  });

  it('keep their identity if nothing changes, so that nothing is rendered again', () => {
    expect(patchRows(rows, [{ id: 1, what: [], columns: { online_state: 0, tags: ['x'] } }])).toBe(rows);
    expect(patchRow(rows[0] ?? {}, {})).toBe(rows[0]);
  });
});
