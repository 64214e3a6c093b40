import type { Text } from '@farlink/contract/kit/text.ts';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { Toggle } from '../../../ui/antd/toggle.tsx';
import { Button } from '../../../ui/native/button.tsx';
import { Playback, type Recording, withoutPauses } from './recording.ts';
import './remote.css';
import { makeTerminal } from './xterm.ts';

const texts = {
  screen: ['终端画面', 'Terminal screen'],
  play: ['播放', 'Play'],
  pause: ['暂停', 'Pause'],
  replay: ['重播', 'Play again'],
  position: ['播放位置', 'Position'],
  speed: ['播放速度', 'Speed'],
  skip: ['跳过停顿', 'Skip pauses'],
  download: ['下载', 'Download'],
} as const satisfies Record<string, Text>;

const speeds = [0.5, 1, 2, 4, 8];
const maxPauseS = 1;
/** Width of a terminal character relative to the font size. */
const width = 1020;
const characterShare = 0.61;
const smallest = 7;
const largest = 14;

const clock = (seconds: number) => {
  const s = Math.floor(seconds);
  return `${String(Math.floor(s / 60)).padStart(2, '0')}:${String(s % 60).padStart(2, '0')}`;
};

const fontFor = (cols: number) => Math.max(smallest, Math.min(largest, Math.floor((width / cols / characterShare) * 2) / 2));

const save = (blob: Blob, name: string) => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};

interface PlayerProps {
  readonly recording: Recording;
  readonly blob: Blob;
  readonly name: string;
}

export const Player = ({ recording, blob, name }: PlayerProps) => {
  const container = useRef<HTMLDivElement>(null);
  const playback = useRef<Playback>(null);
  const [skips, setSkips] = useState(true);
  const [speed, setSpeed] = useState(1);
  const [playing, setPlaying] = useState(true);
  const [position, setPosition] = useState(0);
  const [length, setLength] = useState(0);

  useEffect(() => {
    const box = container.current;
    if (!box) return;
    const played = skips ? withoutPauses(recording, maxPauseS) : recording;
    const widest = Math.max(recording.cols, ...recording.events.map((m) => (m.kind === 'r' ? Number(m.data.split('x')[0]) || 0 : 0)));
    const terminal = makeTerminal(box, { label: t(texts.screen), fontSize: fontFor(widest), readOnly: true });
    playback.current = new Playback(played, terminal);
    setLength(played.length);
    setPosition(0);
    return () => {
      playback.current = null;
      terminal.dispose();
    };
  }, [recording, skips]);

  useEffect(() => {
    if (!playing) return;
    let frame = 0;
    let was = performance.now();
    const step = (now: number) => {
      const shown = playback.current;
      if (!shown) return;
      shown.seek(shown.position + ((now - was) / 1000) * speed);
      was = now;
      setPosition(shown.position);
      if (shown.over) return setPlaying(false);
      frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [playing, speed]);

  const seek = (to: number) => {
    playback.current?.seek(to);
    setPosition(to);
  };
  const isOver = !playing && length > 0 && position >= length;
  const toggle = () => {
    if (isOver) seek(0);
    setPlaying(!playing);
  };
  return (
    <div>
      <div className="player-screen" ref={container} />
      <div className="row wrap player-bar">
        <Button kind="primary" onClick={toggle}>
          {t(playing ? texts.pause : isOver ? texts.replay : texts.play)}
        </Button>
        <input
          type="range"
          aria-label={t(texts.position)}
          aria-valuetext={`${clock(position)} / ${clock(length)}`}
          min={0}
          max={length}
          step={0.01}
          value={position}
          onChange={(e) => seek(Number(e.target.value))}
        />
        <span className="muted player-time">
          {clock(position)} / {clock(length)}
        </span>
        <select aria-label={t(texts.speed)} value={speed} onChange={(e) => setSpeed(Number(e.target.value))}>
          {speeds.map((s) => (
            <option key={s} value={s}>
              {s}×
            </option>
          ))}
        </select>
        <Toggle label={t(texts.skip)} on={skips} onSet={setSkips} />
        <Button onClick={() => save(blob, name)}>{t(texts.download)}</Button>
      </div>
    </div>
  );
};
