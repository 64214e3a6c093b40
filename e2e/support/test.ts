import { test as base, type Page } from '@playwright/test';

// Set by `npm test`: Node runs the stories as they are written, so traces need no source maps. The runner takes a trace for each call, and
// mapping them took a fifth of its time.
if (process.env.PW_DISABLE_TS_ESM) Reflect.deleteProperty(Error, 'prepareStackTrace');

/** Events that stories listen to; the browser library itself listens to others. */
const events = [
  'console',
  'dialog',
  'download',
  'filechooser',
  'framenavigated',
  'pageerror',
  'popup',
  'request',
  'requestfailed',
  'requestfinished',
  'response',
  'websocket',
];

/** The page that the stories of a worker use one after the other, and the changes of the running story. */
class SharedPage {
  readonly page: Page;
  readonly #home: string;
  /** False after a change that cannot be undone. */
  #isClean = true;
  readonly #undo: (() => Promise<void>)[] = [];

  constructor(page: Page, home: string) {
    this.page = page;
    this.#home = home;
    this.#watch(page);
    page.context().on('page', (other) => this.#watch(other));
    const { clock } = page;
    const install = clock.install.bind(clock);
    const expose = page.exposeFunction.bind(page);
    const addScript = page.addInitScript.bind(page);
    clock.install = (options) => {
      this.#isClean = false;
      return install(options);
    };
    page.exposeFunction = (name, callback) => {
      this.#isClean = false;
      return expose(name, callback);
    };
    page.addInitScript = async (script, arg) => {
      const added = await addScript(script, arg);
      this.#undo.push(() => added.dispose());
      return added;
    };
  }

  /** Data of another origin is not removed. */
  #watch(page: Page) {
    page.on('framenavigated', (frame) => {
      const url = URL.parse(frame.url());
      if (url?.protocol.startsWith('http') && url.origin !== this.#home) this.#isClean = false;
    });
  }

  /** Removes the data that the story stored. Returns false if the page cannot be used again. */
  async clean() {
    const { page } = this;
    if (!this.#isClean || page.isClosed()) return false;
    const context = page.context();
    for (const other of context.pages()) if (other !== page) await other.close();
    for (const event of events) page.removeAllListeners(event);
    this.#watch(page);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.unrouteAll({ behavior: 'ignoreErrors' });
    for (const undo of this.#undo.splice(0)) await undo();
    await context.setOffline(false);
    await context.clearPermissions();
    await context.clearCookies();
    await page.emulateMedia({ media: null, colorScheme: null, forcedColors: null, reducedMotion: 'reduce' });
    // Otherwise the next page would show the element below the pointer in its hover state.
    await page.mouse.move(-1, -1);
    // A small document of the console: the previous page may store data when it is left.
    await page.goto('/favicon.svg');
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
      window.name = '';
    });
    await page.goto('about:blank');
    return this.#isClean;
  }
}

/**
 * Stories of a worker share one page, because loading the console in a new browser context costs 1.6 s of processor time, and 0.6 s in a
 * page that has loaded it before. Data that a story stores is removed. A story gets a new context if it has other settings of the browser
 * (language, phone, no scripts) than the one before, or if it needs an empty cache: `test.use({ ownPage: true })`. After a failure, a fake
 * clock, an exposed function or another origin, the next story gets a new one.
 */
export const test = base.extend<{ ownPage: boolean }, { shared: { of?: SharedPage; settings?: string } }>({
  ownPage: [false, { option: true }],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern.
  shared: [async ({}, use) => use({}), { scope: 'worker' }],
  page: async (
    { browser, shared, ownPage, locale, isMobile, hasTouch, javaScriptEnabled, userAgent, deviceScaleFactor, viewport, baseURL },
    use,
    info,
  ) => {
    const close = async () => {
      await shared.of?.page.context().close();
      delete shared.of;
    };
    const settings = JSON.stringify([locale, isMobile, hasTouch, javaScriptEnabled, userAgent, deviceScaleFactor]);
    if (ownPage || settings !== shared.settings) await close();
    shared.of ??= new SharedPage(await (await browser.newContext()).newPage(), new URL(baseURL ?? '').origin);
    shared.settings = settings;
    const { page } = shared.of;
    if (viewport) await page.setViewportSize(viewport);
    await use(page);
    if (ownPage || info.status !== info.expectedStatus || !(await shared.of.clean())) await close();
  },
  context: async ({ page }, use) => use(page.context()),
});
