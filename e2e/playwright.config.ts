import { defineConfig } from '@playwright/test';

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A page lives for seconds, so the slower of the two optimizing compilers costs more time than it saves, and the faster one too, except
  // for loops such as the hash of an uploaded file.
  '--js-flags=--no-opt --invocation-count-for-maglev=20000',
];

export default defineConfig({
  testDir: '.',
  outputDir: 'test-results',
  globalSetup: './start-server.ts',
  // Tests wait as much as they use a core, so three workers are efficient.
  workers: 3,
  fullyParallel: true,
  // A machine under load can miss a timing; Playwright reports such a test as flaky.
  retries: 2,
  // Only a test that fails waits this long. Shared machines were seen four times slower than usual for minutes.
  timeout: 240_000,
  expect: { timeout: 40_000 },
  forbidOnly: true,
  // As for unit tests: `npm test -- --all` runs these too.
  ...(process.env.TEST_QUICK === '1' && { grepInvert: /@all/ }),
  reporter: 'list',
  use: {
    // Set by the global setup before the workers start.
    baseURL: process.env.E2E_URL ?? '',
    // At this height a list has ten rows (limitFor).
    viewport: { width: 1440, height: 800 },
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    // Without animations, which would be rendered at 60 fps while a test waits.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    trace: 'off',
    launchOptions: { executablePath: process.env.CHROMIUM || '/usr/bin/chromium-headless-shell', args },
  },
});
