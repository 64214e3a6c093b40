import { defineConfig } from '@playwright/test';

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export default defineConfig({
  testDir: '.',
  outputDir: 'test-results',
  globalSetup: './start-server.ts',
  // A test waits for the page as often as it keeps a core busy.
  workers: 3,
  fullyParallel: true,
  // A machine under load may miss a moment once; Playwright names such a test flaky.
  retries: 1,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  reporter: 'list',
  use: {
    // Set by the global set-up before the workers start.
    baseURL: process.env.E2E_URL ?? '',
    // So high that a list has ten rows (limitFor).
    viewport: { width: 1440, height: 800 },
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    // Nothing moves: what moves is drawn sixty times a second while a test waits for it.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    trace: 'off',
    launchOptions: { executablePath: process.env.CHROMIUM || '/usr/bin/chromium-headless-shell', args },
  },
});
