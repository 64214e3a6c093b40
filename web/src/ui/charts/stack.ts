import { ticksOf } from './chart.tsx';

/** Bottom and top of each point of a series that is stacked on the series before it. */
export interface Layer {
  readonly low: readonly number[];
  readonly high: readonly number[];
}

/** Stacks series by running sums. */
export const stackOf = (series: readonly (readonly number[])[]): readonly Layer[] => {
  const layers: Layer[] = [];
  for (const values of series) {
    const below = layers.at(-1)?.high;
    const low = values.map((_, i) => below?.[i] ?? 0);
    layers.push({ low, high: values.map((value, i) => value + (low[i] ?? 0)) });
  }
  return layers;
};

interface Plane {
  readonly x: (index: number) => number;
  readonly y: (value: number) => number;
}

const round = (n: number) => Math.round(n * 10) / 10;

/** SVG path of an area in steps: each value covers its whole interval. */
export const areaPath = ({ low, high }: Layer, { x, y }: Plane): string => {
  if (high.length === 0) return '';
  const top = high.map((value, i) => `${i === 0 ? 'M' : 'L'}${round(x(i))} ${round(y(value))}H${round(x(i + 1))}`).join('');
  const bottom = low
    .map((value, i) => ({ value, i }))
    .toReversed()
    .map(({ value, i }) => `L${round(x(i + 1))} ${round(y(value))}H${round(x(i))}`)
    .join('');
  return `${top}${bottom}Z`;
};

/** SVG path of a line in steps. */
export const stepPath = (values: readonly number[], { x, y }: Plane): string =>
  values.map((value, i) => `${i === 0 ? 'M' : 'L'}${round(x(i))} ${round(y(value))}H${round(x(i + 1))}`).join('');

/** Change in percent with its sign; undefined without a value to compare with. */
export const changeText = (value: number, before: number): string | undefined => {
  if (before === 0) return undefined;
  const percent = Math.round((1000 * (value - before)) / before) / 10;
  return `${percent > 0 ? '+' : percent < 0 ? '−' : '±'}${Math.abs(percent)}%`;
};

/** Ticks of a scale in bytes: round numbers of the unit that fits the maximum. */
export const byteTicks = (max: number): number[] => {
  const power = max < 1024 ? 0 : Math.floor(Math.log2(max) / 10);
  const unit = 1024 ** power;
  return ticksOf(0, Math.max(1, max / unit)).map((tick) => tick * unit);
};

/** Two indexes in order, within a list of this length. */
export const ordered = (a: number, b: number, length: number): readonly [from: number, to: number] => {
  const fit = (n: number) => Math.max(0, Math.min(length - 1, n));
  return [fit(Math.min(a, b)), fit(Math.max(a, b))];
};

export const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Sum of all series at each point. */
export const totalsOf = (series: readonly (readonly number[])[]): number[] =>
  (series[0] ?? []).map((_, i) => sumOf(series.map((values) => values[i] ?? 0)));
