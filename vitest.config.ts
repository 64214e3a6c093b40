import { defineConfig } from 'vitest/config';

const project = (name: string, more: { globalSetup?: string[]; include?: string[] } = {}) => ({
  test: {
    name,
    root: name,
    environment: 'node' as const,
    include: ['**/*.test.{ts,tsx}'],
    testTimeout: 60_000,
    // A machine with other work to do is slower, not wrong.
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 120_000,
    ...more,
  },
});

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      project('contract'),
      project('gateway'),
      project('simulator'),
      project('server', { globalSetup: ['test/setup/global.ts'] }),
      project('web'),
      project('scripts', { include: ['*.test.mjs'] }),
    ],
  },
});
