import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import './chart.css';
import './line-chart.css';
import './stack-chart.css';
import { useWidth } from '../browser/use-width.ts';
import { clockText, monthDayText } from '../format.ts';
import { Brush } from './brush.tsx';
import { timeTicks } from './line-path.ts';
import { areaPath, byteTicks, changeText, ordered, stackOf, stepPath, sumOf, totalsOf } from './stack.ts';

export interface StackSeries {
  readonly name: string;
  readonly values: readonly number[];
  /** The same intervals of the period before. */
  readonly before?: readonly number[];
}

interface StackTexts {
  readonly total: string;
  readonly before: string;
  readonly from: string;
  readonly to: string;
  /** How to select a range, for screen readers. */
  readonly help: string;
}

interface StackChartProps {
  readonly title: string;
  /** Time of the first interval, and seconds of each. */
  readonly start: number;
  readonly step: number;
  readonly series: readonly StackSeries[];
  readonly texts: StackTexts;
  readonly text: (value: number) => string;
  /** Called with the first and the last second of a selected range. */
  readonly onZoom?: ((start: number, end: number) => void) | undefined;
}

const height = 190;
const pad = { top: 8, right: 8, bottom: 22, left: 62 };
const labelWidth = 64;
type Range = readonly [from: number, to: number];

const timeLabel = (at: number, step: number) => {
  const clock = clockText(at).slice(0, 5);
  return step >= 86_400 || clock === '00:00' ? monthDayText(at) : clock;
};

interface LegendProps {
  readonly series: readonly StackSeries[];
  readonly hidden: readonly string[];
  readonly toggle: (name: string) => void;
  readonly texts: StackTexts;
  readonly text: (value: number) => string;
  readonly at: number | undefined;
}

/** Totals, or the values at the marked time. Each series is a button that hides it. */
const Legend = ({ series, hidden, toggle, texts, text, at }: LegendProps) => {
  const read = (values: readonly number[]) => (at === undefined ? sumOf(values) : (values[at] ?? 0));
  const shown = series.filter(({ name }) => !hidden.includes(name));
  const total = sumOf(shown.map(({ values }) => read(values)));
  const hasBefore = series.some(({ before }) => before !== undefined);
  const before = sumOf(shown.map((s) => read(s.before ?? [])));
  const change = hasBefore ? changeText(total, before) : undefined;
  return (
    <span className="flow small stack-legend">
      {series.map(({ name, values }, i) => (
        <button
          key={name}
          type="button"
          className={`stack-key line-${i}`}
          aria-pressed={!hidden.includes(name)}
          onClick={() => toggle(name)}
        >
          {name} <b>{text(read(values))}</b>
        </button>
      ))}
      <span className="muted">
        {texts.total} <b>{text(total)}</b>
      </span>
      {hasBefore && (
        <button
          type="button"
          className="stack-key is-before"
          aria-pressed={!hidden.includes(texts.before)}
          onClick={() => toggle(texts.before)}
        >
          {texts.before} <b>{text(before)}</b> {change}
        </button>
      )}
    </span>
  );
};

interface MarksProps {
  readonly width: number;
  readonly start: number;
  readonly step: number;
  readonly count: number;
  readonly ticks: readonly number[];
  readonly x: (index: number) => number;
  readonly y: (value: number) => number;
  readonly text: (value: number) => string;
}

/** Grid, scale and times. */
const Axes = ({ width, start, step, count, ticks, x, y, text }: MarksProps) => {
  const times = timeTicks(start, start + count * step, Math.max(2, Math.min(count, Math.floor((width - pad.left) / labelWidth))));
  return (
    <>
      {ticks.map((v) => (
        <g key={v}>
          <line className={v === 0 ? 'axis' : 'grid'} x1={pad.left} x2={width - pad.right} y1={y(v)} y2={y(v)} />
          <text className="axis-label" x={pad.left - 8} y={y(v) + 4} textAnchor="end">
            {text(v)}
          </text>
        </g>
      ))}
      {times.ticks.map((t) => (
        <text
          key={t}
          className="axis-label"
          x={x((t - start) / step)}
          y={height - 6}
          textAnchor={x((t - start) / step) > width - labelWidth / 2 ? 'end' : 'middle'}
        >
          {timeLabel(t, times.step)}
        </text>
      ))}
    </>
  );
};

/** Marked interval and selected range, by pointer and keyboard. */
const useSelection = (count: number, zoom: ((from: number, to: number) => void) | undefined) => {
  const [at, setAt] = useState<number>();
  const [origin, setOrigin] = useState<number>();
  const [range, setRange] = useState<Range>();
  const last = Math.max(0, count - 1);
  const clear = () => {
    setOrigin(undefined);
    setRange(undefined);
  };
  const apply = (selected: Range | undefined) => {
    clear();
    if (selected && zoom && (selected[0] > 0 || selected[1] < last)) zoom(...selected);
  };
  const press = (index: number) => {
    setOrigin(index);
    setRange(undefined);
  };
  const move = (index: number) => {
    setAt(index);
    if (origin !== undefined && index !== origin) setRange(ordered(origin, index, count));
  };
  const handleKey = (e: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, PageDown: -10, PageUp: 10, Home: -count, End: count }[e.key];
    if (step === undefined && !(e.key === 'Enter' && range) && e.key !== 'Escape') return;
    e.preventDefault();
    if (e.key === 'Enter') return apply(range);
    if (e.key === 'Escape' || step === undefined) return clear();
    const from = at ?? last;
    const next = Math.max(0, Math.min(last, from + step));
    setAt(next);
    if (!e.shiftKey) return clear();
    setOrigin(origin ?? from);
    setRange(ordered(origin ?? from, next, count));
  };
  return { at: at === undefined ? undefined : Math.min(at, last), range, setAt, setRange, clear, apply, press, move, handleKey };
};

