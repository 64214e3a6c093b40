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

/** @typedef {{ title: string, file: string, ok: boolean, tests: { results: { error?: { message?: string } }[] }[] }} Spec */
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
