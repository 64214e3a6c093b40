import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { type Lang, langs } from '@farlink/contract/kit/text.ts';
import type {
  PlaywrightTestArgs,
  PlaywrightTestOptions,
  PlaywrightWorkerArgs,
  PlaywrightWorkerOptions,
  TestDetails,
  TestInfo,
} from '@playwright/test';

/** Set by `npm run soak`. */
export const isSoak = process.env.SOAK === '1';

/** `npm test` without `--all`. */
export const isQuick = process.env.TEST_QUICK === '1';

const storyFiles = readdirSync(new URL('..', import.meta.url))
  .filter((name) => name.endsWith('.spec.ts'))
  .sort();

/**
 * Languages of a story file. `npm test` runs every second file in English, the others in Chinese; `npm run soak` runs all in both.
 * Stories about the texts themselves use `langs`.
 */
export const storyLangs = (url: string): readonly Lang[] => {
  if (isSoak) return langs;
  return langs.filter((_, i) => i === storyFiles.indexOf(basename(url)) % langs.length);
};

type Args = PlaywrightTestArgs & PlaywrightTestOptions & PlaywrightWorkerArgs & PlaywrightWorkerOptions;
type Body = (args: Args, info: TestInfo) => Promise<void> | void;
type Register = {
  (title: string, body: Body): void;
  (title: string, details: TestDetails, body: Body): void;
};

/**
 * For a file whose stories together need both languages. `npm test` runs each story once: the first in Chinese, the second in English, and
 * so on. `npm run soak` runs all in both. Use: `for (const lang of langs) { const inTurn = takeTurns(lang); inTurn(test)(title, body); }`.
 */
export const takeTurns = (lang: Lang) => {
  let stories = langs.indexOf(lang);
  return (register: Register): Register => (isSoak || stories++ % 2 === 0 ? register : () => undefined);
};
