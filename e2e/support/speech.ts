import type { Lang } from '@farlink/contract/kit/text.ts';
import type { BrowserContext, Page } from '@playwright/test';

/** The language of a console that nobody has switched yet; a switch inside the test still stands. */
export const speak = (to: Page | BrowserContext, lang: Lang) =>
  to.addInitScript((first) => {
    if (localStorage.getItem('farlink-lang') === null) localStorage.setItem('farlink-lang', first);
  }, lang);
