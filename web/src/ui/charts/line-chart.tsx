import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import './chart.css';
import './line-chart.css';
import { useWidth } from '../browser/use-width.ts';
import { clockText, monthDayText, timeText } from '../format.ts';
import { ticksOf } from './chart.tsx';
import { linePath, nearest, timeTicks } from './line-path.ts';

export interface LineSeries {
  readonly name: string;
  readonly values: readonly (number | null)[];
  /** Maximum of each interval, if the line shows the mean. */
  readonly peaks?: readonly (number | null)[];
  readonly text: (value: number) => string;
}

interface LineChartProps {
  readonly title: string;
  readonly start: number;
  readonly end: number;
  readonly times: readonly number[];
  /** A gap of more seconds than this breaks the line. */
  readonly gap: number;
  readonly series: readonly LineSeries[];
  /** Minimum range of the scale; default: fits the data. */
  readonly range?: readonly [low: number, high: number];
  readonly peakLabel: string;
  /** Summary for screen readers, one sentence per line. */
  readonly summary: string;
}

const height = 168;
const pad = { top: 8, right: 8, bottom: 22, left: 44 };
const labelWidth = 64;

/** Hours as clock time; midnight as a date. */
const timeLabel = (at: number, step: number) => {
  const clock = clockText(at).slice(0, 5);
  return step >= 86_400 || clock === '00:00' ? monthDayText(at) : clock;
};

/** A line chart over time. The pointer or the arrow keys select a time and show all values. */
export const LineChart = ({ title, start, end, times, gap, series, range, peakLabel, summary }: LineChartProps) => {
  const [ref, width] = useWidth(640);
  const [at, setAt] = useState<number>();
  const all = series.flatMap((s) => [...s.values, ...(s.peaks ?? [])]).filter((v) => v !== null);
  const scale = ticksOf(range?.[0] ?? Math.min(0, ...all), range?.[1] ?? Math.max(1, ...all));
  const [low = 0, high = 1] = [scale[0], scale.at(-1)];
  const inner = { width: Math.max(1, width - pad.left - pad.right), height: height - pad.top - pad.bottom };
  const x = (t: number) => pad.left + (inner.width * (t - start)) / Math.max(1, end - start);
  const y = (v: number) => pad.top + inner.height * (1 - (v - low) / (high - low || 1));
  const { ticks, step } = timeTicks(start, end, Math.max(2, Math.floor(inner.width / labelWidth)));
  const marked = at === undefined || times.length === 0 ? undefined : Math.min(at, times.length - 1);
  const markedTime = marked === undefined ? undefined : times[marked];

  const point = (e: PointerEvent) => {
    const { left } = e.currentTarget.getBoundingClientRect();
    setAt(nearest(times, start + ((e.clientX - left - pad.left) / inner.width) * (end - start)));
  };
  const handleKey = (e: KeyboardEvent) => {
    const move = { ArrowLeft: -1, ArrowRight: 1, Home: -times.length, End: times.length }[e.key];
    if (move === undefined) return;
    e.preventDefault();
    setAt(Math.max(0, Math.min(times.length - 1, (marked ?? times.length - 1) + move)));
  };
  const reading = series.map((s) => {
    const value = marked === undefined ? undefined : s.values[marked];
    const peak = marked === undefined ? undefined : s.peaks?.[marked];
    if (value === undefined || value === null) return '';
    return peak !== undefined && peak !== null && peak > value ? `${s.text(value)} (${peakLabel} ${s.text(peak)})` : s.text(value);
  });
  const valueText =
    markedTime === undefined ? summary : `${timeText(markedTime)} ${series.map((s, i) => `${s.name} ${reading[i]}`).join(', ')}`;
  return (
    <figure className="chart line-chart" ref={ref}>
      <figcaption>
        {title}
        <span className="flow small line-legend">
          {markedTime !== undefined && <span className="muted">{`${monthDayText(markedTime)} ${clockText(markedTime)}`}</span>}
          {series.map((s, i) => (
            <span key={s.name} className={`line-key line-${i}`}>
              {s.name} <b>{reading[i]}</b>
            </span>
          ))}
        </span>
      </figcaption>
      <div
        className="line-field"
        role="slider"
        aria-label={`${title}: ${summary}`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, times.length - 1)}
        aria-valuenow={marked ?? Math.max(0, times.length - 1)}
        aria-valuetext={valueText}
        tabIndex={0}
        onPointerMove={point}
        onPointerLeave={() => setAt(undefined)}
        onKeyDown={handleKey}
        onBlur={() => setAt(undefined)}
      >
        <svg width={width} height={height} aria-hidden="true">
          {scale.map((v) => (
            <g key={v}>
              <line className={v === 0 ? 'axis' : 'grid'} x1={pad.left} x2={width - pad.right} y1={y(v)} y2={y(v)} />
              <text className="axis-label" x={pad.left - 8} y={y(v) + 4} textAnchor="end">
                {series[0]?.text(v)}
              </text>
            </g>
          ))}
          {ticks.map((t) => (
            <text key={t} className="axis-label" x={x(t)} y={height - 6} textAnchor={x(t) > width - labelWidth / 3 ? 'end' : 'middle'}>
              {timeLabel(t, step)}
            </text>
          ))}
          {series.map((s, i) => (
            <g key={s.name} className={`line-${i}`}>
              {s.peaks && <path className="line-peak" d={linePath(times, s.peaks, { x, y }, gap)} />}
              <path className="line-mean" d={linePath(times, s.values, { x, y }, gap)} />
            </g>
          ))}
          {markedTime !== undefined && marked !== undefined && (
            <g>
              <line className="line-cursor" x1={x(markedTime)} x2={x(markedTime)} y1={pad.top} y2={height - pad.bottom} />
              {series.map((s, i) => {
                const value = s.values[marked];
                return value === null || value === undefined ? null : (
                  <circle key={s.name} className={`line-dot line-${i}`} cx={x(markedTime)} cy={y(value)} r={3.5} />
                );
              })}
            </g>
          )}
        </svg>
      </div>
    </figure>
  );
};
