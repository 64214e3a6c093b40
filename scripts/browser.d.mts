/** Types of browser.mjs for TypeScript. */
export const findBrowser: () => string | undefined;
export const ensureBrowser: () => Promise<string>;
