import { describe, expect, it } from 'vitest';
import { Playback, readCast, withoutPauses } from './cast.ts';

const text = `{"version":2,"width":100,"height":30}
[0.5,"o","a"]
[1,"i","never shown"]
[20,"o","b"]
[20.5,"r","120x40"]
[21,"o","c"]
[22,"o`;

const screen = () => {
  const seen: string[] = [];
  return {
    seen,
    reset: () => seen.push('reset'),
    resize: (c: number, r: number) => seen.push(`${c}x${r}`),
    write: (t: string) => seen.push(t),
  };
};

describe('a recording', () => {
  it('is parsed line by line, even if it is truncated or invalid', () => {
    const cast = readCast(text);
    expect(cast).toMatchObject({ cols: 100, rows: 30, length: 21 });
    expect(cast.moments.map((m) => m.data)).toEqual(['a', 'b', '120x40', 'c']);
    expect(readCast('nonsense')).toEqual({ cols: 80, rows: 24, moments: [], length: 0 });
  });

  it('has no long pauses if they are removed', () => {
    expect(withoutPauses(readCast(text), 2).moments.map((m) => m.at)).toEqual([0.5, 2.5, 3, 3.5]);
  });

  it('can be played to any position, forwards and backwards', () => {
    const shown = screen();
    const playback = new Playback(readCast(text), shown);
    playback.seek(20);
    playback.seek(20.2);
    playback.seek(99);
    expect(shown.seen).toEqual(['reset', '100x30', 'ab', '', '120x40', 'c']);
    expect([playback.position, playback.over]).toEqual([21, true]);
    shown.seen.length = 0;
    playback.seek(1);
    expect(shown.seen).toEqual(['reset', '100x30', 'a']);
  });
});
