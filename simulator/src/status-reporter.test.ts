import { expect, test } from 'vitest';
import { StatusReporter } from './status-reporter.ts';

const now = (t: number) => ({
  t,
  position: { lat: 0, lon: 0, sog: 0, cog: 0, toPort: 9 },
  links: [],
  bytes: new Map(),
  load: { cpu: 1, mem: 1 },
  users: 0,
  current: undefined,
  lan: [1],
  aps: [],
});

test('a full report is sent every six hours, at any interval', () => {
  const reporter = new StatusReporter();
  const start = 1_790_000_000;
  const wholeAt = (every: number) =>
    Array.from({ length: (13 * 3600) / every }, (_, i) => i * every).filter((t) => reporter.report(now(start + t)).full === true);
  expect(wholeAt(60)).toEqual([0, 21_600, 43_200]);
  reporter.reportAll();
  expect(wholeAt(1200)).toEqual([0, 21_600, 43_200]);
});
