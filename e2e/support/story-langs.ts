import { basename } from 'node:path';
import { type Lang, langs } from '@farlink/contract/kit/text.ts';

/** Set by `npm run soak`. */
export const isSoak = process.env.SOAK === '1';

/**
 * Languages of a story file. `npm test` runs each file in one language, half of the files in each; `npm run soak` runs all in both.
 * Stories about the texts themselves use `langs`.
 */
export const storyLangs = (url: string): readonly Lang[] => {
  if (isSoak) return langs;
  const hash = [...basename(url)].reduce((total, letter) => (total * 31 + letter.charCodeAt(0)) % 1_000_003, 0);
  return [Math.floor(hash / 64) % 2 === 0 ? 'zh' : 'en'];
};
