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

/**
 * Languages of a story file. `npm test` runs each file in one language, half of the files in each; `npm run soak` runs all in both.
 * Stories about the texts themselves use `langs`.
 */
export const storyLangs = (url: string): readonly Lang[] => {
  if (isSoak) return langs;
  const hash = [...basename(url)].reduce((total, letter) => (total * 31 + letter.charCodeAt(0)) % 1_000_003, 0);
  return [Math.floor(hash / 64) % 2 === 0 ? 'zh' : 'en'];
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
