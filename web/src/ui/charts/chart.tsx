import { type ReactNode, useId } from 'react';
import './chart.css';
import { tips } from '../browser/tip.ts';
import { useWidth } from '../browser/use-width.ts';

/** Numbers are only for the geometry; the displayed amounts are texts. */
export interface ChartPoint {
  readonly label: string;
  readonly value: number;
  readonly text: string;
  /** Wraps the label in a link. */
  readonly link?: ((label: string) => ReactNode) | undefined;
}

interface DayPoint extends ChartPoint {
  /** A second value, drawn as a line across the bar. */
  readonly line: number;
  readonly lineText: string;
}

const height = 150;
const pad = { top: 8, right: 4, bottom: 20, left: 52 };
const labelWidth = 74;

/** 1, 2 or 5 times a power of ten, so that a few lines cover the range. */
export const niceStep = (range: number, lines = 4): number => {
  const raw = Math.max(range, 1) / lines;
  const power = 10 ** Math.floor(Math.log10(raw));
  return ([1, 2, 5].find((n) => n * power >= raw) ?? 10) * power;
};

export const ticksOf = (low: number, high: number): number[] => {
  const step = niceStep(high - low);
  const first = Math.floor(low / step);
  const last = Math.ceil(high / step);
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
};

const units = [
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const;

export const short = (n: number): string => {
  const [size, unit] = units.find(([least]) => Math.abs(n) >= least) ?? [1, ''];
  return `${Number((n / size).toFixed(1))}${unit}`;
};

/** The same values for screen readers. */
const Table = ({ head, rows }: { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }) => (
  <table className="visually-hidden">
    <thead>
      <tr>
        {head.map((h) => (
          <th key={h} scope="col">
            {h}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map(([label, ...values]) => (
        <tr key={label}>
          <th scope="row">{label}</th>
          {values.map((v, i) => (
            <td key={head[i + 1]}>{v}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

interface DayChartProps {
  readonly title: string;
  /** Labels of the day, the bars and the line. */
  readonly head: readonly [string, string, string];
  readonly points: readonly DayPoint[];
}

/** One bar per day, with a line for the second value. */
export const DayChart = ({ title, head, points }: DayChartProps) => {
  const [ref, width] = useWidth(640);
  const values = points.flatMap((p) => [p.value, p.line]);
  const ticks = ticksOf(Math.min(0, ...values), Math.max(0, ...values));
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)];
  const inner = { width: Math.max(1, width - pad.left - pad.right), height: height - pad.top - pad.bottom };
  const y = (v: number) => pad.top + inner.height * (1 - (v - low) / (high - low || 1));
  const slot = inner.width / Math.max(1, points.length);
  const x = (i: number) => pad.left + slot * i;
  const every = Math.max(1, Math.ceil(labelWidth / slot));
  const bar = Math.max(1, Math.min(26, slot * 0.7));
  return (
    <figure className="chart" ref={ref} {...tips}>
      <figcaption>{title}</figcaption>
      <svg width={width} height={height} role="img" aria-label={title}>
        {ticks.map((v) => (
          <g key={v}>
            <line className={v === 0 ? 'axis' : 'grid'} x1={pad.left} x2={width - pad.right} y1={y(v)} y2={y(v)} />
            <text className="axis-label" x={pad.left - 8} y={y(v) + 4} textAnchor="end">
              {short(v)}
            </text>
          </g>
        ))}
        {points.map((p, i) => (
          <g key={p.label} className="day" data-tip={`${p.label}\n${head[1]} ${p.text}\n${head[2]} ${p.lineText}`}>
            <rect className="hit" x={x(i)} y={pad.top} width={slot} height={inner.height} />
            <rect
              className="bar-mark"
              x={x(i) + (slot - bar) / 2}
              y={Math.min(y(p.value), y(0))}
              width={bar}
              height={Math.abs(y(0) - y(p.value))}
              rx={bar > 6 ? 2 : 0}
            />
            {(p.value !== 0 || p.line !== 0) && (
              <line className="line-mark" x1={x(i) + slot * 0.06} x2={x(i) + slot * 0.94} y1={y(p.line)} y2={y(p.line)} />
            )}
            {i % every === 0 && (
              <text className="axis-label" x={x(i) + slot / 2} y={height - 5} textAnchor="middle">
                {p.label.slice(5)}
              </text>
            )}
          </g>
        ))}
      </svg>
      <div className="muted small legend" aria-hidden>
        <span>{head[1]}</span>
        <span className="key-line">{head[2]}</span>
      </div>
      <Table head={head} rows={points.map((p) => [p.label, p.text, p.lineText])} />
    </figure>
  );
};

interface RankChartProps {
  readonly title: string;
  readonly points: readonly ChartPoint[];
}

/** Largest first, each as a bar with its name; the values are texts, so no hidden table is needed. */
export const RankChart = ({ title, points }: RankChartProps) => {
  const id = useId();
  const max = Math.max(1, ...points.map((p) => p.value));
  return (
    <figure className="chart" {...tips}>
      <figcaption id={id}>{title}</figcaption>
      <ol className="rank" aria-labelledby={id}>
        {points.map((p) => (
          <li key={`${p.label} ${p.text}`}>
            <span className="clip" data-tip="">
              {p.link ? p.link(p.label) : p.label}
            </span>
            <span className="num">{p.text}</span>
            <span className="rank-bar" style={{ width: `${(100 * Math.max(0, p.value)) / max}%` }} />
          </li>
        ))}
      </ol>
    </figure>
  );
};
