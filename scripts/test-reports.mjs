import { relative } from 'node:path';
import { root } from './run.mjs';

/** @typedef {{ file: string, name: string, why: string }} Failure */

// biome-ignore lint/suspicious/noControlCharactersInRegex: ANSI colours contain control characters
const colours = /\u001b\[[0-9;]*m/g;

/** @param {string | undefined} message */
const firstLine = (message) => (message ?? '').replaceAll(colours, '').trim().split('\n')[0]?.slice(0, 200) ?? '';

/**
 * Failures of a Vitest report; a file that could not be loaded counts once.
 * @param {{ testResults: { name: string, status: string, message?: string, assertionResults: { fullName: string, status: string, failureMessages?: string[] }[] }[] }} report
 * @returns {Failure[]}
 */
export const unitFailures = ({ testResults }) =>
  testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (status === 'failed' && failed.length === 0) return [{ file, name: 'the whole file', why: firstLine(message) }];
    return failed.map((test) => ({ file, name: test.fullName, why: firstLine(test.failureMessages?.[0]) }));
  });

/** @typedef {{ name: string, seconds: number }} Duration */

/**
 * Seconds of each file of a Vitest report: its tests one after the other.
 * @param {{ testResults: { name: string, assertionResults: { duration?: number | null }[] }[] }} report
 * @returns {Duration[]}
 */
export const unitDurations = ({ testResults }) =>
  testResults.map(({ name, assertionResults }) => ({
    name: relative(root, name),
    seconds: assertionResults.reduce((sum, { duration }) => sum + (duration ?? 0), 0) / 1000,
  }));

/** @typedef {{ error?: { message?: string }, duration: number }} Result */
/** @typedef {{ title: string, file: string, ok: boolean, tests: { results: Result[] }[] }} Spec */
/** @typedef {{ suites?: Suite[], specs?: Spec[] }} Suite */

/**
 * Failures of a Playwright report.
 * @param {Suite} suite
 * @returns {Failure[]}
 */
export const browserFailures = ({ suites = [], specs = [] }) => [
  ...suites.flatMap(browserFailures),
  ...specs
    .filter(({ ok }) => !ok)
    .map(({ title, file, tests }) => ({ file: `e2e/${file}`, name: title, why: firstLine(tests[0]?.results.at(-1)?.error?.message) })),
];

/**
 * Seconds of each story of a Playwright report, retries included.
 * @param {Suite} suite
 * @returns {Duration[]}
 */
export const browserDurations = ({ suites = [], specs = [] }) => [
  ...suites.flatMap(browserDurations),
  ...specs.map(({ title, file, tests }) => ({
    name: `e2e/${file}: ${title}`,
    seconds: tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0) / 1000,
  })),
];

/** @param {readonly Duration[]} durations */
export const slowest = (durations) =>
  durations
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, 20)
    .map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s   ${name}`);
