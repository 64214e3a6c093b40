import type { Lang } from '@farlink/contract/kit/text.ts';
import type { BrowserContext, Page } from '@playwright/test';

/** Sets the initial language; a later switch inside the test is kept. */
export const setLanguage = (to: Page | BrowserContext, lang: Lang) =>
  to.addInitScript((first) => {
    if (localStorage.getItem('farlink-lang') === null) localStorage.setItem('farlink-lang', first);
  }, lang);
