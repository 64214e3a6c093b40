import { describe, expect, it } from 'vitest';
import { Playback, parseRecording, withoutPauses } from './recording.ts';

const text = `{"version":2,"width":100,"height":30}
[0.5,"o","a"]
[1,"i","never shown"]
[20,"o","b"]
[20.5,"r","120x40"]
[21,"o","c"]
[22,"o`;

const screen = () => {
  const calls: string[] = [];
  return {
    calls,
    reset: () => calls.push('reset'),
    resize: (c: number, r: number) => calls.push(`${c}x${r}`),
    write: (t: string) => calls.push(t),
  };
};

describe('a recording', () => {
  it('is parsed line by line, even if it is truncated or invalid', () => {
    const recording = parseRecording(text);
    expect(recording).toMatchObject({ cols: 100, rows: 30, length: 21 });
    expect(recording.events.map((m) => m.data)).toEqual(['a', 'b', '120x40', 'c']);
    expect(parseRecording('nonsense')).toEqual({ cols: 80, rows: 24, events: [], length: 0 });
  });

  it('has no long pauses if they are removed', () => {
    expect(withoutPauses(parseRecording(text), 2).events.map((m) => m.at)).toEqual([0.5, 2.5, 3, 3.5]);
  });

  it('can be played to any position, forwards and backwards', () => {
    const shown = screen();
    const playback = new Playback(parseRecording(text), shown);
    playback.seek(20);
    playback.seek(20.2);
    playback.seek(99);
    expect(shown.calls).toEqual(['reset', '100x30', 'ab', '', '120x40', 'c']);
    expect([playback.position, playback.over]).toEqual([21, true]);
    shown.calls.length = 0;
    playback.seek(1);
    expect(shown.calls).toEqual(['reset', '100x30', 'a']);
  });
});
