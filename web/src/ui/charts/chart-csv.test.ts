import { expect, test } from 'vitest';
import { csvText, seriesCsv } from './chart-csv.ts';

const texts = { time: 'Time', before: 'Previous' };
const timeText = (at: number) => `t${at}`;

test('the CSV of a chart has one line for each interval, in bytes', () => {
  const series = [
    { name: 'Down', values: [1, 2048] },
    { name: 'Up', values: [3, 4] },
  ];
  expect(seriesCsv({ start: 100, step: 60, series, timeText, texts })).toBe('Time,Down (B),Up (B)\r\nt100,1,3\r\nt160,2048,4\r\n');
  expect(seriesCsv({ start: 100, step: 60, series: [], timeText, texts })).toBe('Time\r\n');
});

test('the previous period is a column after each series, with zero if it is shorter', () => {
  const series = [{ name: 'Down', values: [1, 2], before: [9] }];
  expect(seriesCsv({ start: 0, step: 1, series, timeText, texts })).toBe('Time,Down (B),Previous Down (B)\r\nt0,1,9\r\nt1,2,0\r\n');
});

test('quotes, commas and formulas in names are escaped', () => {
  expect(csvText([['a,b', 'say "x"', '=1+1', -5]])).toBe('"a,b","say ""x""",\'=1+1,-5\r\n');
});
