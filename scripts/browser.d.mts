/** Types of browser.mjs for those who import it from TypeScript. */
export const findBrowser: () => string | undefined;
export const ensureBrowser: () => Promise<string>;
