import type { Lang, Text } from '@farlink/contract/kit/text.ts';
import { zonedTime, zoneName } from '@farlink/contract/kit/zone.ts';

export const nothing = '-';
export const yesNo = (value: unknown): Text => (value === true || value === 1 || value === '1' ? ['是', 'Yes'] : ['否', 'No']);

const blank = (value: unknown) => value === undefined || value === null || value === '';

/** Larger values are not valid times. */
const lastSecond = 253_402_300_799;

/** Epoch seconds. spec §9: ten digits are seconds, thirteen are milliseconds; empty and zero mean no time. */
const secondsOf = (value: unknown): number | undefined => {
  const n = Number(value);
  if (blank(value) || !Number.isFinite(n) || n === 0) return undefined;
  const seconds = Math.abs(n) < 1e12 ? n : n / 1000;
  return Math.abs(seconds) <= lastSecond ? seconds : undefined;
};

/** All times use the business time zone, so an expiry is the same day for every reader. */
const zoned = (value: unknown): string | undefined => {
  const seconds = secondsOf(value);
  return seconds === undefined ? undefined : zonedTime(seconds);
};

export const timeText = (value: unknown) => zoned(value) ?? nothing;
export const dateText = (value: unknown) => zoned(value)?.slice(0, 10) ?? nothing;
/** `MM-DD` and `HH:mm:ss`, for chart axes. */
export const monthDayText = (value: unknown) => zoned(value)?.slice(5, 10) ?? '';
export const clockText = (value: unknown) => zoned(value)?.slice(11) ?? '';
/** With the time zone, for tooltips. */
export const zonedTimeText = (value: unknown) => (zoned(value) === undefined ? '' : `${timeText(value)} ${zoneName}`);

const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

/** Created once on first use, because creation costs 100 times more than formatting. */
const relative: Partial<Record<Lang, Intl.RelativeTimeFormat>> = {};

export const relativeText = (value: unknown, lang: Lang, now = Date.now()): string => {
  const at = secondsOf(value);
  if (at === undefined) return '';
  const seconds = Math.round(at - now / 1000);
  const [unit, size] = steps.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  relative[lang] ??= new Intl.RelativeTimeFormat(lang === 'zh' ? 'zh-CN' : 'en', { numeric: 'auto' });
  return relative[lang].format(Math.trunc(seconds / size), unit);
};

const grouped = (digits: string) => digits.replace(/\B(?=(\d{3})+$)/g, ',');

/** Groups thousands by string operations; money never becomes a floating-point number. */
export const numberText = (value: unknown): string => {
  if (blank(value)) return nothing;
  const found = /^(-?)(\d+)(\.\d+)?$/.exec(String(value));
  return found ? `${found[1]}${grouped(found[2] ?? '')}${found[3] ?? ''}` : String(value);
};

export const moneyText = (value: unknown): string => {
  const found = /^(-?\d+)(?:\.(\d{0,2}))?$/.exec(String(value ?? ''));
  return found ? numberText(`${found[1]}.${(found[2] ?? '').padEnd(2, '0')}`) : nothing;
};

/** Approximate text width at 13 px; a Chinese character is twice as wide as a Latin one. */
export const textWidth = (text: string) => [...text].reduce((sum, c) => sum + (c > '\u2e7f' ? 13.2 : 7.1), 0);

/** A property, or a dotted path. */
export const valueAt = (row: Readonly<Record<string, unknown>>, path: string): unknown => {
  if (path in row) return row[path];
  let value: unknown = row;
  for (const name of path.split('.')) value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return value;
};