/**
 * Stacked intervals over time. Pointer or arrow keys read an interval; a drag, or Shift with arrow keys and Enter, selects a range. The
 * dashed line is the period before.
 */
export const StackChart = ({ title, start, step, series, texts, text, onZoom }: StackChartProps) => {
  const [ref, width] = useWidth(640);
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const count = series[0]?.values.length ?? 0;
  const timeOf = (index: number) => start + index * step;
  const chosen = useSelection(count, onZoom && ((from, to) => onZoom(timeOf(from), timeOf(to + 1) - 1)));
  const { at, range } = chosen;
  const shown = series.filter(({ name }) => !hidden.includes(name));
  const layers = stackOf(shown.map(({ values }) => values));
  const before = hidden.includes(texts.before) ? [] : totalsOf(shown.flatMap((s) => (s.before ? [s.before] : []))).slice(0, count);
  const ticks = byteTicks(Math.max(0, ...(layers.at(-1)?.high ?? []), ...before));
  const inner = { width: Math.max(1, width - pad.left - pad.right), height: height - pad.top - pad.bottom };
  const x = (index: number) => pad.left + (inner.width * index) / Math.max(1, count);
  const y = (value: number) => pad.top + inner.height * (1 - value / (ticks.at(-1) || 1));
  const indexOf = (from: number) => ordered(Math.floor(((from - pad.left) / inner.width) * count), 0, count)[1];
  const indexAt = (e: PointerEvent) => {
    const { left } = e.currentTarget.getBoundingClientRect();
    return indexOf(e.clientX - left);
  };
  const momentOf = (index: number) => `${monthDayText(timeOf(index))} ${clockText(timeOf(index)).slice(0, 5)}`;
  const reading = at === undefined ? '' : `${momentOf(at)} ${series.map((s) => `${s.name} ${text(s.values[at] ?? 0)}`).join(', ')}`;
  return (
    <figure className="chart stack-chart" ref={ref}>
      <figcaption>
        {title}
        {at !== undefined && <span className="muted">{momentOf(at)}</span>}
        <Legend {...{ series, hidden, texts, text, at }} toggle={(name) => setHidden(toggled(hidden, name))} />
      </figcaption>
      <div
        className="stack-field"
        role="slider"
        aria-label={`${title}. ${onZoom ? texts.help : ''}`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, count - 1)}
        aria-valuenow={at ?? Math.max(0, count - 1)}
        aria-valuetext={range ? `${momentOf(range[0])} - ${momentOf(range[1])}` : reading}
        tabIndex={0}
        onPointerDown={(e) => {
          if (!onZoom || e.button !== 0) return;
          e.currentTarget.setPointerCapture(e.pointerId);
          chosen.press(indexAt(e));
        }}
        onPointerMove={(e) => chosen.move(indexAt(e))}
        onPointerUp={() => chosen.apply(range)}
        onPointerCancel={chosen.clear}
        onPointerLeave={() => chosen.setAt(undefined)}
        onKeyDown={chosen.handleKey}
        onBlur={() => chosen.setAt(undefined)}
      >
        <svg width={width} height={height} aria-hidden="true">
          <Axes {...{ width, start, step, count, ticks, x, y, text }} />
          {shown.map(({ name }, i) => (
            <g key={name} className={`line-${series.findIndex((s) => s.name === name)}`}>
              <path className="stack-area" d={areaPath(layers[i] ?? { low: [], high: [] }, { x, y })} />
            </g>
          ))}
          {before.length > 0 && <path className="stack-before" d={stepPath(before, { x, y })} />}
          {range && (
            <rect className="stack-selected" x={x(range[0])} width={x(range[1] + 1) - x(range[0])} y={pad.top} height={inner.height} />
          )}
          {at !== undefined && <line className="line-cursor" x1={x(at + 0.5)} x2={x(at + 0.5)} y1={pad.top} y2={height - pad.bottom} />}
        </svg>
      </div>
      {onZoom && count > 1 && (
        <Brush
          range={range ?? [0, count - 1]}
          length={count}
          x={x}
          indexAt={indexOf}
          labels={[texts.from, texts.to]}
          text={momentOf}
          onChange={(from, to) => chosen.setRange([from, to])}
          onApply={() => chosen.apply(range)}
          onCancel={chosen.clear}
        />
      )}
    </figure>
  );
};

const toggled = (hidden: readonly string[], name: string) =>
  hidden.includes(name) ? hidden.filter((other) => other !== name) : [...hidden, name];
