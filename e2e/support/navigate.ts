import type { Page } from '@playwright/test';

/** Opens a path of the console without loading it again. */
export const openPath = (page: Page, path: string) =>
  page.evaluate((target) => {
    history.pushState({ ...history.state, idx: history.state.idx + 1, key: target }, '', target);
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
  }, path);
